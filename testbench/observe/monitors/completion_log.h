// SPDX-License-Identifier: Apache-2.0
// A CompletionLog says when a node of a collective of blocks, or of one with joins, has everything
// that it must have at the end: with its last wanted reception.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/plan/planned_collective.h"
#include "tlm/processor/planned_send.h"

namespace allport {

class CompletionLog {
 public:
  /// Expects `collectives`, carried out by `programs`, in the coming trial; both must outlive it.
  void begin_trial(const std::vector<PlannedCollective>& collectives, const ProgramTable& programs,
                   const Routing& routing);
  /// Whether the receptions of `collective` are counted; otherwise the first one completes it.
  bool counts(int collective) const { return counts_[static_cast<std::size_t>(collective)]; }
  /// Notes that the receiver of the message of `extension` has it; returns whether this completes
  /// its collective.
  bool receive(const MessageExtension& extension);

 private:
  void expect_all(int collective, const Routing& routing);
  std::size_t& missing(int collective, NodeId node) {
    return missing_.at(node, static_cast<std::size_t>(collective));
  }

  const std::vector<PlannedCollective>* collectives_ = nullptr;
  const ProgramTable* programs_ = nullptr;
  std::vector<bool> counts_;        // by collective
  PairTable<std::size_t> missing_;  // wanted receptions still to come
};

}  // namespace allport
