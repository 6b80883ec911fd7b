// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/router_pins.h"

#include <algorithm>
#include <ostream>

#include "rtl_model/base/bits.h"

namespace allport {

RouterPins::RouterPins(const sc_core::sc_module_name& name, const RouterConfig& config,
                       const Routing& routing, NodeId node)
    : sc_module(name),
      clk_i("clk_i"),
      rst_ni("rst_ni"),
      valid_i("valid_i", static_cast<std::size_t>(config.ports())),
      flit_i("flit_i", valid_i.size()),
      credit_o("credit_o", valid_i.size()),
      credit_vc_o("credit_vc_o", valid_i.size()),
      valid_o("valid_o", valid_i.size()),
      flit_o("flit_o", valid_i.size()),
      credit_i("credit_i", valid_i.size()),
      credit_vc_i("credit_vc_i", valid_i.size()),
      ack_o("ack_o", config.switching == Switching::circuit ? valid_i.size() : 0),
      ack_i("ack_i", ack_o.size()),
      router("router", config, routing, node, *this),
      config_(config),
      acks_d_(ack_o.size()) {
  SC_HAS_PROCESS(RouterPins);
  SC_METHOD(clock_edge);
  sensitive << clk_i.pos();
  dont_initialize();
}

void RouterPins::clock_edge() {
  for (auto& valid : valid_o) valid.write(false);
  for (auto& credit : credit_o) credit.write(false);
  for (auto& ack : ack_o) ack.write(0);
  if (!rst_ni.read()) {
    router.reset();
    cycle_ = 0;
    return;
  }
  for (int port = 0; port < config_.ports(); ++port) {
    const auto i = static_cast<std::size_t>(port);
    if (credit_i[i].read()) router.accept_credit(port, static_cast<int>(credit_vc_i[i].read()));
    for (const int vc : bits(ack_i.size() > i ? ack_i[i].read() : 0)) {
      router.accept_ack(port, vc);
    }
    if (valid_i[i].read()) router.accept(port, flit_i[i].read(), cycle_);
  }
  std::fill(acks_d_.begin(), acks_d_.end(), 0U);
  router.evaluate(cycle_);
  for (std::size_t i = 0; i < acks_d_.size(); ++i) ack_o[i].write(acks_d_[i]);
  ++cycle_;
}

void RouterPins::send(int output, int vc, const Flit& flit) {
  Flit leaving = flit;
  leaving.vc = static_cast<VcId>(vc);
  valid_o[static_cast<std::size_t>(output)].write(true);
  flit_o[static_cast<std::size_t>(output)].write(leaving);
}

void RouterPins::return_credit(int input, int vc) {
  credit_o[static_cast<std::size_t>(input)].write(true);
  credit_vc_o[static_cast<std::size_t>(input)].write(static_cast<VcId>(vc));
}

void RouterPins::return_ack(int input, int vc) {
  acks_d_[static_cast<std::size_t>(input)] |= 1U << vc;
}

std::ostream& operator<<(std::ostream& out, VcId vc) { return out << index(vc); }

void sc_trace(sc_core::sc_trace_file* file, const VcId& vc, const std::string& name) {
  sc_core::sc_trace(file, reinterpret_cast<const unsigned char&>(vc), name);
}

}  // namespace allport
