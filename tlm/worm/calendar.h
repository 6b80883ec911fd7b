// SPDX-License-Identifier: Apache-2.0
// A WormCalendar says what happens when in the fabric of worms: it is a calendar queue (Brown
// 1988). Each of the coming cycles has a page, and events further ahead wait in a heap. A cycle has
// three phases, in the order in which they act on one another within it: reception (tails reach
// their nodes), injection (nodes put flits on injection channels) and switching (routers decide).
// Nothing is allocated once the pages have grown.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

enum class WormPhase : std::uint8_t { reception, injection, switching };

/// What happens, and the passage, virtual channel, injection channel, router or worm concerned.
struct WormEvent {
  enum class What : std::uint8_t {
    message,          ///< a message may start on an injection channel
    timer,            ///< a passage has reached the end of what it could foresee
    arrivals_begin,   ///< a flit arrives for a passage in every cycle from this one on
    arrivals_end,     ///< flits no longer arrive from this cycle on
    arrival,          ///< one flit arrives for a passage
    credits_begin,    ///< a credit of a virtual channel is usable in every cycle from this one on
    credits_end,      ///< credits are no longer usable from this cycle on
    credit,           ///< one credit of a virtual channel is usable
    allocation,       ///< heads request again the virtual channels of an output
    demanded,         ///< a head may have what the switching mode demands
    acknowledged,     ///< a circuit is complete
    turn,             ///< classes take turns again on an injection channel
    received,         ///< tails come to their nodes, x > 0 only
    ejected,          ///< a flit has come to the reception buffer of a virtual channel
    ejection_credit,  ///< a credit of an ejection channel comes, which nobody waits for
    taken,            ///< credits may be due there, because flits were taken or more are owed
    competition,      ///< flits of a router compete again for its switch
    freed,            ///< a narrow channel may take a flit again
    convoy,           ///< a convoy is watched, or wakes up
    junction,         ///< a junction has reached the end of what it could foresee
    lone_tail,        ///< the tail of a lone worm is on its injection channel
    lone_sent,        ///< that channel is free again
    lone_received,    ///< the tail is on the ejection channel
  };
  std::uint32_t target = 0;
  What what = What::message;
};

class WormCalendar {
 public:
  WormCalendar();

  /// The moment of a phase, as one number that grows with time.
  static Cycle moment(Cycle cycle, WormPhase phase) {
    return cycle * phases + static_cast<Cycle>(phase);
  }
  static Cycle cycle_of(Cycle moment) { return moment / phases; }
  static WormPhase phase_of(Cycle moment) { return static_cast<WormPhase>(moment % phases); }
  static constexpr Cycle never = INT64_MAX;

  void clear();
  /// `event` happens in `phase` of `cycle`, a moment not before the present one; another one is a
  /// std::invalid_argument, and is not posted.
  void post(Cycle cycle, WormPhase phase, WormEvent event) { post(moment(cycle, phase), event); }
  void post(Cycle moment, WormEvent event);
  /// The first cycle in which something may still happen in `phase`.
  Cycle first_open(WormPhase phase) const {
    return (present_ + phases - 1 - static_cast<Cycle>(phase)) / phases;
  }
  /// The first moment, from the present one on, at which anything happens; never if there is none.
  Cycle next_moment() const;
  /// Makes `moment` the present one. Returns its events, which may grow while they are read.
  std::vector<WormEvent>& turn_to(Cycle moment);
  /// Removes from the pages of the coming `cycles` cycles the events that `belongs` selects, with
  /// their moments.
  template <class Predicate>
  void take_out(Cycle moment, Cycle cycles, Predicate belongs,
                std::vector<std::pair<Cycle, WormEvent>>& taken) {
    for (Cycle at = moment; at < std::min(moment + phases * cycles, present_ + pages); ++at) {
      std::vector<WormEvent>& events = pages_[page(at)];
      std::size_t kept = 0;
      for (const WormEvent& event : events) {
        if (belongs(event)) {
          taken.emplace_back(at, event);
        } else {
          events[kept++] = event;
        }
      }
      events.resize(kept);
      if (kept == 0) finish_page(at);
    }
  }
  /// Removes all events from the present moment on.
  void take_all(std::vector<std::pair<Cycle, WormEvent>>& taken);
  /// Ends the present moment.
  void finish_page(Cycle moment);

 private:
  static constexpr Cycle phases = 3;
  // In moments. Most events are a few cycles ahead, so few pages soon have grown and stay in the
  // cache; a convoy that falls asleep looks up to 61 cycles ahead.
  static constexpr Cycle pages = 1 << 9;
  static constexpr Cycle words = pages / 64;

  struct Distant {
    Cycle moment;
    std::uint64_t number;  // of those of a moment the one that was posted first comes first
    WormEvent event;
    bool operator>(const Distant& other) const {
      return std::tie(moment, number) > std::tie(other.moment, other.number);
    }
  };
  static std::size_t page(Cycle moment) {
    return static_cast<std::size_t>(moment) % std::size_t{pages};
  }
  void put(Cycle moment, WormEvent event);
  void post_far(Cycle moment, WormEvent event);

  std::array<std::vector<WormEvent>, pages> pages_;
  std::array<std::uint64_t, words> filled_{};  // pages with an event, one bit each
  std::uint64_t filled_words_ = 0;             // words of `filled_` that are not zero, one bit each
  std::priority_queue<Distant, std::vector<Distant>, std::greater<>> distant_;
  std::uint64_t posted_far_ = 0;  // events that had no page when they were posted
  Cycle present_ = 0;
};

}  // namespace allport
