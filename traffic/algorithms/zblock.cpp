// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/zblock.h"

namespace allport {

const std::vector<Offset>& z_block() {
  static const std::vector<Offset> offsets{{1, 0}, {0, 1}, {-1, 1}};
  return offsets;
}

Schedule plan_zblock(const PlanRequest& request) {
  TorusRounds rounds(request.routing, request.goal.source);
  StepIndex step = 0;
  for (int unit = request.routing.topology().sides().front() / 2; unit >= 1; unit /= 2) {
    rounds.send_from_all(z_block(), unit, ++step);
  }
  return rounds.take();
}

}  // namespace allport
