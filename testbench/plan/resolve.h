// SPDX-License-Identifier: Apache-2.0
// These functions lead from options to the fabric that they choose and the nodes that they name.
// Everything here throws std::invalid_argument with one sentence naming option, value and range.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "testbench/plan/run_request.h"
#include "traffic/patterns/sampling.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Throws std::invalid_argument if there is no topology.
void require_topology(const RunRequest& request);

/// The routing on the topology of `options`.
Routing make_routing(const RunRequest& request);
/// The number of internal ports of the nodes that have none of their own, --ports.
int usual_ports(const RunRequest& request, const Topology& topology);
/// The number of internal ports for which routers have places: the most of a node.
int internal_ports(const RunRequest& request, const Topology& topology);

/// The router, as far as it matters where nothing is simulated: its ports and virtual channels.
RouterConfig router_of(const RunRequest& request, const Routing& routing);

/// `number` as a node of `topology`; the error names its `role`.
NodeId to_node(const NodeNumber& number, const Topology& topology, const char* role);
std::vector<NodeId> to_nodes(const std::vector<NodeNumber>& numbers, const Topology& topology,
                             const char* role);
/// The same of routers, those of a graph's switches included.
std::vector<NodeId> to_routers(const std::vector<NodeNumber>& numbers, const Topology& topology,
                               const char* role);
/// The nodes of the chain, the source first, each named once; empty: none is given.
std::vector<NodeId> chain_nodes(const RunRequest& request, const Topology& topology);
/// The sources: at least one, each named once.
std::vector<NodeId> source_nodes(const RunRequest& request, const Topology& topology);
/// The source of a command that takes a single one.
NodeId single_source(const RunRequest& request, const Topology& topology);

/// The destination sets of the trials, one after another: drawn for each trial if they are random,
/// otherwise always the same.
class GoalSource {
 public:
  /// `members`: the nodes among which the collective is, ascending; empty: all.
  GoalSource(const RunRequest& request, const Topology& topology, std::vector<NodeId> members = {});
  /// Draws the set of the next trial.
  void next_trial();
  /// The current trial's set as seen from `source`.
  Multicast goal(NodeId source) const;
  /// The current trial's set without any of `sources`, which all have the message.
  std::vector<NodeId> destinations(const std::vector<NodeId>& sources) const;

 private:
  std::vector<NodeId> others(NodeId source) const;
  NodeId absolute(std::uint32_t relative, NodeId source) const;

  const Topology& topology_;
  std::vector<NodeId> members_;
  std::vector<NodeId> listed_;
  std::optional<DestinationSampler> sampler_;
  std::vector<std::uint32_t> drawn_;  // relative to the source
};

/// The nodes that may be the root of `schedule`, ascending: those that send and never receive, or,
/// for a gather or reduce, those that receive and never send. Empty for the operations in which
/// every node begins. All routes must be valid.
std::vector<NodeId> possible_roots(const Schedule& schedule, Operation operation,
                                   const Routing& routing);

/// The channels of a fabric whose links are not alike in a dimension, by the file of its graph or
/// by --link-attributes; null: they are.
std::shared_ptr<const LinkTable> links_of(const RunRequest& request);
/// What is chosen of the router, with these channels.
RouterChoice router_choice(const RunRequest& request);

/// The phits of a flit by dimension; empty: one everywhere.
std::vector<int> phits_of(const RunRequest& request, const Topology& topology);

/// `4`, or `0,4` by dimension.
std::string link_delay_in_words(const RouterRequest& request);

/// The same for the link width, in bytes; it was given.
std::string link_width_in_words(const RouterRequest& request);

}  // namespace allport
