// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/reception.h"

#include <cstddef>

namespace allport {

WormReceptionBuffers::WormReceptionBuffers(WormStore& store)
    : WormUnit(store),
      buffers_(store.reception_limit == 0 ? 1 : store.channels.size() - store.first_ejection) {}

void WormReceptionBuffers::reset() {
  buffers_.clear();
  noted_.clear();
  takes_.clear();
}

void WormReceptionBuffers::look_at(WormIndex vc) {
  if (at(vc).is_noted) return;
  at(vc).is_noted = true;
  noted_.push_back(vc);
}

void WormReceptionBuffers::return_credits(Cycle now) {
  std::size_t taken = 0;
  for (; taken < takes_.size() && takes_[taken].cycle <= now; ++taken) {
    at(takes_[taken].vc).flits -= takes_[taken].flits;
  }
  takes_.erase(takes_.begin(), takes_.begin() + static_cast<std::ptrdiff_t>(taken));
  for (const WormIndex vc : noted_) {
    ReceptionBuffer& buffer = at(vc);
    buffer.is_noted = false;
    if (!buffer.returns_credit(store_.config.buffer_depth, store_.reception_limit)) continue;
    store_.calendar->post(now + 1, WormPhase::switching, {vc, WormEvent::What::credit});
    if (buffer.owed == 0) continue;
    store_.calendar->post(now + 1, WormPhase::switching, {vc, WormEvent::What::taken});
  }
  noted_.clear();
}

}  // namespace allport
