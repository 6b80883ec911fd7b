// SPDX-License-Identifier: Apache-2.0
// From a grid of options to points: what each is called, and the command line that runs it.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/grid_file.h"
#include "testbench/sweep/point.h"

namespace allport {

class SweepPlan {
 public:
  /// Throws std::invalid_argument, one sentence, for a value that its option cannot take, for
  /// options that do not go together, and for more points than may be.
  SweepPlan(GridText text, bool is_large_meant);

  std::uint64_t size() const { return grid_.size(); }
  /// Point `index`. Its configuration has every default resolved, so that it has one name however
  /// it was written; a point that cannot be resolved is named by what it was given, and fails when
  /// it is run.
  Point point(std::uint64_t index) const;
  /// The names of all points, in order. Throws std::invalid_argument with the sentence of the first
  /// where none can be resolved.
  std::vector<std::string> names() const;

  /// The keys that have several values.
  std::vector<std::string> varied_keys() const;
  /// The values of a point for varied_keys().
  std::vector<std::string> varied_values(std::uint64_t index) const;
  /// Positions in varied_keys() of the keys that tell the curves over the key `x` apart: all but x,
  /// what advances together with it, and the seed.
  std::vector<std::size_t> curve_keys(const std::string& x) const;
  /// The single values of the others: `topology torus:8x8, cycles 20000`.
  std::string fixed_in_words() const;

 private:
  Settings settings(std::uint64_t index) const;
  Point resolved(std::uint64_t index, std::string& problem) const;

  std::vector<GridKey> keys_;  // in the order of the grid's
  Grid grid_;
};

/// The options that a grid may set.
OptionList grid_options();

}  // namespace allport
