// SPDX-License-Identifier: Apache-2.0
// These messages are such as one router of a fabric may meet: on the input and VC on which the
// routing function brings them there, with the outputs on which it forwards them. They are drawn by
// rejection.
#pragma once

#include <optional>
#include <vector>

#include "testbench/conformance/pin_bench.h"

namespace allport {

class BenchMessages {
 public:
  /// `max_via` is the largest number of entries in a list of destinations. Without `groups` trees
  /// go to all nodes; without `has_ties` all exact ties go in the + direction.
  BenchMessages(const RouterConfig& config, const Routing& routing, NodeId node, int max_via = 0,
                PinGroups groups = PinGroups::none, bool has_ties = true)
      : config_(&config),
        routing_(&routing),
        node_(node),
        max_via_(max_via),
        groups_(groups),
        has_ties_(has_ties) {}

  /// A message of `kind` that passes, leaves or reaches the node; none if no draw gives one. It
  /// comes on a random VC of its class, and of a random message class; with adaptive routing, on
  /// any route that a unicast may have taken.
  std::optional<BenchMessage> draw(MessageKind kind, int flits, SplitMix64& generator) const;
  /// One unicast for each way through the router: input, VC and output.
  std::vector<BenchMessage> all_ways(int flits) const;

 private:
  std::optional<BenchMessage> unicast(NodeId source, NodeId destination, TieMask ties,
                                      bool is_deposit) const;
  std::optional<BenchMessage> adaptive(NodeId destination, SplitMix64& generator) const;
  std::optional<BenchMessage> multidestination(NodeId source, SplitMix64& generator) const;
  std::optional<BenchMessage> label(NodeId source, SplitMix64& generator) const;
  std::vector<NodeId> draw_stops(NodeId source, SplitMix64& generator) const;
  std::optional<BenchMessage> tree(NodeId root, DimensionMask free) const;
  std::optional<BenchMessage> path(NodeId source) const;
  std::optional<BenchMessage> attempt(MessageKind kind, SplitMix64& generator) const;
  void arrive(BenchMessage& message, Channel last, VcClass vc_class) const;
  VcClass class_beyond(const BenchMessage& message, const Hop& hop) const;
  void draw_vc(BenchMessage& message, SplitMix64& generator) const;
  void draw_message_class(BenchMessage& message, SplitMix64& generator) const;

  const RouterConfig* config_;
  const Routing* routing_;
  NodeId node_;
  int max_via_;
  PinGroups groups_;
  bool has_ties_;
};

/// The node with the most neighbours that is nearest to the middle of the topology.
NodeId busiest_node(const Topology& topology);

}  // namespace allport
