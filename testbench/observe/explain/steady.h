// SPDX-License-Identifier: Apache-2.0
// A machine that is in a steady state does the same again and again, and what is found in one
// period is found in all: so the cost of an explanation goes with changes, not with cycles. Lookups
// notes what is read of a history. Each part of it, a run of flits at an even distance or the
// cycles between two events, is an interval, and what is asked moves evenly: if two periods read
// the same parts, and find the same, then so does each period between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "rtl_model/base/ids.h"

namespace allport {

/// What is done about steady states. To follow each cycle of one takes longer, and finds the same.
enum class SteadyStates { skipped, followed };

class Lookups {
 public:
  void clear() { *this = {}; }
  /// Something was read of part `part` of `what`.
  void note(std::uint64_t what, std::uint64_t part) {
    for (const std::uint64_t one : {what, part}) {
      signature_ = (signature_ ^ (one + 0x9e3779b97f4a7c15U)) * 0xff51afd7ed558ccdU;
      signature_ ^= signature_ >> 32;
    }
    ++count_;
  }
  /// All that `other` has noted was read.
  void note(const Lookups& other) {
    note(other.signature_, other.count_);
    note_stride(other.stride_);
  }
  /// In that part something happens every `stride` cycles.
  void note_stride(Cycle stride) {
    if (stride > 1 && stride_ <= longest_period) stride_ = std::lcm(stride_, stride);
  }

  /// After so many cycles all that was read is the same again.
  Cycle stride() const { return stride_; }
  bool is_same(const Lookups& other) const {
    return signature_ == other.signature_ && count_ == other.count_;
  }

  /// Steps after which a steady state is looked for, and the periods that are tried.
  static constexpr int first_try = 16;
  static constexpr int most_tries = 4;
  /// Longer periods are not looked for, and fewer of them are told one by one.
  static constexpr Cycle longest_period = 4096;
  static constexpr Cycle fewest_periods = 64;

 private:
  std::uint64_t signature_ = 0;
  std::uint64_t count_ = 0;
  Cycle stride_ = 1;
};

/// The largest of 0 .. `most` for which `is_same` holds. It holds for 0, and where it holds for a
/// number it does for all below.
template <class IsSame>
Cycle last_same(Cycle most, const IsSame& is_same) {
  if (most == 0 || is_same(most)) return most;
  Cycle holds = 0;
  Cycle fails = most;
  for (Cycle reach = 1; holds + reach < fails; reach *= 2) {
    if (!is_same(holds + reach)) {
      fails = holds + reach;
      break;
    }
    holds += reach;
  }
  while (fails - holds > 1) {
    const Cycle middle = holds + (fails - holds) / 2;
    (is_same(middle) ? holds : fails) = middle;
  }
  return holds;
}

}  // namespace allport
