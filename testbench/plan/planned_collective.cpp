// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/planned_collective.h"

#include "traffic/schedule/joins.h"

namespace allport {

bool PlannedCollective::has_joins() const { return allport::has_joins(schedule); }

}  // namespace allport
