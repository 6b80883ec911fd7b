// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/proof/literal_contention.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace allport {

namespace {

// Pairs that share a channel, judged by two criteria that see pairs of different steps only.
class Pairs {
 public:
  Pairs(const Schedule& schedule, const Routing& routing) : unicasts_(schedule.unicasts) {
    for (const Unicast& unicast : unicasts_) {
      const TieMask ties = ties_of(unicast, routing);
      paths_.push_back(routing.path(unicast.u, unicast.v, ties));
      classes_.emplace_back();
      for (const Channel channel : paths_.back()) {
        const VcClass vc_class = routing.route(channel.node, unicast.v, ties)->vc_class;
        classes_.back()[{channel.node, channel.port}] = vc_class;
      }
    }
  }
  virtual ~Pairs() = default;

  LiteralFindings find() const {
    LiteralFindings findings;
    for (std::size_t a = 0; a < unicasts_.size(); ++a) {
      for (std::size_t b = a + 1; b < unicasts_.size(); ++b) {
        const std::vector<Channel> shared = shared_channels(a, b);
        if (shared.empty()) continue;
        const PairViolation pair{a, b, shared.front()};
        const bool same_step = unicasts_[a].step == unicasts_[b].step;
        if (same_step) findings.stepwise.push_back(pair);
        const auto common = std::find_if(shared.begin(), shared.end(), [&](Channel channel) {
          const std::pair key{channel.node, channel.port};
          return classes_[a].at(key) == classes_[b].at(key);
        });
        if (same_step && common != shared.end()) findings.stepwise_vc.push_back({a, b, *common});
        if (same_step || !passes_definition4(a, b)) findings.definition4.push_back(pair);
        const bool passes = is_before(a, b) || is_before(b, a);
        if (same_step || !passes || meet_again(a, b)) findings.theorem1.push_back(pair);
      }
    }
    return findings;
  }

 protected:
  virtual bool passes_definition4(std::size_t a, std::size_t b) const = 0;
  virtual bool is_before(std::size_t a, std::size_t b) const = 0;

  // Both in the queue of one first channel, a before b.
  bool is_queued_before(std::size_t a, std::size_t b) const {
    const Unicast& first = unicasts_[a];
    const Unicast& second = unicasts_[b];
    if (first.u != second.u || paths_[a].front() != paths_[b].front()) return false;
    return std::tie(first.order, first.step, a) < std::tie(second.order, second.step, b);
  }

  const std::vector<Unicast>& unicasts_;
  std::vector<std::vector<Channel>> paths_;

 private:
  std::vector<std::map<std::pair<NodeId, PortId>, VcClass>> classes_;  // of the channels of a path

  std::vector<Channel> shared_channels(std::size_t a, std::size_t b) const {
    std::vector<Channel> shared;
    for (const Channel channel : paths_[a]) {
      const auto& others = paths_[b];
      if (std::find(others.begin(), others.end(), channel) != others.end())
        shared.push_back(channel);
    }
    return shared;
  }

  // Whether they have one sender, one first channel, and a common channel after one that is not
  // common.
  bool meet_again(std::size_t a, std::size_t b) const {
    if (unicasts_[a].u != unicasts_[b].u || paths_[a].front() != paths_[b].front()) return false;
    std::size_t common = 0;
    while (common < std::min(paths_[a].size(), paths_[b].size()) &&
           paths_[a][common] == paths_[b][common]) {
      ++common;
    }
    return shared_channels(a, b).size() > common;
  }
};

// One message down a tree.
class Literal final : public Pairs {
 public:
  Literal(const Schedule& schedule, const Routing& routing)
      : Pairs(schedule, routing), reached_(routing.topology().node_count()) {
    for (std::size_t i = 0; i < reached_.size(); ++i) reach(node_id(i), reached_[i]);
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

  bool passes_definition4(std::size_t a, std::size_t b) const override {
    return in_reach(unicasts_[b].u, unicasts_[a].u);
  }
  bool is_before(std::size_t a, std::size_t b) const override {
    const NodeId x = unicasts_[b].u;
    if (in_reach(x, unicasts_[a].v) || is_queued_before(a, b)) return true;
    for (std::size_t i = 0; i < unicasts_.size(); ++i) {
      if (is_of_later_step(a, i) && in_reach(x, unicasts_[i].v)) return true;
    }
    return false;
  }

  // Whether i is behind a in its queue, and not only with others of a's step in between.
  bool is_of_later_step(std::size_t a, std::size_t i) const {
    for (std::size_t between = 0; between < unicasts_.size(); ++between) {
      const bool is_between = between == i || is_queued_before(between, i);
      const bool has_other_step = unicasts_[between].step != unicasts_[a].step;
      if (is_between && has_other_step && is_queued_before(a, between)) return true;
    }
    return false;
  }

  std::vector<std::set<NodeId>> reached_;
};

// For blocks: the past of a unicast takes the place of the tree.
class LiteralBlocks final : public Pairs {
 public:
  LiteralBlocks(const Schedule& schedule, const BlockFlow& flow, const Routing& routing)
      : Pairs(schedule, routing), past_(schedule.unicasts.size()) {
    std::map<NodeId, std::set<std::size_t>> known;
    const UnicastIndices order = flow.execution_order();
    for (const std::uint32_t i : order) {
      std::set<std::size_t>& past = known[unicasts_[i].u];
      for (const std::uint32_t reception : flow.waits_for(i)) {
        past.insert(reception);
        past.insert(past_[reception].begin(), past_[reception].end());
      }
      past_[i] = past;
    }
    for (std::uint32_t i = 0; i < past_.size(); ++i) {  // those that wait in a circle
      const bool is_stuck = std::find(order.begin(), order.end(), i) == order.end();
      if (is_stuck) past_[i] = known[unicasts_[i].u];
    }
  }

 private:
  bool passes_definition4(std::size_t a, std::size_t b) const override {
    const NodeId sender = unicasts_[a].u;
    return unicasts_[b].u == sender ||
           std::any_of(past_[b].begin(), past_[b].end(),
                       [&](std::size_t i) { return unicasts_[i].u == sender; });
  }
  bool is_before(std::size_t a, std::size_t b) const override {
    return is_queued_before(a, b) ||
           std::any_of(past_[b].begin(), past_[b].end(),
                       [&](std::size_t i) { return i == a || is_queued_before(a, i); });
  }

  std::vector<std::set<std::size_t>> past_;
};

}  // namespace

LiteralFindings literal_contention(const Schedule& schedule, const Routing& routing) {
  return Literal(schedule, routing).find();
}

LiteralFindings literal_block_contention(const Schedule& schedule, const BlockFlow& flow,
                                         const Routing& routing) {
  return LiteralBlocks(schedule, flow, routing).find();
}

}  // namespace allport
