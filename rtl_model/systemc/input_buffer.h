// SPDX-License-Identifier: Apache-2.0
// The input buffers of one router: a FIFO of depth B for each virtual channel of each input. They
// fall through: a flit accepted in cycle c can leave in cycle c. Only the front flit is looked at;
// a buffer may hold several messages in a row. Demands a credit for every flit accepted.
#pragma once

#include <systemc>
#include <vector>

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/router_config.h"

namespace allport {

class InputBuffer : public sc_core::sc_module {
 public:
  InputBuffer(const sc_core::sc_module_name& name, const RouterConfig& config);

  void reset();
  /// Takes `flit`, on the wires of `input` in cycle `now`. Fatal report when the buffer is full.
  void accept(int input, const Flit& flit, Cycle now);
  /// Removes the front flit.
  void pop(int input, int vc);

  /// Inputs with a flit in any of their buffers, one bit each.
  PortMask occupied_inputs() const { return occupied_inputs_q_; }
  /// Virtual channels of `input` with a flit in their buffer, one bit each.
  std::uint32_t occupied_vcs(int input) const {
    return occupied_vcs_q_[static_cast<std::size_t>(input)];
  }
  int count(int channel_vc) const { return fifo(channel_vc).count_q; }
  const Flit& front(int channel_vc) const { return flits_q_[slot(channel_vc, 0)]; }
  /// The flit `position` behind the front.
  const Flit& flit(int channel_vc, int position) const {
    return flits_q_[slot(channel_vc, position)];
  }
  /// Cycle in which the front flit arrived; kept only where a replication delay needs it.
  Cycle front_arrival(int channel_vc) const { return arrivals_q_[slot(channel_vc, 0)]; }

 private:
  struct Fifo {
    std::uint16_t head_q = 0;
    std::uint16_t count_q = 0;
  };

  const Fifo& fifo(int channel_vc) const { return fifos_q_[static_cast<std::size_t>(channel_vc)]; }
  std::size_t slot(int channel_vc, int position) const {
    int place = fifo(channel_vc).head_q + position;
    if (place >= config_.buffer_depth_flits) place -= config_.buffer_depth_flits;
    return static_cast<std::size_t>(channel_vc) *
               static_cast<std::size_t>(config_.buffer_depth_flits) +
           static_cast<std::size_t>(place);
  }

  const RouterConfig& config_;
  std::vector<Flit> flits_q_;
  std::vector<Cycle> arrivals_q_;
  std::vector<Fifo> fifos_q_;
  std::vector<std::uint32_t> occupied_vcs_q_;
  PortMask occupied_inputs_q_ = 0;
};

}  // namespace allport
