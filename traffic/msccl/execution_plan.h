// SPDX-License-Identifier: Apache-2.0
// These functions read and write execution plans of MSCCL++ (docs/guide/libraries.md), the JSON in
// which its compiler hands collective algorithms to the executor on each GPU. A plan puts data into
// the memory of other GPUs, and signals when it is there; here each such operation becomes a send
// and a receive of an MscclProgram, and what signals, semaphores, barriers and packets make wait
// becomes its waits.
#pragma once

#include <iosfwd>
#include <string>

#include "traffic/msccl/msccl_program.h"

namespace allport {

/// Reads the program that a plan is. `name` is used in messages. Throws
/// std::invalid_argument with one sentence naming file, GPU, thread block and operation for JSON
/// that is torn, an unknown operation, a missing key, a value out of range, an operation that needs
/// a switch, and for too much of anything.
MscclProgram read_execution_plan(std::istream& in, const std::string& name);

/// Writes `program`, which to_msccl made: each message lands in scratch of its own at its receiver,
/// so that nothing waits for room.
void write_execution_plan(std::ostream& out, const MscclProgram& program);

}  // namespace allport
