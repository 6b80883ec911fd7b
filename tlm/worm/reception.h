// SPDX-License-Identifier: Apache-2.0
// WormReceptionBuffers holds back the credits of ejection channels where nodes do not take every
// message at once. Each virtual channel of an ejection channel ends in a buffer of its node: a flit
// fills a place in it from the cycle in which it is on the channel until its message is taken. The
// credit that is owed for it goes on the wire one cycle after one in which the flits in the buffer
// and the credits that are out are fewer than the limit, at most one in a cycle; so the buffer
// never holds more than the limit (docs/guide/embed.md).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/base/zeroed_array.h"
#include "tlm/worm/store.h"

namespace allport {

class WormReceptionBuffers {
 public:
  explicit WormReceptionBuffers(WormStore& store);
  void reset();

  /// A flit has come by `vc`.
  void arrive(WormIndex vc) {
    Buffer& buffer = at(vc);
    ++buffer.flits;
    ++buffer.owed;
    look_at(vc);
  }
  /// The node takes `flits` flits that came by `vc`, before the routers decide in cycle `now`.
  void take(WormIndex vc, std::int64_t flits, Cycle now) {
    at(vc).flits -= flits;
    store_.calendar->post(now, WormPhase::switching, {vc, WormEvent::What::taken});
  }
  /// Credits of `vc` may be due in this cycle.
  void look_at(WormIndex vc);
  /// Sends those that are; all flits that come in cycle `now` have come.
  void return_credits(Cycle now);

 private:
  struct Buffer {
    std::int64_t flits = 0;
    std::int32_t owed = 0;  // credits that have not gone on the wire
    bool is_noted = false;
  };
  Buffer& at(WormIndex vc) { return buffers_[vc - store_.first_ejection]; }

  WormStore& store_;
  ZeroedArray<Buffer> buffers_;  // by ejection VC
  std::vector<WormIndex> noted_;
};

}  // namespace allport
