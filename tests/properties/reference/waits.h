// SPDX-License-Identifier: Apache-2.0
// Waits says why a flit did not go on in a cycle: it has the table of causes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/properties/reference/history.h"

namespace allport::reference {

/// A lost cycle: its cause, whom that blames, and where this one stands in the cycle looked at.
struct Wait {
  std::string cause;
  int blamed = none;
  std::string place = {};
  Cycle cycle = 0;             // the one looked at; after a credit an earlier one than the lost one
  bool is_of_sibling = false;  // a flit stays for a sibling branch: the lost cycle is a `branch`
  Buffer buffer = {};          // behind, credit, mode: the buffer whose front is blamed
  int output = none, vc = none;  // channel: what is owned, at buffer.node ..
  int hops = 0;                  // .. and external channels that the owner has passed there
};

class Waits {
 public:
  explicit Waits(const History& history) : history_(history) {}

  /// Of the front of `buffer`, which stays in `cycle`, on its `way` to a receiver: what its branch
  /// on the way lacks, else what the last branch lacks. Without a way, always the latter.
  Wait of_front(const Buffer& buffer, Cycle cycle, const std::vector<Station>* way) const;
  /// Of a head that is in `buffer`, but not at the front.
  Wait of_hidden_head(int message, const Buffer& buffer, Cycle cycle,
                      const std::vector<Station>* way) const;
  /// Of the next flit, whose turn it is in its queue at the processor, and which is not sent in
  /// `cycle`: it lacks credits, or another class sends.
  Wait of_processor(int message, Cycle cycle, const std::vector<Station>* way) const;

 private:
  /// The branch that takes the front last, the lowest of several.
  const BranchNote& last_branch(const Front& front) const;
  /// The place of a front's branch, with the VC that it has, waits for or will have; of an adaptive
  /// head that has not asked yet, the output that it will take, or ask for if it never leaves.
  std::string place_of(const Front& front, const BranchNote& branch) const;
  int asked_at_last(const Front& front) const;
  const BranchNote* branch_on_way(const Front& front, Cycle cycle,
                                  const std::vector<Station>* way) const;
  Wait of_branch(const Front& front, const BranchNote& branch, Cycle cycle,
                 const std::vector<Station>* way) const;
  Wait of_credits(int message, int credits, const Wait& nobody, const Buffer& beyond,
                  const std::vector<Station>* way) const;
  Wait of_switch(const Front& front, const BranchNote& branch, Wait wait) const;
  std::pair<Crossing, int> occupant_of(int node, int output, Cycle cycle) const;

  const History& history_;
};

}  // namespace allport::reference
