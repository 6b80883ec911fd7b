// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/contributions.h"

#include <algorithm>

namespace allport {

Contributions::Contributions(NodeId node) {
  const auto number = static_cast<std::uint32_t>(index(node));
  few_.front() = {number, number + 1};
}

Contributions::Contributions(const Contributions& other) { *this = other; }

Contributions& Contributions::operator=(const Contributions& other) {
  if (this == &other) return *this;
  few_ = other.few_;
  many_ = other.many_ == nullptr ? nullptr : std::make_unique<std::vector<Range>>(*other.many_);
  return *this;
}

std::optional<NodeId> Contributions::common(const Contributions& other) const {
  const Range* b = other.begin();
  for (const Range& a : *this) {
    while (b != other.end() && b->end <= a.first) ++b;
    if (b == other.end()) break;
    if (b->first < a.end) return node_id(std::max(a.first, b->first));
  }
  return std::nullopt;
}

std::optional<NodeId> Contributions::missing(const Contributions& other) const {
  if (other.is_empty()) return std::nullopt;
  const Range* a = begin();
  for (const Range& wanted : other) {
    while (a != end() && a->end <= wanted.first) ++a;
    if (a == end() || a->first > wanted.first) return node_id(wanted.first);
    // Behind a range there is a node that is not in the set.
    if (a->end < wanted.end) return node_id(a->end);
  }
  return std::nullopt;
}

void Contributions::add(const Contributions& other) {
  if (other.is_empty()) return;
  if (is_empty()) {
    *this = other;
    return;
  }
  std::array<Range, 4> short_list;
  std::vector<Range> long_list;
  const std::size_t count = size() + other.size();
  if (count > short_list.size()) long_list.resize(count);
  Range* const sorted = long_list.empty() ? short_list.data() : long_list.data();
  std::merge(begin(), end(), other.begin(), other.end(), sorted,
             [](const Range& a, const Range& b) { return a.first < b.first; });
  Range* last = sorted;
  for (const Range* range = sorted + 1; range != sorted + count; ++range) {
    if (range->first > last->end) {
      *++last = *range;
    } else {
      last->end = std::max(last->end, range->end);
    }
  }
  take(sorted, last + 1);
}

void Contributions::take(const Range* first, const Range* last) {
  few_ = {first[0], last - first > 1 ? first[1] : Range{}};
  many_ = last - first > 2 ? std::make_unique<std::vector<Range>>(first, last) : nullptr;
}

std::size_t Contributions::count() const {
  std::size_t count = 0;
  for (const Range& range : *this) count += range.end - range.first;
  return count;
}

}  // namespace allport
