// SPDX-License-Identifier: Apache-2.0
// The contributions that a sum contains are a set of nodes, kept as ranges. In the usual reductions
// a set is one range, or two where it goes around a ring; it takes 24 bytes then.
#pragma once

#include <array>
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
  Contributions() = default;
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
  bool is_empty() const { return few_.front().end == 0; }

 private:
  struct Range {  // the nodes first .. end - 1
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  void take(const Range* first, const Range* last);
  const Range* begin() const { return many_ == nullptr ? few_.data() : many_->data(); }
  const Range* end() const { return begin() + size(); }
  std::size_t size() const {
    return many_ != nullptr ? many_->size() : (few_.back().end == 0 ? 1 : 2);
  }

  // Ascending, with nodes between each two that are not in the set; of many, the first two.
  std::array<Range, 2> few_{};
  std::unique_ptr<std::vector<Range>> many_;  // all of them; null: two at most
};

}  // namespace allport
