// SPDX-License-Identifier: Apache-2.0
// What all units of the fabric of worms share: passages, virtual channels and worms, the calendar,
// and the list of passages to be thought about in the present phase.
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

/// Zeroed memory that costs nothing where it is not touched: a 20-cube has sixty million channels.
template <class Item>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size) : size_(size) { clear(); }
  /// All zero again.
  void clear() {
    items_ = nullptr;  // before the new ones are taken
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

  /// `id` is to be thought about in this phase.
  void note(WormIndex id) {
    if (passages[id].is_noted) return;
    passages[id].is_noted = true;
    noted.push_back(id);
  }

  const RouterConfig& config;
  const Routing& routing;
  const std::uint32_t nodes;
  const WormIndex first_injection;  ///< virtual channels: external ones, injection, ejection
  const WormIndex first_ejection;
  const int hop_cycles;  ///< 1 + d

  std::vector<Passage> passages;  ///< 0: none
  ZeroedArray<WormChannel> channels;
  std::vector<Worm> worms;
  std::vector<WormIndex> noted;
  WormCalendar present_calendar;
  WormCalendar* calendar = &present_calendar;  ///< or that of a past that is caught up with
  WormContentionListener* contention = nullptr;
};

}  // namespace allport
