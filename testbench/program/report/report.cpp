// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/clock.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/report/check_report.h"
#include "testbench/program/report/deadlock_report.h"
#include "testbench/program/report/group_report.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/replay_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

// What a user waits for begins with the program: reading, planning and start-up count.
const auto program_begin = std::chrono::steady_clock::now();

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

constexpr const char* ports_words =
    ": a sender's messages waited for each other at its injection port";

class Report {
 public:
  Report(const RunPlan& plan, const Results& results, const Style& style)
      : plan_(plan), results_(results), style_(style) {}

  void add_fabric();
  void add_router();
  void add_model();
  void add_machine();
  void add_node();
  void add_traffic();
  void add_traffic_of_tasks();
  void add_schedules();
  void add_best_pieces();
  void add_latency();
  void add_groups();
  void add_completion();
  void add_last_start();
  void add_theory();
  void add_bound();
  /// Where the run has a clock.
  void add_bandwidth();
  bool waited_at_ports() const;
  void add_pattern();
  void add_background();
  void add_load();
  /// What joins yielded in the order of arrival.
  void add_combine();
  void add_tasks();
  void add_latencies(const TrafficResults& traffic);
  /// `first_port` is the port of its channels that is number 0.
  void add_contention(const char* label, const Contention& contention, std::size_t first_port);
  /// By which rule the pins of a router of one's own show contention.
  void add_pins();
  void add_static(const StaticVerdict& verdict);
  void add_end();
  void add_time(double static_seconds);
  std::string take() { return std::move(text_); }

 private:
  void add(const char* label, const std::string& words) {
    text_ += style_.label(fmt::format("{:<12}", label)) + words + "\n";
  }
  /// Whether the run is a barrier, whose messages have one flit each.
  bool is_barrier() const;
  std::string verdict(const char* name, const Finding& finding) const;
  std::string unicast_verdicts(const ScheduleReport& report) const;
  std::string deadlock_verdict(const WormFindings& worms) const;
  void add_worms(const StaticVerdict& verdict);
  /// ` (1.05 us)` where the run has a clock, otherwise nothing.
  std::string in_microseconds(double cycles) const;

  /// `, 3 of them between groups` where there are several groups.
  std::string between_groups(const Contention& contention) const;

  const RunPlan& plan_;
  const Results& results_;
  const Style& style_;
  const GroupMap groups_{plan_};
  std::string text_;
};

void Report::add_fabric() {
  const Topology& topology = plan_.routing.topology();
  const RouterConfig& router = plan_.router;
  const bool all_port = router.internal_ports == router.external_ports;
  std::string words =
      fmt::format("{}: {} nodes, {} routing, {}, {}, buffers of {}", topology.name(),
                  topology.node_count(), to_string(plan_.routing.order()),
                  all_port ? fmt::format("all-port ({})", router.internal_ports)
                           : counted(router.internal_ports, "internal port"),
                  counted(router.vcs, "virtual channel"), counted(router.buffer_depth, "flit"));
  if (plan_.routing.vc_use() == VcUse::balanced) words += ", balanced use of their classes";
  if (router.link_delay > 0) {
    words += fmt::format(", link delay {}", link_delay_in_words(plan_.request.router));
  }
  if (router.has_narrow_channels()) {
    words += fmt::format(", link width {} of {} bytes", link_width_in_words(plan_.request.router),
                         plan_.simulation.flit_bytes);
  }
  if (router.replication_delay > 0) {
    words += fmt::format(", replication delay {}", router.replication_delay);
  }
  if (router.combine_delay > 0) words += fmt::format(", combine delay {}", router.combine_delay);
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
}

// What the router declares, and the part of it that its adapter takes.
void Report::add_router() {
  const RouterDeclaration& router = *plan_.request.own_router;
  std::string words = fmt::format("{} in RTL: {} a hop", router.top, cycles_in_words(router));
  if (router.adapter_cycles > 0) {
    words += fmt::format(", of which its adapter takes {}", router.adapter_cycles);
  }
  add("router", words);
}

void Report::add_model() {
  const bool has_worms = plan_.simulation.is_transaction_level;
  add("model",
      fmt::format("{}, chosen by --model auto: {}", to_string(plan_.request.model),
                  has_worms ? "it moves this run exactly" : "model worm " + worms_fault(plan_)));
}

void Report::add_machine() {
  const MachinePreset& preset = *plan_.request.node.preset;
  add("machine", fmt::format("{} [{}], {}", preset.machine, preset.papers,
                             plan_.request.node.clock_ghz > 0
                                 ? fmt::format("--clock {} GHz", plan_.request.node.clock_ghz)
                             : preset.has_clock() ? fmt::format("{} ns a cycle", *preset.cycle_ns)
                                                  : "no clock stated"));
}

std::string Report::in_microseconds(double cycles) const {
  const std::optional<Clock> clock = clock_of(plan_.request.node);
  return clock ? fmt::format(" ({:.4g} us)", clock->microseconds(cycles)) : "";
}

bool Report::is_barrier() const {
  if (plan_.trials().empty()) return false;
  const PlannedCollective& first = plan_.trials().front().front();
  if (first.has_joins()) return first.operation == Operation::barrier;
  return first.goal != nullptr && first.goal->operation() == Operation::barrier;
}

void Report::add_node() {
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

void Report::add_traffic() {
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
  if (plan_.traffic() != nullptr) add("traffic", allport::in_words(*plan_.traffic()));
  if (plan_.traffic() == nullptr && plan_.load() == nullptr) add_schedules();
}

void Report::add_traffic_of_tasks() {
  add("tasks", tasks_in_words(plan_));
  const Replay* const replay = plan_.request.traffic.replay.get();
  for (const auto& [label, words] :
       replay != nullptr ? replay_lines(*replay)
                         : collective_lines(plan_.tasks()->graph->uses, "collectives")) {
    add(label, words);
  }
  if (plan_.traffic() != nullptr) add("beside", background_in_words(*plan_.traffic()));
}

void Report::add_schedules() {
  std::string words = plan_.request.traffic.schedule.empty()
                          ? std::string(plan_.request.traffic.algorithm->name)
                          : fmt::format("schedule {}", shown_path(plan_.request.traffic.schedule));
  words += fmt::format(" from {} to {}", allport::in_words(plan_.sources),
                       destinations_in_words(plan_.trials().front()));
  if (!plan_.request.traffic.chain.empty()) words += ", along the given chain";
  if (!plan_.request.traffic.block.empty()) {
    words += fmt::format(", by the block {}", shown_path(plan_.request.traffic.block));
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
  if (!plan_.relays.empty()) add("relays", allport::in_words(plan_.relays));
  if (plan_.request.message.pieces == 0) add_best_pieces();
  add("steps", std::to_string(results_.steps));
}

// The number of pieces of each multicast, for the first of them.
void Report::add_best_pieces() {
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

void Report::add_latency() {
  if (results_.destinations == 0) {
    add("latency",
        style_.bad(
            "none: there are no destinations but the sources, which have the message from the start"));
    return;
  }
  if (!results_.has_latency()) {
    add("latency", style_.bad("none: no destination received"));
    return;
  }
  add("latency", fmt::format("max {} cycles{}, mean {:.2f}{}", results_.latency.max,
                             in_microseconds(static_cast<double>(results_.latency.max)),
                             results_.latency.mean, in_microseconds(results_.latency.mean)));
  if (results_.missing > 0) {
    add("", style_.bad(counted(results_.missing, "destination") + " did not receive"));
  }
}

void Report::add_groups() {
  if (!plan_.has_partition()) return;
  const char* label = "by group";
  for (const std::string& line : group_lines(plan_, results_)) {
    add(label, line);
    label = "";
  }
}

// With a single trial it is the largest latency.
void Report::add_completion() {
  const std::optional<MeanEstimate> completion = results_.completion();
  if (!completion || !completion->half_width) return;
  add("completion",
      fmt::format("mean {:.2f} +- {:.2f} cycles{}, 95 % interval over {} trials", completion->mean,
                  *completion->half_width, in_microseconds(completion->mean),
                  results_.trials.size() - (results_.is_complete() ? 0 : 1)));
}

void Report::add_last_start() {
  const std::optional<MeanEstimate> after = results_.completion_after_last_start();
  if (!after) return;
  if (!after->half_width) {
    add("skew",
        fmt::format(
            "the last node that sends starts in cycle {}, and the last destination has everything {:.0f} cycles later",
            results_.last_starts.front(), after->mean));
    return;
  }
  add("skew", fmt::format("mean completion {:.2f} +- {:.2f} cycles after the last start of a trial",
                          after->mean, *after->half_width));
}

// Whether the wait for the previous message at the port, which the theory leaves out, makes the
// whole difference.
bool Report::waited_at_ports() const {
  const bool has_contention = results_.contention.events > 0 || results_.reception.events > 0 ||
                              plan_.request.node.jitter > 0 || plan_.request.node.skew > 0;
  try {
    const Stoppable heeds(catch_interrupts());
    return !has_contention && predicted_latency_with_ports(plan_) == results_.latency.max;
  } catch (const Stopped&) {  // then the report says that it was interrupted
    return false;
  }
}

void Report::add_theory() {
  if (!plan_.simulation.model.is_default()) {
    add("theory", "none: the timing models know ts and tr only");
    return;
  }
  if (const auto& own = plan_.request.own_router; own && own->most_hop_cycles > 1) {
    add("theory", "not stated: its model is of routers that take one cycle a hop");
    return;
  }
  std::optional<Cycle> theory;
  try {
    const Stoppable heeds(catch_interrupts());
    theory = predicted_latency(plan_);
  } catch (const Stopped&) {
    add("theory", style_.bad("interrupted"));
    return;
  }
  if (!theory) {
    add("theory", "none: the timing models know external channels as wide as a flit only");
    return;
  }
  const Cycle difference = results_.latency.max - *theory;
  std::string words =
      fmt::format("max {} cycles{}", *theory, in_microseconds(static_cast<double>(*theory)));
  if (!results_.is_complete()) {
    words += ", had the run been complete";
  } else if (!results_.has_latency()) {
    words += ", but no destination received";
  } else if (difference == 0) {
    words += style_.good(", equal to the simulation");
  } else {
    words += fmt::format(", the simulation takes {} {}{}", counted(std::abs(difference), "cycle"),
                         difference > 0 ? "more" : "less", waited_at_ports() ? ports_words : "");
  }
  if (plan_.simulation.skew > 0) words += "; it lets all nodes start in cycle 0";
  add("theory", words);
}

void Report::add_bound() {
  std::optional<LowerBound> bound;
  try {
    const Stoppable heeds(catch_interrupts());
    bound = lower_bound_of(plan_);
  } catch (const Stopped&) {
    add("bound", style_.bad("interrupted"));
    return;
  }
  if (!bound || !results_.has_latency()) return;
  add("bound", fmt::format("{} cycles{} by {}, which no schedule beats; efficiency {:.3f}",
                           bound->cycles, in_microseconds(static_cast<double>(bound->cycles)),
                           bound->binds, efficiency(*bound, results_.latency.max)));
}

void Report::add_bandwidth() {
  const std::optional<Clock> clock = clock_of(plan_.request.node);
  const auto bandwidth = bandwidth_of(plan_, results_.latency.max);
  if (!clock || !bandwidth) return;
  add("bandwidth", fmt::format("algorithm {:.4g} GB/s, bus {:.4g} GB/s",
                               clock->gigabytes_per_second(bandwidth->algorithm),
                               clock->gigabytes_per_second(bandwidth->bus)));
}

void Report::add_pattern() {
  const TrafficResults& traffic = *results_.traffic;
  const ChannelLoad& channels = traffic.channel_load;
  add(plan_.load() != nullptr || plan_.tasks() != nullptr ? "messages" : "load",
      fmt::format("offered {:.4f}, accepted {:.4f} flits per node and cycle", traffic.offered,
                  traffic.accepted));
  const std::string saturation = saturation_in_words(traffic);
  add("saturated", traffic.saturated ? style_.bad(saturation) : saturation);
  if (!traffic.has_latency()) {
    add("latency", "none: no message that started in the window was received");
  } else {
    add_latencies(traffic);
  }
  add("channels",
      fmt::format("{:.4f} flits per cycle on average, at most {:.4f} on {}", channels.mean,
                  channels.max, output_in_words(plan_.routing.topology(), channels.busiest)));
}

void Report::add_background() {
  add_pattern();
  const Cycle end = plan_.traffic()->cycles;
  if (results_.tasks->makespan <= end || !results_.is_complete()) return;
  add("", style_.bad(fmt::format(
              "they start before cycle {} only (--cycles), and the ranks last until cycle {}", end,
              results_.tasks->makespan)));
}

void Report::add_load() {
  const LoadResults& load = *results_.load;
  add("load",
      fmt::format(
          "offered {:.4g}, accepted {:.4g} collectives per source and cycle; {:.4f} flits per node and cycle",
          load.offered, load.accepted, load.accepted_flits));
  add("under way", fmt::format("{:.2f} collectives on average", load.under_way));
  const std::string saturation = saturation_in_words(load);
  add("saturated", load.saturated ? style_.bad(saturation) : saturation);
  if (!results_.has_latency()) {
    add("latency", "none: no collective that started in the window was received");
  } else {
    const std::string mean = in_microseconds(load.completion.mean);
    add("latency", allport::in_words(load.latency) + " of deliveries");
    add("completion",
        load.collectives == load.unfinished
            ? "none: no collective that started in the window completed"
            : allport::in_words(load.completion) + (mean.empty() ? "" : ", mean" + mean));
  }
  if (load.unfinished == 0) return;
  add("", style_.bad(counted(load.unfinished, "collective") + " of the window did not complete"));
}

void Report::add_combine() {
  const CombineResults& combine = *results_.combine;
  std::string words =
      fmt::format("in the order of arrival: {} of {} differ from what the order of ports yields",
                  combine.differing_lanes, counted(combine.lanes, "lane"));
  if (combine.differing_lanes > 0) {
    words += fmt::format(", by at most {} ulp", combine.largest_difference);
  }
  if (combine.checksums.size() > 1) {
    words +=
        fmt::format("; {} in {} trials", counted(combine.distinct_results(), "distinct result"),
                    combine.checksums.size());
  } else {
    words += fmt::format("; checksum {:016x}", combine.checksums.front());
  }
  add("combined", words);
}

void Report::add_tasks() {
  const TaskResults& tasks = *results_.tasks;
  if (!results_.is_complete()) {
    add("makespan",
        style_.bad(fmt::format("none: {} of {} tasks did not end", tasks.unended, tasks.tasks)));
    return;
  }
  add("makespan", counted(static_cast<std::uint64_t>(tasks.makespan), "cycle") +
                      in_microseconds(static_cast<double>(tasks.makespan)));
  for (const auto& [label, words] : task_lines(plan_, tasks)) add(label, words);
}

void Report::add_latencies(const TrafficResults& traffic) {
  const std::string mean = in_microseconds(traffic.latency.mean);
  add("latency", allport::in_words(traffic.latency) + (mean.empty() ? "" : ", mean" + mean));
  add("network", allport::in_words(traffic.network_latency));
}

std::string Report::between_groups(const Contention& contention) const {
  if (!plan_.has_partition()) return {};
  const auto events =
      std::count_if(contention.list.begin(), contention.list.end(),
                    [&](const ContentionEvent& event) { return groups_.is_between(event); });
  return fmt::format(", {} of them between groups", events);
}

void Report::add_contention(const char* label, const Contention& contention,
                            std::size_t first_port) {
  if (contention.events == 0) {
    add(label, style_.good("none"));
    return;
  }
  const std::string words = fmt::format("{}, {}", counted(contention.events, "event"),
                                        counted(contention.blocked_cycles, "blocked cycle")) +
                            between_groups(contention);
  const bool is_expected =
      plan_.tasks() != nullptr || plan_.load() != nullptr || plan_.request.traffic.has_pattern();
  add(label, is_expected ? words : style_.bad(words));
  constexpr std::size_t shown = 3;
  const Topology& topology = plan_.routing.topology();
  for (std::size_t i = 0; i < contention.list.size() && i < shown; ++i) {
    const ContentionEvent& event = contention.list[i];
    const Channel channel{event.channel.node, port_id(first_port + index(event.channel.port))};
    add("",
        fmt::format("{}cycle {}: {} waits {} for {}, held by {}",
                    plan_.request.traffic.trials > 1 ? fmt::format("trial {}, ", event.trial) : "",
                    event.cycle, in_words(event.waiting, topology), counted(event.cycles, "cycle"),
                    output_in_words(topology, channel), in_words(event.holding, topology)) +
            (groups_.is_between(event) ? ", between groups" : ""));
  }
  if (contention.events > shown) add("", "..");
}

void Report::add_pins() {
  add("",
      "as the pins show it: a flit counts as kept off from the cycle on in which it could leave");
}

std::string Report::verdict(const char* name, const Finding& finding) const {
  if (finding.ok()) return style_.good(fmt::format("{} holds", name));
  return style_.bad(fmt::format("{} fails ({}{})", name, finding.is_truncated ? "at least " : "",
                                counted(finding.violations, "violation")));
}

std::string Report::unicast_verdicts(const ScheduleReport& report) const {
  std::string words = fmt::format("{}, {}, {}", verdict("Theorem 1", report.theorem1),
                                  verdict("Definition 4", report.definition4),
                                  verdict("stepwise", report.stepwise));
  if (!report.stepwise.ok()) words += ", " + verdict("stepwise-vc", report.stepwise_vc);
  return words;
}

void Report::add_worms(const StaticVerdict& verdict) {
  constexpr std::size_t shown = 3;
  const Topology& topology = plan_.routing.topology();
  const WormFindings& worms = *verdict.report->worms;
  for (std::size_t i = 0; i < worms.contention.pairs.size() && i < shown; ++i) {
    add("", in_words(worms.contention.pairs[i], verdict.messages, topology));
  }
  if (worms.contention.violations > shown) add("", "..");
  const auto circle = circle_in_words(worms.circle, verdict.messages, topology);
  for (std::size_t i = 0; i < circle.size() && i < 2 * shown; ++i) add("", circle[i]);
  if (circle.size() > 2 * shown) add("", "..");
}

std::string Report::deadlock_verdict(const WormFindings& worms) const {
  const std::size_t waits = worms.circle.size();
  if (waits == 0 && worms.joins.ok()) return style_.good("freedom from deadlock holds");
  return style_.bad(
      fmt::format("freedom from deadlock is not proved ({})",
                  waits == 0 ? "the order of joins" : "a circle of " + counted(waits, "wait")));
}

void Report::add_static(const StaticVerdict& verdict) {
  if ((plan_.traffic() != nullptr && plan_.tasks() == nullptr) || plan_.load() != nullptr ||
      (!verdict.report && verdict.why_not.empty()))
    return;
  if (!verdict.report) {
    const std::string words = "not checked: " + verdict.why_not;
    add("static", verdict.was_interrupted ? style_.bad(words) : words);
    return;
  }
  const ScheduleReport& report = *verdict.report;
  std::string words = plan_.request.traffic.trials > 1 ? "last trial: " : "";
  if (report.worms) {
    words += this->verdict("freedom from contention", report.worms->contention) + ", " +
             deadlock_verdict(*report.worms);
  } else {
    words += unicast_verdicts(report);
  }
  add("static", words);
  std::string others;
  const auto add_failed = [&](const char* name, const Finding& finding) {
    if (!finding.ok()) others += (others.empty() ? "" : ", ") + this->verdict(name, finding);
  };
  add_failed("exactly once", report.exactly_once);
  add_failed("causality", report.causality);
  add_failed("port rule", report.port_rule);
  add_failed("valid routes", report.routes_valid);
  add_failed("collective", report.collective);
  if (report.worms) add_failed("joins", report.worms->joins);
  if (!others.empty()) add("", others);
  if (report.worms) add_worms(verdict);
  if (report.worms && !report.worms->joins.ok()) add("", report.worms->joins.first.front());
  if (!report.order_note.empty()) add("", report.order_note);
}

void Report::add_end() {
  if (results_.deadlock) {
    const Deadlock& deadlock = *results_.deadlock;
    add("deadlock", style_.bad(fmt::format(
                        "in cycle {}, {} can never be delivered; {}:", deadlock.cycle,
                        counted(deadlock.stuck_messages, "message"),
                        deadlock.waits.empty()       ? "a processor has not sent"
                        : deadlock.waits.size() == 1 ? "one waits for itself"
                                                     : "each waits for the next, in a circle")));
    for (const std::string& line :
         circle_in_words(deadlock, plan_.router, plan_.routing.topology())) {
      add("", line);
    }
  }
  if (results_.tasks && !results_.tasks->waits.empty()) {
    constexpr std::size_t shown = 8;
    const std::vector<std::string>& waits = results_.tasks->waits;
    add("deadlock", style_.bad(results_.tasks->waits_in_circle
                                   ? "of tasks, each waits for the rank of the next, in a circle:"
                                   : "of tasks:"));
    for (std::size_t i = 0; i < waits.size() && i < shown; ++i) add("", waits[i]);
    if (waits.size() > shown) add("", "..");
  }
  if (!results_.broken_invariant.empty()) add("broken", style_.bad(results_.broken_invariant));
  if (!results_.overrun.empty()) add("too long", style_.bad(results_.overrun));
  if (results_.was_interrupted) add("interrupted", style_.bad("these are the results so far"));
  if (results_.repeated_deliveries > 0) {
    add("repeated", style_.bad(fmt::format("{} by processors that had the message already",
                                           counted(results_.repeated_deliveries, "reception"))));
  }
  add("moved",
      fmt::format("{}, {} in {}", counted(results_.messages, "message"),
                  counted(results_.flit_hops, "flit hop"), counted(results_.cycles, "cycle")));
  add("digest", results_.digest);
}

void Report::add_time(double static_seconds) {
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - program_begin;
  std::string took =
      fmt::format("{:.3f} s, simulation {:.3f} s", all.count(), results_.wall_seconds);
  if (static_seconds > 0) took += fmt::format(", static check {:.3f} s", static_seconds);
  add("took", took);
}

}  // namespace

std::string report_of_results(const RunPlan& plan, const Results& results, const Style& style) {
  Report report(plan, results, style);
  report.add_fabric();
  if (plan.request.own_router) report.add_router();
  if (plan.is_model_chosen) report.add_model();
  if (plan.request.node.preset != nullptr) report.add_machine();
  report.add_node();
  report.add_traffic();
  if (results.tasks) {
    report.add_tasks();
    if (results.traffic) report.add_background();
  } else if (results.load) {
    report.add_load();
    if (results.traffic) report.add_pattern();
  } else if (results.traffic) {
    report.add_pattern();
  } else {
    report.add_latency();
    report.add_groups();
    report.add_completion();
    report.add_last_start();
    // Of an interrupted run it would be no result, and it takes long for many trials.
    const bool is_cut = results.was_interrupted || !results.overrun.empty();
    if (results.destinations > 0 && !is_cut) report.add_theory();
    if (results.destinations > 0 && results.is_complete()) {
      report.add_bound();
      report.add_bandwidth();
    }
  }
  if (results.combine) report.add_combine();
  report.add_contention("contention", results.contention, 0);
  report.add_contention("reception", results.reception, plan.routing.topology().port_count());
  if (plan.request.own_router) report.add_pins();
  return report.take();
}

std::string report_of_verdict(const RunPlan& plan, const Results& results,
                              const StaticVerdict& verdict, const Style& style) {
  Report report(plan, results, style);
  report.add_static(verdict);
  report.add_end();
  return report.take();
}

std::string report_of_time(const RunPlan& plan, const Results& results,
                           const StaticVerdict& verdict, const Style& style) {
  Report report(plan, results, style);
  report.add_time(verdict.seconds);
  return report.take();
}

}  // namespace allport
