// SPDX-License-Identifier: Apache-2.0
// What is at the root of a blamed cycle (docs/explain.md, section 4): whom it blames waits in turn,
// and so on, up to a flit that moves or a wait that blames nobody.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/explain/waits.h"
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
  /// What `wait`, which blames a message, waits for in its cycle `now`, and so on: its own cause and
  /// place first, the root last.
  std::vector<Root> chain(const Wait& wait, Cycle now);
  /// The roots of all cycles added so far, by place, then cause.
  std::vector<std::pair<Root, Cycle>> sums();

 private:
  /// Something in the way in a cycle.
  struct Step {
    Cause found = Cause::hop;
    CrossingIndex holding = 0;
    FabricChannels::Number place = 0;
    Cycle looked = 0;
    bool blames = false;

    friend bool operator==(const Step& a, const Step& b) {
      return a.found == b.found && a.holding == b.holding && a.place == b.place &&
             a.looked == b.looked;
    }
  };
  /// The same in the cycles `from` .. `to` - 1, for one message that waits.
  struct Blamed {
    Cause found = Cause::hop;
    CrossingIndex holding = 0;
    FabricChannels::Number place = 0;
    Cycle from = 0;
    Cycle to = 0;
  };
  struct Known {
    Step step;
    Root root;
  };
  void count(const Root& root, Cycle cycles) { sums_[key_of(root)] += cycles; }
  static std::uint64_t key_of(const Root& root) {
    return std::uint64_t{root.place} << 8 | static_cast<std::uint64_t>(root.cause);
  }
  Known& known(const Step& step);
  void flush();
  void count_waiting(std::vector<Blamed>::const_iterator first,
                     std::vector<Blamed>::const_iterator end);
  void count_cycles(Step step, Cycle to, Cycle waiting);
  Cycle count_sent(const Step& step, Cycle to, Cycle waiting);
  Root of(const Step& first);
  /// What is in the way of `step`; none: `root`, which begins as the step's own cause and place, is
  /// its root.
  std::optional<Step> next(const Step& step, Root& root);
  std::optional<Step> behind_front(const Step& step, Root& root);
  std::optional<Step> behind_owner(const Step& step, Root& root);
  std::optional<Step> behind_port(const Step& step, Root& root);
  std::optional<Step> at_front(CrossingIndex front, int flit, Cycle now);
  std::optional<Step> at_processor(CrossingIndex injection, int flit, Cycle now);
  std::optional<Step> last_wait() const;

  const Waits& waits_;
  const History& history_;
  const MessageLog& log_;
  std::vector<Blamed> blamed_;  // not counted yet
  Waits::List found_;
  std::vector<Step> passed_;
  std::vector<Known> known_;
  std::unordered_map<std::uint64_t, Cycle> sums_;
};

}  // namespace allport
