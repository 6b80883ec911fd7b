// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_contention.h"

namespace allport {

void find_contention(const RouterState& router, const std::vector<std::uint16_t>& credits,
                     const IsContention& is_contention, std::vector<ContentionPair>& pairs) {
  const auto credits_left = [&](int output_vc) {
    return credits[static_cast<std::size_t>(output_vc)];
  };
  pairs.clear();
  for_each_loss(router, credits_left, [&](const Loss& loss, int input_vc) {
    if (!is_contention(loss)) return;
    const int vc =
        router.output_vc(input_vc, loss.output) - router.config().channel_vc(loss.output, 0);
    pairs.push_back({input_vc, loss.output, vc, loss.waiting, loss.holding});
  });
}

void WaveWaits::add(const ContentionPair& pair, Cycle first, Cycle cycles) {
  const auto [place, is_new] =
      places_.try_emplace({pair.output, pair.waiting, pair.holding}, list_.size());
  if (is_new) list_.push_back({pair.output, pair.vc, pair.waiting, pair.holding, first, 0});
  list_[place->second].cycles += cycles;
}

}  // namespace allport
