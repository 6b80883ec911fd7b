// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/wave_contention.h"

#include <algorithm>

namespace allport {

namespace {

// The message that kept the front flit of `input_vc` off `output`; no_message: nobody did.
MessageId holding_message(const Router& router, int input_vc, int output, bool is_ready,
                          const std::vector<std::uint16_t>& credits) {
  const int vc = router.vc_allocator.vc(input_vc, output);
  const int output_vc = router.config().channel_vc(output, vc);
  if ((router.vc_allocator.owned(input_vc) >> output & 1U) == 0) {
    const MessageId owner = router.vc_allocator.owner_message(output_vc);
    if (owner != no_message) return owner;  // else its tail has just left
  } else if (!is_ready || credits[static_cast<std::size_t>(output_vc)] == 0) {
    return no_message;
  }
  return router.crossbar.driver(output);
}

}  // namespace

void find_contention(const Router& router, const std::vector<std::uint16_t>& credits,
                     const MessageNames& name, ContentionPairs& pairs) {
  std::fill(pairs.by_output.begin(), pairs.by_output.end(), std::uint16_t{0});
  std::fill(pairs.has_waited.begin(), pairs.has_waited.end(), false);
  for (const Router::Stalled& stalled : router.stalled()) {
    const int input_vc = router.config().channel_vc(stalled.input, stalled.vc);
    const MessageId waiting = router.input_buffer.front(input_vc).message;
    for (PortMask rest = stalled.branches; rest != 0; rest &= rest - 1) {
      const int output = __builtin_ctzll(rest);
      const bool is_ready = (stalled.unready >> output & 1U) == 0;
      const MessageId holding = holding_message(router, input_vc, output, is_ready, credits);
      if (holding == no_message || holding == waiting) continue;
      const NodeId source = name(waiting).u;
      if (source == router.node() && source == name(holding).u) continue;
      ++pairs.by_output[static_cast<std::size_t>(output)];
      pairs.has_waited[static_cast<std::size_t>(input_vc)] = true;
    }
  }
}

}  // namespace allport
