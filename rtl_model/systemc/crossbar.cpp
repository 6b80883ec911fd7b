// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/crossbar.h"

namespace allport {

void Crossbar::disconnect() {
  for (PortMask rest = connected_q_; rest != 0; rest &= rest - 1) {
    driver_q_[static_cast<std::size_t>(__builtin_ctzll(rest))] = no_message;
  }
  connected_q_ = 0;
}

void Crossbar::traverse(const Flit& flit, int output, int vc, RouterChannels& channels) {
  Flit leaving = flit;
  leaving.vc = static_cast<VcId>(vc);
  connected_q_ |= PortMask{1} << output;
  driver_q_[static_cast<std::size_t>(output)] = flit.message;
  channels.send(output, leaving);
}

}  // namespace allport
