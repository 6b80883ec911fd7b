// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/contention.h"

#include <algorithm>
#include <array>
#include <utility>

namespace allport {

namespace {

enum Criterion { stepwise, definition4, theorem1, criterion_count };

// Counts, for sends taken in turn, how many lie in a span of positions.
class PositionCounter {
 public:
  // Starts again, for sends at these positions only.
  void reset(std::vector<std::uint32_t> positions) {
    std::sort(positions.begin(), positions.end());
    positions_ = std::move(positions);
    sums_.assign(positions_.size() + 1, 0);
  }
  void add(std::uint32_t position) {
    for (std::size_t i = rank(position) + 1; i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
  }
  std::int64_t within(Span span) const { return below(span.end) - below(span.begin); }

 private:
  std::size_t rank(std::uint32_t position) const {
    const auto found = std::lower_bound(positions_.begin(), positions_.end(), position);
    return static_cast<std::size_t>(found - positions_.begin());
  }
  std::int64_t below(std::uint32_t position) const {
    std::int64_t sum = 0;
    for (std::size_t i = rank(position); i > 0; i &= i - 1) sum += sums_[i];
    return sum;
  }

  std::vector<std::uint32_t> positions_;
  std::vector<std::int64_t> sums_;  // Fenwick tree over the ranks
};

class Tally {
 public:
  Tally(const std::vector<Send>& sends, const DeliveryTree& tree, const ChannelUsers& users)
      : sends_(sends), tree_(tree), users_(users) {
    for (auto& violations : violations_) violations.resize(sends.size());
    if (has_split_routes()) {
      count_pair_by_pair();
    } else {
      count_by_channel();
    }
  }

  Finding finding(Criterion criterion) const {
    constexpr std::size_t listed = 10;
    Finding finding;
    for (std::uint32_t a = 0; a < sends_.size(); ++a) {
      const std::int64_t violations = violations_[criterion][a];
      finding.violations += static_cast<std::size_t>(violations);
      if (violations == 0 || finding.pairs.size() == listed) continue;
      for (const std::uint32_t b : users_.later_partners(a)) {
        if (is_ordered(criterion, a, b) || finding.pairs.size() == listed) continue;
        finding.pairs.push_back({sends_[a].index, sends_[b].index, users_.first_shared(a, b)});
      }
    }
    return finding;
  }

 private:
  // Two routes that share channels share one run of them: they can part for good only. So the
  // pairs that share a channel are those on each channel less those on each two in a row. The one
  // exception are ties taken both ways around a ring, after and before other dimensions.
  bool has_split_routes() const {
    return users_.routing().topology().dimension_count() > 2 &&
           std::any_of(sends_.begin(), sends_.end(), [](const Send& s) { return s.ties != 0; });
  }

  void count_by_channel() {
    for (const Channel channel : users_.routing().topology().channels()) {
      const SendList users = users_.of(channel);
      if (users.size() < 2) continue;
      count(users, +1);
      for (const SendList& list : users_.by_next_port(channel)) count(list, -1);
    }
  }

  void count_pair_by_pair() {
    for (std::uint32_t a = 0; a < sends_.size(); ++a) {
      for (const std::uint32_t b : users_.later_partners(a)) {
        for (int i = 0; i < criterion_count; ++i) {
          if (!is_ordered(static_cast<Criterion>(i), a, b)) ++violations_[i][a];
        }
      }
    }
  }

  // Adds `sign` to the violations of a for each violating pair a, b in `list`; step by step from
  // the last, so that the counter holds the sends of later steps.
  void count(const SendList& list, std::int64_t sign) {
    if (list.size() < 2) return;
    std::vector<std::uint32_t> positions;
    for (const std::uint32_t send : list) positions.push_back(tree_.position(send));
    counter_.reset(std::move(positions));
    for (std::size_t end = list.size(); end > 0;) {
      std::size_t begin = end;
      while (begin > 0 && sends_[list[begin - 1]].step == sends_[list[end - 1]].step) --begin;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t a = list[i];
        const auto beside = static_cast<std::int64_t>(end - 1 - i);
        const auto later = static_cast<std::int64_t>(list.size() - end);
        violations_[stepwise][a] += sign * beside;
        for (const Criterion criterion : {definition4, theorem1}) {
          std::int64_t ordered = 0;
          for (const Span span : ordered_after(criterion, a)) ordered += counter_.within(span);
          violations_[criterion][a] += sign * (beside + later - ordered);
        }
      }
      for (; end > begin; --end) counter_.add(tree_.position(list[end - 1]));
    }
  }

  // Where the sends stand that may use a's channels in later steps.
  std::array<Span, 2> ordered_after(Criterion criterion, std::uint32_t a) const {
    if (criterion == definition4) return {tree_.of_sender(a), Span{}};
    return {tree_.own(a), tree_.later_on_channel(a)};
  }

  bool is_ordered(Criterion criterion, std::uint32_t a, std::uint32_t b) const {
    if (sends_[a].step == sends_[b].step) return false;
    if (criterion == stepwise) return true;
    const std::uint32_t position = tree_.position(b);
    const std::array<Span, 2> spans = ordered_after(criterion, a);
    return spans[0].contains(position) || spans[1].contains(position);
  }

  const std::vector<Send>& sends_;
  const DeliveryTree& tree_;
  const ChannelUsers& users_;
  PositionCounter counter_;
  // Of each criterion: violating pairs of each send with later ones.
  std::array<std::vector<std::int64_t>, criterion_count> violations_;
};

}  // namespace

ContentionFindings find_contention(const std::vector<Send>& sends, const DeliveryTree& tree,
                                   const ChannelUsers& users) {
  const Tally tally(sends, tree, users);
  return {tally.finding(stepwise), tally.finding(definition4), tally.finding(theorem1)};
}

}  // namespace allport
