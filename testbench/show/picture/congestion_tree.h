// SPDX-License-Identifier: Apache-2.0
// The congestion tree of a cycle (docs/explain.md, section 4) shows at its roots what everybody
// waits for in the end, and towards the leaves who waits for whom.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/observe/explain/roots.h"

namespace allport {

class CongestionTree {
 public:
  static constexpr std::size_t no_parent = ~std::size_t{0};

  struct Branch {
    Root at;
    std::size_t parent = no_parent;  ///< what this waits for; no_parent: it is a root
    std::size_t messages = 0;        ///< that wait here, or for something that waits here
  };

  /// Adds a message that waits for `chain`, as Roots::chain() gives it.
  void add(const std::vector<Root>& chain);
  /// The messages added.
  std::size_t waiting() const { return waiting_; }
  /// At most `most` branches, each behind its parent: those for which most messages wait.
  std::vector<Branch> largest(std::size_t most) const;

 private:
  std::size_t child(std::size_t parent, const Root& at);

  std::vector<Branch> branches_;
  std::vector<std::vector<std::size_t>> children_;  // by branch
  std::vector<std::size_t> roots_;
  std::size_t waiting_ = 0;
};

}  // namespace allport
