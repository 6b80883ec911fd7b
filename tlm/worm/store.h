// SPDX-License-Identifier: Apache-2.0
// The state that all units of the fabric of worms share: passages, virtual channels and worms, the
// calendar, and the list of passages to be decided upon in the present phase.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/base/zeroed_array.h"
#include "rtl_model/topology/router_config.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/state.h"

namespace allport {

struct WormStore {
  /// `given`: validated; `given` and `routes` must outlive the store.
  WormStore(const RouterConfig& given, const Routing& routes);
  void reset();

  /// Notes that `id` is to be decided upon in this phase.
  void note(WormIndex id) {
    if (passages[id].is_noted) return;
    passages[id].is_noted = true;
    noted.push_back(id);
  }

  const RouterConfig& config;
  const Routing& routing;
  const std::uint32_t nodes;
  const WormIndex
      first_injection;  ///< virtual channels are numbered: external, injection, ejection
  const WormIndex first_ejection;
  /// 1 + d cycles over the channels of external port `port`.
  Cycle hop_cycles(std::size_t port) const { return 1 + Cycle{config.link_delays[port]}; }

  std::vector<Passage> passages;  ///< entry 0 is unused
  ZeroedArray<WormChannel> channels;
  std::vector<Worm> worms;
  std::vector<WormIndex> noted;
  WormCalendar present_calendar;
  WormCalendar* calendar = &present_calendar;       ///< or the calendar of a convoy that catches up
  std::vector<WormContentionListener*> contention;  ///< in the order in which they came
  WormMovementListener* movement = nullptr;         ///< null: nobody hears of flits

  void tell_of_grant(WormIndex id, Cycle now) const {
    const Passage& passage = passages[id];
    movement->on_granted(id, passage, passage.is_last ? nullptr : &passages[id + 1], now);
  }
  void tell_of_contention(const WormContention& wait) const {
    for (WormContentionListener* listener : contention) listener->on_contention(wait);
  }
};

}  // namespace allport
