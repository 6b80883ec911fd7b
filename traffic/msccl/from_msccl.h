// SPDX-License-Identifier: Apache-2.0
// from_msccl() makes the schedule that an MSCCL program is: GPU r is node r, and each of its sends
// a unicast. A node sends in the order in which its steps become ready (StepOrder). In a schedule a
// node keeps one sum of each block; programs that keep several apart have no schedule and are
// refused.
#pragma once

#include "traffic/msccl/msccl_program.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// The schedule of `program`, whose goal is `goal`; empty, and with all faults in `findings`, if
/// the program does not reach its goal in all orders in which its steps may run. Throws
/// std::invalid_argument with one sentence naming GPU, thread block and step for what a schedule
/// cannot carry.
Schedule from_msccl(const MscclProgram& program, const Collective& goal, Finding& findings);

}  // namespace allport
