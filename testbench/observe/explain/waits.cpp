// SPDX-License-Identifier: Apache-2.0
// A flit stays in a buffer throughout a span of cycles: what kept it there in each of them? The
// router lets a flit pass a fixed sequence of stages (docs/explain.md, section 2): it is held by
// its delays, then it comes to the front of the buffer, its head wins a virtual channel, it has a
// credit, and last it wins the switch. A stage that is passed stays passed, so one number describes
// a stage, the first cycle from which on it is passed, and the History has that number without a
// look at single cycles. at_branch() takes the stages from the last one backwards: it cuts off the
// part of the span in which all stages but the last are passed, which was lost at the switch; from
// the rest it cuts off the part in which all but the last two are passed; and so on (cut_from). The
// first stage that is not passed gives a cycle its cause, so the parts cover the span without gaps
// and overlaps, and the causes of a message sum to its latency.
//
// What is asked of a stage may lie elsewhere and earlier. A flit lacks a credit in cycle c because
// nothing left the buffer beyond one flight of a credit before: the span moves back by that flight,
// and `lag` remembers by how much, so that a wait is noted in the cycle that was lost. If the flit
// that blocks that buffer is of the same message, nobody is to blame but what blocks that flit in
// turn: the same question is asked there, for the span moved back. A flit that has several branches
// to take stays for the last one of them; a contribution to a join stays for the one that it meets
// last, however many routers upstream that is (join_waits.cpp).
//
// The hard part is that thresholds alone do not say whom to blame. Behind other messages, and for a
// virtual channel, the one in the way changes within a part, so it is cut again at these changes.
// For the switch, for the room that a whole message needs, and where a worm stands behind its own
// flits, each cycle is asked for by itself; these are the loops that take time (Patience). And a
// message never blames itself: wherever the one in the way is its own, either that flit's causes
// count or nobody is blamed.
#include "testbench/observe/explain/waits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "testbench/observe/explain/patience.h"
#include "testbench/observe/explain/spans.h"

namespace allport {

MessageRoute::MessageRoute(const Movement& movement, CrossingIndex ejection, int output)
    : output_(output) {
  for (CrossingIndex at = ejection; at != 0; at = movement[at].from) crossings_.push_back(at);
  std::reverse(crossings_.begin(), crossings_.end());
}

CrossingIndex MessageRoute::branch(CrossingIndex crossing) const {
  const auto at = std::lower_bound(crossings_.begin(), crossings_.end(), crossing);
  const bool is_on_it = at != crossings_.end() && *at == crossing;
  return is_on_it && std::next(at) != crossings_.end() ? *std::next(at) : 0;
}

std::size_t MessageRoute::turn(const Movement& movement, std::size_t at, CrossingIndex operand) {
  std::vector<CrossingIndex> way;
  for (CrossingIndex one = operand; one != 0; one = movement[one].from) way.push_back(one);
  std::reverse(way.begin(), way.end());
  const std::size_t place = way.size() - 1;
  way.insert(way.end(), crossings_.begin() + static_cast<std::ptrdiff_t>(at) + 1, crossings_.end());
  crossings_ = std::move(way);
  return place;
}

Waits::List Waits::put_together(List waits) {
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].times == 1) continue;
    Cycle end = waits[i].first + waits[i].cycles;
    for (const std::size_t behind = i + waits[i].row; i < behind; ++i) {
      Wait& wait = waits[i];
      wait.cycles = wait.all_cycles();
      wait.times = 1;
      wait.row = 1;
      end -= wait.cycles;
      wait.first = end;
    }
    --i;
  }
  return waits;
}

// Nobody blames himself.
void Waits::blame(Cause cause, MessageId waiting, CrossingIndex holding,
                  FabricChannels::Number place, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  const bool is_own = holding == 0 || message(holding) == waiting;
  waits.push_back({cause, is_own ? no_message : message(holding), place, span.from + span.lag,
                   span.to - span.from + 1, cause, holding, span.lag});
}

void Waits::in_buffer(CrossingIndex crossing, int flit, const Span& span, const MessageRoute& way,
                      List& waits) const {
  const CrossingIndex branch = way.branch(crossing);
  if (branch == 0) {
    const int lacking = way.lacking(crossing);
    const int output = lacking < 0 ? history_.last_output(crossing, flit) : lacking;
    at_branch(crossing, flit, output, span, way, waits);
    return;
  }
  Span rest = span;
  for_siblings(crossing, flit, cut_from(rest, history_.sent(branch, flit)), way, waits);
  at_branch(crossing, flit, history_.output_of(branch), rest, way, waits);
}

// The branch to the receiver has taken the flit: another one takes it last.
void Waits::for_siblings(CrossingIndex crossing, int flit, const Span& span,
                         const MessageRoute& way, List& waits) const {
  if (span.is_empty()) return;
  const std::size_t first = waits.size();
  at_branch(crossing, flit, history_.last_output(crossing, flit), span, way, waits);
  for (std::size_t i = first; i < waits.size(); ++i) {
    if (waits[i].blamed != no_message) waits[i].cause = Cause::branch;
  }
}

// The stages of the router that a flit must pass, the last one first; each is passed from a certain
// cycle on.
void Waits::at_branch(CrossingIndex crossing, int flit, int output, const Span& span,
                      const MessageRoute& way, List& waits) const {
  if (span.is_empty()) return;
  const CrossingIndex branch = history_.branch(crossing, output);
  const FabricChannels::Number place =
      branch != 0 ? history_[branch].channel : output_behind(crossing, output);
  const Cycle released = history_.released(crossing, flit);
  const Cycle front = flit == 0 ? std::max(released, history_.came_to_front(crossing)) : released;
  const Cycle all = flit == 0 ? std::max(front, history_.all_came_to_front(crossing)) : front;
  const Cycle routed = flit == 0 ? std::max(all, history_.routed(crossing)) : all;
  const Cycle won = branch == 0 ? not_yet : std::max(routed, history_[branch].won);
  const Cycle taking_part =
      branch == 0 || flit > 0 ? won : std::max(won, history_[branch].won + vc_delay());
  const Cycle free = branch == 0 ? not_yet : std::max(taking_part, free_of_itself(branch, flit));
  const Cycle credited = branch == 0 ? not_yet : std::max(free, history_.credited(branch, flit));
  if (flit == 0 && history_.config().pipeline_delay() > 0) {
    note_stages(crossing, span, {front, all, routed, won, taking_part, credited});
  }
  const auto with_channel = [&](Span part) {
    if (credited <= part.to) {
      const Cycle complete = std::max(credited, history_.complete(crossing, flit));
      for_switch(crossing, branch, cut_from(part, complete), waits);
      alone(Cause::length, place, cut_from(part, credited), waits);
    }
    for_credit(branch, flit, cut_from(part, free), way, waits);
    alone(Cause::width, place, part, waits);
  };
  Span rest = span;
  Span after = cut_from(rest, taking_part);
  history_.visit_replays(place, after.from, after.to, [&](Cycle first, Cycle last) {
    with_channel(cut_from(after, last + 1));
    alone(Cause::retry, place, cut_from(after, first), waits);
  });
  with_channel(after);
  alone(Cause::pipeline, place, cut_from(rest, won), waits);
  for_channel(crossing, output, cut_from(rest, routed), waits);
  alone(Cause::pipeline, place, cut_from(rest, all), waits);
  for_fronts(crossing, cut_from(rest, front), waits);
  behind(crossing, output, cut_from(rest, released), way, waits);
  before_release(crossing, flit, place, rest, way, waits);
}

// What was passed, and when: a head stands still while a pipeline holds it, so nothing else that is
// read of the history tells one of its stages from the next.
void Waits::note_stages(CrossingIndex crossing, const Span& span,
                        std::initializer_list<Cycle> stages) const {
  const auto passed_by = [&stages](Cycle now) {
    return static_cast<std::uint64_t>(
        std::count_if(stages.begin(), stages.end(), [now](Cycle one) { return one <= now; }));
  };
  const std::uint64_t passed = passed_by(span.from) * (stages.size() + 1) + passed_by(span.to);
  history_.note(crossing, ~(passed + 2));
}

// The delays of the router hold the flit; before that it waits for what it meets.
void Waits::before_release(CrossingIndex crossing, int flit, FabricChannels::Number place,
                           const Span& span, const MessageRoute& way, List& waits) const {
  if (span.is_empty()) return;
  Span rest = span;
  alone(Cause::replication, place, cut_from(rest, history_.combined(crossing, flit)), waits);
  alone(Cause::combine, place, cut_from(rest, history_.gathered(crossing, flit)), waits);
  if (flit > 0) {
    for_operands(crossing, flit, rest, waits);
    return;
  }
  for_operands(crossing, flit, cut_from(rest, history_.came_to_front(crossing)), waits);
  behind(crossing, history_.last_output(crossing, flit), rest, way, waits);
}

// The first cycle in which the flit before `flit` does not occupy the channel of `branch` any more.
Cycle Waits::free_of_itself(CrossingIndex branch, int flit) const {
  if (flit == 0) return 0;
  return history_.sent(branch, flit - 1) + channels_.phits(history_[branch].channel);
}

// The first virtual channel of `output` of the router behind `crossing`.
FabricChannels::Number Waits::output_behind(CrossingIndex crossing, int output) const {
  return channels_.output(channels_.receiver(history_[crossing].channel).node, output, 0);
}

// The messages before it leave one after another.
void Waits::behind(CrossingIndex crossing, int output, const Span& span, const MessageRoute& way,
                   List& waits) const {
  if (span.is_empty()) return;
  const FabricChannels::Number place = output_behind(crossing, output);
  Span rest = span;
  for (CrossingIndex front = history_.before(crossing); !rest.is_empty();
       front = history_.before(front)) {
    const Span part = cut_from(rest, history_.came_to_front(front));
    if (message(front) == message(crossing)) {
      behind_itself(front, place, part, way, waits);
    } else {
      blame(Cause::behind, message(crossing), front, place, part, waits);
    }
  }
}

// A worm that has come to the same buffer twice is behind its own flits: their causes count.
void Waits::behind_itself(CrossingIndex front, FabricChannels::Number place, const Span& span,
                          const MessageRoute& way, List& waits) const {
  Span rest = span;
  while (!rest.is_empty()) {
    Patience::heed();
    const Span now = cut_last(rest);
    const int flit = history_.left_by(front, now.to - 1);
    if (history_.left(front, flit) == now.to) {
      alone(Cause::behind, place, now, waits);
    } else {
      in_buffer(front, flit, now, way, waits);
    }
  }
}

void Waits::for_channel(CrossingIndex crossing, int output, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  Span rest = span;
  Arbiters::Asked next = arbiters_.asked(crossing, output, rest.to);
  while (!rest.is_empty()) {
    Patience::heed();
    const Arbiters::Asked now = next;
    Cycle from = rest.to + 1;
    while (from > rest.from && next == now) {
      const Cycle last = from - 1;
      from = last == rest.from ? last : arbiters_.asked_since(crossing, output, now, last);
      if (from > rest.from) next = arbiters_.asked(crossing, output, from - 1);
    }
    blame(Cause::channel, message(crossing), now.owner, now.channel, cut_from(rest, from), waits);
  }
}

// Without a credit nothing leaves the buffer beyond, so that one flit is first there all the time:
// otherwise there would be a credit.
void Waits::for_credit(CrossingIndex branch, int flit, const Span& span, const MessageRoute& way,
                       List& waits) const {
  if (span.is_empty()) return;
  const FabricChannels::Number channel = history_[branch].channel;
  if (flit == 0 && buffers_messages(history_.config().switching)) {
    for_room(branch, span, way, waits);
    return;
  }
  if (channels_.is_ejection(channel)) {
    Span rest = span;
    if (history_.movement().reception_limit() > 0) {
      alone(Cause::reception, channel, cut_from(rest, history_.returned(branch, flit)), waits);
    }
    alone(Cause::turnaround, channel, rest, waits);
    return;
  }
  if (const auto loss = history_.last_loss(channel, span.from, span.to)) {
    Span before = span;  // then the next flit came to the front, and no credit
    for_credit(branch, flit, cut_from(before, *loss), way, waits);
    for_credit(branch, flit, before, way, waits);
    return;
  }
  const Cycle flight = channels_.credit_flight(channel);
  const CrossingIndex front = history_.front_crossing(channel, span.to - flight);
  const int first = front == 0 ? 0 : history_.left_by(front, span.to - flight - 1);
  const auto from = [&](Cycle (History::*stage)(CrossingIndex, int) const) {
    return front == 0 ? not_yet : (history_.*stage)(front, first);
  };
  Span rest{span.from - flight, span.to - flight, span.lag + flight};
  const auto blocked = [&](const Span& part) {
    if (!part.is_empty() && message(front) == message(branch)) {
      in_buffer(front, first, part, way, waits);
    } else {
      blame(Cause::credit, message(branch), front, channel, part, waits);
    }
  };
  const auto turning = [&](const Span& part) {
    alone(Cause::turnaround, channel, {part.from + flight, part.to + flight, part.lag - flight},
          waits);
  };
  const bool is_delay = is_delay_of_machine(front, message(branch));
  blocked(cut_from(rest, from(is_delay ? &History::released : &History::gathered)));
  turning(cut_from(rest, from(&History::gathered)));
  blocked(cut_from(rest, from(&History::arrived)));  // it waits for what it meets in a join
  turning(rest);
}

// Whether a delay that holds the flits of `front` is none of `waiting`'s concern. A join that is
// held may have been waited for by others for long: to them it is in the way.
bool Waits::is_delay_of_machine(CrossingIndex front, MessageId waiting) const {
  return front == 0 || history_.meeting(front) == nullptr || message(front) == waiting;
}

bool Waits::is_delayed(const History::Front& front, MessageId waiting, Cycle now) const {
  return is_delay_of_machine(front.crossing, waiting) &&
         history_.gathered(front.crossing, front.flit) <= now &&
         history_.released(front.crossing, front.flit) > now;
}

// A head that needs room for its whole message, cycle by cycle.
void Waits::for_room(CrossingIndex branch, const Span& span, const MessageRoute& way,
                     List& waits) const {
  const FabricChannels::Number channel = history_[branch].channel;
  const Cycle flight = channels_.credit_flight(channel);
  Span rest = span;
  while (!rest.is_empty()) {
    Patience::heed();
    const Span now = cut_last(rest);
    const bool has_credit = history_.credits(branch, now.to) > 0;
    const Span asked{now.to - flight, now.to - flight, now.lag + flight};
    const History::Front front = history_.front(channel, asked.to);
    const bool is_free = channels_.is_ejection(channel) || front.crossing == 0 ||
                         is_delayed(front, message(branch), asked.to) ||
                         history_.left(front.crossing, front.flit) == asked.to;
    if (history_.kept_back(branch, now.to) > 0) {
      alone(Cause::reception, channel, now, waits);
    } else if (is_free) {
      alone(has_credit ? Cause::mode : Cause::turnaround, channel, now, waits);
    } else if (message(front.crossing) == message(branch)) {
      in_buffer(front.crossing, front.flit, asked, way, waits);
    } else {
      blame(has_credit ? Cause::mode : Cause::credit, message(branch), front.crossing, channel,
            asked, waits);
    }
  }
}

void Waits::for_switch(CrossingIndex crossing, CrossingIndex branch, const Span& span,
                       List& waits) const {
  const FabricChannels::End output = channels_.sender(history_[branch].channel);
  Span rest = span;
  while (!rest.is_empty()) {
    Patience::heed();
    const Span now = cut_last(rest);
    CrossingIndex winner = arbiters_.driver(output.node, output.port, now.to);
    if (winner == 0) winner = arbiters_.chosen_instead(crossing, now.to);
    blame(Cause::crossbar, message(crossing), winner, history_[branch].channel, now, waits);
  }
}

// With one class a flit that has its credits goes.
void Waits::at_injection(CrossingIndex injection, int flit, const Span& span,
                         const MessageRoute& way, List& waits) const {
  Span rest = span;
  if (history_.config().classes > 1 && !rest.is_empty()) {
    for_turn(injection, cut_from(rest, history_.credited(injection, flit)), waits);
  }
  for_credit(injection, flit, rest, way, waits);
}

// The message classes of an injection port take turns.
void Waits::for_turn(CrossingIndex injection, const Span& span, List& waits) const {
  const FabricChannels::Number channel = history_[injection].channel;
  Span rest = span;
  while (!rest.is_empty()) {
    Patience::heed();
    const Span now = cut_last(rest);
    blame(Cause::crossbar, message(injection), arbiters_.injecting(channel, now.to), channel, now,
          waits);
  }
}

void Waits::for_port(CrossingIndex crossing, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  const FabricChannels::Number channel = history_[crossing].channel;
  const CrossingIndex last = history_.before(crossing);
  const CrossingIndex first = history_.first_unsent(channel, span.from);
  blame(Cause::port, message(crossing), last, channel, span, waits);
  waits.back().messages = history_[last].place - history_[first].place + 1;
  waits.back().first_blamed = message(first);
}

}  // namespace allport
