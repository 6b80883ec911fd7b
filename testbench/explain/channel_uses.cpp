// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/channel_uses.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace allport {

Spot spot_of(const FabricChannels& channels, FabricChannels::Number channel) {
  if (channels.is_processor(channel)) {
    return {Spot::Kind::processor, node_id(channel - channels.size()), 0, 0};
  }
  const FabricChannels::End end = channels.sender(channel);
  if (channels.is_external(channel)) return {Spot::Kind::channel, end.node, end.port, end.vc};
  const int port = end.port - channels.config().external_ports;
  const bool enters = channels.is_injection(channel);
  return {enters ? Spot::Kind::injection : Spot::Kind::ejection, end.node, port, 0};
}

namespace {

// What a virtual channel does; where several do something, the first of these counts.
enum class State { used, lost, no_credit, empty };
constexpr std::size_t state_count = 4;

struct Stretch {
  Cycle from = 0;
  Cycle to = 0;  // behind it
};

/// Collects what the virtual channels of one physical channel do.
class ChannelAccount {
 public:
  ChannelAccount(const History& history, const MessageLog& log, Cycle cycles, Cycle every)
      : history_(history), log_(log), cycles_(cycles), every_(every > 0 ? every : cycles) {}

  void add(CrossingIndex crossing) {
    const Crossing& at = history_[crossing];
    const bool is_injection = history_.channels().is_injection(at.channel);
    const Cycle ready = is_injection ? log_.sent(at.message, sender_of(at)).ready() : 0;
    Cycle free = is_injection ? std::max(ready, last_sent_ + 1) : at.won;
    if (is_injection) waiting_.push_back({ready, at.won});
    if (at.from != 0) waiting_.push_back({came_to_front(at.from), at.won});
    for (int flit = 0; flit < at.length;) {
      const Cycle sent = history_.sent(crossing, flit);
      add_gap(crossing, flit, {free, std::min(sent, cycles_)});
      if (sent >= cycles_) return;
      const int row = history_.sent_in_row_from(crossing, flit);
      const Cycle end = sent + row - 1 + history_.channels().phits(at.channel);
      put(State::used, {sent, std::min(end, cycles_)});
      if (end > sent + row) sent_.push_back(sent);
      if (flit == 0) heads_.push_back(sent);
      flit += row;
      free = end;
    }
    last_sent_ = free - 1;
  }

  /// Adds a head that waits for the channel from cycle `first` on and never gets it.
  void add_waiting(Cycle first) { waiting_.push_back({first, cycles_}); }

  /// Adds the channel `spot` to `uses`, a list for each stretch of the run, and forgets it.
  void write(const Spot& spot, std::vector<std::vector<ChannelUse>>& uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
      ChannelUse use;
      use.spot = spot;
      use.spot.vc = 0;
      use.from = static_cast<Cycle>(i) * every_;
      use.cycles = std::min(every_, cycles_ - use.from);
      uses[i].push_back(use);
    }
    count_states(uses);
    for (const Cycle head : heads_) ++at(uses, head).messages;
    for (const Cycle sent : sent_) ++at(uses, sent).flits;
    count_waiting(uses);
    for (auto& stretch : uses) {
      ChannelUse& use = stretch.back();
      if (sent_.empty()) use.flits = use.used;
      use.idle = use.cycles - use.used - use.lost - use.no_credit - use.empty;
    }
    for (auto& list : states_) list.clear();
    waiting_.clear();
    heads_.clear();
    sent_.clear();
    last_sent_ = -1;
  }

 private:
  ChannelUse& at(std::vector<std::vector<ChannelUse>>& uses, Cycle cycle) const {
    return uses[static_cast<std::size_t>(cycle / every_)].back();
  }
  void put(State state, const Stretch& stretch) {
    if (stretch.from < stretch.to) states_[static_cast<std::size_t>(state)].push_back(stretch);
  }
  NodeId sender_of(const Crossing& at) const { return history_.channels().sender(at.channel).node; }
  Cycle came_to_front(CrossingIndex from) const {
    return std::max(history_.released(from, 0), history_.all_came_to_front(from));
  }

  // What the channel lacks until `flit` goes out on it.
  void add_gap(CrossingIndex crossing, int flit, const Stretch& gap) {
    const CrossingIndex from = history_[crossing].from;
    if (from == 0) {
      const bool awaits_ack = flit == 1 && history_.config().switching == Switching::circuit;
      put(awaits_ack ? State::empty : State::no_credit, gap);
      return;
    }
    Cycle there = std::max(history_.released(from, flit), history_.complete(from, flit));
    if (flit > 0) there = std::max(there, next(history_.left(from, flit - 1)));
    const Cycle arrived = std::clamp(there, gap.from, std::max(gap.from, gap.to));
    const Cycle credited =
        std::clamp(history_.credited(crossing, flit), arrived, std::max(arrived, gap.to));
    put(State::empty, {gap.from, arrived});
    put(State::no_credit, {arrived, credited});
    put(State::lost, {credited, gap.to});
  }
  static Cycle next(Cycle cycle) { return cycle == not_yet ? not_yet : cycle + 1; }

  // Where several virtual channels do something, the state that comes first counts.
  void count_states(std::vector<std::vector<ChannelUse>>& uses) {
    std::vector<Stretch> taken;
    for (std::size_t state = 0; state < state_count; ++state) {
      std::vector<Stretch>& list = states_[state];
      std::sort(list.begin(), list.end(),
                [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
      std::vector<Stretch> merged;
      auto next_taken = taken.begin();
      Cycle done = 0;
      for (const Stretch& one : list) {
        Cycle from = std::max(one.from, done);
        while (from < one.to) {
          while (next_taken != taken.end() && next_taken->to <= from) ++next_taken;
          const bool is_last = next_taken == taken.end();
          const Cycle to = is_last ? one.to : std::min(one.to, std::max(from, next_taken->from));
          if (from < to) merged.push_back({from, to});
          from = is_last ? one.to : std::max(to, std::min(one.to, next_taken->to));
        }
        done = std::max(done, one.to);
      }
      for (const Stretch& one : merged) count(static_cast<State>(state), one, uses);
      taken.insert(taken.end(), merged.begin(), merged.end());
      std::sort(taken.begin(), taken.end(),
                [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
    }
  }

  void count(State state, const Stretch& stretch, std::vector<std::vector<ChannelUse>>& uses) {
    for (Cycle from = stretch.from; from < stretch.to;) {
      const Cycle end = std::min(stretch.to, (from / every_ + 1) * every_);
      ChannelUse& use = at(uses, from);
      const Cycle cycles = end - from;
      switch (state) {
        case State::used:
          use.used += cycles;
          break;
        case State::lost:
          use.lost += cycles;
          break;
        case State::no_credit:
          use.no_credit += cycles;
          break;
        case State::empty:
          use.empty += cycles;
          break;
      }
      from = end;
    }
  }

  void count_waiting(std::vector<std::vector<ChannelUse>>& uses) {
    std::vector<std::pair<Cycle, int>> changes;
    for (const Stretch& one : waiting_) {
      if (one.from >= std::min(one.to, cycles_)) continue;
      changes.emplace_back(one.from, 1);
      changes.emplace_back(std::min(one.to, cycles_), -1);
    }
    std::sort(changes.begin(), changes.end());  // in a cycle, those that go come first
    std::size_t waiting = 0;
    std::size_t stretch = 0;
    for (const auto& [cycle, change] : changes) {
      const auto now = std::min(static_cast<std::size_t>(cycle / every_), uses.size() - 1);
      for (; stretch < now; ++stretch) {
        ChannelUse& next = uses[stretch + 1].back();
        if (next.from < cycle) next.most_waiting = std::max(next.most_waiting, waiting);
      }
      waiting = change > 0 ? waiting + 1 : waiting - 1;
      ChannelUse& use = uses[now].back();
      use.most_waiting = std::max(use.most_waiting, waiting);
    }
  }

  const History& history_;
  const MessageLog& log_;
  const Cycle cycles_;
  const Cycle every_;
  std::array<std::vector<Stretch>, state_count> states_;
  std::vector<Stretch> waiting_;  // heads that wait for it
  std::vector<Cycle> heads_;      // when heads went out on it
  std::vector<Cycle> sent_;       // when flits did, if it is narrow
  Cycle last_sent_ = -1;
};

// A head that has not got a channel by the end of the run.
struct Unserved {
  FabricChannels::Number channel = 0;  // the first VC of the physical one
  Cycle first = 0;                     // cycle from which it waits

  friend bool operator<(const Unserved& a, const Unserved& b) { return a.channel < b.channel; }
};

// By channel.
std::vector<Unserved> unserved_heads(const ExplainedTrial& trial, Cycle cycles) {
  const History& history = trial.history;
  const FabricChannels& channels = history.channels();
  const Movement& movement = history.movement();
  std::vector<Unserved> list;
  for (CrossingIndex one = 1; one < movement.size(); ++one) {
    const Crossing& at = movement[one];
    if (channels.is_ejection(at.channel) || history.arrived(one, 0) >= cycles) continue;
    if (history.speaker(one) != one) continue;  // a join waits as one message
    const Cycle first = std::max(history.released(one, 0), history.all_came_to_front(one));
    if (first >= cycles) continue;
    const NodeId node = channels.receiver(at.channel).node;
    const bool is_adaptive = trial.arbiters.is_adaptive();
    for (PortMask rest = at.beyond.outputs; rest != 0; rest &= rest - 1) {
      const int output = __builtin_ctzll(rest);
      const bool has_won = is_adaptive ? at.onward != 0 : history.branch(one, output) != 0;
      if (has_won) continue;
      const FabricChannels::Number wanted = trial.arbiters.wanted(one, output, cycles - 1);
      list.push_back({channels.output(node, channels.sender(wanted).port, 0), first});
      if (is_adaptive) break;  // it waits for one of them
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

std::size_t channel_use_count(const FabricChannels& channels, Cycle cycles, Cycle every) {
  const RouterConfig& config = channels.config();
  const auto of_node = static_cast<std::size_t>(config.external_ports) +
                       2 * static_cast<std::size_t>(config.internal_ports);
  const Cycle length = every > 0 ? every : std::max<Cycle>(cycles, 1);
  return static_cast<std::size_t>((cycles + length - 1) / length) * of_node * channels.nodes();
}

std::vector<ChannelUse> channel_uses(const ExplainedTrial& trial, const MessageLog& log,
                                     Cycle cycles, Cycle every) {
  if (cycles <= 0) return {};
  const History& history = trial.history;
  const FabricChannels& channels = history.channels();
  const Cycle length = every > 0 ? every : cycles;
  const auto stretches = static_cast<std::size_t>((cycles + length - 1) / length);
  std::vector<std::vector<ChannelUse>> uses(stretches);
  ChannelAccount account(history, log, cycles, every);
  const std::vector<Unserved> unserved = unserved_heads(trial, cycles);
  for (FabricChannels::Number channel = 0; channel < channels.size();) {
    const Spot spot = spot_of(channels, channel);
    const auto [from, to] =
        std::equal_range(unserved.begin(), unserved.end(), Unserved{channel, 0});
    for (auto one = from; one != to; ++one) account.add_waiting(one->first);
    const bool is_external = channels.is_external(channel);
    const int vcs = is_external ? channels.config().vcs : 1;
    for (int vc = 0; vc < vcs; ++vc, ++channel) {
      for (CrossingIndex one = history.first(channel); one != 0; one = history.after(one)) {
        account.add(one);
      }
    }
    if (!is_external || channels.has_output(spot.node, spot.port)) account.write(spot, uses);
  }
  std::vector<ChannelUse> all;
  for (auto& stretch : uses) {
    all.insert(all.end(), stretch.begin(), stretch.end());
    stretch = {};
  }
  return all;
}

}  // namespace allport
