// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/contention.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace allport {

namespace {

constexpr std::size_t max_listed = 10;

// Definition 4: a's sender is b's sender, or served it, and b is in a later step.
class Definition4Order final : public SendOrder {
 public:
  Definition4Order(const Sends& sends, const DeliveryTree& tree)
      : sends_(sends), tree_(tree), ranks_(sends.size()) {
    std::iota(ranks_.begin(), ranks_.end(), 0U);
  }

  const std::vector<std::uint32_t>& ranks() const override { return ranks_; }
  bool precedes(std::size_t i, std::uint32_t second) override {
    const std::uint32_t first = selected(i);
    return sends_[first].step < sends_[second].step &&
           tree_.of_sender(first).contains(tree_.position(second));
  }

 private:
  const Sends& sends_;
  const DeliveryTree& tree_;
  std::vector<std::uint32_t> ranks_;
};

// Theorem 1: b's sender was served through a, or through a send behind a in the queue of its first
// channel; or b itself is such a send.
class Theorem1Order final : public SendOrder {
 public:
  Theorem1Order(std::size_t send_count, const DeliveryTree& tree)
      : tree_(tree), ranks_(send_count) {
    for (std::size_t i = 0; i < send_count; ++i) ranks_[i] = tree.position(i);
  }

  const std::vector<std::uint32_t>& ranks() const override { return ranks_; }
  bool precedes(std::size_t i, std::uint32_t second) override {
    const std::uint32_t first = selected(i);
    const std::uint32_t position = tree_.position(second);
    return tree_.own(first).contains(position) || tree_.later_on_channel(first).contains(position);
  }

 private:
  const DeliveryTree& tree_;
  std::vector<std::uint32_t> ranks_;
};

// The sends of a channel form chains, in which each comes before the next one, and so before all
// that follow it. Where a chain ends there is a violation. A channel of one queue has no such end
// if the order keeps queues.
class Chains {
 public:
  Chains(SendOrder& order, const Sends& sends, ChannelUsers& users, PairSet& pairs)
      : order_(order), sends_(sends), users_(users), pairs_(pairs), ranks_(order.ranks()) {
    for (const Channel channel : users.shared()) {
      heed(pairs.limits().stop);
      if (is_contested(channel)) users_.sort(channel, ranks_);
    }
  }

  void find() {
    for_each_tile(contested_sends(), [&](std::size_t i) { find_ends(i); });
    if (pairs_.is_full() || heads_.empty()) return;
    sort_heads();
    for_each_tile(senders_of_broken_chains(), [&](std::size_t i) { compare_with_later_chains(i); });
  }

 private:
  bool is_contested(Channel channel) const {
    return !order_.orders_queues() || !users_.has_one_queue(channel);
  }

  SendList contested_sends() const {
    std::vector<bool> is_listed(sends_.size());
    for (const Channel channel : users_.shared()) {
      if (!is_contested(channel)) continue;
      for (const std::uint32_t send : users_.of(channel)) is_listed[send] = true;
    }
    SendList list;
    for (std::uint32_t i = 0; i < is_listed.size(); ++i) {
      if (is_listed[i]) list.push_back(i);
    }
    return list;
  }

  template <typename Action>
  void for_each_tile(const SendList& firsts, Action action) {
    for (std::size_t begin = 0; begin < firsts.size(); begin += SendOrder::most_selected) {
      const std::size_t end = std::min(firsts.size(), begin + SendOrder::most_selected);
      order_.select({firsts.begin() + static_cast<std::ptrdiff_t>(begin),
                     firsts.begin() + static_cast<std::ptrdiff_t>(end)});
      heed(pairs_.limits().stop);
      for (std::size_t i = 0; i < end - begin && !pairs_.is_full(); ++i) action(i);
      if (pairs_.is_full()) return;
    }
  }

  std::size_t place_on(UserRange users, std::uint32_t send) const {
    const auto* const found =
        std::lower_bound(users.begin(), users.end(), send,
                         [&](std::uint32_t a, std::uint32_t b) { return ranks_[a] < ranks_[b]; });
    return static_cast<std::size_t>(found - users.begin());
  }

  void find_ends(std::size_t i) {
    const std::uint32_t first = order_.selected(i);
    for (const Channel channel : users_.path(first)) {
      if (!is_contested(channel)) continue;
      const UserRange users = users_.of(channel);
      const std::size_t next = place_on(users, first) + 1;
      if (next == users.size() || order_.precedes(i, users[next])) continue;
      pairs_.add(first, users[next]);
      heads_[channel].push_back(next);
    }
  }

  void sort_heads() {
    for (auto& [channel, heads] : heads_) std::sort(heads.begin(), heads.end());
  }

  SendList senders_of_broken_chains() const {
    SendList list;
    for (const auto& [channel, heads] : heads_) {
      const UserRange users = users_.of(channel);
      list.insert(list.end(), users.begin(), users.begin() + heads.back());
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  void compare_with_later_chains(std::size_t i) {
    const std::uint32_t first = order_.selected(i);
    for (const Channel channel : users_.path(first)) {
      const auto found = heads_.find(channel);
      if (found == heads_.end()) continue;
      const UserRange users = users_.of(channel);
      const std::vector<std::size_t>& heads = found->second;
      auto head = std::upper_bound(heads.begin(), heads.end(), place_on(users, first));
      for (; head != heads.end(); ++head) {
        const std::size_t end = head + 1 == heads.end() ? users.size() : *(head + 1);
        for (std::size_t at = *head; at < end && !order_.precedes(i, users[at]); ++at) {
          pairs_.add(first, users[at]);
          if (pairs_.is_full()) return;
        }
      }
    }
  }

  SendOrder& order_;
  const Sends& sends_;
  ChannelUsers& users_;
  PairSet& pairs_;
  const std::vector<std::uint32_t>& ranks_;
  std::map<Channel, std::vector<std::size_t>> heads_;  // heads of all chains except the first
};

// The ties that the route of `send` up to `channel` took in the - direction, in the dimensions that
// it has finished. Two routes of one sender that agree in them have come the same way.
TieMask ties_before(const Sends& sends, std::uint32_t send, Channel channel,
                    const Routing& routing) {
  const TieMask done = (TieMask{1} << index(channel.port) / 2) - 1;
  const std::vector<int> up = routing.displacement(sends[send].u, channel.node, 0);
  const std::vector<int> down =
      routing.displacement(sends[send].u, channel.node, sends.ties(send) & done);
  TieMask ties = 0;
  for (std::size_t i = 0; i < up.size(); ++i) {
    if (up[i] != down[i]) ties |= TieMask{1} << i;
  }
  return ties;
}

// Under a table two routes of one sender may part and meet again. A number stands for the channels
// before each channel of a route; what began by one channel on one way has the same number there.
PairSet find_remeetings_of_table(const Sends& sends, const ChannelUsers& users,
                                 const CheckLimits& limits) {
  struct Use {
    Channel channel;        // used by ..
    NodeId sender;          // .. a message of this node, ..
    Channel first;          // .. which began by this channel ..
    std::uint64_t way = 0;  // .. and has come this way
    std::uint32_t send = 0;
  };
  std::map<std::pair<std::uint64_t, Channel>, std::uint64_t> ways;  // by the way up to a channel
  std::vector<Use> uses;
  const Routing& routing = users.routing();
  for (std::uint32_t send = 0; send < sends.size(); ++send) {
    heed(limits.stop);
    std::uint64_t way = 0;
    const Channel first{sends[send].u, sends.first_channel(send)};
    routing.walk(sends[send].u, sends[send].v, 0, [&](Channel channel) {
      uses.push_back({channel, sends[send].u, first, way, send});
      way = ways.try_emplace({way, channel}, ways.size() + 1).first->second;
    });
  }
  const auto key = [](const Use& use) {
    return std::make_tuple(use.channel, use.sender, use.first, use.send);
  };
  std::sort(uses.begin(), uses.end(), [&](const Use& a, const Use& b) { return key(a) < key(b); });
  PairSet pairs(limits);
  const auto are_of_one = [](const Use& a, const Use& b) {
    return a.channel == b.channel && a.sender == b.sender && a.first == b.first;
  };
  for (std::size_t begin = 0; begin < uses.size(); ++begin) {
    heed(limits.stop);
    for (std::size_t i = begin + 1; i < uses.size() && are_of_one(uses[begin], uses[i]); ++i) {
      if (uses[i].way == uses[begin].way || uses[i].send == uses[begin].send) continue;
      pairs.add(uses[begin].send, uses[i].send);
      if (pairs.is_full()) return pairs;
    }
  }
  return pairs;
}

}  // namespace

void PairSet::add(std::uint32_t a, std::uint32_t b) {
  if (is_full_) return;
  pairs_.emplace_back(std::min(a, b), std::max(a, b));
  if (pairs_.size() < std::max(settled_at_, limits_.max_violations + 1)) return;
  settle();
  is_full_ = pairs_.size() > limits_.max_violations;
  settled_at_ = 2 * pairs_.size() + 1024;
}

void PairSet::add(const PairSet& others) {
  for (const auto& [a, b] : others.pairs_) add(a, b);
}

void PairSet::settle() const {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

const std::vector<std::pair<std::uint32_t, std::uint32_t>>& PairSet::sorted() const {
  settle();
  return pairs_;
}

Finding PairSet::finding(const Sends& sends, const ChannelUsers& users, Shared what) const {
  settle();
  Finding finding;
  finding.violations = std::min(pairs_.size(), limits_.max_violations);
  finding.is_truncated = pairs_.size() > limits_.max_violations;
  for (std::size_t i = 0; i < finding.violations && i < max_listed; ++i) {
    const auto [a, b] = pairs_[i];
    finding.pairs.push_back({sends.index_of(a), sends.index_of(b), users.first_shared(a, b, what)});
  }
  return finding;
}

PairSet find_meetings(const Sends& sends, const ChannelUsers& users, const CheckLimits& limits,
                      Shared what) {
  PairSet pairs(limits);
  for (const Channel channel : users.shared()) {
    heed(limits.stop);
    if (!users.has_meetings(channel)) continue;
    const UserRange range = users.of(channel);  // by step
    for (std::size_t a = 0; a < range.size(); ++a) {
      for (std::size_t b = a + 1; b < range.size(); ++b) {
        if (sends[range[b]].step != sends[range[a]].step) break;
        const bool is_pair =
            what == Shared::channel || users.share_class(range[a], range[b], channel);
        if (!is_pair) continue;
        pairs.add(range[a], range[b]);
        if (pairs.is_full()) return pairs;
      }
    }
  }
  return pairs;
}

PairSet find_remeetings(const Sends& sends, const ChannelUsers& users, const CheckLimits& limits) {
  const Routing& routing = users.routing();
  if (routing.table() != nullptr) return find_remeetings_of_table(sends, users, limits);
  PairSet pairs(limits);
  const bool is_possible = routing.topology().dimension_count() > 2 && sends.have_ties();
  if (!is_possible) return pairs;
  for (const Channel channel : users.shared()) {
    heed(limits.stop);
    std::map<std::pair<NodeId, PortId>, std::vector<std::pair<TieMask, std::uint32_t>>> of_sender;
    for (const std::uint32_t send : users.of(channel)) {
      const TieMask ties = ties_before(sends, send, channel, routing);
      auto& others = of_sender[{sends[send].u, sends.first_channel(send)}];
      for (const auto& [other_ties, other] : others) {
        if (other_ties == ties) continue;
        pairs.add(other, send);
        if (pairs.is_full()) return pairs;
      }
      others.emplace_back(ties, send);
    }
  }
  return pairs;
}

void add_unordered(SendOrder& order, const Sends& sends, ChannelUsers& users, PairSet& pairs) {
  if (!pairs.is_full()) Chains(order, sends, users, pairs).find();
}

ContentionFindings find_contention(const Sends& sends, const DeliveryTree& tree,
                                   ChannelUsers& users, const CheckLimits& limits) {
  const PairSet meetings = find_meetings(sends, users, limits);
  const PairSet vc_meetings = find_meetings(sends, users, limits, Shared::vc_class);
  PairSet of_definition4 = meetings;
  PairSet of_theorem1 = meetings;
  of_theorem1.add(find_remeetings(sends, users, limits));
  Definition4Order definition4(sends, tree);
  add_unordered(definition4, sends, users, of_definition4);
  Theorem1Order theorem1(sends.size(), tree);
  add_unordered(theorem1, sends, users, of_theorem1);
  return {meetings.finding(sends, users), vc_meetings.finding(sends, users, Shared::vc_class),
          of_definition4.finding(sends, users), of_theorem1.finding(sends, users)};
}

}  // namespace allport
