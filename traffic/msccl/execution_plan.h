// SPDX-License-Identifier: Apache-2.0
// These functions read and write execution plans of MSCCL++ (docs/guide/libraries.md), the JSON in
// which its compiler hands collective algorithms to the executor on each GPU. A plan puts data into
// the memory of other GPUs, and signals when it is there; here each such operation becomes a send
// and a receive of an MscclProgram, and what signals, semaphores, barriers and packets make wait
// becomes its waits.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "traffic/msccl/msccl_program.h"

namespace allport {

/// Reads the program that a plan is. `name` is used in messages, and `asked` says what a program of
/// `custom` is to achieve, which it does not say itself. Throws
/// std::invalid_argument with one sentence naming file, GPU, thread block and operation for JSON
/// that is torn, an unknown operation, a missing key, a value out of range, an operation that needs
/// a switch, and for too much of anything.
MscclProgram read_execution_plan(std::istream& in, const std::string& name,
                                 const std::optional<Operation>& asked = std::nullopt);

/// The thread block of a plan with most operations.
struct LongestBlock {
  std::size_t gpu = 0;
  std::size_t block = 0;
  std::size_t operations = 0;
};
/// What the executor of MSCCL++ takes for a thread block (MAX_OPERATION of its sources, 2025).
constexpr std::size_t most_operations_of_executor = 64;

/// Writes `program`, which to_msccl made: each message lands in scratch of its own at its receiver,
/// so that nothing waits for room. The plan may be too long for an executor.
LongestBlock write_execution_plan(std::ostream& out, const MscclProgram& program);

}  // namespace allport
