// SPDX-License-Identifier: Apache-2.0
// Worms that share channels, flit by flit, or wait for credits again and again, soon move in step:
// the same flits move in the same order every few cycles. Such a convoy is watched for a while;
// when all its passages have repeated themselves, twice and for longer than anything is under way
// on a wire, it falls asleep. It wakes up when one of its worms nears its tail or when another worm
// comes to a channel that it uses. What it has done in its sleep is what it did before, repeated
// once per period slept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/worm/calendar.h"
#include "tlm/worm/store.h"
#include "tlm/worm/switch_allocation.h"
#include "tlm/worm/unit.h"
#include "tlm/worm/vc_allocation.h"

namespace allport {

/// A flit of `waiting` was kept off a channel by one of `holding` in one cycle.
struct WormLoss {
  NodeId node{};
  int output = 0;
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle cycle = 0;
};

struct WormConvoy {
  std::vector<std::uint32_t> worms;
  std::vector<std::uint64_t>
      moves;  ///< per passage, one bit per cycle watched, the last cycle lowest
  std::vector<std::int32_t> sent;  ///< per passage, flits sent when it was last watched
  std::vector<WormLoss> losses;    ///< losses while it is watched; then those of the last period
  int watched = -1;                ///< cycles watched; -1: `sent` is not known yet
  bool is_asleep = false;
  Cycle asleep_since = 0;
  Cycle period = 0;
  Cycle wakes_at = -1;
  std::vector<std::int32_t> flits;                  ///< per worm, flits in a period
  std::vector<std::pair<Cycle, WormEvent>> events;  ///< events that were pending, by moment
};

/// A history of moves, reduced to its last `count` cycles.
constexpr std::uint64_t last_moves(std::uint64_t moves, Cycle count) {
  return moves & ((std::uint64_t{1} << count) - 1);
}

/// The smallest period in which all passages have recently moved, seen twice and for `wire_cycles`
/// more in `watched` cycles; 0: there is none.
Cycle common_period(const std::vector<std::uint64_t>& moves, int watched, Cycle wire_cycles);

class WormConvoys : private WormMovingUnit {
 public:
  WormConvoys(WormStore& store, WormVcAllocation& allocation, WormSwitchAllocation& competition,
              WormMover& mover);
  void reset();

  bool is_any() const { return live_ > 0; }
  /// Whether a convoy or a worm is catching up with the present: no other worm acts then.
  bool is_catching_up() const { return catching_up_ != 0 || alone_ != no_worm; }
  /// Whether `passage` acts: it is not asleep and, if a convoy or a worm is catching up, belongs to
  /// it.
  bool acts(const Passage& passage) const {
    if (alone_ != no_worm) return passage.worm == alone_;
    return catching_up_ == 0 ? !passage.is_asleep
                             : store_.worms[passage.worm].convoy == catching_up_;
  }
  /// Has `worm`, which belongs to no convoy, start in the phase of injection of cycle `from` and
  /// catch up with that of cycle `now`; nobody else acts meanwhile.
  void catch_up_alone(std::uint32_t worm, Cycle from, Cycle now);

  /// Notes that `worm` has been decided upon again and again: a convoy is looked for.
  void add_restless(std::uint32_t worm) { restless_worms_.push_back(worm); }
  /// Starts the patience with `worm` anew: no convoy is looked for until it has taken more
  /// decisions.
  void put_off(std::uint32_t worm);
  /// Forms convoys of the worms that are decided upon again and again; called at the end of a
  /// phase.
  void look_for_convoys(Cycle now);
  /// Notes who moved in the previous cycle; called at the beginning of a phase of switching.
  void watch(Cycle now);
  /// Notes that `loser` was kept off its channel by `holding` in cycle `now`.
  void lose(const Passage& loser, MessageId holding, Cycle now);

  /// Counts the cycles for which a flit of another message has kept one of `passage` off its narrow
  /// channel, if one does, up to cycle `now`, from which on it waits anew.
  void count_wait(Passage& passage, Cycle now);

  /// The flits that passage `id`, which is asleep, has moved in its sleep before cycle `now`.
  Cycle slept(WormIndex id, Cycle now) const;

  /// Tells `listener` what the passages that are asleep have moved in their sleep before cycle
  /// `now`, as if they stopped then.
  void tell_of_sleep(Cycle now, WormMovementListener& listener) const;

  /// Calls `visit` with what the passages that are asleep lost in their sleep before cycle `now`,
  /// as contention.
  template <class Visit>
  void visit_losses(Cycle now, Visit visit) const {
    for (const WormConvoy& convoy : convoys_) {
      if (convoy.is_asleep) visit_losses_of(convoy, now, visit);
    }
  }

  /// Wakes the other convoys that use the channels of `id`, which will be decided upon, or of the
  /// junction to which it belongs.
  void disturb(WormIndex id, Cycle now);
  /// The same for the heads that request the output with VC 0 `channel`.
  void disturb_output(WormIndex channel, Cycle now);
  /// Dissolves the convoy of `worm`, if it belongs to one, because the worm nears its end.
  void dissolve_of(std::uint32_t worm) {
    if (store_.worms[worm].convoy != 0) dissolve(store_.worms[worm].convoy);
  }
  /// Handles the event What::convoy of convoy `id`.
  void happen(std::uint32_t id, Cycle now) {
    if (convoys_[id].wakes_at == now) wake(id, now);
  }

 private:
  static constexpr std::uint32_t no_worm = UINT32_MAX;
  // convoy.cpp: finds worms that move in step
  std::uint32_t new_convoy();
  bool gather(std::uint32_t worm, Cycle now);
  bool add_member(std::uint32_t worm, Cycle now);
  bool add_neighbours(const Passage& passage, Cycle now);
  void watch_moves(WormConvoy& convoy, Cycle now);
  void mark(const WormConvoy& convoy, std::uint32_t id);
  void dissolve(std::uint32_t id);
  /// Cycles for which something may be under way on a wire, plus a reserve.
  Cycle wire_cycles() const {
    return std::max<Cycle>(store_.config.exit_delay() + longest_hop_, 2) + 2;
  }
  // convoy_sleep.cpp: lets them sleep
  void disturb_users(WormIndex id, Cycle now);
  bool fall_asleep(std::uint32_t id, Cycle period, Cycle now);
  Cycle find_periods(WormConvoy& convoy, Cycle period) const;
  void take_events(WormConvoy& convoy, std::uint32_t id, Cycle now);
  void wake(std::uint32_t id, Cycle now);
  void add_slept(WormConvoy& convoy, Cycle periods);
  void catch_up(const WormConvoy& convoy, std::uint32_t id, Cycle from, Cycle now);
  template <class Start>
  void replay(Cycle from, Cycle present, Start start);
  void restart(const WormConvoy& convoy, Cycle now);
  bool belongs(const WormEvent& event, std::uint32_t convoy) const;
  // What is lost in sleep is what was lost in the last period before it, in every period.
  template <class Visit>
  static void visit_losses_of(const WormConvoy& convoy, Cycle now, Visit visit) {
    for (const WormLoss& loss : convoy.losses) {
      const Cycle first = loss.cycle + convoy.period;
      if (first >= now) continue;
      visit(WormContention{loss.node, loss.output, loss.waiting, loss.holding, first,
                           (now - 1 - first) / convoy.period + 1});
    }
  }
  template <class Visit>
  void visit_passages(const WormConvoy& convoy, Visit visit) {
    for (const std::uint32_t worm : convoy.worms) {
      const Worm& member = store_.worms[worm];
      for (WormIndex id = member.first_passage; id < member.first_passage + member.passages; ++id) {
        visit(id);
      }
    }
  }

  WormCalendar past_calendar_;                     // the calendar of who catches up
  std::vector<std::pair<Cycle, WormEvent>> left_;  // events that it has not come to, by moments
  std::vector<WormConvoy> convoys_{1};             // entry 0 is unused
  std::vector<std::uint32_t> free_convoys_;
  std::vector<std::uint32_t> watched_convoys_;
  std::vector<std::uint32_t> restless_worms_;  // worms decided upon again and again
  std::vector<std::uint32_t> gathered_;
  std::vector<std::uint32_t> users_;  // by channel, V > 1 only: the convoy whose worms use it
  std::uint32_t catching_up_ = 0;     // the convoy that catches up; 0: none
  std::uint32_t alone_ = no_worm;     // the worm that catches up
  int longest_hop_ = 0;               // s + d, the most of all external channels
  std::size_t live_ = 0;
};

}  // namespace allport
