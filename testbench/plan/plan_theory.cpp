// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_theory.h"

#include <algorithm>
#include <utility>

#include "rtl_model/graphs/node_ports.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/router_declaration.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/theory/block_timing.h"
#include "traffic/theory/join_timing.h"
#include "traffic/theory/timing_model.h"

namespace allport {

TimingParameters timing_of(const RunPlan& plan) {
  const SimulationConfig& config = plan.simulation;
  return {config.ts, config.tr, config.flits, config.fabric, config.fabric.phits};
}

namespace {

std::vector<Cycle> predicted_latencies(const PlannedCollective& one, const RunPlan& plan,
                                       const TimingParameters& timing) {
  if (one.is_one_message()) {
    return predicted_worm_latency(plan.routing, one.sources.front(), one.kind, timing, one.free);
  }
  if (one.has_joins()) {
    TimingParameters own = timing;
    own.flits = static_cast<int>(longest_message(one, plan.simulation));
    return predicted_join_latency(one.schedule, plan.routing, own);
  }
  if (one.goal == nullptr) {
    return predicted_latency(one.schedule, plan.routing, one.sources, timing, one.address_fields);
  }
  return predicted_block_latency(one.schedule, plan.routing, *one.goal,
                                 block_lengths(one, plan.simulation), plan.router.internal_ports,
                                 timing);
}

// The flits that each channel of a fabric carries, injection and ejection channels included.
class Loads {
 public:
  explicit Loads(const RunPlan& plan)
      : routing_(plan.routing),
        router_(plan.router),
        width_(static_cast<std::size_t>(router_.external_ports + 2 * router_.internal_ports)),
        flits_(routing_.topology().router_count() * width_) {}

  void add(const Unicast& unicast, std::int64_t flits) {
    const Topology& topology = routing_.topology();
    const std::vector<Channel> way = channels(unicast, routing_);
    const std::vector<NodeId> receivers = receivers_of(unicast);
    auto next = receivers.begin();
    add(unicast.u, router_.external_ports + internal(unicast.u, way.front().port), flits);
    for (const Channel channel : way) {
      add(channel.node, static_cast<int>(index(channel.port)), flits);
      const NodeId there = *topology.neighbour(channel.node, channel.port);
      if (next == receivers.end() || there != *next) continue;
      const int ejection = internal(there, topology.arrival_port(channel.node, channel.port));
      add(there, router_.external_ports + router_.internal_ports + ejection, flits);
      ++next;
    }
  }
  std::int64_t largest() const { return largest_; }
  // Of an external channel.
  std::int64_t flits_of(Channel channel) const {
    return flits_[index(channel.node) * width_ + index(channel.port)];
  }

 private:
  int internal(NodeId node, PortId external) const {
    return internal_port_of(routing_.topology(), node, external, router_.internal_ports);
  }
  void add(NodeId node, int channel, std::int64_t flits) {
    std::int64_t& sum = flits_[index(node) * width_ + static_cast<std::size_t>(channel)];
    largest_ = std::max(largest_, sum += flits);
  }

  const Routing& routing_;
  const RouterConfig& router_;
  std::size_t width_;
  std::vector<std::int64_t> flits_;  // by node: external, injection and ejection channels
  std::int64_t largest_ = 0;
};

// The least time of a schedule of blocks in which its busiest channel can carry all that it must.
Cycle busiest_channel_time(const PlannedCollective& one, const RunPlan& plan) {
  const SimulationConfig& config = plan.simulation;
  const MessageLengths lengths(one, config);
  Loads loads(plan);
  for (const Unicast& unicast : one.schedule.unicasts) {
    loads.add(unicast, lengths.flits_of(unicast));
  }
  return config.ts + 1 + timing_of(plan).least_delay() + config.tr + loads.largest();
}

// Whether each of its messages has one way, over which its flits go one after another.
bool has_known_ways(const PlannedCollective& one, const RunPlan& plan) {
  return !one.is_one_message() && !one.has_joins() && one.schedule.has_unicasts_only() &&
         !plan.routing.is_adaptive();
}

bool has_theory(const RunPlan& plan) {
  const auto& own = plan.request.custom_router;
  return !plan.router.has_narrow_channels() && plan.simulation.model.is_default() &&
         !(own && !own->has_our_time());
}

}  // namespace

std::optional<Cycle> predicted_latency(const RunPlan& plan) {
  if (!has_theory(plan)) return std::nullopt;
  const TimingParameters timing = timing_of(plan);
  Cycle largest = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.goal != nullptr) largest = std::max(largest, busiest_channel_time(one, plan));
      const std::vector<Cycle> latency = predicted_latencies(one, plan, timing);
      for (const NodeId node : one.destinations) largest = std::max(largest, latency[index(node)]);
    }
  }
  return largest;
}

std::optional<Cycle> predicted_latency_with_ports(const RunPlan& plan) {
  if (!has_theory(plan)) return std::nullopt;
  Cycle largest = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    const PlannedCollective& one = trial.front();
    const bool is_plain = trial.size() == 1 && !one.is_one_message() && one.goal == nullptr &&
                          one.sources.size() == 1 && one.schedule.has_unicasts_only();
    if (!is_plain) return std::nullopt;
    largest = std::max(
        largest, predicted_pieces_latency(one.schedule, 1, plan.routing, plan.router.internal_ports,
                                          timing_of(plan), one.address_fields));
  }
  return largest;
}

std::int64_t longest_message(const RunPlan& plan) {
  std::int64_t most = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial)
      most = std::max(most, longest_message(one, plan.simulation));
  }
  return most;
}

std::optional<BusiestLink> busiest_link_of(const RunPlan& plan) {
  const TimingParameters timing = timing_of(plan);
  const Topology& topology = plan.routing.topology();
  std::optional<BusiestLink> busiest;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    Loads loads(plan);
    for (const PlannedCollective& one : trial) {
      if (!has_known_ways(one, plan)) return std::nullopt;
      const MessageLengths lengths(one, plan.simulation);
      for (const Unicast& unicast : one.schedule.unicasts) {
        loads.add(unicast, lengths.flits_of(unicast));
      }
    }
    for (const Channel channel : topology.channels()) {
      const Cycle cycles = loads.flits_of(channel) * timing.phits_of(channel, topology);
      if (!busiest || cycles > busiest->cycles) busiest = {channel, cycles};
    }
  }
  return busiest;
}

std::optional<Bandwidth> bandwidth_of(const RunPlan& plan, Cycle latency) {
  if (plan.trials().empty() || latency == 0) return std::nullopt;
  const auto shape = [&](const PlannedCollective& one) {
    if (one.goal != nullptr) return std::pair(one.goal->operation(), one.goal->rank_count());
    if (one.has_joins()) return std::pair(one.operation, one.sources.size());
    return std::pair(Operation::bcast, plan.routing.topology().node_count());
  };
  const std::vector<PlannedCollective>& trial = plan.trials().front();
  const auto [operation, ranks] = shape(trial.front());
  const bool is_alike = std::all_of(trial.begin(), trial.end(), [&](const PlannedCollective& one) {
    return shape(one) == shape(trial.front());
  });
  const bool is_apart = plan.simulation.barrier || plan.simulation.barrier_messages;
  const bool has_size = operation != Operation::barrier && !stencil_of(operation) &&
                        plan.request.message.pairs == nullptr;
  if (!has_size || !is_alike || is_apart) return std::nullopt;
  return bandwidth(operation, ranks, plan.simulation.bytes, latency);
}

std::optional<LowerBound> lower_bound_of(const RunPlan& plan, const PlannedCollective& one) {
  if (!plan.simulation.model.is_default()) return std::nullopt;  // it may start up sooner
  if (one.has_joins()) return std::nullopt;  // routers add, which the bounds do not count
  if (one.sources.size() != 1 && one.goal == nullptr) return std::nullopt;
  const Topology& topology = plan.routing.topology();
  const Collective goal = one.goal != nullptr ? *one.goal
                                              : Collective(topology.node_count(),
                                                           {one.sources[0], one.destinations}, 1);
  TimingParameters timing = timing_of(plan);
  if (goal.operation() == Operation::barrier) timing.flits = 1;
  timing.vcs = plan.router.vcs;
  const bool has_worms = one.is_one_message() || !one.schedule.has_unicasts_only();
  return lower_bound({topology, goal, plan.router.internal_ports, timing, has_worms, plan.missing});
}

std::optional<LowerBound> lower_bound_of(const RunPlan& plan) {
  std::optional<LowerBound> largest;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.is_barrier) continue;
      std::optional<LowerBound> bound = lower_bound_of(plan, one);
      if (!bound) return std::nullopt;
      if (!largest || bound->cycles > largest->cycles) largest = std::move(bound);
    }
  }
  return largest;
}

}  // namespace allport
