// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/rank_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "rtl_model/base/powers.h"
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
  const int ports = internal_ports(run, topology);
  const bool has_all = static_cast<std::size_t>(ports) == topology.port_count();
  const bool is_whole = group == nullptr && members == topology.node_count() && !run.traffic.place;
  if (run.traffic.ranks == nullptr && is_whole) return {routing, ports};
  std::shared_ptr<const Topology> shape;
  if (run.traffic.ranks != nullptr && members == ranks) {
    shape = run.traffic.ranks;
  } else if (group != nullptr && group->shape != nullptr && !run.traffic.place &&
             members == group->nodes.size()) {
    shape = group->shape;
  } else {
    shape = shape_of(members, topology);
  }
  const auto most = static_cast<int>(shape->port_count());
  const Routing guest(shape, Routing::default_order(*shape));
  return {guest, has_all ? most : std::min(ports, most)};
}

}  // namespace

CollectivePlanner collective_planner(const RunRequest& run, const Routing& routing,
                                     const NodeGroup* group, std::uint32_t ranks,
                                     std::map<Operation, const Algorithm*> chosen) {
  TimingParameters timing;
  timing.ts = run.node.ts;
  timing.tr = run.node.tr;
  timing.switching = run.router.switching;
  return {[&run, &routing, group, ranks](std::size_t members) {
            return fabric_of(members, run, routing, group, ranks);
          },
          std::move(chosen), timing, run.message.flit_bytes};
}

}  // namespace allport
