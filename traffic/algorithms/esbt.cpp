// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/esbt.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"

namespace allport {

namespace {

// The edges of tree `tree` as unicasts, breadth first.
void add_tree(std::size_t tree, const CubeFrame& frame, Schedule& schedule) {
  struct Holder {
    std::uint32_t address;
    std::size_t place;  // the first one over which it sends
    StepIndex received;
  };
  std::vector<Holder> holders;
  const auto send = [&](std::uint32_t from, std::uint32_t to, std::size_t place, StepIndex step) {
    Unicast unicast;
    unicast.u = frame.node(from);
    unicast.v = frame.node(to);
    unicast.step = step;
    unicast.blocks = {static_cast<BlockId>(tree)};
    schedule.unicasts.push_back(std::move(unicast));
    holders.push_back({to, place, step});
  };
  const std::size_t dimensions = frame.dimensions();
  send(0, std::uint32_t{1} << tree, 0, 1);
  for (std::size_t i = 0; i < holders.size(); ++i) {
    const Holder holder = holders[i];
    for (std::size_t place = holder.place; place < dimensions; ++place) {
      const std::size_t dimension = (tree + 1 + place) % dimensions;
      const std::uint32_t child = holder.address ^ std::uint32_t{1} << dimension;
      if (child != 0) send(holder.address, child, place + 1, holder.received + 1);
    }
  }
}

}  // namespace

Schedule plan_esbt(const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const std::size_t trees = topology.dimension_count();
  const std::size_t edges = trees * (topology.node_count() - 1);
  const CubeFrame frame(request.routing, request.goal.source);
  Schedule schedule;
  schedule.unicasts.reserve(edges);
  for (std::size_t tree = 0; tree < trees; ++tree) add_tree(tree, frame, schedule);
  number_by_step(schedule);
  return schedule;
}

}  // namespace allport
