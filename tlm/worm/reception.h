// SPDX-License-Identifier: Apache-2.0
// WormReceptionBuffers holds back the credits of ejection channels where nodes do not take every
// message at once.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/base/zeroed_array.h"
#include "rtl_model/router/reception_buffer.h"
#include "tlm/worm/store.h"
#include "tlm/worm/unit.h"

namespace allport {

class WormReceptionBuffers : private WormUnit {
 public:
  explicit WormReceptionBuffers(WormStore& store);
  void reset();

  /// A flit has come by `vc`.
  void arrive(WormIndex vc) {
    at(vc).arrive();
    look_at(vc);
  }
  /// The node takes `flits` flits that came by `vc`, before the routers decide in cycle `now`.
  /// Those of the cycle before may not have decided yet: it does not count for them.
  void take(WormIndex vc, std::int64_t flits, Cycle now) {
    takes_.push_back({now, vc, flits});
    store_.calendar->post(now, WormPhase::switching, {vc, WormEvent::What::taken});
  }
  /// Credits of `vc` may be due in this cycle.
  void look_at(WormIndex vc);
  /// Sends those that are; all flits that come in cycle `now` have come.
  void return_credits(Cycle now);

 private:
  struct Take {
    Cycle cycle;
    WormIndex vc;
    std::int64_t flits;
  };
  ReceptionBuffer& at(WormIndex vc) { return buffers_[vc - store_.first_ejection]; }

  ZeroedArray<ReceptionBuffer> buffers_;  // by ejection VC
  std::vector<WormIndex> noted_;
  std::vector<Take> takes_;  // those that no credit has gone by yet, in the order of their cycles
};

}  // namespace allport
