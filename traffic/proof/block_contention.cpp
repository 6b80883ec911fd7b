// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_contention.h"

#include <algorithm>
#include <limits>

#include "traffic/proof/send_flow.h"

namespace allport {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Theorem 1. A mark is a selected send; the sends behind it in the queue of its first channel bear
// it as well.
class BlockTheorem1Order final : public SendOrder {
 public:
  BlockTheorem1Order(const Sends& sends, SendFlow& flow, const Topology& topology)
      : sends_(sends), flow_(flow), ports_(topology.port_count()) {
    heads_.resize(topology.router_count() * ports_, none);
  }

  const std::vector<std::uint32_t>& ranks() const override { return flow_.ranks(); }
  bool orders_queues() const override { return true; }

  void select(const SendList& firsts) override {
    SendOrder::select(firsts);
    is_followed_ = flow_.is_trivial();
  }

  bool precedes(std::size_t i, std::uint32_t second) override {
    if (origin(selected(i)) == origin(second)) return true;
    if (!is_followed_) follow();
    return !flow_.is_trivial() && flow_.known_to(second).has(i);
  }

 private:
  std::size_t origin(std::uint32_t send) const {
    return index(sends_[send].u) * ports_ + index(sends_.first_channel(send));
  }

  void follow() {
    next_.assign(selected_count(), none);
    for (std::uint32_t i = 0; i < next_.size(); ++i) {
      next_[i] = heads_[origin(selected(i))];
      heads_[origin(selected(i))] = i;
    }
    flow_.follow([&](std::uint32_t send) {
      Marks own;
      for (std::uint32_t i = heads_[origin(send)]; i != none; i = next_[i]) {
        if (flow_.ranks()[selected(i)] <= flow_.ranks()[send]) own.set(i);
      }
      return own;
    });
    for (std::size_t i = 0; i < next_.size(); ++i) heads_[origin(selected(i))] = none;
    is_followed_ = true;
  }

  const Sends& sends_;
  SendFlow& flow_;
  std::size_t ports_;
  bool is_followed_ = false;  // whether the marks of the selected sends are followed, on first use
  std::vector<std::uint32_t> heads_;  // of each origin: one of its selected sends
  std::vector<std::uint32_t> next_;   // and the next one
};

// Definition 4, which is not an order: b may depend on an early send of a sender, a on a late one.
// A mark is a sender; on each channel the senders of later steps must depend on those of earlier
// steps.
class Definition4Pairs {
 public:
  Definition4Pairs(const Sends& sends, SendFlow& flow, const ChannelUsers& users, PairSet& pairs)
      : sends_(sends), flow_(flow), users_(users), pairs_(pairs) {}

  void find() {
    const std::size_t nodes = users_.routing().topology().node_count();
    for (first_ = 0; first_ < nodes && !pairs_.is_full(); first_ += Marks::count) {
      is_followed_ = flow_.is_trivial();
      for (const Channel channel : users_.shared()) {
        heed(pairs_.limits().stop);
        if (users_.has_one_queue(channel)) continue;
        judge(users_.of(channel));
        if (pairs_.is_full()) return;
      }
    }
  }

 private:
  Marks mark_of(std::uint32_t send) const {
    Marks marks;
    const std::size_t node = index(sends_[send].u);
    if (node >= first_ && node - first_ < Marks::count) marks.set(node - first_);
    return marks;
  }

  void judge(UserRange users) {  // by step
    Marks earlier;
    for (std::size_t begin = 0; begin < users.size() && !pairs_.is_full();) {
      std::size_t end = begin;
      for (; end < users.size() && step(users[end]) == step(users[begin]); ++end) {
        Marks missing = earlier.without(mark_of(users[end]));
        if (!missing.empty()) missing = unknown_to(users[end], missing);
        if (!missing.empty()) add(users, begin, users[end], missing);
      }
      for (; begin < end; ++begin) earlier |= mark_of(users[begin]);
    }
  }

  Marks unknown_to(std::uint32_t send, const Marks& marks) {
    if (!is_followed_) flow_.follow([this](std::uint32_t one) { return mark_of(one); });
    is_followed_ = true;
    return flow_.is_trivial() ? marks : marks.without(flow_.known_to(send));
  }

  void add(UserRange users, std::size_t end, std::uint32_t second, const Marks& missing) {
    for (std::size_t i = 0; i < end; ++i) {
      const std::size_t node = index(sends_[users[i]].u);
      if (node < first_ || node - first_ >= Marks::count || !missing.has(node - first_)) continue;
      pairs_.add(users[i], second);
      if (pairs_.is_full()) return;
    }
  }

  StepIndex step(std::uint32_t send) const { return sends_[send].step; }

  const Sends& sends_;
  SendFlow& flow_;
  const ChannelUsers& users_;
  PairSet& pairs_;
  std::size_t first_ = 0;     // the node of mark 0
  bool is_followed_ = false;  // whether the marks of these nodes are followed, on first use
};

}  // namespace

ContentionFindings find_block_contention(const Sends& sends,
                                         const std::function<const BlockFlow&()>& flow,
                                         const Routing& routing, int vcs,
                                         const CheckLimits& limits) {
  ChannelUsers users(sends, routing, vcs);
  const PairSet meetings = find_meetings(sends, users, limits);
  PairSet of_definition4 = meetings;
  PairSet of_theorem1 = meetings;
  of_theorem1.add(find_remeetings(sends, users, limits));
  ContentionFindings findings;
  findings.stepwise = meetings.finding(sends, users);
  findings.stepwise_vc =
      find_meetings(sends, users, limits, Shared::vc_class).finding(sends, users, Shared::vc_class);
  const bool is_contested =
      std::any_of(users.shared().begin(), users.shared().end(),
                  [&](Channel channel) { return !users.has_one_queue(channel); });
  if (is_contested && !(of_definition4.is_full() && of_theorem1.is_full())) {
    SendFlow marks(sends, flow(), limits.stop);
    Definition4Pairs(sends, marks, users, of_definition4).find();
    BlockTheorem1Order theorem1(sends, marks, users.routing().topology());
    add_unordered(theorem1, sends, users, of_theorem1);
  }
  findings.definition4 = of_definition4.finding(sends, users);
  findings.theorem1 = of_theorem1.finding(sends, users);
  return findings;
}

}  // namespace allport
