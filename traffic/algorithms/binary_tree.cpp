// SPDX-License-Identifier: Apache-2.0
// This is the broadcast over the complete binary tree embedded in a hypercube [Ranka88, fig. 4]:
// the tree's 2^n - 1 nodes are numbered 1, 2, .. in order, node k is the address k xor 2^(n-1) from
// the source. A right child is then one hop away, a left child two, and no channel serves two
// edges. Address 2^(n-1), which no node of the tree has, is the third child of the root. The steps
// come from step_assignment.h. On a 2-cube source 0 sends 0 -> 3 over 2, 0 -> 1, then 0 -> 2.
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

Schedule plan_binary_tree(const PlanRequest& request) {
  const CubeFrame frame(request.routing, request.goal.source);
  const std::uint32_t root = std::uint32_t{1} << (frame.dimensions() - 1);
  const auto node = [&](std::uint32_t number) { return frame.node(number ^ root); };
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  std::vector<std::pair<std::uint32_t, StepIndex>> holders{{root, 0}};
  while (!holders.empty()) {
    const auto [number, received] = holders.back();
    holders.pop_back();
    programs.begin(node(number), received, number);
    const std::uint32_t half = (number & (~number + 1)) >> 1;  // a leaf's is 0
    if (half != 0) {
      holders.emplace_back(number - half, programs.send(node(number - half)));
      holders.emplace_back(number + half, programs.send(node(number + half)));
    }
    if (number == root) programs.send(node(0));
  }
  return programs.take();
}

}  // namespace

Rows binary_tree_rows() {
  return {Row("binary-tree", "broadcast over the in-order embedded complete binary tree", "Ranka88",
              hypercubes, plan_binary_tree)
              .steps(Steps::by_rule)};
}

}  // namespace allport
