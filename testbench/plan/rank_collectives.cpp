// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/rank_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "rtl_model/base/powers.h"
#include "testbench/plan/places.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/run_request.h"

namespace allport {

namespace {

// The fabric of `members` ranks that no fabric of nodes is like.
std::shared_ptr<const Topology> shape_of(std::size_t members, const Topology& topology) {
  if (topology.is_hypercube() && is_power_of_two(members)) {
    std::size_t dimension = 0;
    while (std::size_t{1} << dimension < members) ++dimension;
    return parse_topology(fmt::format("hypercube:{}", dimension));
  }
  const bool closes = topology.kind() != TopologyKind::mesh && members > 2;
  return parse_topology(fmt::format("{}:{}", closes ? "ring" : "mesh", members));
}

CollectivePlanner::Fabric fabric_of(std::size_t members, const RunRequest& run,
                                    const Routing& routing, const NodeGroup* group,
                                    std::uint32_t ranks) {
  const Topology& topology = routing.topology();
  const auto& named = run.traffic.ranks;
  const NodeGroup all = group == nullptr ? whole_fabric(routing.shared_topology()) : *group;
  const bool has_all =
      members == all.nodes.size() && (named == nullptr || named->node_count() == members);
  const std::vector<NodeId> nodes =
      has_all ? nodes_of_ranks(run, routing.shared_topology(), group) : std::vector<NodeId>{};
  std::shared_ptr<const Topology> shape;
  if (named != nullptr && members == ranks) {
    shape = named;
  } else if (has_all && all.shape != nullptr && nodes == all.nodes) {
    shape = all.shape;
  } else {
    shape = shape_of(members, topology);
  }
  const int ports = internal_ports(run, topology);
  TimingParameters timing = timing_of(run);
  const std::uint64_t seed = run.traffic.seed;
  const bool has_table = routing.table() != nullptr;  // its routes are none that algorithms know
  if (shape->name() == topology.name() && is_identity(nodes, topology) && !has_table) {
    return {routing, ports, true, timing, seed};
  }
  timing.link_delays.clear();  // its dimensions are not those of the nodes
  timing.phits.clear();
  timing.links.reset();
  const bool has_all_ports = static_cast<std::size_t>(ports) == topology.node_port_count();
  const auto most = static_cast<int>(shape->port_count());
  return {routing.of_ranks(shape), has_all_ports ? most : std::min(ports, most), false, timing,
          seed};
}

}  // namespace

CollectivePlanner collective_planner(const RunRequest& run, const Routing& routing,
                                     const NodeGroup* group, std::uint32_t ranks,
                                     std::map<Operation, const Algorithm*> chosen) {
  return {[&run, &routing, group, ranks](std::size_t members) {
            return fabric_of(members, run, routing, group, ranks);
          },
          std::move(chosen), run.message.flit_bytes};
}

}  // namespace allport
