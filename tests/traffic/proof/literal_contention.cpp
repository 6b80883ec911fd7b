// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/proof/literal_contention.h"

#include <algorithm>
#include <set>

namespace allport {

namespace {

class Literal {
 public:
  Literal(const Schedule& schedule, const Routing& routing)
      : unicasts_(schedule.unicasts), reached_(routing.topology().node_count()) {
    for (const Unicast& unicast : unicasts_) {
      paths_.push_back(routing.path(unicast.u, unicast.v, ties_of(unicast, routing)));
    }
    for (std::size_t i = 0; i < reached_.size(); ++i) reach(node_id(i), reached_[i]);
  }

  LiteralFindings find() const {
    LiteralFindings findings;
    for (std::size_t a = 0; a < unicasts_.size(); ++a) {
      for (std::size_t b = a + 1; b < unicasts_.size(); ++b) {
        const std::vector<Channel> shared = shared_channels(a, b);
        if (shared.empty()) continue;
        const PairViolation pair{a, b, shared.front()};
        const bool same_step = unicasts_[a].step == unicasts_[b].step;
        if (same_step) findings.stepwise.push_back(pair);
        if (same_step || !is_ordered_by_definition4(a, b)) findings.definition4.push_back(pair);
        if (same_step || !is_ordered_by_theorem1(a, b)) findings.theorem1.push_back(pair);
      }
    }
    return findings;
  }

 private:
  // R_u: u and whoever got the message through it.
  void reach(NodeId node, std::set<NodeId>& reached) const {
    if (!reached.insert(node).second) return;
    for (const Unicast& unicast : unicasts_) {
      if (unicast.u == node) reach(unicast.v, reached);
    }
  }
  bool in_reach(NodeId x, NodeId u) const { return reached_[index(u)].count(x) > 0; }

  std::vector<Channel> shared_channels(std::size_t a, std::size_t b) const {
    std::vector<Channel> shared;
    for (const Channel channel : paths_[a]) {
      const auto& others = paths_[b];
      if (std::find(others.begin(), others.end(), channel) != others.end())
        shared.push_back(channel);
    }
    return shared;
  }

  bool is_ordered_by_definition4(std::size_t a, std::size_t b) const {
    return in_reach(unicasts_[b].u, unicasts_[a].u);
  }

  bool is_ordered_by_theorem1(std::size_t a, std::size_t b) const {
    const Unicast& first = unicasts_[a];
    const NodeId x = unicasts_[b].u;
    if (in_reach(x, first.v)) return true;
    if (x == first.u && paths_[a].front() == paths_[b].front()) return true;
    for (std::size_t i = 0; i < unicasts_.size(); ++i) {
      const Unicast& other = unicasts_[i];
      if (other.u == first.u && other.step > first.step && in_reach(x, other.v) &&
          paths_[i].front() == paths_[a].front()) {
        return true;
      }
    }
    return false;
  }

  const std::vector<Unicast>& unicasts_;
  std::vector<std::vector<Channel>> paths_;
  std::vector<std::set<NodeId>> reached_;
};

}  // namespace

LiteralFindings literal_contention(const Schedule& schedule, const Routing& routing) {
  return Literal(schedule, routing).find();
}

}  // namespace allport
