// SPDX-License-Identifier: Apache-2.0
// to_msccl() makes a schedule of unicasts into an MSCCL program: a thread block for each peer that
// a node sends to, and one for each that it receives from. A node's sends wait for each other in
// the order of its program, and each for the chunks that it carries. Chunks that do not lie side by
// side are gathered in the scratch buffer before they are sent, and shared out from there.
#pragma once

#include <string>

#include "traffic/msccl/msccl_program.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// The program of `schedule`, which achieves `goal`; for a bcast, messages without blocks carry the
/// whole message. Throws std::invalid_argument, one sentence, for worms that are no unicasts, a
/// bcast to some nodes only, blocks that do not exist and programs that wait in a circle.
MscclProgram to_msccl(const Schedule& schedule, const Collective& goal, const std::string& name);

}  // namespace allport
