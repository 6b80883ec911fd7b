// SPDX-License-Identifier: Apache-2.0
// This header has random joins, join-trees, trees and unicasts of one schedule, and a machine for
// them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/draw.h"
#include "tests/testbench/simulation/drawn_net.h"
#include "tests/testbench/simulation/group_cases.h"

namespace allport::test {

/// In which steps the messages of a random schedule stand.
enum class Steps {
  proved,  ///< as the rules of order ask
  any,     ///< some of them break a rule, and the contributions to a join stand in several steps
};

/// A schedule whose items come one after another in every program; for channels of which `join_vcs`
/// serve joins and trees alone.
class MixedSchedule {
 public:
  MixedSchedule(const Routing& routing, Draw& draw, int join_vcs, Steps steps)
      : routing_(routing), draw_(draw), join_vcs_(join_vcs) {
    const int items = 2 + draw.below(5);
    const bool is_single = steps == Steps::any && join_vcs == 0 && draw.below(2) == 0;
    for (int i = 0; i < items; ++i) {
      if (steps == Steps::proved) {
        add_item();
      } else if (is_single) {
        add_to_single(i == items / 2);
      } else {
        add_any_item();
      }
    }
    planned_.schedule.sort();
    std::set<NodeId> senders;
    std::set<NodeId> all;
    for (const Unicast& line : planned_.schedule.unicasts) {
      senders.insert(line.u);
      for (const NodeId node : receivers(line, routing)) all.insert(node);
    }
    planned_.sources.assign(senders.begin(), senders.end());
    planned_.destinations.assign(all.begin(), all.end());
  }

  const PlannedCollective& planned() const { return planned_; }

 private:
  NodeId draw_node() {
    return node_id(
        static_cast<std::size_t>(draw_.below(static_cast<int>(routing_.topology().node_count()))));
  }

  // Free dimensions; by a table messages of groups are those of all nodes.
  DimensionMask draw_free() {
    if (routing_.table() != nullptr) return 0;
    const Topology& topology = routing_.topology();
    const int all = static_cast<int>(free_dimensions(topology, 0));
    return group_mask(topology, static_cast<DimensionMask>(1 + draw_.below(all)));
  }

  // Joins may stand in one step; what branches has a step of its own, and a tree a join before it.
  void add_item() {
    const NodeId root = draw_node();
    const DimensionMask free = draw_free();
    switch (draw_.below(4)) {
      case 0:
        if (draw_.below(2) == 0) ++step_;
        is_uneven_ = join_vcs_ == 2;  // then joins need not wait
        add(MessageKind::join, root, free);
        is_uneven_ = false;
        break;
      case 1:
        ++step_;
        add(MessageKind::join_tree, root, free);
        ++step_;
        break;
      case 2:
        ++step_;
        add(MessageKind::join, root, free);
        ++step_;
        add(MessageKind::tree, root, free);
        ++step_;
        break;
      default:
        for (int i = draw_.below(12); i >= 0; --i) add_unicast();
    }
  }

  // One join among unicasts.
  void add_to_single(bool is_join) {
    step_ += draw_.below(2);
    if (!is_join) {
      for (int i = draw_.below(6); i >= 0; --i) add_unicast();
      return;
    }
    is_uneven_ = draw_.below(2) == 0;
    add_random(draw_.below(2) == 0 ? MessageKind::join : MessageKind::join_tree);
    is_uneven_ = false;
  }

  void add_any_item() {
    step_ += draw_.below(2);
    const int item = draw_.below(join_vcs_ == 0 ? 3 : 4);
    is_uneven_ = draw_.below(3) == 0;
    if (item == 3) {
      for (int i = draw_.below(6); i >= 0; --i) add_unicast();
    } else {
      add_random(draw_.one_of<MessageKind>(
          {MessageKind::join, MessageKind::join_tree, MessageKind::tree}));
    }
    is_uneven_ = false;
  }

  void add_random(MessageKind kind) {
    const NodeId root = draw_node();
    const DimensionMask drawn = draw_free();
    add(kind, root, draw_.below(2) == 0 ? 0 : drawn);
  }

  void add_unicast() {
    Unicast line;
    line.u = draw_node();
    line.v = draw_node();
    if (line.u == line.v) return;
    push(line);
  }

  void add(MessageKind kind, NodeId root, DimensionMask free) {
    ++tag_;
    for (const NodeId node : group_nodes(routing_.topology(), root, free)) {
      if (!is_join(kind) && node != root) continue;
      Unicast line;
      line.u = node;
      line.v = is_join(kind) ? root : NodeId{};
      line.kind = kind;
      line.free = free;
      if (is_join(kind)) line.join = {tag_, JoinOperation::sum, LaneType::u32};
      push(line);
    }
  }

  // Where steps are uneven those who are no root may contribute before the others.
  void push(Unicast& line) {
    StepIndex& last = last_steps_[line.u];
    const bool is_early = is_uneven_ && is_join(line.kind) && draw_.below(2) == 0;
    line.step = std::max(last, is_early ? StepIndex{1} : step_);
    last = line.step;
    line.order = orders_[line.u]++;
    planned_.schedule.unicasts.push_back(line);
  }

  const Routing& routing_;
  Draw& draw_;
  PlannedCollective planned_;
  std::map<NodeId, int> orders_;
  std::map<NodeId, StepIndex> last_steps_;
  int join_vcs_;
  bool is_uneven_ = false;
  StepIndex step_ = 1;
  int tag_ = 0;
};

struct JoinMixture {
  Routing routing;
  PlannedCollective planned;
  Experiment experiment;
};

/// What a mixture runs on.
enum class Nets { regular, with_switches };

/// The mixture of `seed`; `join_vcs`: those of joins and trees alone, or 0 where all messages share
/// channels.
inline JoinMixture draw_join_mixture(std::uint64_t seed, int join_vcs, Steps steps = Steps::proved,
                                     Nets nets = Nets::regular) {
  Draw draw(seed);
  const DrawnNet net =
      nets == Nets::with_switches
          ? draw_net_with_tree(draw)
          : DrawnNet{routing_on(draw.one_of<std::string>(
                         {"hypercube:2", "hypercube:3", "mesh:3x3", "mesh:2x4", "ring:4", "ring:5",
                          "torus:3x4", "torus:4x4", "torus:2x2x3"})),
                     nullptr};
  const Routing& routing = net.routing;
  const auto all = static_cast<int>(routing.topology().node_port_count());
  const int ports = draw.below(2) == 0 ? all : 1 + draw.below(all);
  const int own = routing.topology().wraps() ? 2 : 1 + draw.below(2);
  const int depth = 1 + draw.below(5);
  const int link_delay = draw.below(3);
  const int replication_delay = draw.below(3);
  FabricConfig fabric = With()
                            .ports(ports)
                            .vcs(own)
                            .join_vcs(join_vcs)
                            .depth(depth)
                            .link_delay(link_delay)
                            .replication_delay(replication_delay)
                            .combine_delay(draw.below(3));
  fabric.links = net.links;
  const int flits = 1 + draw.below(12);
  const PlannedCollective planned = MixedSchedule(routing, draw, join_vcs, steps).planned();
  const int ts = draw.below(4);
  const int tr = draw.below(3);
  return {routing, planned,
          Experiment().on(fabric).length(flits).times(ts, tr).with_jitter(draw.below(2) * 30)};
}

}  // namespace allport::test
