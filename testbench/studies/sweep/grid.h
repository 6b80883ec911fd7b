// SPDX-License-Identifier: Apache-2.0
// A SweepGrid is a grid of axes, whose product is the set of points. An axis is one key with its
// values, or several keys that advance together (a zip). Points are numbered with the last axis
// fastest, and made on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/studies/sweep/value_list.h"

namespace allport {

/// One key, or several keys whose lists have the same length.
struct Axis {
  std::vector<std::string> keys;
  std::vector<ValueList> values;  ///< one list for each key

  std::uint64_t size() const { return values.front().size(); }
};

class SweepGrid {
 public:
  /// Takes axes with at least one value each.
  explicit SweepGrid(std::vector<Axis> axes);

  /// The number of points; 2^64 - 1 if there are more.
  std::uint64_t size() const { return size_; }
  /// All keys, axis by axis.
  const std::vector<std::string>& keys() const { return keys_; }
  /// Whether the key at `position` of keys() has several values.
  bool is_varied(std::size_t position) const { return is_varied_[position]; }
  /// Whether the keys at two positions of keys() advance together.
  bool are_zipped(std::size_t a, std::size_t b) const { return axis_of_[a] == axis_of_[b]; }
  /// The values of a point, one for each of keys().
  std::vector<std::string> point(std::uint64_t index) const;

 private:
  std::vector<Axis> axes_;
  std::vector<std::string> keys_;
  std::vector<bool> is_varied_;
  std::vector<std::size_t> axis_of_;
  std::uint64_t size_ = 1;
};

}  // namespace allport
