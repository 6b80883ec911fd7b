// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/edn.h"

#include "traffic/algorithms/torus_rounds.h"
#include "traffic/algorithms/zblock.h"

namespace allport {

namespace {

Schedule plan_by(const PlanRequest& request, TieRule ties) {
  static const std::vector<Offset> dominating{{0, 2}, {2, 1}, {-2, -1}};
  static const std::vector<Offset> neighbours{{1, 0}, {-1, 0}, {0, 1}};
  TorusRounds rounds(request.routing, request.goal.source, ties);
  StepIndex step = 0;
  int side = request.routing.topology().sides().front();
  for (; side >= 4; side /= 4) {
    rounds.send_from_all(dominating, side / 4, ++step);
    rounds.send_from_all(neighbours, side / 4, ++step);
  }
  if (side == 2) rounds.send_from_all(z_block(), 1, ++step);
  return rounds.take();
}

}  // namespace

Schedule plan_edn(const PlanRequest& request) { return plan_by(request, TieRule::as_displaced); }
Schedule plan_edn_positive(const PlanRequest& request) {
  return plan_by(request, TieRule::positive);
}

}  // namespace allport
