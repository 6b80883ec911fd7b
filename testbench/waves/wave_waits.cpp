// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/wave_waits.h"

namespace allport {

void WaveWaits::add(const ContentionPair& pair, Cycle first, Cycle cycles) {
  const auto [place, is_new] =
      places_.try_emplace({pair.output, pair.waiting, pair.holding}, list_.size());
  if (is_new) list_.push_back({pair.output, pair.vc, pair.waiting, pair.holding, first, 0});
  list_[place->second].cycles += cycles;
}

}  // namespace allport
