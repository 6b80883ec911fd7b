// SPDX-License-Identifier: Apache-2.0
#include "traffic/pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "traffic/step_assignment.h"

namespace allport {

Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports) {
  Schedule sorted = whole;
  sorted.sort();
  const std::size_t nodes = routing.topology().node_count();
  const auto ports = static_cast<std::size_t>(internal_ports);
  std::vector<int> sends(nodes);  // of each node, for one piece
  for (const Unicast& unicast : sorted.unicasts) {
    int& count = sends[index(unicast.u)];
    count = std::max(count, unicast.order + 1);
  }
  std::vector<StepIndex> last_step(nodes * ports);  // of each injection port
  Schedule schedule;
  schedule.unicasts.reserve(sorted.unicasts.size() * static_cast<std::size_t>(pieces));
  for (int piece = 0; piece < pieces; ++piece) {
    std::vector<StepIndex> received(nodes);
    for (Unicast unicast : sorted.unicasts) {
      const PortId first = routing.route(unicast.u, unicast.v, ties_of(unicast, routing))->port;
      StepIndex& last = last_step[index(unicast.u) * ports + injection_port(first, internal_ports)];
      last = unicast.step = std::max(last, received[index(unicast.u)]) + 1;
      received[index(unicast.v)] = unicast.step;
      unicast.order += piece * sends[index(unicast.u)];
      unicast.blocks = {static_cast<BlockId>(piece)};
      schedule.unicasts.push_back(std::move(unicast));
    }
  }
  schedule.sort();
  return schedule;
}

int best_pieces(StepIndex steps, Cycle per_step, int flits) {
  const auto time = [&](int pieces) {
    return static_cast<double>(steps - 1 + pieces) *
           (static_cast<double>(per_step) + static_cast<double>(flits) / pieces);
  };
  const double ideal =
      std::sqrt(static_cast<double>(flits) * (steps - 1) / static_cast<double>(per_step));
  const int fewer = std::clamp(static_cast<int>(ideal), 1, flits);
  const int more = std::min(fewer + 1, flits);
  return time(more) < time(fewer) ? more : fewer;
}

std::size_t piece_count(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Unicast& unicast : schedule.unicasts) {
    for (const BlockId block : unicast.blocks) count = std::max<std::size_t>(count, block + 1U);
  }
  return count;
}

}  // namespace allport
