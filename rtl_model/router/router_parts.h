// SPDX-License-Identifier: Apache-2.0
// RouterParts says which routers of a fabric are simulated together: neighbours in number, which
// on cubes, tori and meshes are slabs across the last dimensions, so that few channels are cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

class RouterParts {
 public:
  static constexpr int most = 256;
  /// Routers that are awake and flits that arrive, together, for which another thread is worth its
  /// while in a cycle: about a tenth of a microsecond each.
  static constexpr std::size_t enough = 160;

  /// How many parts of a fabric may have enough to do at once for a thread each; one where that
  /// would be two at the best of times, which gains nothing. Where a fabric is saturated about half
  /// of its routers and channels are busy.
  static int most_useful(std::size_t routers, std::size_t channels) {
    const std::size_t parts = (routers + channels) / 2 / enough;
    return parts < 3 ? 1 : static_cast<int>(std::min<std::size_t>(parts, most));
  }

  /// Why one thread decides all parts, as words that follow "one thread:".
  static constexpr const char* whole_by_errors = "channels err";
  static constexpr const char* whole_by_observers = "what is observed is told in order";

  RouterParts() = default;
  /// Up to `parts` parts, 1 .. most, of `routers` routers, of equal sizes or one router apart.
  RouterParts(std::size_t routers, int parts)
      : size_(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(parts), routers))) {
    const auto size = static_cast<std::size_t>(size_);
    for (std::size_t router = 0; router < routers; ++router) {
      parts_.push_back(static_cast<std::uint8_t>(router * size / routers));
    }
  }

  int size() const { return size_; }
  /// The part of the router of `node`.
  std::size_t of(NodeId node) const { return size_ == 1 ? 0 : parts_[index(node)]; }

 private:
  int size_ = 1;
  std::vector<std::uint8_t> parts_;  // by router
};

}  // namespace allport
