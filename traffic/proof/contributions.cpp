// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/contributions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace allport {

Contributions::Contributions(NodeId node)
    : one_{static_cast<std::uint32_t>(index(node)), static_cast<std::uint32_t>(index(node)) + 1} {}

Contributions::Contributions(const Contributions& other) : one_(other.one_) { *this = other; }

Contributions& Contributions::operator=(const Contributions& other) {
  if (this == &other) return *this;
  one_ = other.one_;
  several_ =
      other.several_ == nullptr ? nullptr : std::make_unique<std::vector<Range>>(*other.several_);
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
  const bool touch = one_.first <= other.one_.end && other.one_.first <= one_.end;
  if (touch && several_ == nullptr && other.several_ == nullptr) {
    one_ = {std::min(one_.first, other.one_.first), std::max(one_.end, other.one_.end)};
    return;
  }
  std::vector<Range> sorted;
  sorted.reserve(static_cast<std::size_t>((end() - begin()) + (other.end() - other.begin())));
  std::merge(begin(), end(), other.begin(), other.end(), std::back_inserter(sorted),
             [](const Range& a, const Range& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (const Range& range : sorted) {
    if (range.first > sorted[last].end) {
      sorted[++last] = range;
    } else {
      sorted[last].end = std::max(sorted[last].end, range.end);
    }
  }
  sorted.resize(last + 1);
  one_ = sorted.front();
  several_.reset();
  if (sorted.size() == 1) return;
  sorted.shrink_to_fit();
  several_ = std::make_unique<std::vector<Range>>(std::move(sorted));
}

std::size_t Contributions::count() const {
  std::size_t count = 0;
  for (const Range& range : *this) count += range.end - range.first;
  return count;
}

}  // namespace allport
