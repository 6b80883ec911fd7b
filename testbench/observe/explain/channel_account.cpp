// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/channel_account.h"

#include <algorithm>
#include <numeric>

#include "testbench/observe/explain/patience.h"

namespace allport {

// Whether it is the same `later` cycles later as `other`.
bool ChannelAccount::Parts::is_later(const Parts& other, Cycle later) const {
  const auto is_same = [later](const Stretch& a, const Stretch& b) {
    return a.from == b.from + later && a.to == b.to + later;
  };
  return std::equal(states.begin(), states.end(), other.states.begin(), other.states.end(),
                    [&](const auto& a, const auto& b) {
                      return a.first == b.first && is_same(a.second, b.second);
                    }) &&
         std::equal(sent.begin(), sent.end(), other.sent.begin(), other.sent.end(), is_same);
}

void ChannelAccount::add(CrossingIndex crossing) {
  const Crossing& at = history_[crossing];
  const bool is_injection = history_.channels().is_injection(at.channel);
  const Cycle ready = is_injection ? log_.sent(at.message, sender_of(at)).ready() : 0;
  if (is_injection) waiting_.push_back({ready, at.won});
  if (at.from != 0) waiting_.push_back({history_.asks_from(at.from), at.won});
  const Cycle head = history_.sent(crossing, 0);
  if (head < cycles_) heads_.push_back(head);
  const CrossingIndex before = is_injection ? history_.before(crossing) : 0;
  const Cycle first = before == 0 ? ready : std::max(ready, history_.tail_sent(before) + 1);
  Flow flow{crossing, 0, is_injection ? first : at.won};
  for (int rows = 0, next = Lookups::first_try; flow.flit < at.length; ++rows) {
    if (rows == next && history_.skips_steady_states()) {
      skip_steady_state(flow);
      next *= 2;
      continue;
    }
    row_.clear();
    const bool is_sent = put_row(flow, row_);
    take(row_, 1, 1);
    if (!is_sent) return;
  }
}

// The next flits, which go out one right after another; false: they do not in this run.
bool ChannelAccount::put_row(Flow& flow, Parts& parts) const {
  Patience::heed();
  const Cycle sent = history_.sent(flow.crossing, flow.flit);
  add_gap(flow.crossing, flow.flit, {flow.free, std::min(sent, cycles_)}, parts);
  if (sent >= cycles_) return false;
  const int row = history_.sent_in_row_from(flow.crossing, flow.flit);
  const Cycle end = sent + row - 1 + history_.channels().phits(history_[flow.crossing].channel);
  parts.put(State::used, {sent, std::min(end, cycles_)});
  if (end > sent + row) parts.sent.push_back({sent, sent + 1});
  flow.flit += row;
  flow.free = end;
  return true;
}

// Rows for `period` cycles; false: they do not end there, or what comes next is not sent.
bool ChannelAccount::put_period(Flow& flow, Cycle period, Parts& parts, Lookups& seen) const {
  const Cycle end = flow.free + period;
  history_.watch(seen, [&] {
    while (flow.free < end && flow.flit < history_[flow.crossing].length &&
           history_.sent(flow.crossing, flow.flit) < cycles_) {
      put_row(flow, parts);
    }
  });
  return flow.free == end;
}

// Finds out whether the rows repeat, and takes all that do.
void ChannelAccount::skip_steady_state(Flow& flow) {
  const int length = history_[flow.crossing].length;
  Cycle period = 1;
  for (int tries = 0; tries < Lookups::most_tries && period <= Lookups::longest_period; ++tries) {
    const Flow start = flow;
    Parts parts;
    Lookups seen;
    const bool is_put = put_period(flow, period, parts, seen);
    const int flits = flow.flit - start.flit;
    if (flits == 0) return;
    const Cycle found = std::lcm(flow.free - start.free, seen.stride());
    const bool is_whole = is_put && found == period;
    const Cycle most = is_whole ? (length - flow.flit) / flits : 0;
    Cycle times = 1;
    if (most >= Lookups::fewest_periods) {
      times += last_same(most, [&](Cycle number) {
        const int further = static_cast<int>(number) * flits;
        Flow later{flow.crossing, start.flit + further, start.free + number * period};
        Parts again;
        Lookups of_later;
        return put_period(later, period, again, of_later) && of_later.is_same(seen) &&
               later.flit == flow.flit + further && again.is_later(parts, number * period);
      });
    }
    take(parts, times, period);
    flow.flit += static_cast<int>(times - 1) * flits;
    flow.free += (times - 1) * period;
    if (is_whole) return;
    period = found;
  }
}

// What the channel lacks until `flit` goes out on it.
void ChannelAccount::add_gap(CrossingIndex crossing, int flit, const Stretch& gap,
                             Parts& parts) const {
  const CrossingIndex from = history_[crossing].from;
  if (from == 0) {
    const bool awaits_ack = flit == 1 && history_.config().switching == Switching::circuit;
    Cycle may_go = gap.to;  // with one class it goes then
    if (history_.config().classes > 1) {
      may_go = std::clamp(
          awaits_ack ? history_.acknowledged(crossing) : history_.credited(crossing, flit),
          gap.from, std::max(gap.from, gap.to));
    }
    parts.put(awaits_ack ? State::empty : State::no_credit, {gap.from, may_go});
    parts.put(State::lost, {may_go, gap.to});
    return;
  }
  Cycle there = std::max(history_.released(from, flit), history_.complete(from, flit));
  if (flit > 0) {
    const Cycle left = history_.left(from, flit - 1);
    there = std::max(there, left == not_yet ? not_yet : left + 1);
  } else {
    there = std::max(there, history_[crossing].won + history_.config().vc_delay);
  }
  const Cycle arrived = std::clamp(there, gap.from, std::max(gap.from, gap.to));
  const Cycle credited =
      std::clamp(history_.credited(crossing, flit), arrived, std::max(arrived, gap.to));
  parts.put(State::empty, {gap.from, arrived});
  parts.put(State::no_credit, {arrived, credited});
  parts.put(State::lost, {credited, gap.to});
}

void ChannelAccount::take(const Parts& parts, Cycle times, Cycle every) {
  for (const auto& [state, one] : parts.states) {
    states_[static_cast<std::size_t>(state)].push_back({one.from, one.to, times, every});
  }
  for (const Stretch& one : parts.sent) sent_.push_back({one.from, one.to, times, every});
  if (times > 1) is_steady_ = true;
}

void ChannelAccount::write(const Resource& resource, Uses& uses) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    ChannelUse use;
    use.resource = resource;
    use.resource.vc = 0;
    use.from = begin_of(i);
    use.cycles = std::min(every_, span_.to - use.from);
    uses[i].push_back(use);
  }
  if (is_steady_) {
    count_steady_states(uses);
  } else {
    count_states(states_, 1, uses);
  }
  for (const Cycle head : heads_) {
    if (span_.contains(head)) ++at(uses, head).messages;
  }
  for (const Stretch& sent : sent_) count_flits(sent, uses);
  count_waiting(uses);
  for (auto& stretch : uses) {
    ChannelUse& use = stretch.back();
    if (sent_.empty()) use.flits = use.used;
    use.idle = use.cycles - use.used - use.lost - use.no_credit - use.empty;
  }
  for (auto& list : states_) list.clear();
  is_steady_ = false;
  waiting_.clear();
  heads_.clear();
  sent_.clear();
}

// Cuts the run into segments in each of which the same repeats, or nothing does.
void ChannelAccount::count_steady_states(Uses& uses) {
  std::vector<std::pair<State, Stretch>> waiting;
  std::vector<Cycle> cuts{span_.from, span_.to};
  for (std::size_t state = 0; state < state_count; ++state) {
    for (const Stretch& one : states_[state]) {
      waiting.emplace_back(static_cast<State>(state), one);
      cuts.insert(cuts.end(), {one.from, one.end()});
      const bool is_row = one.times > 1;
      const Cycle end = std::min(one.end(), span_.to);
      for (Cycle cut = next_stretch(one.from); is_row && cut < end; cut += every_) {
        cuts.push_back(cut);
      }
    }
  }
  std::sort(waiting.begin(), waiting.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<std::pair<State, Stretch>> active;
  auto next = waiting.begin();
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    Patience::heed();
    active.erase(std::remove_if(active.begin(), active.end(),
                                [&](const auto& one) { return one.second.end() <= cuts[i]; }),
                 active.end());
    for (; next != waiting.end() && next->second.from <= cuts[i]; ++next) active.push_back(*next);
    if (!active.empty()) count_segment(active, {cuts[i], cuts[i + 1]}, uses);
  }
}

// Counts one period of what is done in a segment, as often as it comes, and the rest.
void ChannelAccount::count_segment(const std::vector<std::pair<State, Stretch>>& active,
                                   const Stretch& segment, Uses& uses) {
  Cycle period = 0;  // nothing repeats
  for (const auto& [state, one] : active) {
    if (one.times == 1) continue;
    if (period == 0) period = 1;
    if (period <= Lookups::longest_period) period = std::lcm(period, one.every);
  }
  const auto count_part = [&](Cycle from, Cycle to, Cycle times) {
    States states;
    for (const auto& [state, one] : active) {
      const Cycle first = from < one.to ? 0 : (from - one.to) / one.every + 1;
      for (Cycle i = first; i < one.times && one.from + i * one.every < to; ++i) {
        const Cycle later = i * one.every;
        states[static_cast<std::size_t>(state)].push_back(
            {std::max(one.from + later, from), std::min(one.to + later, to)});
      }
    }
    count_states(states, times, uses);
  };
  const Cycle times = period == 0 ? 0 : (segment.to - segment.from) / period;
  if (times > 0) count_part(segment.from, segment.from + period, times);
  const Cycle rest = segment.from + times * period;
  if (rest < segment.to) count_part(rest, segment.to, 1);
}

// Where several virtual channels do something, the state that comes first counts.
void ChannelAccount::count_states(States& states, Cycle times, Uses& uses) const {
  std::vector<Stretch> taken;
  for (std::size_t state = 0; state < state_count; ++state) {
    std::vector<Stretch>& list = states[state];
    std::sort(list.begin(), list.end());
    std::vector<Stretch> merged;
    auto next_taken = taken.begin();
    Cycle done = 0;
    for (const Stretch& one : list) {
      Cycle from = std::max(one.from, done);
      while (from < one.to) {
        while (next_taken != taken.end() && next_taken->to <= from) ++next_taken;
        const bool is_last = next_taken == taken.end();
        const Cycle to = is_last ? one.to : std::min(one.to, std::max(from, next_taken->from));
        if (from < to) merged.push_back({from, to, times});
        from = is_last ? one.to : std::max(to, std::min(one.to, next_taken->to));
      }
      done = std::max(done, one.to);
    }
    for (const Stretch& one : merged) count(static_cast<State>(state), one, uses);
    const auto before = static_cast<std::ptrdiff_t>(taken.size());
    taken.insert(taken.end(), merged.begin(), merged.end());
    std::inplace_merge(taken.begin(), taken.begin() + before, taken.end());
  }
}

void ChannelAccount::count(State state, const Stretch& stretch, Uses& uses) const {
  const Cycle last = std::min(stretch.to, span_.to);
  for (Cycle from = std::max(stretch.from, span_.from); from < last;) {
    const Cycle end = std::min(last, next_stretch(from));
    ChannelUse& use = at(uses, from);
    const Cycle cycles = (end - from) * stretch.times;
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

void ChannelAccount::count_flits(const Stretch& sent, Uses& uses) const {
  const Cycle early = std::max<Cycle>(span_.from - sent.from, 0);
  for (Cycle i = (early + sent.every - 1) / sent.every; i < sent.times;) {
    const Cycle from = sent.from + i * sent.every;
    if (from >= span_.to) return;
    const Cycle here = (std::min(next_stretch(from), span_.to) - 1 - from) / sent.every + 1;
    const Cycle flits = std::min(here, sent.times - i);
    at(uses, from).flits += flits;
    i += flits;
  }
}

void ChannelAccount::count_waiting(Uses& uses) const {
  std::vector<std::pair<Cycle, int>> changes;
  for (const Stretch& one : waiting_) {
    const Cycle from = std::max(one.from, span_.from);
    const Cycle to = std::min({one.to, cycles_, span_.to});
    if (from >= to) continue;
    changes.emplace_back(from, 1);
    changes.emplace_back(to, -1);
  }
  std::sort(changes.begin(), changes.end());  // in a cycle, those that go come first
  std::size_t waiting = 0;
  std::size_t stretch = 0;
  for (const auto& [cycle, change] : changes) {
    const auto now = std::min(stretch_of(cycle), uses.size() - 1);
    for (; stretch < now; ++stretch) {
      ChannelUse& next = uses[stretch + 1].back();
      if (next.from < cycle) next.most_waiting = std::max(next.most_waiting, waiting);
    }
    waiting = change > 0 ? waiting + 1 : waiting - 1;
    ChannelUse& use = uses[now].back();
    use.most_waiting = std::max(use.most_waiting, waiting);
  }
}

}  // namespace allport
