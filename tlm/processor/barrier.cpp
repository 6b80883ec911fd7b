// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/barrier.h"

#include <utility>

namespace allport {

Barrier::Barrier(const sc_core::sc_module_name& name, const CycleClock& clock, Cycle cost)
    : sc_module(name), clock_(clock), cost_(cost) {
  SC_HAS_PROCESS(Barrier);
  SC_METHOD(release);
  sensitive << complete_;
  dont_initialize();
}

void Barrier::arm(std::vector<std::size_t> receivers, std::function<void(int)> start) {
  missing_ = std::move(receivers);
  start_ = std::move(start);
  running_ = 0;
  complete_.cancel();
}

void Barrier::arrive(int collective) {
  if (--missing_[static_cast<std::size_t>(collective)] > 0 || collective != running_) return;
  if (const auto ahead = clock_.ahead(cost_)) complete_.notify(*ahead);
}

void Barrier::release() {
  ++running_;
  if (static_cast<std::size_t>(running_) < missing_.size()) start_(running_);
}

}  // namespace allport
