// SPDX-License-Identifier: Apache-2.0
// A SimgridAction is a line of a time-independent trace of SimGrid: a rank, an action and its
// arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

class SimgridAction {
 public:
  /// The words of `line`, which stands in line `number` of the file `index`; empty: it has none or
  /// is a comment.
  static std::vector<std::string_view> words_of(std::string_view line);

  SimgridAction(const TraceFile& file, TaskOrigin origin, std::vector<std::string_view> words);

  const TaskOrigin& origin() const { return origin_; }
  std::uint32_t rank() const { return rank_; }
  std::string_view name() const { return words_[1]; }
  /// The number of arguments.
  std::size_t count() const { return words_.size() - 2; }

  /// Throws std::invalid_argument: file, line and `why`.
  [[noreturn]] void reject(const std::string& why) const;
  /// Throws unless there are `low` .. `high` arguments.
  void require_count(std::size_t low, std::size_t high) const;

  /// Argument `i`, 0, 1, ..., which must be there.
  std::string_view word(std::size_t i) const { return words_[i + 2]; }
  /// As numbers, which throw with `what` they are. Counts are cut off behind the point, as SimGrid
  /// does.
  double real(std::size_t i, const char* what) const;
  std::int64_t integer(std::size_t i, const char* what, std::int64_t low, std::int64_t high) const;
  std::uint64_t elements(std::size_t i) const;
  /// Bytes of an element of the datatype in argument `i`; `default_value`: there is no such
  /// argument.
  std::uint64_t datatype(std::size_t i, std::uint64_t default_value) const;

 private:
  const TraceFile& file_;
  TaskOrigin origin_;
  std::vector<std::string_view> words_;
  std::uint32_t rank_ = 0;
};

/// The call that `action` is among `ranks`, without its task: lengths in bytes before they are
/// scaled, and in `flops` what the rank computes after it. `default_value`: bytes of an element
/// without a datatype. False: it is no collective.
bool read_simgrid_collective(const SimgridAction& action, std::uint32_t ranks,
                             std::uint64_t default_value, CollectiveCall& call, double& flops);
/// The names of the collectives.
const std::vector<std::string_view>& simgrid_collectives();

}  // namespace allport
