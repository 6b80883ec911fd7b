// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/topology/channel_words.h"
#include "rtl_model/topology/message_kind.h"
#include "testbench/plan/label_worms.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/worm_faults.h"
#include "traffic/proof/block_check.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

// Says which collective of which trial is meant, and what is wrong with it.
[[noreturn]] void refuse(std::size_t trial, std::size_t collective, const std::string& what) {
  throw std::invalid_argument("trial " + std::to_string(trial) + ", collective " +
                              std::to_string(collective) + ": " + what);
}

// What names a node that does not exist; empty: nothing does.
std::string unknown_node(const PlannedCollective& collective, std::size_t nodes) {
  std::string unknown;
  const auto is_known = [&](NodeId node, const char* what) {
    if (index(node) < nodes) return true;
    unknown = std::string(what) + " " + std::to_string(index(node));
    return false;
  };
  for (const NodeId node : collective.sources) {
    if (!is_known(node, "source")) return unknown;
  }
  for (const NodeId node : collective.destinations) {
    if (!is_known(node, "destination")) return unknown;
  }
  for (const Unicast& unicast : collective.schedule.unicasts) {
    if (!is_known(unicast.u, "sender")) return unknown;
    if (!goes_to_all(unicast.kind) && !is_known(unicast.v, "receiver")) return unknown;
    for (const NodeId node : unicast.via) {
      if (!is_known(node, "receiver")) return unknown;
    }
  }
  return unknown;
}

constexpr std::size_t max_bytes = std::size_t{1} << 31;  // of all messages of a collective
constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();  // message, in flits

// Routers in RTL that compute routes are made for the widths of their dimensions, and all for one
// number of internal ports; delays are those of the channels between them.
void require_alike_in_rtl(const RunPlan& plan, Model model) {
  const RouterConfig& router = plan.router;
  const Topology& topology = plan.routing.topology();
  if (has_own_internal_ports(topology)) {
    throw std::invalid_argument(fmt::format(
        "{}: routers in RTL have one number of internal ports, and nodes of {} have numbers of their own; the models systemc and worm have them",
        model == Model::rtl ? "--model rtl" : "cosim", topology.name()));
  }
  if (router.links == nullptr || plan.routing.table() != nullptr) return;
  for (const Channel channel : topology.channels()) {
    const auto port = static_cast<int>(index(channel.port));
    const int phits = router.phits_at(channel.node, port);
    if (phits == router.phits(port)) continue;
    throw std::invalid_argument(fmt::format(
        "{}: in RTL all channels of a dimension are as wide as --link-width says, and a flit crosses {} in {}; the models systemc and worm have links of their own width, and rtl has them with --routing table:updown or another table",
        model == Model::rtl ? "--model rtl" : "cosim", output_in_words(topology, channel),
        counted(static_cast<std::uint64_t>(phits), "cycle")));
  }
}

// Whether some message of the run goes along the tree of a table.
bool has_trees_or_joins(const RunPlan& plan) {
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      const std::vector<Unicast>& messages = one.schedule.unicasts;
      if (one.is_one_message()
              ? has_group(one.kind)
              : std::any_of(messages.begin(), messages.end(),
                            [](const Unicast& message) { return has_group(message.kind); })) {
        return true;
      }
    }
  }
  return false;
}

// Routers in RTL that follow a table know no tree of it.
void require_no_trees_of_table(const RunPlan& plan, Model model) {
  if (plan.routing.table() == nullptr) return;
  const bool has_own_vcs = plan.router.join_vcs > 0;
  if (!has_own_vcs && !has_trees_or_joins(plan)) return;
  throw std::invalid_argument(fmt::format(
      "{}: {}, and this run has {}; the models systemc and worm take trees and joins by a table",
      model == Model::rtl ? "--model rtl" : "cosim", kinds_by_table,
      has_own_vcs ? fmt::format("--join-vcs {}", plan.router.join_vcs) : "trees or joins"));
}

// The routers in RTL have a fixed number of places for destinations in a header, and combine in the
// order of ports.
void require_rtl(const RunPlan& plan, Model model) {
  if (plan.router.combine_order == CombineOrder::arrival) {
    throw std::invalid_argument(fmt::format(
        "{}: routers in RTL combine what joins bring in the order of ports only; --combine arrival is for the model systemc",
        model == Model::rtl ? "--model rtl" : "cosim"));
  }
  if (plan.router.retry && plan.routing.table() != nullptr) {
    throw std::invalid_argument(fmt::format(
        "{}: routers in RTL that follow a table repeat no flits, and this run has --routing {}; with --retry and errors of flits by a table the model systemc runs",
        model == Model::rtl ? "--model rtl" : "cosim", plan.routing.name()));
  }
  require_alike_in_rtl(plan, model);
  require_no_trees_of_table(plan, model);
  const int via = longest_via(plan);
  if (via <= limits::via) return;
  throw std::invalid_argument(fmt::format(
      "{}: a header in RTL has room for {} destinations of a multidestination message, and this run has one with {}; the model systemc takes any number",
      model == Model::rtl ? "--model rtl" : "cosim", limits::via + 1, via + 1));
}

// What the pins of a router of one's own have no header fields for, or what they do not carry.
void require_own_kinds(const RunPlan& plan) {
  if (plan.router.retry || plan.simulation.errors.has_any()) {
    throw std::invalid_argument(
        "--rtl: a router of your own repeats no flits, and is lost no credits; --retry, errors and --lose-credit are for the model systemc and the project's own router in RTL");
  }
  constexpr const char* where =
      "the model systemc and the project's own router in RTL move those of all fabrics and groups";
  if (plan.router.join_vcs > 0) {
    throw std::invalid_argument(
        "--join-vcs: the pins of a router of your own have no joins, and no trees of groups; leave the option out");
  }
  if (plan.router.combine_delay > 0) {
    throw std::invalid_argument(
        "--combine-delay: the pins of a router of your own have no joins; leave the option out");
  }
  const PinGroups groups = pin_groups(plan);
  if (groups == PinGroups::none) return;
  throw std::invalid_argument(fmt::format(
      "--rtl: a router of your own has {}; {}",
      groups == PinGroups::joins ? "no joins" : "trees of whole hypercubes only", where));
}

}  // namespace

std::size_t message_bytes(const PlannedCollective& collective, const SimulationConfig& config) {
  const bool is_one_flit = collective.has_joins() && collective.operation == Operation::barrier;
  return is_one_flit ? static_cast<std::size_t>(config.flit_bytes) : config.bytes;
}

std::int64_t longest_message(const PlannedCollective& collective, const SimulationConfig& config) {
  return MessageLengths(collective, config).longest();
}

void require_bounds(const RunRequest& request) {
  const MessageRequest& message = request.message;
  require_range("flits", message.flits, limits::flits);
  require_range("flit bytes", message.flit_bytes, limits::flit_bytes);
  if (message.bytes > 0) {
    require_range("bytes", static_cast<std::int64_t>(message.bytes), limits::bytes);
  }
  require_range("pieces", message.pieces, {0, limits::pieces.high});
  require_range("parts", message.parts, {0, limits::parts.high});
  require_range("blocks", message.blocks, {0, limits::pieces.high});
  require_range("address flits", message.address_flits, limits::address_flits);
  require_range("trials", static_cast<std::int64_t>(request.traffic.trials), limits::trials);
  require_range("max violations", static_cast<std::int64_t>(request.check.max_violations),
                limits::violations);
  const double clock = request.node.clock_ghz;
  const bool is_clock = clock >= 0 && clock <= 1000;  // which what is not a number is not
  if (!is_clock) throw std::invalid_argument(fmt::format("clock {}: must be 0..1000 GHz", clock));
}

void require_warmup(const RunRequest& request) {
  if (request.traffic.warmup < request.traffic.cycles) return;
  throw std::invalid_argument(
      fmt::format("--warmup {}: must be less than --cycles {}, to leave cycles to measure in",
                  request.traffic.warmup, request.traffic.cycles));
}

void require_pattern(const RunRequest& request, const TrafficRequest& traffic) {
  const double mean = traffic.mean_flits();
  if (request.traffic.rate > mean) {
    throw std::invalid_argument(fmt::format(
        "--rate {}: must be 0..{} flits per node and cycle, at most one message of {} flits per cycle",
        request.traffic.rate, mean, mean));
  }
  require_warmup(request);
  if (traffic.flits_long > 0 && traffic.flits_long <= traffic.flits) {
    throw std::invalid_argument(fmt::format("--flits-long {}: must be more than --flits {}",
                                            traffic.flits_long, traffic.flits));
  }
}

void require_model(const RunRequest& request, const Topology& topology) {
  if (request.model != Model::worm && topology.router_count() > max_router_count) {
    throw std::invalid_argument(fmt::format(
        "--topology {}: it has {} nodes, but the model {} takes up to {} and --model worm up to {}",
        topology.name(), topology.router_count(), to_string(request.model), max_router_count,
        max_node_count));
  }
  if (request.fabric.has_table() && request.custom_router) {
    throw std::invalid_argument(fmt::format(
        "{}: the pins of a router of your own have none for a table; the models systemc, worm, rtl and cosim have tables",
        request.fabric.table ? "--routing table:" + request.fabric.table->rule
                             : "--topology " + topology.name()));
  }
  const bool is_rtl = request.model == Model::rtl || request.model == Model::cosim;
  if (request.threads > 1 && (is_rtl || request.custom_router)) {
    throw std::invalid_argument(fmt::format(
        "--threads {}: routers in RTL are simulated by one thread; the model systemc takes several",
        request.threads));
  }
  if (request.router.classes == 1 || !request.custom_router) return;
  throw std::invalid_argument(fmt::format(
      "--classes {}: the pins of a router of your own have one message class; leave the option out",
      request.router.classes));
}

namespace {

// The bytes of all messages of a collective; of one message if they share it.
std::size_t bytes_of(const PlannedCollective& plan, const SimulationConfig& config) {
  if (plan.goal == nullptr) return config.bytes;
  const BlockLengths lengths = block_lengths(plan, config);
  std::size_t bytes = 0;
  for (const Unicast& unicast : plan.schedule.unicasts) bytes += lengths.bytes_of(unicast);
  return bytes;
}

std::string too_many_bytes(const PlannedCollective& plan, std::size_t bytes) {
  const std::string what = plan.goal == nullptr
                               ? fmt::format("the message has {} bytes", bytes)
                               : fmt::format("the messages of the {} have {} bytes in total",
                                             to_string(plan.goal->operation()), bytes);
  return fmt::format(
      "{}, but the limit is {}; choose shorter messages or fewer nodes, or let worms carry symbols (--model worm --payload symbolic)",
      what, max_bytes);
}

}  // namespace

void settle_payload(RunPlan& plan) {
  const Payload wanted = plan.request.message.payload;
  if (wanted == Payload::symbols) return;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      const std::size_t bytes = bytes_of(one, plan.simulation);
      if (bytes <= max_bytes) continue;
      if (wanted == Payload::bytes || !plan.simulation.is_transaction_level) {
        throw std::invalid_argument(too_many_bytes(one, bytes));
      }
      plan.simulation.payload_is_symbolic = true;
      return;
    }
  }
  if (plan.traffic() == nullptr) return;
  const auto longest_flits = static_cast<std::size_t>(plan.traffic()->longest_flits());
  const std::size_t bytes = longest_flits * static_cast<std::size_t>(plan.simulation.flit_bytes);
  if (bytes <= max_bytes) return;
  if (wanted == Payload::bytes) {
    throw std::invalid_argument(
        fmt::format("--payload bytes: a message of the {} has {} bytes, but the limit is {}",
                    plan.traffic()->flows == nullptr ? "pattern" : "flows", bytes, max_bytes));
  }
  plan.simulation.payload_is_symbolic = true;
}

void require_node_model(const RunPlan& plan) {
  const NodeModel& model = plan.request.node.model;
  const bool receives_otherwise = model.receive_occupies || model.tr_per_flit > 0;
  const char* option = model.receive_occupies ? "--receive occupies" : "--tr-per-flit";
  if (plan.traffic() != nullptr && !plan.kind().has_ranks() && receives_otherwise) {
    throw std::invalid_argument(fmt::format(
        "{}: a pattern measures messages up to tr cycles after their tails; it is for --algorithm, --schedule and --tasks",
        option));
  }
  const bool sends_otherwise =
      !plan.kind().has_ranks() && (model.send_blocks || model.startup_per_port);
  const bool is_limited = model.limits_ports();
  if (!plan.request.explain.is_any()) return;
  if (!receives_otherwise && !sends_otherwise && !is_limited) return;
  if (!receives_otherwise) option = model.send_blocks ? "--send blocking" : "--startup per-port";
  if (is_limited) option = model.port_limit();
  throw std::invalid_argument(fmt::format(
      "{}: the causes of latencies, --messages, --timeline, --channel-load and --report do not know it; leave them out",
      option));
}

void require_skew(const RunPlan& plan) {
  if (plan.simulation.skew == 0 || !plan.kind().has_ranks()) return;
  throw std::invalid_argument(fmt::format(
      "--skew {}: the ranks of tasks have cycles of their own in which they send; random starts are for the collectives of --algorithm and --schedule",
      plan.simulation.skew));
}

void require_combined(const RunPlan& plan) {
  if (plan.router.combine_order == CombineOrder::port) return;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.has_joins()) return;
    }
  }
  throw std::invalid_argument(
      "--combine arrival: it is for runs with joins, and this one has none");
}

void require_movable(const RunPlan& plan) {
  const RunRequest& request = plan.request;
  if (plan.simulation.is_transaction_level) {
    const std::string fault = worms_fault(plan);
    if (!fault.empty()) throw std::invalid_argument("--model worm: it " + fault);
  }
  require_label_freedom(plan);
  if (request.model == Model::rtl || request.model == Model::cosim) {
    require_rtl(plan, request.model);
    if (request.custom_router) require_own_kinds(plan);
  }
}

void require_trials(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first,
                    const SimulationConfig& config, const Topology& topology) {
  if (trials.empty()) throw std::invalid_argument("there is no trial to run");
  require_range("first trial", static_cast<std::int64_t>(first),
                {0, static_cast<std::int64_t>(trials.size()) - 1});
  const std::size_t nodes = topology.node_count();
  for (std::size_t i = first; i < trials.size(); ++i) {
    const std::size_t count = trials[i].size();
    if (count == 0) throw std::invalid_argument("trial " + std::to_string(i) + ": no collective");
    const std::size_t barriers = config.barrier_messages ? count / 2 : 0;
    for (std::size_t j = 0; j < count; ++j) {
      const PlannedCollective& one = trials[i][j];
      const std::string unknown = unknown_node(one, nodes);
      if (!unknown.empty()) {
        refuse(i, j,
               unknown + ": " + topology.name() + " has nodes 0.." + std::to_string(nodes - 1));
      }
      if (one.goal == nullptr && one.sources.empty()) refuse(i, j, "it has no source");
      if (one.is_barrier == (j >= count - barriers)) continue;
      refuse(i, j,
             "of " + std::to_string(count) + " collectives the last " + std::to_string(barriers) +
                 " must be barriers of messages, no others");
    }
  }
}

void require_kinds(const std::vector<PlannedCollective>& collectives, Switching switching,
                   const Routing& routing) {
  for (const PlannedCollective& collective : collectives) {
    const std::string fault = kind_fault(collective.kind, switching, routing);
    if (!fault.empty()) throw std::invalid_argument(fault);
    for (const Unicast& unicast : collective.schedule.unicasts) {
      const std::string of_one = kind_fault(unicast.kind, switching, routing);
      if (!of_one.empty()) {
        throw std::invalid_argument(describe(unicast, routing.topology()) + ": " + of_one);
      }
    }
  }
}

namespace {

// How many joins and trees a trial has, and whether it has other messages.
struct Shares {
  std::size_t joins = 0;
  std::size_t trees = 0;
  bool has_others = false;
};

Shares shares_of(const std::vector<PlannedCollective>& trial) {
  Shares shares;
  for (const PlannedCollective& one : trial) {
    if (one.is_one_message()) {
      (one.kind == MessageKind::tree ? ++shares.trees, true : shares.has_others = true);
      continue;
    }
    shares.joins += joins_of(one.schedule).size();
    for (const Unicast& unicast : one.schedule.unicasts) {
      if (unicast.kind == MessageKind::tree) ++shares.trees;
      shares.has_others = shares.has_others || !has_group(unicast.kind);
    }
  }
  return shares;
}

void require_lanes(const PlannedCollective& one, const SimulationConfig& config,
                   const Topology& topology) {
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (!is_join(unicast.kind)) continue;
    const std::string fault =
        lane_fault(unicast.join, config.flit_bytes, message_bytes(one, config));
    if (!fault.empty()) throw std::invalid_argument(describe(unicast, topology) + ": " + fault);
  }
}

}  // namespace

void require_joins(const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  if (plan.router.classes > 1 && has_joins(plan)) {
    throw std::invalid_argument(fmt::format(
        "--classes {}: joins have one message class; leave the option out, or the joins",
        plan.router.classes));
  }
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      require_lanes(one, plan.simulation, plan.routing.topology());
    }
    const Shares shares = shares_of(trial);
    const bool is_alone = !shares.has_others || plan.router.join_vcs > 0;
    if (is_alone || !need_own_vcs(shares.joins, shares.trees, plan.routing)) continue;
    const bool has_table = plan.routing.table() != nullptr;
    throw std::invalid_argument(fmt::format(
        "the run has {} and {} beside other messages, which could wait for one another for ever: {} {} may share virtual channels with them; give --join-vcs 1 or 2",
        counted(shares.joins, "join"), counted(shares.trees, "tree"),
        has_table ? "under routing " + plan.routing.name() : "on " + topology.name(),
        has_table          ? "no join"
        : topology.wraps() ? "none"
                           : "only a single one"));
  }
}

void require_room(const std::vector<PlannedCollective>& collectives,
                  const SimulationConfig& config) {
  for (const PlannedCollective& collective : collectives) {
    require_room(config.fabric, static_cast<int>(longest_message(collective, config)));
  }
}

void require_achieved(const PlannedCollective& plan, const Routing& routing) {
  for (const Unicast& unicast : plan.schedule.unicasts) {
    const std::string fault = route_fault(unicast, routing);
    if (!fault.empty()) throw std::invalid_argument(fault);
  }
  const Topology& topology = routing.topology();
  const BlockFlow flow(plan.schedule, *plan.goal, &topology);
  if (const std::string fault = flow.program_fault(); !fault.empty()) {
    throw std::invalid_argument(fault);
  }
  BlockFindings findings = check_blocks(plan.schedule, *plan.goal, flow, topology);
  findings.collective.add(findings.causality);
  findings.collective.add(findings.exactly_once);
  if (findings.collective.ok()) return;
  throw std::invalid_argument(fmt::format("the schedule is not a valid {}: {}",
                                          to_string(plan.goal->operation()),
                                          findings.collective.first.front()));
}

void require_pieces(std::size_t pieces, int flits) {
  if (pieces <= static_cast<std::size_t>(flits)) return;
  throw std::invalid_argument(
      fmt::format("--flits {}: the message is sent in {} pieces, so it must have at least {}",
                  flits, pieces, pieces));
}

void require_size(const PlannedCollective& plan, const SimulationConfig& config,
                  const Topology& topology) {
  if (plan.goal == nullptr) return;
  const MessageLengths lengths(plan, config);
  if (plan.goal->operation() == Operation::bcast) {
    require_pieces(plan.goal->block_count(), config.flits);
  }
  for (const Unicast& unicast : plan.schedule.unicasts) {
    if (lengths.flits_of(unicast) <= longest) continue;
    throw std::invalid_argument(
        fmt::format("{}: it has {} flits, but a message has at most {}; choose shorter blocks",
                    describe(unicast, topology), lengths.flits_of(unicast), longest));
  }
}

}  // namespace allport
