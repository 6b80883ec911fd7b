// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/hypercube_multicast.h"

#include <algorithm>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Addresses = std::vector<std::uint32_t>;

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

Addresses ascending_chain(const CubeFrame& frame, const Multicast& goal) {
  Addresses chain{0};
  for (const NodeId node : goal.destinations) chain.push_back(frame.address(node));
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

Schedule plan_ascending(const PlanRequest& request, NextIndex next_index) {
  const CubeFrame frame(request.routing, request.goal.source);
  return process(ascending_chain(frame, request.goal), frame, request, next_index);
}

// chain[first .. last] lies in one subcube of `dimensions` dimensions.
void weighted_sort(Addresses& chain, std::size_t first, std::size_t last, std::size_t dimensions) {
  if (last - first < 2) return;
  const std::uint32_t bit = std::uint32_t{1} << (dimensions - 1);
  const auto begin = chain.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = chain.begin() + static_cast<std::ptrdiff_t>(last) + 1;
  const auto middle = std::partition_point(
      begin, end, [&](std::uint32_t element) { return ((element ^ *begin) & bit) == 0; });
  const std::size_t second = static_cast<std::size_t>(middle - chain.begin());
  weighted_sort(chain, first, second - 1, dimensions - 1);
  if (middle != end) weighted_sort(chain, second, last, dimensions - 1);
  if (first != 0 && second - first < last - second + 1) std::rotate(begin, middle, end);
}

}  // namespace

void weighted_sort(std::vector<std::uint32_t>& chain, std::size_t dimensions) {
  if (!chain.empty()) weighted_sort(chain, 0, chain.size() - 1, dimensions);
}

Schedule plan_ucube(const PlanRequest& request) { return plan_ascending(request, center); }
Schedule plan_maxport(const PlanRequest& request) { return plan_ascending(request, highdim); }
Schedule plan_combine(const PlanRequest& request) { return plan_ascending(request, farther); }

Schedule plan_wsort(const PlanRequest& request) {
  const CubeFrame frame(request.routing, request.goal.source);
  Addresses chain = ascending_chain(frame, request.goal);
  weighted_sort(chain, frame.dimensions());
  return process(chain, frame, request, highdim);
}

}  // namespace allport
