// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "testbench/observe/explain/patience.h"

namespace allport {

// The flit has been on the way to stop `stop_` for `cycles` cycles, those on the way out of the
// router first. What is more than one phit takes is due to the width of the channel, and what comes
// after all of it was there for the first time to errors.
void Walk::note_hop(Cycle cycles) {
  const FabricChannels::Number channel = history_[way_[stop_]].channel;
  const FabricChannels& channels = history_.channels();
  const Cycle replays = std::max<Cycle>(cycles - channels.flight(channel), 0);
  const Cycle wide = channels.flight(channel) - (channels.phits(channel) - 1);
  note(Cause::retry, replays);
  cycles -= replays;
  const Cycle leaving = std::min<Cycle>(cycles, history_.config().exit_delay());
  note(Cause::width, std::max<Cycle>(cycles - wide, 0));
  note(Cause::hop, std::min(cycles, wide) - leaving);
  note(Cause::pipeline, leaving);
}

// Notes the cycles before `now_`, and steps back over them.
void Walk::note(Cause cause, Cycle cycles) { note(cause, cycles, history_[way_[stop_]].channel); }

void Walk::note(Cause cause, Cycle cycles, FabricChannels::Number place) {
  if (cycles == 0) return;
  now_ -= cycles;
  list_.push_back({cause, no_message, place, now_, cycles, cause, 0, 0});
}

// The message is there, and waits for one that was sent before it.
void Walk::note_order(MessageId awaited, FabricChannels::Number processor) {
  const CrossingIndex ejection = way_.last();
  const Cycle tail = history_.arrived(ejection, history_[ejection].length - 1);
  note(Cause::order, now_ - tr_ - tail, processor);
  if (!list_.empty()) list_.back().blamed = awaited;
}

const Waits::List& Walk::explain(CrossingIndex ejection, Cycle has, MessageId awaited) {
  list_.clear();
  way_ = MessageRoute(history_.movement(), ejection);
  stop_ = way_.size() - 1;
  flit_ = history_[ejection].length - 1;
  now_ = has;
  const FabricChannels& channels = history_.channels();
  const FabricChannels::Number processor =
      channels.processor(channels.sender(history_[ejection].channel).node);
  note_order(awaited, processor);
  note(Cause::receive, tr_, processor);
  note_hop(history_.channels().flight(history_[ejection].channel));
  walk_back();
  walk_processor();
  return list_;
}

const Waits::List& Walk::explain_under_way(CrossingIndex last, Cycle end, int output) {
  list_.clear();
  way_ = MessageRoute(history_.movement(), last, output);
  const bool is_ejected = history_.channels().is_ejection(history_[last].channel);
  flit_ = is_ejected ? std::min(history_[last].sent, history_[last].length - 1) : 0;
  now_ = end;
  find_flit();
  walk_back();
  walk_processor();
  return list_;
}

// The last buffer or processor that flit `flit_` had reached by `now_`. What stands before it in
// its message keeps it: the walk goes on with that.
void Walk::find_flit() {
  const Cycle now = now_;
  stop_ = way_.size();
  while (stop_ > 0 && history_.sent(way_[stop_ - 1], flit_) >= now) --stop_;
  const bool is_on_wire = stop_ > 0 && history_.arrived(way_[stop_ - 1], flit_) > now;
  if (is_on_wire) {
    --stop_;
    note_hop(now - history_.sent(way_[stop_], flit_));
  }
  if (stop_ > 0) {
    flit_ = std::min(flit_, history_.left_by(way_[stop_ - 1], now_ - 1));
  } else {
    flit_ = std::min(flit_, history_.sent_by(way_[0], now_ - 1));
  }
}

// Back to the head at its injection port.
void Walk::walk_back() {
  std::size_t stop = stop_;
  for (Cycle steps = 0, next = Lookups::first_try; stop_ > 0 || flit_ > 0; ++steps) {
    if (std::exchange(stop, stop_) != stop_) {
      steps = 0;
      next = Lookups::first_try;
    }
    if (steps == next && history_.skips_steady_states()) {
      skip_steady_state();
      next *= 2;
    } else {
      step();
    }
  }
}

void Walk::step() {
  Patience::heed();
  if (stop_ > 0) {
    walk_router();
  } else {
    walk_injection();
  }
}

// Steps back over `period` cycles; false: something else came up, such as another router.
bool Walk::walk_period(Cycle period) {
  const Position start{flit_, stop_, now_};
  has_turned_ = false;
  while (now_ > start.now - period) {
    step();
    if (stop_ != start.stop || flit_ <= 0 || has_turned_) return false;
  }
  return now_ == start.now - period && flit_ < start.flit;
}

// Whether the walk from `start` to `end`, whose waits are those from `mark` on, is the same
// `number` periods earlier. The walk stands there afterwards.
bool Walk::is_repeated(const Position& start, const Position& end, std::size_t mark, Cycle number,
                       const Lookups& seen) {
  const Cycle period = start.now - end.now;
  if (start.stop >= way_.size()) return false;
  const auto flits = static_cast<int>(number) * (start.flit - end.flit);
  const Cycle back = number * period;
  flit_ = start.flit - flits;
  stop_ = start.stop;
  now_ = start.now - back;
  const CrossingIndex leaves = way_[stop_];
  if (history_.sent(leaves, flit_) != history_.sent(leaves, start.flit) - back) return false;
  const std::size_t size = list_.size();
  const MessageRoute way = way_;
  Lookups lookups;
  const bool is_walked = history_.watch(lookups, [&] { return walk_period(period); });
  if (has_turned_) way_ = way;
  const auto is_same = [back](const Wait& one, const Wait& before) {
    return one.cause == before.cause && one.blamed == before.blamed && one.place == before.place &&
           one.first - back == before.first && one.cycles == before.cycles &&
           one.found == before.found && one.holding == before.holding && one.lag == before.lag;
  };
  const auto first = list_.begin() + static_cast<std::ptrdiff_t>(mark);
  const auto again = list_.begin() + static_cast<std::ptrdiff_t>(size);
  const bool is_found = is_walked && flit_ == end.flit - flits && lookups.is_same(seen) &&
                        std::equal(first, again, again, list_.end(), is_same);
  list_.resize(size);
  return is_found;
}

// Finds out whether the steps repeat, and walks over all that do.
void Walk::skip_steady_state() {
  Cycle period = now_;
  const std::size_t stop = stop_;
  has_turned_ = false;
  Lookups seen;
  history_.watch(seen, [&] {
    while (now_ == period && stop_ == stop && flit_ > 0 && !has_turned_) step();
  });
  period = std::lcm(period - now_, seen.stride());
  for (int tries = 0; tries < Lookups::most_tries; ++tries) {
    if (period <= 0 || period > Lookups::longest_period || stop_ != stop || flit_ <= 0) return;
    const Position start{flit_, stop_, now_};
    const std::size_t mark = list_.size();
    seen.clear();
    const bool is_walked = history_.watch(seen, [&] { return walk_period(period); });
    if (!is_walked) return;
    if (period % seen.stride() != 0) {
      period = std::lcm(period, seen.stride());
      continue;
    }
    const Position end{flit_, stop_, now_};
    const int flits = start.flit - end.flit;
    const Cycle most = (end.flit - 1) / flits;
    if (most < Lookups::fewest_periods) return;
    const Cycle times = 1 + last_same(most, [&](Cycle number) {
                          return number == 0 || is_repeated(start, end, mark, number, seen);
                        });
    const Cycle again = times >= Lookups::fewest_periods ? times : 1;
    flit_ = start.flit - static_cast<int>(again) * flits;
    stop_ = stop;
    now_ = start.now - again * period;
    for (std::size_t i = mark; again > 1 && i < list_.size(); ++i) {
      list_[i].times = again;
      list_[i].every = period;
      list_[i].row = static_cast<std::uint32_t>(list_.size() - mark);
    }
    return;
  }
}

// In a router where contributions to a join have come together, the walk goes on with the one that
// came last.
void Walk::follow_last_operand() {
  const CrossingIndex behind = way_[stop_ - 1];
  const CrossingIndex last = history_.last_operand(behind, flit_);
  if (last == behind || last == 0 || history_.arrived(last, flit_) > now_) return;
  stop_ = way_.turn(history_.movement(), stop_ - 1, last) + 1;
  has_turned_ = true;
}

// The flit in the buffer before the crossing `stop_`: it waits back to the cycle in which it
// arrived, or in which the flit before it left.
void Walk::walk_router() {
  follow_last_operand();
  const CrossingIndex behind = way_[stop_ - 1];
  const bool awaits_tail =
      flit_ == 0 && history_.config().switching == Switching::store_and_forward;
  if (awaits_tail && history_.arrived(behind, history_[behind].length - 1) == now_) {
    flit_ = history_[behind].length - 1;
  }
  if (awaits_tail && history_.complete(behind, 0) > now_) {  // at the end of a trial only
    flit_ = history_[behind].length - 1;
    find_flit();
    return;
  }
  const Cycle arrived = history_.arrived(behind, flit_);
  if (arrived == now_) {
    --stop_;
    note_hop(now_ - history_.sent(behind, flit_));
    return;
  }
  Cycle from = arrived;
  if (flit_ > 0) {  // the delays of the router come first
    const bool is_gathered = history_.gathered(behind, flit_) <= now_;
    const Cycle held = is_gathered ? history_.released(behind, flit_) : arrived;
    const Cycle left = history_.left(behind, flit_ - 1);
    if (left >= held) from = std::max(from, left + 1);
  }
  if (awaits_tail) from = std::max(from, history_.complete(behind, 0));
  if (from < now_) {
    waits_.in_buffer(behind, flit_, {from, now_ - 1, 0}, way_, list_);
    now_ = from;
  } else {
    const int row =
        std::min(history_.left_in_row(behind, flit_ - 1), history_.gathered_in_row(behind, flit_));
    const int steps = std::min(row + 1, flit_);
    flit_ -= steps;
    if (steps >= Lookups::fewest_periods) return note(Cause::length, steps);
    for (int i = 0; i < steps; ++i) note(Cause::length, 1);
  }
}

// A flit that is not the head, at the processor.
void Walk::walk_injection() {
  const CrossingIndex injection = way_[0];
  if (flit_ == 1 && history_.config().switching == Switching::circuit) {
    if (history_.config().classes > 1) {
      const Cycle acknowledged = history_.acknowledged(injection);
      if (acknowledged < now_) {
        waits_.at_injection(injection, flit_, {acknowledged, now_ - 1, 0}, way_, list_);
        now_ = acknowledged;
      }
    }
    flit_ = 0;
    note(Cause::ack, now_ - history_.arrived(way_.last(), 0));
    stop_ = way_.size() - 1;
    note_hop(history_.channels().flight(history_[way_.last()].channel));
    return;
  }
  const Cycle from = history_.sent(injection, flit_ - 1) + 1;
  if (from < now_) {
    waits_.at_injection(injection, flit_, {from, now_ - 1, 0}, way_, list_);
    now_ = from;
    return;
  }
  const bool is_circuit = history_.config().switching == Switching::circuit;
  const int first = is_circuit ? 1 : 0;  // the flit to which the walk may go back
  int steps = 0;
  do {  // one row of a circuit may have been recorded as several
    const int row = std::max(1, history_.sent_in_row(injection, flit_ - 1) + 1 - first);
    const int more = std::min(row, flit_ - first);
    steps += more;
    flit_ -= more;
  } while (is_circuit && flit_ > first && history_.sent(injection, flit_ - 1) + 1 == now_ - steps);
  note(Cause::length, steps);
}

// The head at its injection port, back to cycle `ready`.
void Walk::walk_port(Cycle ready) {
  const CrossingIndex injection = way_[0];
  const CrossingIndex before = history_.before(injection);
  const Cycle free = std::max(ready, before == 0 ? ready : history_.tail_sent(before) + 1);
  if (free < now_) waits_.at_injection(injection, 0, {free, now_ - 1, 0}, way_, list_);
  now_ = std::min(now_, free);
  if (ready < now_) waits_.for_port(injection, {ready, now_ - 1, 0}, list_);
  now_ = std::min(now_, ready);
}

// The head at the processor.
void Walk::walk_processor() {
  const MessageId message = history_[way_[0]].message;
  const NodeId sender = this->sender();
  const MessageRecord& record = log_.sent(message, sender);
  walk_port(record.ready());
  note(Cause::jitter, record.jitter);
  const FabricChannels::Number processor = history_.channels().processor(sender);
  note(Cause::prepare, record.preparation, processor);
  if (record.created >= record.begun) return;
  note(Cause::processor, record.begun - record.created, processor);
  const ProcessorLog::Queue queue = processors_.queue(message, sender);
  list_.back().blamed = queue.last;
  list_.back().messages = queue.messages;
  list_.back().first_blamed = queue.first;
}

Waits::List Walk::one_by_one(const Waits::List& waits) const {
  Waits::List list;
  for (const Wait& wait : waits) {
    if (wait.messages == 1) {
      list.push_back(wait);
    } else if (wait.cause == Cause::port) {
      add_port(wait, list);
    } else {
      add_processor(wait, list);
    }
  }
  return list;
}

void Walk::add_port(const Wait& queue, Waits::List& list) const {
  Wait one = queue;
  one.messages = 1;
  for (Cycle end = queue.first + queue.cycles; end > queue.first; end = one.first) {
    const CrossingIndex earlier = history_.before(one.holding);
    const Cycle from = earlier == 0 ? queue.first : history_.tail_sent(earlier) + 1;
    one.blamed = history_[one.holding].message;
    one.first = std::max(queue.first, from);
    one.cycles = end - one.first;
    list.push_back(one);
    one.holding = earlier;
  }
}

void Walk::add_processor(const Wait& queue, Waits::List& list) const {
  const auto add = [&](MessageId blamed, Cycle first, Cycle cycles) {
    Wait one = queue;
    one.messages = 1;
    one.blamed = blamed;
    one.first = first;
    one.cycles = cycles;
    list.push_back(one);
    return true;
  };
  processors_.visit_waits(history_[way_[0]].message, sender(), queue.first + queue.cycles, add);
}

}  // namespace allport
