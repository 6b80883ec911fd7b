// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/hypercube_multicast.h"

#include <algorithm>

#include "traffic/algorithms/cube_frame.h"
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

}  // namespace

Schedule plan_ucube(const PlanRequest& request) { return plan_along(request, center); }
Schedule plan_maxport(const PlanRequest& request) { return plan_along(request, highdim); }
Schedule plan_combine(const PlanRequest& request) { return plan_along(request, farther); }

Schedule plan_wsort(const PlanRequest& request) {
  const CubeFrame frame(request.routing, request.goal.source);
  Addresses chain = chain_of(frame, request);
  weighted_sort(chain, frame.dimensions());
  return process(chain, frame, request, highdim);
}

}  // namespace allport
