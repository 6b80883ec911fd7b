// SPDX-License-Identifier: Apache-2.0
// U-mesh [McKinley94] and U-torus [RobinsonMcKinleyCheng95] are multicasts on meshes and tori by
// halving a chain of nodes, sorted by their coordinates (x, y, ..), x first. The holder of a part
// of the chain keeps the half that it is in, and hands the other one over to the nearest member.
// The steps come from step_assignment.h.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Chain = std::vector<NodeId>;

// The source and the destinations by coordinate 0, then 1, ..
Chain sorted_chain(const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  Chain chain = request.goal.destinations;
  chain.push_back(request.goal.source);
  std::sort(chain.begin(), chain.end(), [&](NodeId a, NodeId b) {
    std::size_t i = 0;
    while (i + 1 < topology.dimension_count() &&
           topology.coordinate(a, i) == topology.coordinate(b, i))
      ++i;
    return topology.coordinate(a, i) < topology.coordinate(b, i);
  });
  return chain;
}

// chain[left .. right], all of which chain[holder] has to serve.
struct ChainPart {
  std::size_t left;
  std::size_t holder;
  std::size_t right;
};

// The member that gets the half without the holder, and holds it from then on: the nearest one.
std::size_t receiver_in(const ChainPart& part) {
  const std::size_t sum = part.left + part.right;
  if (2 * part.holder == sum) return part.holder + 1;
  return 2 * part.holder < sum ? (sum + 1) / 2 : sum / 2;
}

Schedule plan_halving(const Chain& chain, const PlanRequest& request) {
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  std::vector<StepIndex> received(chain.size());
  const auto source = std::find(chain.begin(), chain.end(), request.goal.source);
  std::vector<ChainPart> parts{
      {0, static_cast<std::size_t>(source - chain.begin()), chain.size() - 1}};
  while (!parts.empty()) {
    ChainPart part = parts.back();
    parts.pop_back();
    programs.begin(chain[part.holder], received[part.holder], part.holder);
    while (part.left < part.right) {
      const std::size_t receiver = receiver_in(part);
      received[receiver] = programs.send(chain[receiver]);
      if (receiver > part.holder) {
        parts.push_back({receiver, receiver, part.right});
        part.right = receiver - 1;
      } else {
        parts.push_back({part.left, receiver, receiver});
        part.left = receiver + 1;
      }
    }
  }
  return programs.take();
}

// The source is where its coordinates place it in the chain.
Schedule plan_umesh(const PlanRequest& request) {
  return plan_halving(sorted_chain(request), request);
}

// The same chain, turned so that it begins with the source.
Schedule plan_utorus(const PlanRequest& request) {
  Chain chain = sorted_chain(request);
  std::rotate(chain.begin(), std::find(chain.begin(), chain.end(), request.goal.source),
              chain.end());
  return plan_halving(chain, request);
}

}  // namespace

Rows grid_multicast_rows() {
  return {Row("umesh", "multicast by halving the chain sorted by coordinates", "McKinley94", meshes,
              plan_umesh)
              .multicasts(),
          Row("utorus",
              "the same chain (this project's reading), turned so that it begins with the source",
              "RobinsonMcKinleyCheng95", tori, plan_utorus)
              .multicasts()};
}

}  // namespace allport
