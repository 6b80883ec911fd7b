// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/setting_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/program/report/fabric_report.h"
#include "testbench/program/report/group_report.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/replay_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/report/traffic_report.h"

namespace allport {

namespace {

// `3 pieces`, or `1..3 pieces` where the number differs between the collectives of the run.
std::string pieces_in_words(const Trials& trials) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const std::vector<PlannedCollective>& trial : trials) {
    for (const PlannedCollective& one : trial) {
      if (one.goal != nullptr && one.goal->operation() != Operation::bcast) continue;  // a barrier
      const std::size_t pieces = one.goal != nullptr ? one.goal->block_count() : 1;
      least = std::min(least, pieces);
      most = std::max(most, pieces);
    }
  }
  return least == most ? counted(most, "piece") : fmt::format("{}..{} pieces", least, most);
}

// `3 blocks`, or `2..3 blocks` where the collectives of a trial differ; barriers do not count.
template <class Count>
std::string numbers_in_words(const std::vector<PlannedCollective>& trial, const char* what,
                             const Count& count) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const PlannedCollective& one : trial) {
    if (one.is_barrier) continue;
    least = std::min<std::size_t>(least, count(one));
    most = std::max<std::size_t>(most, count(one));
  }
  return least == most ? counted(most, what) : fmt::format("{}..{} {}s", least, most, what);
}

std::string destinations_in_words(const std::vector<PlannedCollective>& trial) {
  return numbers_in_words(trial, "destination",
                          [](const PlannedCollective& one) { return one.destinations.size(); });
}

// `scatter of 8 blocks`
std::string collective_in_words(const Collective& goal, const Trials& trials) {
  if (goal.operation() == Operation::bcast) return pieces_in_words(trials);
  std::string words = fmt::format(
      "{} of {}", to_string(goal.operation()),
      numbers_in_words(trials.front(), "block", [](const PlannedCollective& one) {
        return one.goal == nullptr ? 0 : one.goal->block_count() / one.goal->part_count();
      }));
  if (goal.part_count() > 1) words += fmt::format(", each in {} parts", goal.part_count());
  return words;
}

class SettingReport {
 public:
  SettingReport(const RunPlan& plan, int steps) : plan_(plan), steps_(steps) {}

  ReportLines take() && {
    add_fabric();
    if (plan_.request.custom_router) add_router();
    if (plan_.is_model_chosen) add_model();
    if (plan_.request.node.preset != nullptr) add_machine();
    add_node();
    add_traffic();
    return std::move(lines_);
  }

 private:
  void add(const char* label, std::string words) { lines_.emplace_back(label, std::move(words)); }
  void add_fabric();
  void add_router();
  void add_model();
  void add_machine();
  void add_node();
  void add_traffic();
  void add_traffic_of_tasks();
  void add_schedules();
  void add_best_pieces();
  /// Whether the run is a barrier, whose messages have one flit each.
  bool is_barrier() const;

  const RunPlan& plan_;
  int steps_;
  ReportLines lines_;
};

// `all-port (4)`, `2 internal ports`, or `1..3 internal ports` where nodes have different ones.
std::string internal_ports_in_words(const Topology& topology, int all) {
  if (!has_own_internal_ports(topology)) {
    const bool has_all = all == static_cast<int>(topology.node_port_count());
    if (has_all) return fmt::format("all-port ({})", all);
    if (!topology.is_graph()) return counted(static_cast<std::uint64_t>(all), "internal port");
  }
  Range ports{all, 0};
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    int one = internal_ports_of(topology, node_id(i), all);
    if (topology.is_graph()) {  // of which nodes have different numbers of external ports
      one = std::min(one, static_cast<const Graph&>(topology).external_ports(node_id(i)));
    }
    ports = {std::min<std::int64_t>(ports.low, one), std::max<std::int64_t>(ports.high, one)};
  }
  if (ports.low == ports.high) {
    return counted(static_cast<std::uint64_t>(ports.low), "internal port");
  }
  return fmt::format("{}..{} internal ports", ports.low, ports.high);
}

// ` of 0.01 of the flits and 3 given errors`; empty: nothing errs.
std::string errors_in_words(const RunPlan& plan) {
  const LinkErrors& errors = plan.simulation.errors;
  std::string words;
  if (errors.rate > 0) words = fmt::format(" of {:.3g} of the flits", errors.rate);
  if (errors.listed.empty()) return words;
  return words + fmt::format("{}{}", words.empty() ? " of " : " and of ",
                             counted(errors.listed.size(), "given error"));
}

void SettingReport::add_fabric() {
  const Topology& topology = plan_.routing.topology();
  const RouterConfig& router = plan_.router;
  const std::size_t switches = topology.router_count() - topology.node_count();
  std::string words =
      fmt::format("{}: {} nodes{}, {} routing, {}, {}, buffers of {}", topology.name(),
                  topology.node_count(), switches == 0 ? "" : " and " + counted(switches, "switch"),
                  plan_.routing.name(), internal_ports_in_words(topology, router.internal_ports),
                  counted(router.vcs, "virtual channel"), counted(router.buffer_depth, "flit"));
  if (router.classes > 1) words += fmt::format(", {} message classes", router.classes);
  if (plan_.routing.vc_use() == VcUse::balanced) words += ", balanced use of their classes";
  if (router.links != nullptr) words += ", " + links_in_words(*router.links, topology);
  if (router.links == nullptr && router.link_delay > 0) {
    words += fmt::format(", link delay {}", link_delay_in_words(plan_.request.router));
  }
  if (router.links == nullptr && router.has_narrow_channels()) {
    words += fmt::format(", link width {} of {} bytes", link_width_in_words(plan_.request.router),
                         plan_.simulation.flit_bytes);
  }
  if (router.replication_delay > 0) {
    words += fmt::format(", replication delay {}", router.replication_delay);
  }
  if (router.combine_delay > 0) words += fmt::format(", combine delay {}", router.combine_delay);
  words += pipeline_in_words(router);
  if (router.retry) words += ", retry" + errors_in_words(plan_);
  if (router.join_vcs > 0) {
    words += fmt::format(", {} of them for joins and trees alone", router.join_vcs);
  }
  if (router.switching != Switching::wormhole) {
    words += fmt::format(", {} switching", to_string(router.switching));
  }
  if (const TieBreak& ties = plan_.routing.tie_break(); ties.rule != TieBreak::Rule::positive) {
    words += fmt::format(", ties {}", ties.in_words());
  }
  add("fabric", words);
  if (const std::string missing = missing_links_in_words(plan_); !missing.empty()) {
    add("missing", missing);
  }
  const FabricRequest& asked = plan_.request.fabric;
  if (!asked.cut_off.empty()) {
    add("cut off", cut_off_in_words(asked.cut_off, *asked.whole) + ", and no messages go there");
  }
  if (!plan_.goes_around) return;
  add("routing", fmt::format("{}, because links are missing and {} routes do not go around them",
                             plan_.routing.name(), to_string(Routing::default_order(topology))));
}

// What the router declares, and the part of it that its adapter takes.
void SettingReport::add_router() {
  const RouterDeclaration& router = *plan_.request.custom_router;
  std::string words = fmt::format("{} in RTL: {} a hop", router.top, cycles_in_words(router));
  if (router.adapter_cycles > 0) {
    words += fmt::format(", of which its adapter takes {}", router.adapter_cycles);
  }
  add("router", words);
}

void SettingReport::add_model() {
  const bool has_worms = plan_.simulation.is_transaction_level;
  add("model",
      fmt::format("{}, chosen by --model auto: {}", to_string(plan_.request.model),
                  has_worms ? "it moves this run exactly" : "model worm " + worms_fault(plan_)));
}

void SettingReport::add_machine() {
  const MachinePreset& preset = *plan_.request.node.preset;
  add("machine", fmt::format("{} [{}], {}", preset.machine, preset.papers,
                             plan_.request.node.clock_ghz > 0
                                 ? fmt::format("--clock {} GHz", plan_.request.node.clock_ghz)
                             : preset.has_clock() ? fmt::format("{} ns a cycle", *preset.cycle_ns)
                                                  : "no clock stated"));
}

bool SettingReport::is_barrier() const {
  if (plan_.trials().empty()) return false;
  const PlannedCollective& first = plan_.trials().front().front();
  if (first.has_joins()) return first.operation == Operation::barrier;
  return first.goal != nullptr && first.goal->operation() == Operation::barrier;
}

void SettingReport::add_node() {
  const SimulationConfig& config = plan_.simulation;
  if (plan_.tasks() != nullptr) {
    add("node", node_in_words(config));
    return;
  }
  std::string words = is_barrier() ? fmt::format("1 flit ({})", counted(config.flit_bytes, "byte"))
                                   : fmt::format("{} ({})", counted(config.flits, "flit"),
                                                 counted(config.bytes, "byte"));
  if (const auto& counts = plan_.request.message.pairs) {
    words = fmt::format("{} at most ({}), {} in all: {}", counted(config.flits, "flit"),
                        counted(config.bytes, "byte"), counted(counts->total(), "byte"),
                        counts->name.empty() ? "--counts" : shown_path(counts->name));
  }
  const bool has_flows = plan_.traffic() != nullptr && plan_.traffic()->flows != nullptr;
  if (has_flows) words = lengths_in_words(*plan_.traffic());
  if (plan_.request.message.flits_long > 0) {
    words += fmt::format(", a share of {} has {}", plan_.request.message.long_fraction,
                         counted(plan_.request.message.flits_long, "flit"));
  }
  if (plan_.traffic() != nullptr && plan_.traffic()->loop) {
    words += fmt::format(", replies of {}", counted(plan_.traffic()->loop->reply_flits, "flit"));
  }
  if (config.reception_limit > 0) {
    words += fmt::format(", reception buffers of {}", counted(config.reception_limit, "flit"));
  }
  if (const int flits = plan_.request.message.address_flits; flits > 0) {
    words += fmt::format(" and {} for each address, {} at most", counted(flits, "flit"),
                         counted(longest_message(plan_), "flit"));
  }
  words += ", " + node_in_words(config);
  if (config.payload_is_symbolic) words += ", symbols for their bytes";
  if (config.jitter > 0) words += fmt::format(", jitter 0..{}", config.jitter);
  if (config.skew > 0) words += fmt::format(", starts in cycles 0..{}", config.skew);
  if (config.barrier_messages) words += ", barriers of messages";
  if (config.barrier) words += fmt::format(", barrier of {}", counted(*config.barrier, "cycle"));
  add("message", words);
}

void SettingReport::add_traffic() {
  if (plan_.tasks() != nullptr) {
    add_traffic_of_tasks();
    return;
  }
  if (plan_.load() != nullptr) {
    add("collectives", allport::in_words(plan_.load()->load, plan_.request.traffic.algorithm->name,
                                         plan_.sources.size()));
    if (const std::string place = placement_in_words(plan_); !place.empty()) {
      add("placement", place);
    }
  }
  if (plan_.traffic() != nullptr) {
    add("traffic", allport::in_words(*plan_.traffic(), plan_.routing.topology()));
  }
  if (plan_.traffic() == nullptr && plan_.load() == nullptr) add_schedules();
}

void SettingReport::add_traffic_of_tasks() {
  add("tasks", tasks_in_words(plan_));
  const Replay* const replay = plan_.request.traffic.replay.get();
  for (const auto& [label, words] :
       replay != nullptr ? replay_lines(*replay)
                         : collective_lines(plan_.tasks()->graph->uses, "collectives")) {
    add(label, words);
  }
  if (plan_.traffic() != nullptr) {
    add("beside", background_in_words(*plan_.traffic(), plan_.routing.topology()));
  }
}

void SettingReport::add_schedules() {
  std::string words = plan_.request.traffic.schedule.empty()
                          ? std::string(plan_.request.traffic.algorithm->name)
                          : "schedule " + shown_input(plan_.request.traffic.schedule);
  words += fmt::format(" from {} to {}", allport::in_words(plan_.sources, plan_.routing.topology()),
                       destinations_in_words(plan_.trials().front()));
  if (!plan_.request.traffic.chain.empty()) words += ", along the given chain";
  if (!plan_.request.traffic.block.empty()) {
    words += ", by the block " + shown_input(plan_.request.traffic.block);
  }
  if (plan_.request.traffic.embed != nullptr)
    words += fmt::format(", embedded {}", plan_.request.traffic.embed->name());
  const auto& goal = plan_.trials().front().front().goal;
  if (goal != nullptr) words += ", " + collective_in_words(*goal, plan_.trials());
  if (plan_.trials().front().size() > 1) {
    const bool is_apart = plan_.simulation.barrier || plan_.simulation.barrier_messages;
    words += is_apart ? " each, one after another" : " each, all at once";
  }
  if (plan_.request.traffic.trials > 1)
    words += fmt::format(", {} trials", plan_.request.traffic.trials);
  const NodeRequest& node = plan_.request.node;
  if (plan_.request.traffic.destinations.random || node.jitter > 0 || node.skew > 0) {
    words += fmt::format(", seed {}", plan_.request.traffic.seed);
  }
  add("traffic", words);
  if (const std::string groups = groups_in_words(plan_); !groups.empty()) {
    add(plan_.has_partition() ? "groups" : "group", groups);
  }
  if (const std::string place = placement_in_words(plan_); !place.empty()) add("placement", place);
  if (!plan_.relays.empty())
    add("relays", allport::in_words(plan_.relays, plan_.routing.topology()));
  if (plan_.request.message.pieces == 0) add_best_pieces();
  add("steps", std::to_string(steps_));
}

// The number of pieces of each multicast, for the first of them.
void SettingReport::add_best_pieces() {
  const std::vector<PiecesChoice> choices = pieces_of(plan_.trials());
  constexpr std::size_t shown = 16;
  std::string words = "best " + allport::pieces_in_words(choices);
  if (choices.size() > 1) words += ", by trial and source";
  for (std::size_t i = 0; choices.size() > 1 && i < choices.size() && i < shown; ++i) {
    words += fmt::format("{}{}", i == 0 ? ": " : ", ", choices[i].pieces);
  }
  if (choices.size() > shown) words += fmt::format(", .. ({} in all)", choices.size());
  add("pieces", words);
}

}  // namespace

ReportLines setting_lines(const RunPlan& plan, int steps) {
  return SettingReport(plan, steps).take();
}

}  // namespace allport
