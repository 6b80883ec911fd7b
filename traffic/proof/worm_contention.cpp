// SPDX-License-Identifier: Apache-2.0
// The proof finds which pairs of messages of any kind may meet on a channel (docs/algorithms.md,
// section 14). They cannot meet if the first has passed before the second is sent, if both have the
// same sender and have come the same way, or if a barrier lies between them.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "rtl_model/graphs/node_ports.h"
#include "traffic/proof/contention.h"
#include "traffic/proof/worm_check.h"

namespace allport {

namespace {

// For a number of copies at a time: after which of them each message is sent.
class Pasts {
 public:
  explicit Pasts(const WormMessages& messages) : messages_(messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto& copies = messages.waits_for(i);
      copies_.insert(copies_.end(), copies.begin(), copies.end());
    }
    std::sort(copies_.begin(), copies_.end());
    copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
  }

  // The number of the first copy from `hop` on for which some message waits.
  std::size_t first_copy(std::uint32_t hop) const {
    return static_cast<std::size_t>(std::lower_bound(copies_.begin(), copies_.end(), hop) -
                                    copies_.begin());
  }

  // Follows the copies begin .. end - 1.
  void follow(std::size_t begin, std::size_t end) {
    begin_ = begin;
    words_ = (end - begin + 63) / 64;
    known_.assign(words_ * messages_.size(), 0);
    if (words_ == 0) return;
    for (const std::uint32_t message : messages_.order()) {
      const std::uint32_t before = messages_.predecessor(message);
      if (before != WormRoutes::none) add(message, before);
      for (const std::uint32_t copy : messages_.waits_for(message)) {
        add(message, messages_.routes()[copy].message);
        const std::size_t number = first_copy(copy);
        if (number < begin || number >= end) continue;
        known_[words_ * message + (number - begin) / 64] |= std::uint64_t{1}
                                                            << (number - begin) % 64;
      }
    }
  }

  // Whether `message` is sent after one of the copies begin .. end - 1, all of which are followed.
  bool is_behind(std::size_t message, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t bit = i - begin_;
      if ((known_[words_ * message + bit / 64] >> bit % 64 & 1U) != 0) return true;
    }
    return false;
  }

 private:
  void add(std::uint32_t message, std::uint32_t other) {
    for (std::size_t i = 0; i < words_; ++i) {
      known_[words_ * message + i] |= known_[words_ * other + i];
    }
  }

  const WormMessages& messages_;
  std::vector<std::uint32_t> copies_;  // hops of the copies for which some message waits, ascending
  std::size_t begin_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> known_;  // by message
};

class Meetings {
 public:
  Meetings(const WormMessages& messages, const std::vector<SoundPart>& parts, bool has_barriers)
      : messages_(messages),
        routes_(messages.routes()),
        parts_(parts),
        has_barriers_(has_barriers),
        has_theorem1_(messages.are_unicasts() &&
                      parts.front().request.internal_ports ==
                          static_cast<int>(routes_.routing().topology().port_count()) &&
                      !has_own_internal_ports(routes_.routing().topology())),
        pasts_(messages),
        pairs_(parts.front().request.limits) {
    index_channels();
  }

  Finding find() {
    constexpr std::size_t group_size = 512;  // copies that are followed at once
    for (std::uint32_t begin = 0; begin < messages_.size() && !pairs_.is_full();) {
      const std::size_t first_copy = pasts_.first_copy(routes_.begin(begin));
      std::uint32_t end = end_of_group(begin);
      while (end < messages_.size() &&
             pasts_.first_copy(routes_.end(end_of_group(end) - 1)) - first_copy <= group_size) {
        end = end_of_group(end);
      }
      pasts_.follow(first_copy, pasts_.first_copy(routes_.end(end - 1)));
      for (; begin < end && !pairs_.is_full(); ++begin) judge(begin);
    }
    return finding();
  }

 private:
  // Messages whose copies are followed together; for unicasts, those of one queue.
  std::uint32_t end_of_group(std::uint32_t begin) const {
    std::uint32_t end = begin + 1;
    while (has_theorem1_ && end < messages_.size() &&
           messages_[end].queue == messages_[begin].queue) {
      ++end;
    }
    return end;
  }

  void index_channels() {
    ranks_.resize(messages_.size());
    for (std::uint32_t i = 0; i < messages_.size(); ++i) ranks_[messages_.order()[i]] = i;
    begins_.resize(routes_.channel_count() + 1);
    for (std::uint32_t hop = 0; hop < routes_.hop_count(); ++hop) {
      if (!routes_.is_ejection(hop)) ++begins_[routes_.channel_number(hop) + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    users_.resize(begins_.back());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (const std::uint32_t message : messages_.order()) {
      for (std::uint32_t hop = routes_.begin(message); hop < routes_.end(message); ++hop) {
        if (!routes_.is_ejection(hop)) users_[next[routes_.channel_number(hop)]++] = hop;
      }
    }
  }

  // Judges all pairs of `message` with one that is sent later, or might be.
  void judge(std::uint32_t message) {
    heed(parts_.front().request.limits.stop);
    const std::uint32_t queue_end = end_of_group(message);
    for (std::uint32_t hop = routes_.begin(message); hop < routes_.end(message); ++hop) {
      if (routes_.is_ejection(hop)) continue;
      const std::uint32_t from = has_theorem1_ ? routes_.begin(message) : hop;
      const std::uint32_t to = has_theorem1_ ? routes_.end(queue_end - 1) : routes_[hop].end;
      const std::size_t first_copy = pasts_.first_copy(from);
      const std::size_t end_copy = pasts_.first_copy(to);
      const std::size_t channel = routes_.channel_number(hop);
      for (std::size_t i = place_behind(message, channel); i < begins_[channel + 1]; ++i) {
        const std::uint32_t other = routes_[users_[i]].message;
        if (are_apart(message, other) || have_come_the_same_way(hop, users_[i]) ||
            pasts_.is_behind(other, first_copy, end_copy)) {
          continue;
        }
        pairs_.add(messages_[message].index, messages_[other].index);
        if (pairs_.is_full()) return;
      }
    }
  }

  std::size_t place_behind(std::uint32_t message, std::size_t channel) const {
    const auto begin = users_.begin() + static_cast<std::ptrdiff_t>(begins_[channel]);
    const auto end = users_.begin() + static_cast<std::ptrdiff_t>(begins_[channel + 1]);
    const auto found = std::upper_bound(begin, end, ranks_[message],
                                        [this](std::uint32_t rank, std::uint32_t hop) {
                                          return rank < ranks_[routes_[hop].message];
                                        });
    return static_cast<std::size_t>(found - users_.begin());
  }

  bool are_apart(std::uint32_t a, std::uint32_t b) const {
    if (!has_barriers_) return false;
    const int first = parts_[messages_[a].part].phase;
    const int apart = std::abs(first - parts_[messages_[b].part].phase);
    return apart > 2 || (apart == 2 && first % 2 == 0);
  }

  bool have_come_the_same_way(std::uint32_t a, std::uint32_t b) const {
    const WormMessage& first = messages_[routes_[a].message];
    const WormMessage& second = messages_[routes_[b].message];
    if (first.unicast->u != second.unicast->u) return false;
    while (routes_.channel_number(a) == routes_.channel_number(b)) {
      a = routes_[a].parent;
      b = routes_[b].parent;
      if (a == WormRoutes::none || b == WormRoutes::none) return a == b;
    }
    return false;
  }

  Finding finding() const {
    constexpr std::size_t max_listed = 10;
    const auto& pairs = pairs_.sorted();
    const std::size_t limit = pairs_.limits().max_violations;
    Finding finding;
    finding.violations = std::min(pairs.size(), limit);
    finding.is_truncated = pairs.size() > limit;
    std::vector<std::uint32_t> numbers;  // by index
    for (std::uint32_t i = 0; i < messages_.size() && !pairs.empty(); ++i) {
      if (messages_[i].index >= numbers.size()) numbers.resize(messages_[i].index + 1);
      numbers[messages_[i].index] = i;
    }
    for (std::size_t i = 0; i < finding.violations && i < max_listed; ++i) {
      const auto [a, b] = pairs[i];
      finding.pairs.push_back({a, b, first_shared(numbers[a], numbers[b])});
    }
    return finding;
  }

  // The hops of a, in order, where the two have not come the same way.
  Channel first_shared(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t i = routes_.begin(a); i < routes_.end(a); ++i) {
      for (std::uint32_t j = routes_.begin(b); j < routes_.end(b); ++j) {
        const bool is_shared = !routes_.is_ejection(i) && !routes_.is_ejection(j) &&
                               routes_.channel_number(i) == routes_.channel_number(j);
        if (is_shared && !have_come_the_same_way(i, j)) return routes_.channel(i);
      }
    }
    return {};
  }

  const WormMessages& messages_;
  const WormRoutes& routes_;
  const std::vector<SoundPart>& parts_;
  bool has_barriers_;
  bool has_theorem1_;  // whether the last case of Theorem 1 applies: all are unicasts, on all ports
  Pasts pasts_;
  PairSet pairs_;
  std::vector<std::uint32_t> ranks_;  // by message
  std::vector<std::size_t> begins_;   // first index of each channel in users_
  std::vector<std::uint32_t> users_;  // hops, by channel, then rank
};

}  // namespace

Finding find_worm_contention(const WormMessages& messages, const std::vector<SoundPart>& parts,
                             bool has_barriers) {
  return Meetings(messages, parts, has_barriers).find();
}

}  // namespace allport
