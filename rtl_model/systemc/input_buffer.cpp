// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/input_buffer.h"

#include <sstream>

namespace allport {

InputBuffer::InputBuffer(const sc_core::sc_module_name& name, const RouterConfig& config,
                         StateArena* arena)
    : Unit(name, config, arena),
      keeps_arrivals_(config.keeps_arrivals()),
      fifos_q_(this->arena(), config.channel_vcs()),
      occupied_vcs_q_(this->arena(), config.ports()),
      flits_q_(this->arena(), config.channel_vcs() * config.buffer_depth),
      arrivals_q_(this->arena(), keeps_arrivals_ ? config.channel_vcs() * config.buffer_depth : 0) {
}

void InputBuffer::reset() {
  fifos_q_.fill(config_.channel_vcs(), {});
  occupied_vcs_q_.fill(config_.ports(), 0);
  occupied_inputs_q_ = 0;
}

void InputBuffer::report_overflow(int input, const Flit& flit, Cycle now) const {
  std::ostringstream message;
  message << name() << ": input " << input << " vc " << index(flit.vc)
          << ": a flit came without a credit in cycle " << now << " (" << flit << ")";
  SC_REPORT_FATAL("/allport/input_buffer", message.str().c_str());
}

}  // namespace allport
