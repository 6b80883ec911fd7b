// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_contention.h"

#include "rtl_model/base/bits.h"

namespace allport {

void find_contention(const RouterState& router, const std::vector<std::uint16_t>& credits,
                     const IsContention& is_contention, std::vector<ContentionPair>& pairs) {
  const auto credits_left = [&](int output_vc) {
    return credits[static_cast<std::size_t>(output_vc)];
  };
  pairs.clear();
  for (const RouterState::Stalled& stalled : router.stalled()) {
    const int input_vc = router.config().channel_vc(stalled.input, stalled.vc);
    const MessageId waiting = router.front(input_vc).message;
    for (const int output : bits(stalled.branches)) {
      const MessageId holding = holding_message(router, stalled, input_vc, output, credits_left);
      if (holding == no_message) continue;
      if (!is_contention({router.node(), output, waiting, holding})) continue;
      const int vc = router.output_vc(input_vc, output) - router.config().channel_vc(output, 0);
      pairs.push_back({input_vc, output, vc, waiting, holding});
    }
  }
}

void WaveWaits::add(const ContentionPair& pair, Cycle first, Cycle cycles) {
  const auto [place, is_new] =
      places_.try_emplace({pair.output, pair.waiting, pair.holding}, list_.size());
  if (is_new) list_.push_back({pair.output, pair.vc, pair.waiting, pair.holding, first, 0});
  list_[place->second].cycles += cycles;
}

}  // namespace allport
