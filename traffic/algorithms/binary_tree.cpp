// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/binary_tree.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

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

}  // namespace allport
