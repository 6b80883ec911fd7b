// SPDX-License-Identifier: Apache-2.0
// An ApplicationTrace is what an application was recorded to do: tasks, and the collectives in
// which its ranks take part. Files of tasks and the formats of others (workload_format.h) become an
// ApplicationTrace, and expand() makes a TaskGraph of it, in which every collective is carried out
// by messages.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "traffic/schedule/collective.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

struct Algorithm;

/// A file of a trace, read whole.
struct TraceFile {
  std::string name;
  std::string text;
};

/// How the amounts of a trace become cycles and bytes.
struct TraceScale {
  double ghz = 1;              ///< clock rate in GHz: cycles of a nanosecond
  double flops_per_cycle = 1;  ///< floating-point operations of a cycle
  double factor = 1;           ///< of every time and every length

  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

  /// The nearest whole number of cycles; each throws std::invalid_argument, a clause without the
  /// place, for a negative time and for more than limits::cycles.high.
  Cycle of_nanoseconds(double time) const;
  Cycle of_flops(double flops) const;
  Cycle of_cycles(Cycle cycles) const;
  /// The next whole number of bytes; throws std::invalid_argument, a clause without the place, for
  /// more than most_bytes.
  std::uint64_t of_bytes(std::uint64_t bytes) const;
};

/// What `convert` returns; what it throws of a scale is handed to `reject`, which says where.
template <class Convert, class Reject>
auto scaled(const Convert& convert, const Reject& reject) {
  try {
    return convert();
  } catch (const std::invalid_argument& fault) {
    reject(fault.what());
    throw;
  }
}

/// What a collective call is: an operation, or a prefix sum, for which there is no algorithm.
enum class CallKind : std::uint8_t { operation, scan, exscan };

/// One rank's part in a collective.
struct CollectiveCall {
  std::uint32_t task =
      0;  ///< its place in ApplicationTrace::graph: what the rank computes after it
  std::uint32_t group = 0;  ///< index into ApplicationTrace::groups
  CallKind kind = CallKind::operation;
  Operation operation = Operation::barrier;
  std::uint32_t root = 0;                ///< a rank, if the operation has a root
  const Algorithm* algorithm = nullptr;  ///< what the rank names; null: it names none
  /// Bytes that the rank brings: of bcast, reduce, allreduce and prefix sums, those of the message
  /// or vector; of gather and allgather, those of its block; of scatter (of the root), alltoall and
  /// reduce_scatter, those of the block of each rank, or one number for all. Empty: the rank says
  /// nothing of them.
  std::vector<std::uint64_t> sends{};
  /// Bytes that it expects: of gather (of the root), allgather and alltoall, from each rank, or one
  /// number for all; of scatter, those of its block. Empty: the rank says nothing of them.
  std::vector<std::uint64_t> receives{};
};

struct ApplicationTrace {
  TaskGraph graph;                      ///< in place of each call stands a compute task
  std::vector<CollectiveCall> calls{};  ///< those of a rank in its order
  /// Names of the groups of ranks that call collectives. The first is that of all ranks; another
  /// one has the ranks that call with it.
  std::vector<std::string> groups{""};
  /// Dependencies that the files name and that cannot be kept.
  std::uint64_t left_out = 0;
};

/// `FILE:LINE`, of what `origin` says where it was written.
std::string in_words(const TaskOrigin& origin, const std::vector<std::string>& files);

}  // namespace allport
