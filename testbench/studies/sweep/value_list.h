// SPDX-License-Identifier: Apache-2.0
// A ValueList has the values that one option takes in a grid, as texts: single values and ranges,
// in the order given. A range is exact, in decimals: 0.02:0.5:0.02 ends with 0.5, and its third
// value is 0.06. Values of a range are made when asked for, so that a range of a billion costs
// nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace allport {

class ValueList {
 public:
  /// Adds the values of `item`: `A..B` (whole numbers), `FIRST:LAST:STEP` (decimals), either of
  /// lengths with units too, whose values have the least unit among them, and either after a word
  /// and a colon (`hypercube:4..8`), both ends included; anything else is one value as it is.
  /// Throws std::invalid_argument, one sentence, for a range that is empty or makes no sense.
  void add(std::string_view item);

  std::uint64_t size() const { return size_; }
  std::string at(std::uint64_t index) const;

 private:
  // A single value is a run of count 1 whose prefix is the value and that has no number.
  struct Run {
    std::string prefix;
    bool has_number = false;
    std::int64_t first = 0;  // in units of 10^-places
    std::int64_t step = 0;
    int places = 0;
    std::uint64_t count = 1;
    std::string unit;  // behind each number
  };
  void append(Run run);

  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
};

/// The items of `text`, which `separator` separates, as a list of values. Throws as add() does, and
/// for an item that is empty.
ValueList parse_values(std::string_view text, char separator);

}  // namespace allport
