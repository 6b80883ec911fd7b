// SPDX-License-Identifier: Apache-2.0
// The contributions that a sum contains: a set of nodes, kept as ranges. In the usual reductions a
// set is one range or a few, and the sets of all nodes and blocks take 16 bytes each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

class Contributions {
 public:
  /// No contribution.
  Contributions() : one_{0, 0} {}
  /// The contribution of `node` alone.
  explicit Contributions(NodeId node);
  Contributions(const Contributions& other);
  Contributions(Contributions&&) = default;
  Contributions& operator=(const Contributions& other);
  Contributions& operator=(Contributions&&) = default;
  ~Contributions() = default;

  /// The first contribution that both contain; none: they have none in common.
  std::optional<NodeId> common(const Contributions& other) const;
  /// The first contribution that `other` contains and this does not; none: this contains them all.
  std::optional<NodeId> missing(const Contributions& other) const;
  void add(const Contributions& other);
  std::size_t count() const;
  bool is_empty() const { return one_.end == 0; }

 private:
  struct Range {  // the nodes first .. end - 1
    std::uint32_t first;
    std::uint32_t end;
  };
  const Range* begin() const { return several_ == nullptr ? &one_ : several_->data(); }
  const Range* end() const { return begin() + (several_ == nullptr ? 1 : several_->size()); }

  Range one_;
  // If there are several: ascending, with nodes between each two that are not in the set.
  std::unique_ptr<std::vector<Range>> several_;
};

}  // namespace allport
