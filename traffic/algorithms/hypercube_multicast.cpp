// SPDX-License-Identifier: Apache-2.0
// U-cube [McKinley94], Maxport, Combine and W-sort, all as in [Robinson93], multicast on all-port
// hypercubes along chains of addresses relative to the source. They differ only in the element of
// its chain to which a node sends next, and W-sort also in the chain, which is the ascending one or
// the user's (cube_chain.h). The steps come from step_assignment.h.
#include <algorithm>

#include "traffic/algorithms/cube_chain.h"
#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Addresses = CubeChain;

struct Subchain {
  std::size_t left;
  std::size_t right;
};

// The index in left + 1 .. right of the element to which the holder of chain[left] sends next.
using NextIndex = std::size_t (*)(const Addresses&, std::size_t left, std::size_t right);

std::size_t center(const Addresses&, std::size_t left, std::size_t right) {
  return left + (right - left + 1) / 2;
}

// The first element that differs from chain[left] in the highest dimension in which any does. The
// chain is cube-ordered: these elements are its last.
std::size_t highdim(const Addresses& chain, std::size_t left, std::size_t right) {
  const std::uint32_t farthest = chain[left] ^ chain[right];
  std::uint32_t bit = farthest;
  while ((bit & (bit - 1)) != 0) bit &= bit - 1;
  const auto first = std::partition_point(
      chain.begin() + static_cast<std::ptrdiff_t>(left) + 1,
      chain.begin() + static_cast<std::ptrdiff_t>(right),
      [&](std::uint32_t element) { return ((element ^ chain[left]) & bit) == 0; });
  return static_cast<std::size_t>(first - chain.begin());
}

std::size_t farther(const Addresses& chain, std::size_t left, std::size_t right) {
  return std::max(highdim(chain, left, right), center(chain, left, right));
}

// The chain that is asked for, or the ascending one.
Addresses chain_of(const CubeFrame& frame, const PlanRequest& request) {
  Addresses chain;
  for (const NodeId node : request.chain) chain.push_back(frame.address(node));
  if (!chain.empty()) return chain;
  chain.push_back(0);
  for (const NodeId node : request.goal.destinations) chain.push_back(frame.address(node));
  std::sort(chain.begin() + 1, chain.end());
  return chain;
}

// Each node owns the interval of the chain after it, and hands on parts of it with the message.
Schedule process(const Addresses& chain, const CubeFrame& frame, const PlanRequest& request,
                 NextIndex next_index) {
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  std::vector<StepIndex> received(chain.size());
  std::vector<Subchain> owners{{0, chain.size() - 1}};
  while (!owners.empty()) {
    auto [left, right] = owners.back();
    owners.pop_back();
    programs.begin(frame.node(chain[left]), received[left], left);
    while (left < right) {
      const std::size_t next = next_index(chain, left, right);
      received[next] = programs.send(frame.node(chain[next]));
      owners.push_back({next, right});
      right = next - 1;
    }
  }
  return programs.take();
}

Schedule plan_along(const PlanRequest& request, NextIndex next_index) {
  const CubeFrame frame(request.routing, request.goal.source);
  return process(chain_of(frame, request), frame, request, next_index);
}

Schedule plan_ucube(const PlanRequest& request) { return plan_along(request, center); }
Schedule plan_maxport(const PlanRequest& request) { return plan_along(request, highdim); }
Schedule plan_combine(const PlanRequest& request) { return plan_along(request, farther); }

Schedule plan_wsort(const PlanRequest& request) {
  const CubeFrame frame(request.routing, request.goal.source);
  Addresses chain = chain_of(frame, request);
  weighted_sort(chain, frame.dimensions());
  return process(chain, frame, request, highdim);
}

}  // namespace

Rows hypercube_multicast_rows() {
  return {
      Row("ucube", "multicast by halving the ascending chain", "McKinley94", hypercubes, plan_ucube)
          .multicasts()
          .takes_chain(),
      Row("maxport", "multicast that uses as many ports as it can", "Robinson93", hypercubes,
          plan_maxport)
          .multicasts()
          .takes_chain(),
      Row("combine", "multicast that takes the farther choice of ucube and maxport", "Robinson93",
          hypercubes, plan_combine)
          .multicasts()
          .takes_chain(),
      Row("wsort", "maxport on the chain sorted by subcube weight", "Robinson93", hypercubes,
          plan_wsort)
          .multicasts()
          .takes_chain()};
}

}  // namespace allport
