// SPDX-License-Identifier: Apache-2.0
// [Robinson93] section 5.2: U-cube's average delay is worse for multicast than for broadcast.
#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/topology/topology.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/patterns/sampling.h"

namespace allport {

namespace {

constexpr std::size_t papers_sets = 20;

// The number of messages of a multicast that wait behind another of their sender on the same
// channel.
double queued_messages(const FigureRequest& request, std::size_t size) {
  const Routing routing(parse_topology("hypercube:5"), RoutingOrder::ascending);
  DestinationSampler sampler(31, size, request.seed);
  std::size_t queued = 0;
  const std::size_t sets = request.trials_or(papers_sets);
  for (std::size_t i = 0; i < sets; ++i) {
    std::vector<NodeId> nodes;
    for (const std::uint32_t one : sampler.next()) nodes.push_back(node_id(one));
    const Multicast goal = multicast(routing.topology(), node_id(0), nodes);
    std::vector<std::pair<NodeId, PortId>> taken;
    for (const Unicast& one : plan(find_algorithm("ucube"), {routing, 5, goal}).unicasts) {
      const std::pair<NodeId, PortId> channel{one.u, routing.route(one.u, one.v, 0)->port};
      if (std::find(taken.begin(), taken.end(), channel) != taken.end()) ++queued;
      taken.push_back(channel);
    }
  }
  return static_cast<double>(queued) / static_cast<double>(sets);
}

// The size, other than the broadcast, at which U-cube is slowest on average.
std::size_t worst_multicast(const MulticastCurves& curves) {
  const std::vector<Mean>& means = curves.of("ucube");
  std::size_t worst = 0;
  for (std::size_t i = 0; i + 1 < means.size(); ++i) {
    if (means[i].value > means[worst].value) worst = i;
  }
  return worst;
}

// The least size from which on U-cube is slower on average than in the broadcast, which is last.
std::size_t worse_from(const MulticastCurves& curves) {
  const std::vector<Mean>& means = curves.of("ucube");
  std::size_t first = means.size() - 1;
  while (first > 0 && means[first - 1].value > means.back().value) --first;
  return curves.sizes()[first];
}

}  // namespace

void add_ucube_anomaly(Claims& claims, const FigureRequest& request,
                       const MulticastCurves& curves) {
  const std::size_t worst = worst_multicast(curves);
  const std::size_t size = curves.sizes()[worst];
  const double multicast = curves.of("ucube")[worst].value;
  const double broadcast = curves.of("ucube").back().value;
  const std::size_t from = worse_from(curves);
  claims.push_back(
      {"U-cube's average delay is worse for multicast than for broadcast", robinson::anomaly,
       fmt::format(
           "for {} to 30 of 31 destinations, most with {}: {:.0f} cycles, {:.0f} to all 31; not for fewer: there are multicasts of which it is so, as the \"sometimes\" behind it has it",
           from, size, multicast, broadcast),
       outcome_of(from < curves.sizes().back()), ""});
  const double queued = queued_messages(request, size);
  const double in_broadcast = queued_messages(request, 31);
  claims.push_back(
      {"it is because U-cube sometimes sends several messages over one channel of a node",
       robinson::anomaly,
       fmt::format(
           "messages behind another of their sender on its channel: {:.1f} of {}, and {:.1f} of the broadcast's 31",
           queued, size, in_broadcast),
       outcome_of(queued > 0 && in_broadcast == 0), ""});
}

}  // namespace allport
