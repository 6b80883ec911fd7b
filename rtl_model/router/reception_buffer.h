// SPDX-License-Identifier: Apache-2.0
// A ReceptionBuffer is where a virtual channel of an ejection channel ends if its node does not
// take every message at once (docs/router.md, reception limits). It counts flits, and says when
// credits go back; the caller knows the cycle.
#pragma once

#include <cstdint>

namespace allport {

struct ReceptionBuffer {
  std::int64_t flits = 0;  ///< from the cycle on the channel until they are taken
  std::int32_t owed = 0;   ///< credits that have not gone on the wire
  bool is_noted = false;   ///< for the caller: whether it is to be looked at in this cycle

  /// A flit is on the channel.
  void arrive() {
    ++flits;
    ++owed;
  }
  /// Whether a credit goes on the wire in the next cycle, when all flits and takes of this one have
  /// been counted: the flits and the credits that are out are fewer than `limit`. The sender has
  /// `depth` credits.
  bool returns_credit(int depth, std::int64_t limit) {
    if (owed == 0 || flits + depth - owed >= limit) return false;
    --owed;
    return true;
  }
};

}  // namespace allport
