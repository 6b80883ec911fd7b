// SPDX-License-Identifier: Apache-2.0
// An ExplainedTrial is a trial that is over, as it is explained and shown.
#pragma once

#include <unordered_set>
#include <vector>

#include "rtl_model/base/bits.h"
#include "rtl_model/topology/message_kind.h"
#include "testbench/observe/explain/arbiters.h"
#include "testbench/observe/explain/critical_path.h"
#include "testbench/observe/explain/history.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/explain/processor_log.h"
#include "testbench/observe/explain/waits.h"
#include "testbench/observe/explain/walk.h"

namespace allport {

struct ExplainedTrial {
  /// `tr`: cycles to take a message over. All references must outlive it.
  ExplainedTrial(const Movement& movement, const Routing& routing, const MessageLog& log, Cycle tr,
                 SteadyStates steady_states = SteadyStates::skipped)
      : messages(log),
        history(movement, routing, steady_states),
        arbiters(history, routing, log),
        processors(log, movement.channels().nodes()),
        waits(history, arbiters, processors, log),
        walk(waits, processors, log, tr) {}

  /// The crossing by which a message was received.
  CrossingIndex ejection_of(const Reception& reception) const {
    const FabricChannels& channels = history.channels();
    const int output = channels.config().external_ports + reception.port;
    const int message_class = messages[reception.message].message_class;
    const FabricChannels::Number channel =
        channels.output(reception.receiver, output, message_class);
    return history.owner(channel, reception.tail - channels.flight(channel));
  }
  /// The cycles from the creation of a message until it was received, the last ones first. Valid
  /// until the next call. Throws Stopped where patience is over (patience.h).
  const Waits::List& explain(const Reception& reception) {
    return walk.explain(ejection_of(reception), reception.has, reception.awaited);
  }
  /// The same; null: patience is over.
  const Waits::List* explain_in_time(const Reception& reception) try {
    Patience::heed();
    return &explain(reception);
  } catch (const Stopped&) {
    return nullptr;
  }

  /// The cycle from which the latency of a message counts: of a join that of the contribution which
  /// was waited for everywhere.
  Cycle created_of(const Reception& reception, const MessageLog& log) {
    const MessageRecord& record = log[reception.message];
    if (!is_join(record.kind)) return record.created;
    explain(reception);
    return log.sent(reception.message, walk.sender()).created;
  }

  /// The outputs by which a message that is copied has not gone on from the buffer behind
  /// `crossing` when the trial ends: each is a branch of its own.
  PortMask lacking(CrossingIndex crossing) const {
    const Crossing& at = history[crossing];
    const MessageKind kind = messages[at.message].kind;
    if (kind == MessageKind::unicast || is_join(kind)) return 0;
    PortMask lacking = at.beyond.outputs;
    for (const int output : bits(at.beyond.outputs)) {
      if (history.branch(crossing, output) != 0) lacking &= ~(PortMask{1} << output);
    }
    return lacking;
  }

  const MessageLog& messages;
  const History history;
  const Arbiters arbiters;
  const ProcessorLog processors;
  const Waits waits;
  Walk walk;
};

/// Calls `visit(last, output, waits)` for each branch of each message that was under way when the
/// trial ended, in cycle `end`: the last crossing of that branch, the output by which it has not
/// gone on from there, if it is one of a message that is copied, else -1, and its cycles from there
/// back. Throws Stopped where patience is over. With `told`, a message whose tail is on its
/// ejection channel in cycle `end` is under way unless its reception is among these.
template <class Visit>
void visit_under_way(ExplainedTrial& trial, Cycle end, const Visit& visit,
                     const std::vector<Reception>* told = nullptr) {
  const Movement& movement = trial.history.movement();
  const FabricChannels& channels = movement.channels();
  std::unordered_set<CrossingIndex> received;  // in cycle `end`
  if (told != nullptr) {
    for (const Reception& one : *told) {
      if (one.tail == end) received.insert(trial.ejection_of(one));
    }
  }
  const auto is_told = [&](CrossingIndex last, const Crossing& at) {
    return told == nullptr || trial.history.arrived(last, at.length - 1) < end ||
           received.count(last) != 0;
  };
  for (CrossingIndex last = 1; last < movement.size(); ++last) {
    Patience::heed();
    const Crossing& at = movement[last];
    const bool is_queued = channels.is_injection(at.channel) && at.sent == 0;
    const bool is_received =
        channels.is_ejection(at.channel) && at.sent == at.length && is_told(last, at);
    if (is_queued || is_received) continue;
    const PortMask lacking = trial.lacking(last);
    for (const int output : bits(lacking)) {
      visit(last, output, trial.walk.explain_under_way(last, end, output));
    }
    if (at.onward != 0 || lacking != 0) continue;
    visit(last, -1, trial.walk.explain_under_way(last, end));
  }
}

/// What there is to show of a trial.
struct ShownTrial {
  ExplainedTrial& explained;
  const std::vector<Reception>& receptions;
  const Dependencies* dependencies;  ///< null: its messages are those of a pattern
  const MessageLog& log;
  Cycle tr = 0;   ///< cycles to take a message over
  Cycle end = 0;  ///< cycles of the trial
};

}  // namespace allport
