// SPDX-License-Identifier: Apache-2.0
// This file says what a contribution to a join waits for where it meets others.
#include <algorithm>

#include "testbench/observe/explain/spans.h"

namespace allport {

// A flit has come, others that it meets have not: what keeps the one that comes last is followed.
void Waits::for_operands(CrossingIndex crossing, int flit, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  const Meeting* const meeting = history_.meeting(crossing);
  const std::size_t first = waits.size();
  for_operand(*meeting, history_.last_operand(*meeting, flit), flit, span, waits);
  for (std::size_t i = first; i < waits.size(); ++i) waits[i].cause = Cause::join;
}

// Why `flit` of operand `slot` does not come: it is on the wire, or at its sender.
void Waits::for_operand(const Meeting& meeting, int slot, int flit, const Span& span,
                        List& waits) const {
  const CrossingIndex operand = history_.movement().operand(meeting, slot);
  Span rest = span;
  if (operand != 0) {
    alone(Cause::hop, history_[operand].channel, cut_from(rest, history_.sent(operand, flit)),
          waits);
  }
  if (rest.is_empty()) return;
  if (meeting.is_local(slot)) {
    for_contribution(meeting.message, meeting.node, operand, flit, rest, waits);
  } else {
    for_sender_of(meeting, slot, flit, rest, waits);
  }
}

// The flit is, or is expected, at the router before this one.
void Waits::for_sender_of(const Meeting& meeting, int slot, int flit, const Span& span,
                          List& waits) const {
  const PortId port = port_id(static_cast<std::size_t>(meeting.input(slot)));
  const NodeId node = history_.topology().incoming(meeting.node, port)->node;
  const MeetingIndex before = history_.movement().meeting_at(meeting.message, node);
  if (before == 0) {  // nothing of the join has come there either
    for_contribution(meeting.message, node, 0, flit, span, waits);
    return;
  }
  const Meeting& there = history_.movement().meeting(before);
  const int last = history_.last_operand(there, flit);
  const CrossingIndex operand = history_.movement().operand(there, last);
  Span rest = span;
  const Cycle gathered = operand == 0 ? not_yet : history_.gathered(operand, flit);
  const Span ready = cut_from(rest, gathered);
  if (!ready.is_empty()) in_buffer(operand, flit, ready, {}, waits);
  if (!rest.is_empty()) for_operand(there, last, flit, rest, waits);
}

// The contribution of `node` itself is missing.
void Waits::for_contribution(MessageId join, NodeId node, CrossingIndex injection, int flit,
                             const Span& span, List& waits) const {
  if (flit > 0) {
    for_credit(injection, flit, span, {}, waits);
    return;
  }
  if (!log_.has_contributed(join, node)) {
    alone(Cause::processor, channels_.processor(node), span, waits);
    return;
  }
  const MessageRecord& record = log_.sent(join, node);
  Span rest = span;
  for_injection(join, node, injection, cut_from(rest, record.ready()), waits);
  alone(Cause::jitter, channels_.injection(node, 0), cut_from(rest, record.prepared()), waits);
  for_processor(join, node, rest, waits);
}

// It waits at its port: for those before it there, then for a credit.
void Waits::for_injection(MessageId join, NodeId node, CrossingIndex injection, const Span& span,
                          List& waits) const {
  const FabricChannels::Number channel = channels_.injection(node, 0);
  CrossingIndex first =
      injection != 0 ? history_.before(injection) : history_.movement().last(channel);
  Span rest = span;
  const auto sent_before = [&] { return first == 0 ? 0 : history_.tail_sent(first); };
  if (!rest.is_empty() && (first == 0 || rest.to > sent_before())) {
    const Span lacking = cut_from(rest, first == 0 ? rest.from : sent_before() + 1);
    if (injection != 0) {
      for_credit(injection, 0, lacking, {}, waits);
    } else {
      const Cycle flight = channels_.credit_flight(channel);
      blame(Cause::credit, join, history_.front_crossing(channel, lacking.to - flight), channel,
            lacking, waits);
    }
  }
  while (!rest.is_empty()) {
    const CrossingIndex one = first;
    first = history_.before(first);
    blame(Cause::port, join, one, channel,
          cut_from(rest, first == 0 ? rest.from : sent_before() + 1), waits);
  }
}

// The processor prepares it, or does not yet.
void Waits::for_processor(MessageId join, NodeId node, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  const MessageRecord& record = log_.sent(join, node);
  const FabricChannels::Number place = channels_.processor(node);
  Span rest = span;
  alone(Cause::processor, place, cut_from(rest, record.begun), waits);
  if (rest.to >= record.created) {
    const auto visit = [&](MessageId blamed, Cycle first, Cycle) {
      const Span part = cut_from(rest, first);
      alone(Cause::processor, place, part, waits);
      if (!part.is_empty() && blamed != join) waits.back().blamed = blamed;
      return !rest.is_empty();
    };
    processors_.visit_waits(join, node, rest.to + 1, visit);
  }
  alone(Cause::processor, place, rest, waits);
}

// All flits have come, but another one is not at the front of its buffer: what is before the one
// that gets there last is in the way.
void Waits::for_fronts(CrossingIndex crossing, const Span& span, List& waits) const {
  if (span.is_empty()) return;
  const Meeting& meeting = *history_.meeting(crossing);
  CrossingIndex last = 0;
  for (int slot = 0; slot < meeting.size(); ++slot) {
    const CrossingIndex one = history_.movement().operand(meeting, slot);
    if (last == 0 || history_.came_to_front(one) > history_.came_to_front(last)) last = one;
  }
  const std::size_t first = waits.size();
  behind(last, history_.last_output(last, 0), span, {}, waits);
  for (std::size_t i = first; i < waits.size(); ++i) waits[i].cause = Cause::join;
}

}  // namespace allport
