// SPDX-License-Identifier: Apache-2.0
// This is the spanning binomial tree of a hypercube [CasanovaSlides]: a node that differs from the
// source in lowest bit b sends over the dimensions below b, highest first (mirrored for ascending
// routing). It is pruned to the ancestors of the destinations. The steps come from
// step_assignment.h, so that with one port a broadcast has its n textbook steps.
#include <utility>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// Whether each address is a destination or an ancestor of one; the parent of an address lacks its
// lowest bit.
std::vector<bool> pruned_tree(const CubeFrame& frame, const Multicast& goal) {
  std::vector<bool> kept(std::size_t{1} << frame.dimensions());
  for (const NodeId node : goal.destinations) {
    std::uint32_t address = frame.address(node);
    while (address != 0 && !kept[address]) {
      kept[address] = true;
      address &= address - 1;
    }
  }
  return kept;
}

Schedule plan_sbt(const PlanRequest& request) {
  const CubeFrame frame(request.routing, request.goal.source);
  const std::vector<bool> kept = pruned_tree(frame, request.goal);
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  std::vector<std::pair<std::uint32_t, StepIndex>> holders{{0, 0}};
  while (!holders.empty()) {
    const auto [address, received] = holders.back();
    holders.pop_back();
    programs.begin(frame.node(address), received, address);
    const std::uint32_t lowest =
        address == 0 ? std::uint32_t{1} << frame.dimensions() : address & (~address + 1);
    for (std::uint32_t bit = lowest >> 1; bit != 0; bit >>= 1) {
      const std::uint32_t child = address | bit;
      if (kept[child]) holders.emplace_back(child, programs.send(frame.node(child)));
    }
  }
  return programs.take();
}

}  // namespace

Rows sbt_rows() {
  return {Row("sbt", "spanning binomial tree, pruned to the ancestors of the destinations",
              "CasanovaSlides", hypercubes, plan_sbt)
              .multicasts()};
}

}  // namespace allport
