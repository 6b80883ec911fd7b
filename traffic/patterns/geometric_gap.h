// SPDX-License-Identifier: Apache-2.0
// A GeometricGap draws how many silent cycles come before the next start, where a start has the
// same probability in every cycle. One draw gives one gap, however long it is, and all of it is
// whole numbers, so that every machine draws the same (docs/guide/randomness.md).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/base/split_mix.h"

namespace allport {

class GeometricGap {
 public:
  /// Of starts that have the `probability` 0 .. 1 in each cycle, rounded down to a multiple of
  /// 2^-64.
  explicit GeometricGap(double probability);

  /// Whether there is no start at all: the probability is 0.
  bool is_never() const { return is_never_; }
  /// The cycles without a start before the next one, 0 .. 2^60 - 1; not of one that is never.
  std::int64_t draw(SplitMix64& generator) const;

 private:
  bool is_never_;
  // Silence i: the probability that 2^i cycles are silent, in units of 2^-64. Those behind the last
  // are 0.
  std::vector<std::uint64_t> silences_;
};

}  // namespace allport
