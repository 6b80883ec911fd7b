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
