// SPDX-License-Identifier: Apache-2.0
// A StaticPlan is the collectives of a trial in the form that the static check takes.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

/// What the check needs to know about a fabric.
struct CheckedFabric {
  const Routing& routing;
  int internal_ports;
  int vcs;  ///< those of joins and trees alone not counted
  CheckLimits limits;
  int join_vcs = 0;
};

/// How the collectives of a trial follow one another.
enum class Succession { at_once, barrier, barrier_messages };

class StaticPlan {
 public:
  StaticPlan(const std::vector<PlannedCollective>& collectives, const CheckedFabric& fabric,
             Succession succession);

  /// The verdict on all of them together.
  ScheduleReport check() const;
  /// The messages that the verdict's indices refer to.
  Schedule messages() const;
  /// The first index of each collective in these messages.
  std::vector<std::size_t> begins() const;

 private:
  std::deque<Schedule> worms_;  // schedules of collectives that are one worm
  std::vector<CheckedPart> parts_;
};

/// How those of `plan` do.
Succession succession_of(const RunPlan& plan);

}  // namespace allport
