// SPDX-License-Identifier: Apache-2.0
// A WormUnit is a part of the fabric of worms, which works on the store that all parts share. What
// it refers to is its own fabric: it stays when a unit is assigned the state of that of another
// one.
#pragma once

#include "rtl_model/base/ids.h"
#include "tlm/worm/state.h"

namespace allport {

struct WormStore;
class WormSwitchAllocation;
class WormVcAllocation;

class WormUnit {
 public:
  WormUnit(const WormUnit&) = delete;

 protected:
  explicit WormUnit(WormStore& store) : store_(store) {}
  ~WormUnit() = default;
  WormUnit& operator=(const WormUnit&) { return *this; }

  WormStore& store_;
};

/// What a convoy that wakes up, and a junction, demand of the flow.
class WormMover {
 public:
  virtual ~WormMover() = default;
  /// Makes `id`, which is running, look ahead again from cycle `now` on.
  virtual void set_timer(WormIndex id, Cycle now) = 0;
  /// Has `id` decided upon in the phase of switching of cycle `now`.
  virtual void wake(WormIndex id, Cycle now) = 0;
  /// The flits of `id` are the first in their buffer from cycle `now` on, in which it is decided
  /// upon in the phase of switching.
  virtual void come_to_front(WormIndex id, Cycle now) = 0;
  /// Notes that the tail of a copy has left by `id`, which leads from a junction onto an ejection
  /// channel.
  virtual void receive(WormIndex id, Cycle now) = 0;
  /// Handles the events in the store's calendar at `moment`.
  virtual void pass(Cycle moment) = 0;
};

/// A unit that lets flits move.
class WormMovingUnit : public WormUnit {
 protected:
  WormMovingUnit(WormStore& store, WormVcAllocation& allocation, WormSwitchAllocation& competition,
                 WormMover& mover)
      : WormUnit(store), allocation_(allocation), competition_(competition), mover_(mover) {}
  ~WormMovingUnit() = default;
  WormMovingUnit(const WormMovingUnit&) = delete;
  WormMovingUnit& operator=(const WormMovingUnit&) { return *this; }

  WormVcAllocation& allocation_;
  WormSwitchAllocation& competition_;
  WormMover& mover_;
};

}  // namespace allport
