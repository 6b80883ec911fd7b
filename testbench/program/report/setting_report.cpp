// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/setting_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/program/report/fabric_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/program/report/work_report.h"

namespace allport {

namespace {

class SettingReport {
 public:
  SettingReport(const RunPlan& plan, int steps) : plan_(plan), steps_(steps) {}

  ReportLines take() && {
    add_fabric();
    if (plan_.request.custom_router) add_router();
    if (plan_.is_model_chosen) add_model();
    if (plan_.request.node.preset != nullptr) add_machine();
    add_node();
    for (auto& line : work_lines(plan_, steps_)) lines_.push_back(std::move(line));
    return std::move(lines_);
  }

 private:
  void add(const char* label, std::string words) { lines_.emplace_back(label, std::move(words)); }
  void add_fabric();
  void add_router();
  void add_model();
  void add_machine();
  void add_node();
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
    const int one = internal_ports_of(topology, node_id(i), all);
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
  if (plan_.kind().has_ranks()) {
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

}  // namespace

ReportLines setting_lines(const RunPlan& plan, int steps) {
  return SettingReport(plan, steps).take();
}

}  // namespace allport
