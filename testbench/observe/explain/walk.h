// SPDX-License-Identifier: Apache-2.0
// A Walk decomposes a message's latency (docs/explain.md, section 2): it goes from the cycle in
// which its receiver has it back to its creation, which gives every cycle its cause.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/observe/explain/processor_log.h"
#include "testbench/observe/explain/waits.h"

namespace allport {

class Walk {
 public:
  /// `tr`: cycles to take a message over. All references must outlive it.
  Walk(const Waits& waits, const ProcessorLog& processors, const MessageLog& log, Cycle tr)
      : waits_(waits), history_(waits.history()), processors_(processors), log_(log), tr_(tr) {}

  /// The cycles of the message that its receiver, by the crossing `ejection`, has in cycle `has`:
  /// from there back to its creation. `awaited`: the message sent before it for which that waited.
  /// Valid until the next call.
  const Waits::List& explain(CrossingIndex ejection, Cycle has, MessageId awaited);
  /// The same for a message of which nothing, or not all, has been received when the trial ends, in
  /// cycle `end`: from there back. `last`: the crossing of one branch of its way that nothing has
  /// gone beyond. Its head has been injected. `output`: one of several by which its head is to go
  /// on from there, and has not; -1: the one that takes it last.
  const Waits::List& explain_under_way(CrossingIndex last, Cycle end, int output = -1);
  /// `waits`, those of the last call, in whose queues the messages in the way are told one by one.
  Waits::List one_by_one(const Waits::List& waits) const;
  /// Its way in the last call.
  const MessageRoute& way() const { return way_; }
  /// Its sender: of a join the node whose contribution is on that way.
  NodeId sender() const { return history_.channels().sender(history_[way_[0]].channel).node; }

 private:
  /// Where the walk stands: the flit `flit` left, or could have left, the buffer before the
  /// crossing `stop` of the way in cycle `now`.
  struct Position {
    int flit = 0;
    std::size_t stop = 0;
    Cycle now = 0;
  };

  void step();
  void skip_steady_state();
  bool walk_period(Cycle period);
  bool is_repeated(const Position& start, const Position& end, std::size_t mark, Cycle number,
                   const Lookups& seen);
  void note_hop(Cycle cycles);
  void note(Cause cause, Cycle cycles);
  void note(Cause cause, Cycle cycles, FabricChannels::Number place);
  void note_order(MessageId awaited, FabricChannels::Number processor);
  void find_flit();
  void walk_back();
  void follow_last_operand();
  void walk_router();
  void walk_injection();
  void walk_port(Cycle ready);
  void walk_processor();
  void add_port(const Wait& queue, Waits::List& list) const;
  void add_processor(const Wait& queue, Waits::List& list) const;

  const Waits& waits_;
  const History& history_;
  const ProcessorLog& processors_;
  const MessageLog& log_;
  const Cycle tr_;
  MessageRoute way_;
  Waits::List list_;
  int flit_ = 0;
  std::size_t stop_ = 0;
  Cycle now_ = 0;
  bool has_turned_ = false;  // the way is another one
};

}  // namespace allport
