// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/pair_exchange.h"

#include <algorithm>
#include <optional>

namespace allport {

namespace {

class PairExchange {
 public:
  PairExchange(const PlanLinks& links, const std::vector<NodeId>& members)
      : links_(links), members_(members), sums_(links.node_count()) {
    for (const NodeId member : members) {
      sums_[index(member)].resize(links.node_count());
      sums_[index(member)][index(member)] = true;
    }
  }

  std::vector<PairMessage> run() {
    for (StepIndex round = 1; !is_complete(); ++round) {
      if (!pair_up(round)) return {};
    }
    return messages_;
  }

 private:
  bool is_complete() const {
    return std::all_of(members_.begin(), members_.end(), [&](NodeId member) {
      return static_cast<std::size_t>(
                 std::count(sums_[index(member)].begin(), sums_[index(member)].end(), true)) ==
             members_.size();
    });
  }

  bool are_disjoint(NodeId a, NodeId b) const {
    const std::vector<bool>& sum = sums_[index(a)];
    const std::vector<bool>& other = sums_[index(b)];
    if (sum.empty() || other.empty()) return false;  // no member
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (sum[i] && other[i]) return false;
    }
    return true;
  }

  std::optional<std::uint32_t> way_back(const PlanLink& link) const {
    for (const std::uint32_t back : links_.out_of(link.to)) {
      if (links_.all()[back].to == link.from) return back;
    }
    return std::nullopt;
  }

  // Whether there is a pair.
  bool pair_up(StepIndex round) {
    std::vector<bool> is_paired(links_.node_count());
    const std::size_t before = messages_.size();
    for (std::uint32_t i = 0; i < links_.all().size(); ++i) {
      const PlanLink& link = links_.all()[i];
      if (is_paired[index(link.from)] || is_paired[index(link.to)]) continue;
      const auto back = way_back(link);
      if (!back || !are_disjoint(link.from, link.to)) continue;
      is_paired[index(link.from)] = is_paired[index(link.to)] = true;
      messages_.push_back({i, round});
      messages_.push_back({*back, round});
    }
    for (std::size_t i = before; i < messages_.size(); i += 2) {
      const PlanLink& link = links_.all()[messages_[i].link];
      std::vector<bool>& sum = sums_[index(link.from)];
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sum[k] || sums_[index(link.to)][k];
      sums_[index(link.to)] = sum;
    }
    return messages_.size() > before;
  }

  const PlanLinks& links_;
  const std::vector<NodeId>& members_;
  std::vector<std::vector<bool>> sums_;  // contributions by node; empty: it is no member
  std::vector<PairMessage> messages_;
};

}  // namespace

std::vector<PairMessage> exchange_in_pairs(const PlanLinks& links,
                                           const std::vector<NodeId>& members) {
  return PairExchange(links, members).run();
}

}  // namespace allport
