// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/congestion_tree.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace allport {

std::size_t CongestionTree::child(std::size_t parent, const Root& at) {
  std::vector<std::size_t>& list = parent == no_parent ? roots_ : children_[parent];
  const auto known =
      std::find_if(list.begin(), list.end(), [&](std::size_t i) { return branches_[i].at == at; });
  if (known != list.end()) return *known;
  const std::size_t number = branches_.size();
  list.push_back(number);
  branches_.push_back({at, parent, 0});
  children_.emplace_back();  // `list` may be gone
  return number;
}

void CongestionTree::add(const std::vector<Root>& chain) {
  ++waiting_;
  std::size_t at = no_parent;
  for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
    at = child(at, *step);
    ++branches_[at].messages;
  }
}

std::vector<CongestionTree::Branch> CongestionTree::largest(std::size_t most) const {
  // Messages, then the earliest: a pair that the queue puts the largest of first.
  using Next = std::pair<std::size_t, std::size_t>;
  std::priority_queue<Next> next;
  const auto offer = [&](const std::vector<std::size_t>& list) {
    for (const std::size_t i : list) next.emplace(branches_[i].messages, branches_.size() - i);
  };
  std::vector<Branch> largest;
  std::vector<std::size_t> places(branches_.size(), no_parent);
  offer(roots_);
  while (!next.empty() && largest.size() < most) {
    const std::size_t one = branches_.size() - next.top().second;
    next.pop();
    places[one] = largest.size();
    largest.push_back(branches_[one]);
    Branch& branch = largest.back();
    if (branch.parent != no_parent) branch.parent = places[branch.parent];
    offer(children_[one]);
  }
  return largest;
}

}  // namespace allport
