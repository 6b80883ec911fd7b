// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/matching.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/base/stop_flag.h"
#include "traffic/synthesis/atom_state.h"

namespace allport {

namespace {

// The messages of the current round and what they leave free.
class Round {
 public:
  Round(const PlanLinks& links, const MatchingStyle& style)
      : links_(links),
        style_(style),
        injection_is_taken_(links.internal_port_count()),
        ejection_is_taken_(links.internal_port_count()),
        message_of_(links.all().size(), none),
        sent_(links.node_count()) {}

  bool is_empty() const { return messages_.empty(); }
  /// Whether the link can take one more atom.
  bool has_room(std::uint32_t link) const {
    if (message_of_[link] != none) {
      return style_.grain == 0 || messages_[message_of_[link]].atoms.size() < style_.grain;
    }
    const PlanLink& one = links_.all()[link];
    return !injection_is_taken_[one.injection] && !ejection_is_taken_[one.ejection] &&
           (style_.width == 0 || sent_[index(one.hop.u)] < style_.width);
  }
  void put(std::uint32_t atom, std::uint32_t link) {
    if (message_of_[link] == none) {
      const PlanLink& one = links_.all()[link];
      injection_is_taken_[one.injection] = ejection_is_taken_[one.ejection] = true;
      ++sent_[index(one.hop.u)];
      message_of_[link] = static_cast<std::uint32_t>(messages_.size());
      messages_.push_back({link, 0, {}});
    }
    messages_[message_of_[link]].atoms.push_back(atom);
  }
  std::vector<AtomMessage> take() {
    for (const AtomMessage& message : messages_) {
      const PlanLink& one = links_.all()[message.link];
      injection_is_taken_[one.injection] = ejection_is_taken_[one.ejection] = false;
      sent_[index(one.hop.u)] = 0;
      message_of_[message.link] = none;
    }
    return std::exchange(messages_, {});
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  const PlanLinks& links_;
  const MatchingStyle& style_;
  std::vector<bool> injection_is_taken_;
  std::vector<bool> ejection_is_taken_;
  std::vector<std::uint32_t> message_of_;  // by link
  std::vector<std::size_t> sent_;          // messages, by node
  std::vector<AtomMessage> messages_;
};

std::size_t draw(SplitMix64& generator, std::size_t bound) {
  return static_cast<std::size_t>(generator.next() % bound);
}

// One draw for the link of an atom that is wanted.
void grant(const AtomWish& wish, AtomState& state, Round& round, SplitMix64& generator) {
  heed_stop();
  LinkIndices able;
  for (const std::uint32_t link : state.ways(wish)) {
    if (state.can_go(wish.atom, link) && round.has_room(link)) able.push_back(link);
  }
  if (able.empty()) return;
  const std::uint32_t link = able[able.size() == 1 ? 0 : draw(generator, able.size())];
  round.put(wish.atom, link);
  state.promise(wish.atom, link);
}

// Fisher-Yates from the back.
void fill_by_draws(AtomState& state, Round& round, SplitMix64& generator, bool rarest_first) {
  std::vector<AtomWish> wishes = state.wishes();
  for (std::size_t i = wishes.size(); i > 1; --i) {
    std::swap(wishes[i - 1], wishes[draw(generator, i)]);
  }
  state.put_farthest_first(wishes);
  if (!rarest_first) {
    for (const AtomWish& wish : wishes) grant(wish, state, round, generator);
    return;
  }
  using Turn = std::pair<std::size_t, std::size_t>;  // copies of its atom, place of a wish
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
  for (std::size_t i = 0; i < wishes.size(); ++i) turns.emplace(state.copies(wishes[i].atom), i);
  while (!turns.empty()) {
    const auto [copies, i] = turns.top();
    turns.pop();
    const std::size_t now = state.copies(wishes[i].atom);
    if (now == copies) {
      grant(wishes[i], state, round, generator);
    } else {
      turns.emplace(now, i);
    }
  }
}

void fill_by_links(AtomState& state, Round& round, bool stays_in_dimension) {
  const std::vector<PlanLink>& links = state.links().all();
  std::size_t dimension = links.front().dimension;
  for (std::uint32_t link = 0; link < links.size(); ++link) {
    if (stays_in_dimension && links[link].dimension != dimension && !round.is_empty()) return;
    dimension = links[link].dimension;
    heed_stop();
    if (!round.has_room(link)) continue;
    for (const std::uint32_t atom : state.candidates(link)) {
      if (!state.can_go(atom, link)) continue;
      round.put(atom, link);
      state.promise(atom, link);
      if (!round.has_room(link)) break;
    }
  }
}

}  // namespace

std::vector<AtomMessage> match_atoms(const AtomGoals& goals, const PlanLinks& links,
                                     const MatchingStyle& style, std::uint64_t seed) {
  AtomState state(goals, links);
  Round round(links, style);
  SplitMix64 generator(seed);
  std::vector<AtomMessage> all;
  for (StepIndex number = 1; !state.is_done(); ++number) {
    if (style.matching == Matching::draws || style.matching == Matching::rarest) {
      fill_by_draws(state, round, generator, style.matching == Matching::rarest);
    } else {
      fill_by_links(state, round, style.matching == Matching::dimension);
    }
    for (AtomMessage& message : round.take()) {
      message.round = number;
      all.push_back(std::move(message));
    }
    state.end_round();
  }
  state.leave_out_useless(all);
  return all;
}

std::size_t reception_count(const AtomGoals& goals, const PlanLinks& links) {
  if (goals.targets.empty()) return goals.origins.size() * links.node_count();
  std::map<NodeId, std::vector<int>> hops_to;
  std::size_t count = 0;
  for (std::size_t atom = 0; atom < goals.targets.size(); ++atom) {
    auto [hops, is_new] = hops_to.try_emplace(goals.targets[atom]);
    if (is_new) hops->second = links.hops_to(goals.targets[atom]);
    count += static_cast<std::size_t>(std::max(hops->second[index(goals.origins[atom])], 0));
  }
  return count;
}

}  // namespace allport
