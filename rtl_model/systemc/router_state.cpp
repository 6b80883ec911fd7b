// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/router_state.h"

#include "rtl_model/base/bits.h"

namespace allport {

PortMask RouterState::unready(int input_vc, PortMask branches) const {
  const Switching switching = config().switching;
  if (!buffers_messages(switching)) return 0;
  const Flit& flit = front(input_vc);
  PortMask outputs = branches & owned(input_vc);
  for (const int output : bits(outputs)) {
    const int credits_there = credits(output_vc(input_vc, output));
    if (may_cross(switching, flit.head, flit.length, buffered(input_vc), credits_there)) {
      outputs &= ~(PortMask{1} << output);
    }
  }
  return outputs;
}

bool RouterState::is_idle() const {
  if (has_flits()) return false;
  for (int output_vc = 0; output_vc < config().channel_vcs(); ++output_vc) {
    if (owner(output_vc) >= 0) return false;
  }
  return true;
}

}  // namespace allport
