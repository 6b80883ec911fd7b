// SPDX-License-Identifier: Apache-2.0
// Worms that share channels, flit by flit, or wait for credits again and again, soon move in step:
// the same flits in the same order every few cycles. Such a convoy is watched for a while; when all
// its passages have repeated themselves, twice and for longer than anything is under way on a wire,
// it falls asleep, and wakes up when one of its worms nears its tail or when somebody else comes to
// a channel it uses. What it has done in its sleep is what it did before, so many times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/worm/allocation.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/competition.h"
#include "tlm/worm/store.h"

namespace allport {

/// A flit was kept off a channel by another one's in one cycle.
struct WormLoss {
  NodeId node{};
  int output = 0;
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle cycle = 0;
};

struct WormConvoy {
  std::vector<std::uint32_t> worms;
  std::vector<std::uint64_t> moves;  ///< per passage, a bit per cycle watched, the last one lowest
  std::vector<std::int32_t> sent;    ///< per passage, flits in the cycle looked at last
  std::vector<WormLoss> losses;      ///< while it is watched; then those of the last period
  int watched = -1;                  ///< cycles; -1: `sent` is not known yet
  bool is_asleep = false;
  Cycle asleep_since = 0;
  Cycle period = 0;
  Cycle wakes_at = -1;
  std::vector<std::int32_t> flits;                  ///< per worm, in a period
  std::vector<std::pair<Cycle, WormEvent>> events;  ///< what was to happen, by moment
};

/// A history of moves, down to its last `count` cycles.
constexpr std::uint64_t last_moves(std::uint64_t moves, Cycle count) {
  return moves & ((std::uint64_t{1} << count) - 1);
}

/// The least period in which all passages have moved of late, seen twice and for `wire_cycles` more
/// in `watched` cycles; 0: there is none.
Cycle common_period(const std::vector<std::uint64_t>& moves, int watched, Cycle wire_cycles);

/// What a convoy that wakes up asks of the flow.
class WormMover {
 public:
  virtual ~WormMover() = default;
  /// `id` runs: it looks ahead again, from cycle `now` on.
  virtual void set_timer(WormIndex id, Cycle now) = 0;
  /// `id` is thought about in the phase of switching of cycle `now`.
  virtual void wake(WormIndex id, Cycle now) = 0;
  /// Lets happen what is in the store's calendar at `moment`.
  virtual void pass(Cycle moment) = 0;
};

class WormConvoys {
 public:
  WormConvoys(WormStore& store, WormAllocation& allocation, WormCompetition& competition,
              WormMover& mover);
  void reset();

  bool is_any() const { return live_ > 0; }
  /// Whether a convoy is catching up with the present: nobody else acts then.
  bool is_catching_up() const { return catching_up_ != 0; }
  /// Whether `passage` acts: it does not sleep, and is of the convoy that catches up, if one does.
  bool acts(const Passage& passage) const {
    return catching_up_ == 0 ? !passage.is_asleep
                             : store_.worms[passage.worm].convoy == catching_up_;
  }

  /// `worm` has been decided upon again and again: a convoy is looked for.
  void add_restless(std::uint32_t worm) { restless_worms_.push_back(worm); }
  /// `worm` begins anew to be decided upon.
  void put_off(std::uint32_t worm);
  /// At the end of a phase: makes convoys of those that are decided upon again and again.
  void look_for_convoys(Cycle now);
  /// At the beginning of a phase of switching: notes who has moved in the cycle before.
  void watch(Cycle now);
  /// `loser` was kept off its channel by `holding` in cycle `now`.
  void lose(const Passage& loser, MessageId holding, Cycle now);

  /// `id` is to be thought about: convoys that use its channels must be awake.
  void disturb(WormIndex id, Cycle now);
  /// The heads that ask for the output with VC 0 `channel` are.
  void disturb_output(WormIndex channel, Cycle now);
  /// The convoy that `worm` is a member of, if any, is no more: the worm nears its end.
  void dissolve_of(std::uint32_t worm) {
    if (store_.worms[worm].convoy != 0) dissolve(store_.worms[worm].convoy);
  }
  /// The event What::convoy of convoy `id`.
  void happen(std::uint32_t id, Cycle now) {
    if (convoys_[id].wakes_at == now) wake(id, now);
  }

 private:
  // convoy.cpp: worms that move in step are found
  std::uint32_t new_convoy();
  bool gather(std::uint32_t worm, Cycle now);
  bool add_member(std::uint32_t worm, Cycle now);
  bool add_neighbours(const Passage& passage, Cycle now);
  void watch_moves(WormConvoy& convoy, Cycle now);
  void mark(const WormConvoy& convoy, std::uint32_t id);
  void dissolve(std::uint32_t id);
  /// Cycles for which something may be under way on a wire, and a reserve.
  Cycle wire_cycles() const { return std::max(store_.hop_cycles, 2) + 2; }
  // convoy_sleep.cpp: and sleep
  bool fall_asleep(std::uint32_t id, Cycle period, Cycle now);
  Cycle find_periods(WormConvoy& convoy, Cycle period) const;
  void take_events(WormConvoy& convoy, std::uint32_t id, Cycle now);
  void wake(std::uint32_t id, Cycle now);
  void add_slept(WormConvoy& convoy, Cycle periods);
  void catch_up(WormConvoy& convoy, std::uint32_t id, Cycle from, Cycle now);
  void restart(const WormConvoy& convoy, Cycle now);
  bool belongs(const WormEvent& event, std::uint32_t convoy) const;
  template <class Visit>
  void visit_passages(const WormConvoy& convoy, Visit visit) {
    for (const std::uint32_t worm : convoy.worms) {
      const Worm& member = store_.worms[worm];
      for (WormIndex id = member.first_passage; id < member.first_passage + member.passages; ++id) {
        visit(id);
      }
    }
  }

  WormStore& store_;
  WormAllocation& allocation_;
  WormCompetition& competition_;
  WormMover& mover_;
  WormCalendar past_calendar_;          // of a convoy that catches up
  std::vector<WormConvoy> convoys_{1};  // 0: none
  std::vector<std::uint32_t> free_convoys_;
  std::vector<std::uint32_t> watched_convoys_;
  std::vector<std::uint32_t> restless_worms_;  // decided upon again and again
  std::vector<std::uint32_t> gathered_;
  std::vector<std::uint32_t> users_;  // by channel, V > 1 only: the convoy whose worms use it
  std::uint32_t catching_up_ = 0;     // the convoy that does; 0: none
  std::size_t live_ = 0;
};

}  // namespace allport
