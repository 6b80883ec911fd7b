// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/input_buffer.h"

#include <algorithm>
#include <sstream>

namespace allport {

InputBuffer::InputBuffer(const sc_core::sc_module_name& name, const RouterConfig& config)
    : sc_module(name),
      config_(config),
      flits_q_(static_cast<std::size_t>(config.channel_vcs() * config.buffer_depth_flits)),
      arrivals_q_(config.replication_delay_cycles > 0 ? flits_q_.size() : 0),
      fifos_q_(static_cast<std::size_t>(config.channel_vcs())),
      occupied_vcs_q_(static_cast<std::size_t>(config.ports())) {}

void InputBuffer::reset() {
  std::fill(fifos_q_.begin(), fifos_q_.end(), Fifo{});
  std::fill(occupied_vcs_q_.begin(), occupied_vcs_q_.end(), 0);
  occupied_inputs_q_ = 0;
}

void InputBuffer::accept(int input, const Flit& flit, Cycle now) {
  const int vc = static_cast<int>(index(flit.vc));
  const int channel_vc = config_.channel_vc(input, vc);
  Fifo& fifo = fifos_q_[static_cast<std::size_t>(channel_vc)];
  if (fifo.count_q == config_.buffer_depth_flits) {
    std::ostringstream message;
    message << name() << ": input " << input << " vc " << vc << ": a flit came without a credit in "
            << "cycle " << now << " (" << flit << ")";
    SC_REPORT_FATAL("/allport/input_buffer", message.str().c_str());
  }
  const std::size_t place = slot(channel_vc, fifo.count_q);
  flits_q_[place] = flit;
  if (!arrivals_q_.empty()) arrivals_q_[place] = now;
  ++fifo.count_q;
  occupied_vcs_q_[static_cast<std::size_t>(input)] |= 1U << vc;
  occupied_inputs_q_ |= PortMask{1} << input;
}

void InputBuffer::pop(int input, int vc) {
  Fifo& fifo = fifos_q_[static_cast<std::size_t>(config_.channel_vc(input, vc))];
  if (++fifo.head_q == config_.buffer_depth_flits) fifo.head_q = 0;
  if (--fifo.count_q > 0) return;
  std::uint32_t& occupied = occupied_vcs_q_[static_cast<std::size_t>(input)];
  occupied &= ~(1U << vc);
  if (occupied == 0) occupied_inputs_q_ &= ~(PortMask{1} << input);
}

}  // namespace allport
