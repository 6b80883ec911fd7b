// SPDX-License-Identifier: Apache-2.0
// A ViaList has the destinations that a multidestination message visits one after another, as a
// value that is as small as a number: equal lists are one and the same in memory, and the rest of a
// list without its first entry is a list of its own. A flit cannot refer to a table of lists, so
// the table is a global; lists are kept until the process ends.
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
  /// The list without its first entry.
  ViaList rest() const;
  std::vector<NodeId> nodes() const;

  friend bool operator==(ViaList a, ViaList b) { return a.place_ == b.place_; }
  friend bool operator!=(ViaList a, ViaList b) { return a.place_ != b.place_; }

 private:
  std::uint32_t place_ = 0;
};

}  // namespace allport
