// SPDX-License-Identifier: Apache-2.0
// This is the broadcast by safety levels [Wu95] on a hypercube or on what is left of one without
// some of its nodes: each sender gives its neighbours of higher levels the larger subcubes
// (safety_levels.h), so that from a safe source all hear it by shortest ways. All messages go to
// neighbours; the steps come from step_assignment.h. With no node missing it is the spanning
// binomial tree.
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/graphs/graph.h"
#include "rtl_model/topology/channel_words.h"
#include "traffic/algorithms/rows.h"
#include "traffic/algorithms/safety_levels.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// The whole fabric of which `topology` is left, by name.
const std::string& whole_of(const Topology& topology) {
  if (!topology.is_graph()) return topology.name();
  return static_cast<const Graph&>(topology).description().whole;
}

bool is_of_hypercube(const Topology& topology) {
  return whole_of(topology).rfind("hypercube:", 0) == 0;
}

constexpr Fabrics partial_hypercubes{"hypercubes, also without some nodes", is_of_hypercube};

// The addresses that are there are those of the nodes, in their order.
PartialCube cube_of(const Topology& topology) {
  const auto whole = parse_topology(whole_of(topology));
  PartialCube cube{whole->dimension_count(), std::vector<bool>(whole->node_count())};
  if (!topology.is_graph()) return cube;
  for (const std::string& name : static_cast<const Graph&>(topology).description().missing) {
    cube.is_missing[index(*whole->find_node(name))] = true;
  }
  return cube;
}

std::vector<std::uint32_t> addresses_of(const PartialCube& cube) {
  std::vector<std::uint32_t> addresses;
  for (std::uint32_t i = 0; i < cube.is_missing.size(); ++i) {
    if (!cube.is_missing[i]) addresses.push_back(i);
  }
  return addresses;
}

Schedule plan_safety_bcast(const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const PartialCube cube = cube_of(topology);
  const std::vector<std::uint32_t> addresses = addresses_of(cube);
  std::vector<NodeId> nodes(cube.is_missing.size());
  for (std::size_t i = 0; i < addresses.size(); ++i) nodes[addresses[i]] = node_id(i);
  const std::uint32_t source = addresses[index(request.goal.source)];
  const CubeTree tree = safety_broadcast(cube, safety_levels(cube), source);
  std::vector<NodeId> others;
  for (const std::uint32_t address : left_out(tree, cube, source)) others.push_back(nodes[address]);
  if (!others.empty()) {
    throw std::invalid_argument(
        "algorithm safety-bcast does not reach node" +
        std::string(others.size() == 1 ? " " : "s ") + in_words(others, topology) + " of " +
        topology.name() + " from source " + topology.node_name(request.goal.source) +
        "; it is sure to reach all where at most " + std::to_string(cube.dimensions - 1) +
        " nodes are missing; another source may reach them, and synthesized-bcast does");
  }
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  std::vector<std::pair<std::uint32_t, StepIndex>> holders{{source, 0}};
  while (!holders.empty()) {
    const auto [address, received] = holders.back();
    holders.pop_back();
    programs.begin(nodes[address], received, address);
    for (const std::uint32_t child : tree[address]) {
      holders.emplace_back(child, programs.send(nodes[child]));
    }
  }
  return programs.take();
}

}  // namespace

Rows safety_bcast_rows() {
  return {Row("safety-bcast", "broadcast by safety levels, around missing nodes", "Wu95",
              partial_hypercubes, plan_safety_bcast)
              .steps(Steps::by_rule)
              .knows_missing_nodes()};
}

}  // namespace allport
