// SPDX-License-Identifier: Apache-2.0
// RankTimes says what a rank does with its time, cycle by cycle: the rank computes if one of its
// processors does; else it communicates if a message is prepared, being sent (a blocking send) or
// taken over; else it waits.
#pragma once

#include "rtl_model/base/ids.h"

namespace allport {

struct RankTimes {
  Cycle compute = 0;  ///< cycles in which a processor computes
  Cycle communicate =
      0;           ///< cycles in which none computes and a message keeps one, or a port, busy
  Cycle wait = 0;  ///< the other cycles up to `end`
  Cycle end = 0;   ///< the cycle in which its last task ends
};

/// Counts the times of one rank.
class RankClock {
 public:
  /// Notes that in cycle `now` so many more processors compute, and so many more messages are
  /// prepared, being sent or taken over.
  void change(Cycle now, int computing, int communicating) {
    add_up(now);
    computing_ += computing;
    communicating_ += communicating;
  }
  /// Notes that a task ends in cycle `now`.
  void end(Cycle now) { times_.end = now; }
  /// The times up to the end of the last task; for the end of a run.
  RankTimes times() const {
    RankTimes times = times_;
    times.wait = times.end - times.compute - times.communicate;
    return times;
  }

 private:
  void add_up(Cycle now) {
    if (computing_ > 0) {
      times_.compute += now - since_;
    } else if (communicating_ > 0) {
      times_.communicate += now - since_;
    }
    since_ = now;
  }

  RankTimes times_;
  Cycle since_ = 0;
  int computing_ = 0;
  int communicating_ = 0;
};

}  // namespace allport
