// SPDX-License-Identifier: Apache-2.0
// Roots finds what is at the root of a blamed cycle (docs/explain.md, section 4): whom it blames
// waits in turn, and so on, up to a flit that moves or a wait that blames nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/observe/explain/waits.h"
#include "tlm/message/message_log.h"

namespace allport {

struct Root {
  Cause cause = Cause::hop;
  FabricChannels::Number place = 0;

  friend bool operator==(Root a, Root b) { return a.cause == b.cause && a.place == b.place; }
};

class Roots {
 public:
  /// Both references must outlive it.
  Roots(const Waits& waits, const MessageLog& log);

  /// Adds each cycle of `wait` to its root, if it blames a message.
  void add(const Wait& wait);
  /// What `wait`, which blames a message, waits for in its cycle `now`, and so on: its own cause
  /// and place first, the root last; where a chain comes back to a step, both times it was there.
  std::vector<Root> chain(const Wait& wait, Cycle now);
  /// The roots of all cycles added so far, by place, then cause.
  std::vector<std::pair<Root, Cycle>> sums();

 private:
  /// Something in the way in successive cycles.
  struct Step {
    Cause found = Cause::hop;
    bool blames = true;
    CrossingIndex holding = 0;
    FabricChannels::Number place = 0;
    Cycle from = 0;
    Cycle to = 0;           ///< behind the last of these cycles
    Cycle lag = 0;          ///< cycles from the first step of its chain back to this one
    std::size_t depth = 0;  ///< steps before it in its chain

    /// Whether both are the same at the same time, in one chain.
    bool is_again(const Step& other) const {
      return found == other.found && holding == other.holding && place == other.place &&
             lag == other.lag;
    }
  };
  /// Cycles by root, in the order in which they were found.
  using Counts = std::vector<std::pair<std::uint64_t, Cycle>>;

  void count(const Root& root, Cycle cycles) {
    if (counts_ != nullptr) {
      counts_->emplace_back(key_of(root), cycles);
    } else {
      sums_[key_of(root)] += cycles;
    }
  }
  static std::uint64_t key_of(const Root& root) {
    return std::uint64_t{root.place} << 8 | static_cast<std::uint64_t>(root.cause);
  }
  template <class Body>
  void cut_short(const Body& body);
  void flush(std::vector<Step>& steps);
  void count_blamed(std::vector<Step>& steps);
  void count_waiting(std::vector<Step>::const_iterator first,
                     std::vector<Step>::const_iterator end);
  void follow_queue(const Step& queue, Cycle waiting);
  void follow(const Step& first, Cycle waiting);
  void follow_row(Step step, Cycle times, Cycle every, Cycle waiting);
  Counts counts_of(const Step& step, Cycle times, Cycle every, Lookups& seen);
  void push_found(const Step& step);
  bool is_passed(const Step& step) const;
  /// Finds what is in the way of the first cycles of `step`, and returns their number. If nothing
  /// is found, `root`, which begins as the step's own cause and place, is their root.
  Cycle next(const Step& step, Root& root);
  Cycle behind_front(const Step& step, Root& root);
  Cycle behind_owner(const Step& step, Root& root);
  Cycle behind_port(const Step& step, Root& root);
  CrossingIndex first_at_port(const Step& step) const {
    return history_.first_unsent(step.place, step.from);
  }
  Cycle at_front(CrossingIndex front, int flit, Cycle from, Cycle to);
  Cycle at_processor(CrossingIndex injection, int flit, Cycle from, Cycle to);
  bool awaits_ack(CrossingIndex injection, int flit, Cycle& to, Cycle now) const;
  Cycle in_row(CrossingIndex crossing, int flit, const Step& step) const;

  const Waits& waits_;
  const History& history_;
  const MessageLog& log_;
  const MessageRoute no_way_;
  std::vector<Step> blamed_;  // not counted yet
  std::vector<Step> queued_;  // the same in queues at ports, each behind whoever is first there
  Waits::List found_;
  std::vector<Step> open_;    // to be followed, the next one last
  std::vector<Step> passed_;  // the chain before the step that is followed
  std::unordered_map<std::uint64_t, Cycle> sums_;
  Counts* counts_ = nullptr;  // not null: what is found belongs there
};

}  // namespace allport
