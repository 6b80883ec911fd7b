// SPDX-License-Identifier: Apache-2.0
// The destinations that a multidestination message goes to one after another, as a value that is
// as small as a number: equal lists are one and the same in memory, and what is left of a list once
// its first entry is taken off is a list of its own. A flit has nothing that it could ask for the
// table of lists, so the table is a global; lists are kept until the process ends.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

class ViaList {
 public:
  /// The empty list.
  ViaList() = default;
  explicit ViaList(const std::vector<NodeId>& nodes);

  bool empty() const { return place_ == 0; }
  /// The first entry; there must be one.
  NodeId front() const;
  /// The list without it.
  ViaList rest() const;
  std::vector<NodeId> nodes() const;

  friend bool operator==(ViaList a, ViaList b) { return a.place_ == b.place_; }
  friend bool operator!=(ViaList a, ViaList b) { return a.place_ != b.place_; }

 private:
  std::uint32_t place_ = 0;
};

}  // namespace allport
