// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/waiting_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace allport {

WaitingGraph::WaitingGraph(const WormRoutes& routes, const std::vector<bool>& is_member,
                           const std::vector<std::uint32_t>* ways)
    : routes_(routes), is_member_(is_member), ways_(ways) {
  for (std::uint32_t hop = 0; hop < routes.hop_count(); ++hop) {
    if (is_member[routes[hop].message]) owners_.push_back(hop);
  }
  const auto place = [&](std::uint32_t hop) {
    return std::pair(routes[hop].lane, routes.buffer_before(hop));
  };
  std::sort(owners_.begin(), owners_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  fillers_ = owners_;
  first_groups_.assign(routes.lane_count() + 1, 0);
  filler_groups_.resize(routes.lane_count());
  for (std::uint32_t i = 0; i < owners_.size(); ++i) {
    const std::uint32_t lane = routes_[owners_[i]].lane;
    const std::uint32_t buffer = routes_.buffer_before(owners_[i]);
    const bool is_new_lane = i == 0 || lane != routes_[owners_[i - 1]].lane;
    if (is_new_lane) filler_groups_[lane] = {none, i, i, i};
    if (is_new_lane || buffer != owner_groups_.back().buffer) {
      owner_groups_.push_back({buffer, i, i, i});
      ++first_groups_[lane + 1];
    }
    owner_groups_.back().end = owner_groups_.back().last = i + 1;
    filler_groups_[lane].end = filler_groups_[lane].last = i + 1;
  }
  std::partial_sum(first_groups_.begin(), first_groups_.end(), first_groups_.begin());
}

void WaitingGraph::restore() {
  for (Group& group : owner_groups_) group.end = group.last;
  for (Group& group : filler_groups_) group.end = group.last;
}

}  // namespace allport
