// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/reception.h"

#include <cstddef>

namespace allport {

WormReceptionBuffers::WormReceptionBuffers(WormStore& store)
    : store_(store),
      buffers_(store.reception_limit == 0 ? 1 : store.channels.size() - store.first_ejection) {}

void WormReceptionBuffers::reset() {
  buffers_.clear();
  noted_.clear();
}

void WormReceptionBuffers::look_at(WormIndex vc) {
  if (at(vc).is_noted) return;
  at(vc).is_noted = true;
  noted_.push_back(vc);
}

void WormReceptionBuffers::return_credits(Cycle now) {
  for (const WormIndex vc : noted_) {
    Buffer& buffer = at(vc);
    buffer.is_noted = false;
    const std::int32_t out = store_.config.buffer_depth - buffer.owed;
    if (buffer.owed == 0 || buffer.flits + out >= store_.reception_limit) continue;
    --buffer.owed;
    store_.calendar->post(now + 1, WormPhase::switching, {vc, WormEvent::What::credit});
    if (buffer.owed == 0) continue;
    store_.calendar->post(now + 1, WormPhase::switching, {vc, WormEvent::What::taken});
  }
  noted_.clear();
}

}  // namespace allport
