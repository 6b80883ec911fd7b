// SPDX-License-Identifier: Apache-2.0
// The calls of ranks are put together here: which collectives a trace has, and what is whose in
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

/// A collective of some ranks, its members; a place is that of a member among them.
struct CollectiveGoal {
  CallKind kind = CallKind::operation;
  Operation operation = Operation::barrier;
  std::uint32_t root = 0;                ///< its place
  const Algorithm* algorithm = nullptr;  ///< what the calls name; null: they name none
  std::vector<std::uint32_t> calls{};    ///< indices into ApplicationTrace::calls, by place, if any
  std::vector<std::uint32_t> ranks{};    ///< by place, ascending
  /// Bytes of the message or vector; of scatter, gather, allgather and reduce_scatter, those of the
  /// block of each place; of alltoall, those of each pair, source * members + target. One number
  /// stands for all blocks; none, of a barrier.
  std::vector<std::uint64_t> bytes{};
  /// Bytes that stay together where these are cut: those of a value, of which all are whole.
  std::uint64_t unit = 1;

  std::size_t members() const { return ranks.size(); }
  std::uint64_t bytes_of(std::size_t block) const {
    return bytes.empty() ? 0 : bytes.size() == 1 ? bytes.front() : bytes[block];
  }
};

/// Calls `use` with each collective of `trace`: call number k of a rank in a group belongs to call
/// number k of every other rank of the group. Throws std::invalid_argument, naming both places,
/// when ranks do not agree on operation, root, algorithm or lengths, and when a rank calls fewer
/// collectives than another one.
void for_each_collective(const ApplicationTrace& trace,
                         const std::function<void(const CollectiveGoal&)>& use);

/// Whether one rank of `operation` differs from the others.
bool has_root(Operation operation);

/// `allreduce`, `exscan`
std::string_view name_of(CallKind kind, Operation operation);

}  // namespace allport
