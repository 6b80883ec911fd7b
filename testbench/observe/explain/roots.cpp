// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/roots.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "testbench/observe/explain/patience.h"

namespace allport {

namespace {

constexpr std::size_t most_blamed = std::size_t{1} << 14;  // stretches that are kept
constexpr int most_cuts = 64;  // of a chain, until a steady state is looked for

}  // namespace

Roots::Roots(const Waits& waits, const MessageLog& log)
    : waits_(waits), history_(waits.history()), log_(log) {}

void Roots::add(const Wait& wait) {
  if (wait.blamed == no_message) return;
  if (!row_of(wait.found).leads_on) {
    count({wait.found, wait.place}, wait.all_cycles());
    return;
  }
  const Cycle from = wait.earliest() - wait.lag;
  if (wait.times > 1) {
    passed_.clear();
    cut_short([&] {
      follow_row({wait.found, true, wait.holding, wait.place, from, from + wait.cycles}, wait.times,
                 wait.every, 1);
    });
    return;
  }
  if (wait.cause == Cause::port) {  // of those that are in the way, each for its cycles
    queued_.push_back({wait.found, true, 0, wait.place, from, from + wait.cycles});
    return;
  }
  blamed_.push_back({wait.found, true, wait.holding, wait.place, from, from + wait.cycles});
  if (blamed_.size() == most_blamed) flush(blamed_);
}

void Roots::flush(std::vector<Step>& steps) {
  cut_short([&] { count_blamed(steps); });
  steps.clear();
}

// An interrupt cuts `body` short: what was not followed by then has no root.
template <class Body>
void Roots::cut_short(const Body& body) {
  try {
    body();
  } catch (const Stopped&) {
    open_.clear();
    counts_ = nullptr;
  }
}

// Many messages wait for the same one: each cycle in which it is in the way is looked at once.
void Roots::count_blamed(std::vector<Step>& steps) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tie(a.holding, a.found, a.place, a.from) <
           std::tie(b.holding, b.found, b.place, b.from);
  });
  for (auto first = steps.begin(); first != steps.end();) {
    const auto end = std::find_if(first, steps.end(), [&](const Step& one) {
      return one.holding != first->holding || one.found != first->found ||
             one.place != first->place;
    });
    count_waiting(first, end);
    first = end;
  }
}

// Stretches of cycles in which one message, or one after another at a port, is in the way of
// several others.
void Roots::count_waiting(std::vector<Step>::const_iterator first,
                          std::vector<Step>::const_iterator end) {
  std::vector<Cycle> ends;  // of those that wait, a heap with the earliest first
  Step step = *first;
  while (first != end || !ends.empty()) {
    if (ends.empty()) step.from = std::max(step.from, first->from);
    for (; first != end && first->from <= step.from; ++first) {
      ends.push_back(first->to);
      std::push_heap(ends.begin(), ends.end(), std::greater<>());
    }
    step.to = first != end ? std::min(ends.front(), first->from) : ends.front();
    if (step.holding == 0) {
      follow_queue(step, static_cast<Cycle>(ends.size()));
    } else {
      follow(step, static_cast<Cycle>(ends.size()));
    }
    step.from = step.to;
    while (!ends.empty() && ends.front() <= step.from) {
      std::pop_heap(ends.begin(), ends.end(), std::greater<>());
      ends.pop_back();
    }
  }
}

std::vector<std::pair<Root, Cycle>> Roots::sums() {
  flush(blamed_);
  flush(queued_);
  std::vector<std::pair<Root, Cycle>> list;
  for (const auto& [key, cycles] : sums_) {
    list.push_back(
        {{static_cast<Cause>(key & 0xff), static_cast<FabricChannels::Number>(key >> 8)}, cycles});
  }
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return key_of(a.first) < key_of(b.first); });
  return list;
}

// Whether the chain that leads to `step` has been there before: a chain only goes back in time, so
// the steps at the time of this one come last.
bool Roots::is_passed(const Step& step) const {
  for (auto one = passed_.rbegin(); one != passed_.rend() && one->lag == step.lag; ++one) {
    if (one->is_again(step)) return true;
  }
  return false;
}

// Follows the chains that begin at a port, in whose queue `waiting` messages wait.
void Roots::follow_queue(const Step& queue, Cycle waiting) {
  for (Step step = queue; step.from < queue.to; step.from = step.to) {
    step.holding = first_at_port(step);
    step.to = std::min(queue.to - 1, history_.tail_sent(step.holding)) + 1;
    follow(step, waiting);
  }
}

// Follows the chain that begins with `first`, in the cycles of which `waiting` messages wait; where
// it divides, one part after the other.
void Roots::follow(const Step& first, Cycle waiting) {
  const std::size_t below = open_.size();
  open_.push_back(first);
  for (int cuts = 0; open_.size() > below; ++cuts) {
    Patience::heed();
    Step step = open_.back();
    passed_.resize(step.depth);
    const Cycle length = step.to - step.from;
    const bool is_long = cuts >= most_cuts && length >= Lookups::fewest_periods;
    if (is_long && history_.skips_steady_states()) {
      open_.pop_back();
      step.to = step.from + 1;
      follow_row(step, length, 1, waiting);
      cuts = 0;
      continue;
    }
    if (is_passed(step)) {
      count({step.found, step.place}, waiting * (step.to - step.from));
      open_.pop_back();
      continue;
    }
    Root root{step.found, step.place};
    found_.clear();
    const Cycle cycles = next(step, root);
    open_.back().from += cycles;
    if (open_.back().from == step.to) open_.pop_back();
    if (found_.empty()) {
      count(root, waiting * cycles);
    } else {
      passed_.push_back(step);
      push_found(step);
    }
  }
}

// Follows `step`, and the same `every` cycles later, and so on, `times` times in all: in a steady
// state one period tells of all. What a period reads tells how long it is.
void Roots::follow_row(Step step, Cycle times, Cycle every, Cycle waiting) {
  const auto go_on = [&](Cycle number) {
    step.from += number * every;
    step.to += number * every;
    times -= number;
  };
  Cycle unit = 1;
  Cycle alone = 1;
  while (times > 0) {
    unit = std::min(unit, times);
    Lookups seen;
    const Counts counts = counts_of(step, unit, every, seen);
    Cycle again = 1;
    const bool is_whole = unit * every % seen.stride() == 0;
    if (is_whole) {
      again += last_same(times / unit - 1, [&](Cycle number) {
        Step later = step;
        later.from += number * unit * every;
        later.to += number * unit * every;
        Lookups of_later;
        return counts_of(later, unit, every, of_later) == counts && of_later.is_same(seen);
      });
    }
    for (const auto& [key, cycles] : counts) {
      count({static_cast<Cause>(key & 0xff), static_cast<FabricChannels::Number>(key >> 8)},
            cycles * waiting * again);
    }
    go_on(again * unit);
    // Where nothing repeats, more and more is followed before it is tried again.
    alone = again > 1 ? 1 : std::min(2 * alone, Lookups::longest_period);
    unit = std::lcm(every, seen.stride()) / every;
    if (unit > Lookups::longest_period) unit = alone;
  }
}

// What follows from `times` such steps for one message that waits.
Roots::Counts Roots::counts_of(const Step& step, Cycle times, Cycle every, Lookups& seen) {
  Counts counts;
  const std::vector<Step> passed(passed_.begin(),
                                 passed_.begin() + static_cast<std::ptrdiff_t>(step.depth));
  Counts* const outer = std::exchange(counts_, &counts);
  history_.watch(seen, [&] {
    for (Cycle i = 0; i < times; ++i) {
      Step one = step;
      one.from += i * every;
      one.to += i * every;
      follow(one, 1);
    }
  });
  counts_ = outer;
  passed_ = passed;
  return counts;
}

std::vector<Root> Roots::chain(const Wait& wait, Cycle now) {
  std::vector<Root> chain{{wait.cause, wait.place}};
  passed_.clear();
  Step step{wait.found,     wait.blamed != no_message, wait.holding, wait.place,
            now - wait.lag, now - wait.lag + 1};
  if (wait.cause == Cause::port) step.holding = first_at_port(step);
  while (true) {
    const Root own{step.found, step.place};
    if (!(chain.back() == own)) chain.push_back(own);
    if (is_passed(step)) break;
    Root root = own;
    found_.clear();
    next(step, root);
    if (found_.empty()) {
      if (!(root == own)) chain.push_back(root);
      break;
    }
    passed_.push_back(step);
    const Wait& behind = found_.front();
    const Cycle looked = behind.first - behind.lag;
    step = {behind.found, behind.blamed != no_message, behind.holding, behind.place, looked,
            looked + 1,   step.lag + behind.lag,       step.depth + 1};
  }
  return chain;
}

// What was found behind `step` is to be followed.
void Roots::push_found(const Step& step) {
  for (const Wait& wait : found_) {
    const Cycle from = wait.first - wait.lag;
    open_.push_back({wait.found, wait.blamed != no_message, wait.holding, wait.place, from,
                     from + wait.cycles, step.lag + wait.lag, step.depth + 1});
  }
}

Cycle Roots::next(const Step& step, Root& root) {
  if (!step.blames || !row_of(step.found).leads_on) return step.to - step.from;
  if (step.found == Cause::channel) return behind_owner(step, root);
  if (step.found == Cause::port) return behind_port(step, root);
  return behind_front(step, root);
}

Cycle Roots::at_front(CrossingIndex front, int flit, Cycle from, Cycle to) {
  waits_.in_buffer(front, flit, {from, to - 1, 0}, no_way_, found_);
  return to - from;
}

Cycle Roots::at_processor(CrossingIndex injection, int flit, Cycle from, Cycle to) {
  waits_.at_injection(injection, flit, {from, to - 1, 0}, no_way_, found_);
  return to - from;
}

// Whether the next flit of `injection`, `flit`, waits in cycle `now` for the acknowledgement of a
// circuit; `to` becomes the end of this if that is earlier.
bool Roots::awaits_ack(CrossingIndex injection, int flit, Cycle& to, Cycle now) const {
  if (flit != 1 || history_.config().switching != Switching::circuit) return false;
  if (history_.config().classes == 1) return true;
  const Cycle acknowledged = history_.acknowledged(injection);
  if (acknowledged <= now) return false;
  to = std::min(to, acknowledged);
  return true;
}

// The cycles from the first one of `step` on in which flits of `crossing`, first `flit`, go out.
Cycle Roots::in_row(CrossingIndex crossing, int flit, const Step& step) const {
  return std::min<Cycle>(history_.sent_in_row_from(crossing, flit), step.to - step.from);
}

// The front flit of a buffer is in the way.
Cycle Roots::behind_front(const Step& step, Root& root) {
  const int flit = history_.left_by(step.holding, step.from - 1);
  const Cycle left = history_.left(step.holding, flit);
  if (left > step.from) return at_front(step.holding, flit, step.from, std::min(step.to, left));
  const CrossingIndex branch =
      history_.branch(step.holding, history_.last_output(step.holding, flit));
  root.place = history_[branch].channel;
  const bool is_only = branch == history_[step.holding].onward && history_[branch].sibling == 0;
  return is_only ? in_row(branch, flit, step) : 1;
}

// The owner of a channel is in the way: its next flit for this channel is looked for upstream.
Cycle Roots::behind_owner(const Step& step, Root& root) {
  const Cycle now = step.from;
  root.place = history_[step.holding].channel;
  const int flit = history_.sent_by(step.holding, now);
  if (flit > 0 && history_.sent(step.holding, flit - 1) == now) {
    return in_row(step.holding, flit - 1, step);
  }
  Cycle to = std::min(step.to, history_.sent(step.holding, flit));
  CrossingIndex at = history_.last_operand(history_[step.holding].from, flit);
  while (history_[at].from != 0 && history_.sent(at, flit) > now) {
    to = std::min(to, history_.sent(at, flit));
    at = history_.last_operand(history_[at].from, flit);
  }
  if (history_.sent(at, flit) > now) {  // it is still at its processor
    to = std::min(to, history_.sent(at, flit));
    if (awaits_ack(at, flit, to, now)) return to - now;
    const int injected = history_.sent_by(at, now);
    if (injected > 0 && history_.sent(at, injected - 1) == now) return 1;
    return at_processor(at, injected, now, std::min(to, history_.sent(at, injected)));
  }
  const Cycle arrived = history_.arrived(at, flit);
  if (arrived > now) return std::min(to, arrived) - now;
  const History::Front front = history_.front(history_[at].channel, now);
  const Cycle left = history_.left(front.crossing, front.flit);
  if (left == now) return 1;
  return at_front(front.crossing, front.flit, now, std::min(to, left));
}

// The first message of an injection port is in the way.
Cycle Roots::behind_port(const Step& step, Root& root) {
  const Cycle now = step.from;
  const int flit = history_.sent_by(step.holding, now);
  if (flit > 0 && history_.sent(step.holding, flit - 1) == now) {
    return in_row(step.holding, flit - 1, step);
  }
  const NodeId sender = history_.channels().sender(history_[step.holding].channel).node;
  const MessageRecord& record = log_.sent(history_[step.holding].message, sender);
  if (flit == 0 && now < record.prepared()) {
    root = {Cause::processor, history_.channels().processor(sender)};
    return std::min(step.to, record.prepared()) - now;
  }
  if (flit == 0 && now < record.ready()) {
    root.cause = Cause::jitter;
    return std::min(step.to, record.ready()) - now;
  }
  Cycle to = std::min(step.to, history_.sent(step.holding, flit));
  if (awaits_ack(step.holding, flit, to, now)) {
    root.cause = Cause::ack;
    return to - now;
  }
  return at_processor(step.holding, flit, now, to);
}

}  // namespace allport
