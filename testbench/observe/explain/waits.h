// SPDX-License-Identifier: Apache-2.0
// Waits says why a flit did not go on, cycle by cycle, and who was in its way (docs/explain.md,
// section 2). Nothing here is accumulated: every answer follows from the history.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "testbench/observe/explain/arbiters.h"
#include "testbench/observe/explain/history.h"
#include "testbench/observe/explain/processor_log.h"
#include "testbench/results/cause.h"

namespace allport {

/// The way of a message to one of its receivers: its crossings from the injection channel to the
/// ejection channel.
class MessageRoute {
 public:
  MessageRoute() = default;
  /// `ejection`: the last one. `output`: where it is no ejection, the output by which the message
  /// has not gone on from the buffer beyond; -1: that of the branch which takes a flit last.
  MessageRoute(const Movement& movement, CrossingIndex ejection, int output = -1);

  std::size_t size() const { return crossings_.size(); }
  CrossingIndex operator[](std::size_t at) const { return crossings_[at]; }
  CrossingIndex last() const { return crossings_.back(); }
  /// The branch out of the buffer behind `crossing` that leads to the receiver; 0: `crossing` is
  /// not on the way.
  CrossingIndex branch(CrossingIndex crossing) const;
  /// The output that a branch which has not begun behind `crossing` lacks; -1: it is not said.
  int lacking(CrossingIndex crossing) const {
    return !crossings_.empty() && crossings_.back() == crossing ? output_ : -1;
  }
  /// Replaces the way to the crossing at place `at`, which contributes to a join, by that of
  /// `operand`, which meets it; returns the place of `operand`.
  std::size_t turn(const Movement& movement, std::size_t at, CrossingIndex operand);

 private:
  std::vector<CrossingIndex> crossings_;  // each began after the one before it
  int output_ = -1;
};

/// Successive cycles in which a flit does not go on for one reason.
struct Wait {
  Cause cause = Cause::hop;
  MessageId blamed = no_message;     ///< the message that is in the way; no_message: none is
  FabricChannels::Number place = 0;  ///< the channel on which the flit would go
  Cycle first = 0;
  Cycle cycles = 1;
  // For the root:
  /// The cause of the sibling, if `cause` is branch; what keeps the contribution that is missing,
  /// if it is join; else `cause`.
  Cause found = Cause::hop;
  CrossingIndex holding = 0;  ///< the crossing of the blamed message
  Cycle lag = 0;              ///< cycles from that in which the other is in the way to the wait
  /// In a steady state: the wait comes `times` times, each `every` cycles before the last one, in
  /// turn with the others of its row, which has `row` waits.
  Cycle times = 1;
  Cycle every = 0;
  std::uint32_t row = 1;
  /// In the queue of a port or a processor: the messages that are in the way, one after another;
  /// `blamed` is the last of them, `first_blamed` the first.
  std::uint32_t messages = 1;
  MessageId first_blamed = no_message;

  /// Its cycles, all times together.
  Cycle all_cycles() const { return cycles * times; }
  /// The first cycle of the first time.
  Cycle earliest() const { return first - (times - 1) * every; }
  /// Its cycles before cycle `end`.
  Cycle cycles_before(Cycle end) const {
    if (end > first) return (times - 1) * cycles + std::min(cycles, end - first);
    if (times == 1) return 0;
    if (end <= earliest()) return 0;
    const Cycle whole = (end - earliest()) / every;
    return whole * cycles + std::min(cycles, end - earliest() - whole * every);
  }
  /// Whether `now` is one of them.
  bool has(Cycle now) const { return cycles_before(now + 1) > cycles_before(now); }
};

/// Appends waits to `waits`, the last cycles first.
class Waits {
 public:
  using List = std::vector<Wait>;
  /// `waits` without repetition: the cycles that a wait takes in a steady state are put together,
  /// one wait of its row after the other.
  static List put_together(List waits);
  /// The cycles `from` .. `to`.
  struct Span {
    Cycle from = 0;
    Cycle to = 0;
    Cycle lag = 0;  // cycles by which what is asked for lies before what waits
    bool is_empty() const { return to < from; }
  };

  /// All references must outlive it.
  Waits(const History& history, const Arbiters& arbiters, const ProcessorLog& processors,
        const MessageLog& log)
      : history_(history),
        arbiters_(arbiters),
        channels_(history.channels()),
        processors_(processors),
        log_(log) {}

  /// Why `flit`, which is first in the buffer behind `crossing` or a head behind another message,
  /// stays there in `span`. `way`: its message's way to the receiver for whom it is asked; where
  /// that is empty, or does not lead here, the branch counts that takes the flit last.
  void in_buffer(CrossingIndex crossing, int flit, const Span& span, const MessageRoute& way,
                 List& waits) const;
  /// Why the next flit of `branch`, which has its channel, lacks the credits to go out on it.
  void for_credit(CrossingIndex branch, int flit, const Span& span, const MessageRoute& way,
                  List& waits) const;
  /// The same of the next flit of the injection crossing `injection`, which has its turn in its
  /// queue, and is no second flit of a circuit without acknowledgement; where it has the credits,
  /// the port sends a flit of another message class.
  void at_injection(CrossingIndex injection, int flit, const Span& span, const MessageRoute& way,
                    List& waits) const;
  /// The injection crossing `crossing` waits for those that are before it at its port.
  void for_port(CrossingIndex crossing, const Span& span, List& waits) const;

  const History& history() const { return history_; }

 private:
  void at_branch(CrossingIndex crossing, int flit, int output, const Span& span,
                 const MessageRoute& way, List& waits) const;
  void note_stages(CrossingIndex crossing, const Span& span,
                   std::initializer_list<Cycle> stages) const;
  void for_siblings(CrossingIndex crossing, int flit, const Span& span, const MessageRoute& way,
                    List& waits) const;
  void behind(CrossingIndex crossing, int output, const Span& span, const MessageRoute& way,
              List& waits) const;
  void before_release(CrossingIndex crossing, int flit, FabricChannels::Number place,
                      const Span& span, const MessageRoute& way, List& waits) const;
  void for_operands(CrossingIndex crossing, int flit, const Span& span, List& waits) const;
  void for_operand(const Meeting& meeting, int slot, int flit, const Span& span, List& waits) const;
  void for_sender_of(const Meeting& meeting, int slot, int flit, const Span& span,
                     List& waits) const;
  void for_contribution(MessageId join, NodeId node, CrossingIndex injection, int flit,
                        const Span& span, List& waits) const;
  void for_injection(MessageId join, NodeId node, CrossingIndex injection, const Span& span,
                     List& waits) const;
  void for_processor(MessageId join, NodeId node, const Span& span, List& waits) const;
  void for_fronts(CrossingIndex crossing, const Span& span, List& waits) const;
  void behind_itself(CrossingIndex front, FabricChannels::Number place, const Span& span,
                     const MessageRoute& way, List& waits) const;
  void for_channel(CrossingIndex crossing, int output, const Span& span, List& waits) const;
  void for_room(CrossingIndex branch, const Span& span, const MessageRoute& way, List& waits) const;
  void for_turn(CrossingIndex injection, const Span& span, List& waits) const;
  void for_switch(CrossingIndex crossing, CrossingIndex branch, const Span& span,
                  List& waits) const;
  void blame(Cause cause, MessageId waiting, CrossingIndex holding, FabricChannels::Number place,
             const Span& span, List& waits) const;
  bool is_delay_of_machine(CrossingIndex front, MessageId waiting) const;
  bool is_delayed(const History::Front& front, MessageId waiting, Cycle now) const;
  FabricChannels::Number output_behind(CrossingIndex crossing, int output) const;
  Cycle free_of_itself(CrossingIndex branch, int flit) const;
  Cycle vc_delay() const { return history_.config().vc_delay; }
  MessageId message(CrossingIndex crossing) const { return history_[crossing].message; }

  const History& history_;
  const Arbiters& arbiters_;
  const FabricChannels& channels_;
  const ProcessorLog& processors_;
  const MessageLog& log_;
};

}  // namespace allport
