// SPDX-License-Identifier: Apache-2.0
// The state that all units of the fabric of worms share: passages, virtual channels and worms, the
// calendar, and the list of passages to be decided upon in the present phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "rtl_model/topology/router_config.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/state.h"

namespace allport {

/// Zeroed memory that costs nothing until it is touched: a 20-cube has sixty million channels.
template <class Item>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size) : size_(size) { clear(); }
  /// Sets all items to zero again.
  void clear() {
    items_ = nullptr;  // freed before the new ones are allocated
    items_.reset(static_cast<Item*>(std::calloc(size_, sizeof(Item))));
    if (items_ == nullptr) throw std::bad_alloc();
  }
  Item& operator[](std::size_t at) { return items_[at]; }
  const Item& operator[](std::size_t at) const { return items_[at]; }

 private:
  struct Free {
    void operator()(Item* items) const { std::free(items); }
  };
  std::size_t size_;
  std::unique_ptr<Item[], Free> items_;
};

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
  const int hop_cycles;  ///< 1 + d cycles

  std::vector<Passage> passages;  ///< entry 0 is unused
  ZeroedArray<WormChannel> channels;
  std::vector<Worm> worms;
  std::vector<WormIndex> noted;
  WormCalendar present_calendar;
  WormCalendar* calendar = &present_calendar;       ///< or the calendar of a convoy that catches up
  std::vector<WormContentionListener*> contention;  ///< in the order in which they came

  void tell_of_contention(const WormWait& wait) const {
    for (WormContentionListener* listener : contention) listener->on_contention(wait);
  }
};

}  // namespace allport
