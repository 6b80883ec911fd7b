// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/reception_takes.h"

#include "testbench/observe/explain/movement.h"

namespace allport {

ReceptionTakes::ReceptionTakes(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_HAS_PROCESS(ReceptionTakes);
  SC_METHOD(take_due);
  sensitive << due_;
  dont_initialize();
}

void ReceptionTakes::reset() {
  later_ = {};
  due_.cancel();
}

void ReceptionTakes::take(const Received& one, Cycle at) {
  if (at <= machine_->clock().cycle()) {
    take_now(one);
    return;
  }
  later_.push({at, one});
  set_timer();
}

void ReceptionTakes::take_now(const Received& one) {
  machine_->take(one);
  if (movement_ == nullptr) return;
  const FabricChannels& channels = movement_->channels();
  const int output = channels.config().external_ports + one.port;
  movement_->take(
      {channels.output(one.node, output, one.message_class), machine_->clock().cycle(), one.flits});
}

void ReceptionTakes::take_due() {
  const Cycle now = machine_->clock().cycle();
  for (; !later_.empty() && later_.top().at <= now; later_.pop()) take_now(later_.top().one);
  set_timer();
}

void ReceptionTakes::set_timer() {
  if (later_.empty()) return;
  const CycleClock& clock = machine_->clock();
  const auto ahead = clock.ahead(later_.top().at - clock.cycle());
  if (ahead) due_.notify(*ahead);  // the earlier one of two notifications holds
}

}  // namespace allport
