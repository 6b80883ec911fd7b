// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/join_timing.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/group_routes.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

class JoinTimes {
 public:
  JoinTimes(const Schedule& schedule, const Routing& routing, const TimingParameters& timing)
      : schedule_(schedule),
        routing_(routing),
        timing_(timing),
        nodes_(routing.topology().node_count()) {}

  std::vector<Cycle> find() {
    const std::vector<PlannedJoin> joins = joins_of(schedule_);
    std::map<std::uint32_t, const PlannedJoin*> by_line;  // by the first contribution
    for (const PlannedJoin& join : joins) by_line.emplace(join.lines.front(), &join);
    for (std::uint32_t i = 0; i < schedule_.unicasts.size(); ++i) {
      heed_stop();
      const Unicast& line = schedule_.unicasts[i];
      if (const std::string fault = route_fault(line, routing_); !fault.empty()) {
        throw std::invalid_argument(fault);
      }
      if (!is_join(line.kind)) {
        send(line);
      } else if (const auto join = by_line.find(i); join != by_line.end()) {
        combine(*join->second);
      }
    }
    std::vector<Cycle> latency;
    for (const Node& node : nodes_) latency.push_back(node.last);
    return latency;
  }

 private:
  struct Node {
    Cycle free = 0;                         // when its processor has prepared what it has begun
    Cycle port_free = 0;                    // when the front of injection channel 0 is free
    Cycle last = -1;                        // its last reception
    std::map<StepIndex, Cycle> receptions;  // by step
  };

  Node& of(NodeId node) { return nodes_[index(node)]; }

  void receive(NodeId node, StepIndex step, Cycle now) {
    Node& receiver = of(node);
    receiver.last = std::max(receiver.last, now);
    Cycle& of_step = receiver.receptions[step];
    of_step = std::max(of_step, now);
  }

  // When the sender of `line` has prepared its message.
  Cycle prepare(const Unicast& line) {
    Node& sender = of(line.u);
    Cycle ready = 0;
    for (const auto& [step, cycle] : sender.receptions) {
      if (step < line.step) ready = std::max(ready, cycle);
    }
    sender.free = std::max(sender.free, ready) + timing_.ts;
    return sender.free;
  }

  // When it is at the front of injection channel 0, which it leaves `held` cycles after that.
  Cycle enter(const Unicast& line) { return std::max(prepare(line), of(line.u).port_free); }

  void send(const Unicast& line) {
    if (line.kind == MessageKind::tree) {
      const Cycle start = enter(line);
      of(line.u).port_free = start + branching() + timing_.flits;
      spread(line.u, line.free, line.step, start);
      return;
    }
    const Cycle start = prepare(line);
    Schedule one{{line}};
    const std::vector<Cycle> latency = predicted_latency(one, routing_, {line.u}, timing_);
    for (const NodeId node : receivers(line, routing_)) {
      receive(node, line.step, start - timing_.ts + latency[index(node)]);
    }
  }

  // A tree whose head is at the front of the root's buffer, with all that it needs, in `start`.
  void spread(NodeId root, DimensionMask free, StepIndex step, Cycle start) {
    const std::vector<Cycle> latency =
        predicted_worm_latency(routing_, root, MessageKind::tree, timing_, free);
    for (const NodeId node : group_nodes(routing_.topology(), root, free)) {
      if (node != root) receive(node, step, start - timing_.ts + latency[index(node)]);
    }
  }

  void combine(const PlannedJoin& join) {
    std::map<NodeId, Cycle> starts;
    for (const std::uint32_t i : join.lines) {
      const Unicast& line = schedule_.unicasts[i];
      starts[line.u] = enter(line);
    }
    const bool spreads = join.kind == MessageKind::join_tree;
    const Cycle at_root = cross(join.root, join, starts, spreads ? timing_.replication_delay : 0);
    const Cycle there = at_root + timing_.exit_delay() + timing_.flits;
    receive(join.root, join.step, there + timing_.tr);
    if (spreads) spread(join.root, join.free, join.step, at_root - branching());
  }

  // From when the head of a tree is at the front until it crosses where it branches.
  Cycle branching() const {
    return std::max(timing_.replication_delay, timing_.route_delay) + timing_.vc_delay;
  }

  // The cycle in which the head of the join, held by `held` cycles beside the combine delay, can
  // cross the router of `node`.
  Cycle cross(NodeId node, const PlannedJoin& join, const std::map<NodeId, Cycle>& starts,
              Cycle held = 0) {
    const auto start = starts.find(node);
    Cycle ready = start == starts.end() ? 0 : start->second;
    const PortMask inputs = join_inputs(routing_, node, join.root, join.free);
    for (const int bit : bits(inputs)) {
      const PortId port = port_id(static_cast<std::size_t>(bit));
      const Channel from = *routing_.topology().incoming(node, port);
      const Cycle wires = timing_.delay_of(from, routing_.topology());
      const Cycle hop = 1 + timing_.exit_delay() + wires;
      ready = std::max(ready, cross(from.node, join, starts) + hop);
    }
    if (inputs != 0) held += timing_.combine_delay;
    ready += std::max<Cycle>(held, timing_.route_delay) + timing_.vc_delay;
    if (index(node) < nodes_.size()) of(node).port_free = ready + timing_.flits;
    return ready;
  }

  const Schedule& schedule_;
  const Routing& routing_;
  const TimingParameters& timing_;
  std::vector<Node> nodes_;
};

}  // namespace

std::vector<Cycle> predicted_join_latency(const Schedule& schedule, const Routing& routing,
                                          const TimingParameters& timing) {
  return JoinTimes(schedule, routing, timing).find();
}

}  // namespace allport
