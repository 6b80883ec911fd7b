// SPDX-License-Identifier: Apache-2.0
// A MeasurementWindow has the cycles in which synthetic traffic is measured: from the end of the
// warm-up until messages cease to start. What happens while the network drains belongs to no
// window.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rtl_model/base/ids.h"

namespace allport {

struct MeasurementWindow {
  Cycle from = 0;  ///< the first cycle of the window
  Cycle to = 1;    ///< the first cycle after the window

  Cycle cycles() const { return to - from; }
  bool contains(Cycle cycle) const { return cycle >= from && cycle < to; }
  /// The number of cycles of first .. last - 1 that lie in the window.
  Cycle overlap(Cycle first, Cycle last) const {
    return std::max<Cycle>(std::min(last, to) - std::max(first, from), 0);
  }
  /// Flits of a message that were on the ejection channel in the window: exact if they follow one
  /// another; otherwise as if they were spread evenly from `head` to `tail`, rounded down.
  std::int64_t flits_ejected(Cycle head, Cycle tail, int flits) const {
    return flits * overlap(head, tail + 1) / (tail + 1 - head);
  }
};

}  // namespace allport
