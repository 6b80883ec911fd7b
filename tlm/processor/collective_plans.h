// SPDX-License-Identifier: Apache-2.0
// CollectivePlans has the plans of the collectives that programs call: they are those of tasks, and
// are kept for the next call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "tlm/processor/collective_calls.h"
#include "traffic/tasks/collective_planner.h"

namespace allport {

class CollectivePlans {
 public:
  /// Of `ranks` ranks, two or more, which are the places. The planner must outlive the plans.
  CollectivePlans(CollectivePlanner& planner, std::uint32_t ranks)
      : planner_(planner), ranks_(ranks) {}

  /// The algorithm of this name for `operation`; empty: the default of programs, which is that of
  /// tasks, but for a broadcast on a hypercube. Throws std::invalid_argument, one sentence, for an
  /// unknown name, an algorithm for something else and one that sends worms.
  std::string name_of(Operation operation, std::string_view algorithm);

  /// How `call` is carried out. Throws std::invalid_argument, one sentence, if its algorithm is not
  /// for the fabric of the ranks, and for a broadcast in pieces, of which no rank but the root
  /// knows how long they are.
  std::shared_ptr<const PlannedCall> plan(const CalledCollective& call);

 private:
  PlannedCall plan_anew(const CalledCollective& call);

  CollectivePlanner& planner_;
  const std::uint32_t ranks_;
  std::map<CalledCollective, std::shared_ptr<const PlannedCall>> plans_;
  std::size_t kept_ = 0;  // messages of plans_
};

}  // namespace allport
