// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/host_channel.h"

#include <algorithm>

#include "rtl_model/base/run_end.h"
#include "tlm/message/message.h"

namespace allport {

HostChannel::HostChannel(const sc_core::sc_module_name& name, const HostModel& model)
    : sc_module(name), socket("socket"), model_(model) {
  socket.bind(*this);
}

void HostChannel::reset(const CycleClock& clock) {
  clock_ = &clock;
  free_at_ = 0;
  transfers_ = {};
}

void HostChannel::b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = payload_status(message);
  message.set_response_status(status);
  message.set_dmi_allowed(false);
  if (status != tlm::TLM_OK_RESPONSE) return;
  const Cycle asked = clock_->cycle() + clock_->cycles_in(delay);
  const Cycle taken = model_.cycles(message.get_data_length());
  free_at_ = sum_of_times(std::max(free_at_, asked), taken);
  ++transfers_.count;
  transfers_.bytes += message.get_data_length();
  transfers_.busy = sum_of_times(transfers_.busy, taken);
  delay = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(free_at_ - clock_->cycle()) *
                                       clock_->clock_period().value());
}

tlm::tlm_sync_enum HostChannel::nb_transport_fw(tlm::tlm_generic_payload& message, tlm::tlm_phase&,
                                                sc_core::sc_time& delay) {
  b_transport(message, delay);
  return tlm::TLM_COMPLETED;
}

HostLink::HostLink(const sc_core::sc_module_name& name, const HostModel& model)
    : sc_module(name), channel_("channel", model), socket_("socket") {
  socket_.bind(*this);
  socket_.bind(channel_.socket);
}

void HostLink::reset(const CycleClock& clock) {
  clock_ = &clock;
  channel_.reset(clock);
}

Cycle HostLink::carry(std::size_t bytes) {
  tlm::tlm_generic_payload message;
  message.set_write();
  message.set_data_length(static_cast<unsigned>(bytes));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket_->b_transport(message, delay);
  return clock_->cycles_in(delay);
}

}  // namespace allport
