// SPDX-License-Identifier: Apache-2.0
// One allport router in a testbench of one's own: two routers of a 1-cube wired pin to pin, a
// one-flit message put on the injection channel of router 0, and the cycle in which it comes out at
// router 1. Prints that cycle; exits with 1 unless it is h + 1 = 2 cycles after the injection.
#include <iostream>
#include <systemc>

#include "rtl_model/systemc/router_pins.h"

namespace {

using allport::Flit;
using allport::VcId;

struct Pins {  // the signals at one input and, by name, one output of a router
  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<Flit> flit;
  sc_core::sc_signal<bool> credit;
  sc_core::sc_signal<VcId> credit_vc;
};

void bind_input(allport::RouterPins& router, std::size_t input, Pins& pins) {
  router.valid_i[input].bind(pins.valid);
  router.flit_i[input].bind(pins.flit);
  router.credit_o[input].bind(pins.credit);
  router.credit_vc_o[input].bind(pins.credit_vc);
}

void bind_output(allport::RouterPins& router, std::size_t output, Pins& pins) {
  router.valid_o[output].bind(pins.valid);
  router.flit_o[output].bind(pins.flit);
  router.credit_i[output].bind(pins.credit);
  router.credit_vc_i[output].bind(pins.credit_vc);
}

}  // namespace

int sc_main(int, char**) {
  const auto topology = allport::parse_topology("hypercube:1");
  const allport::Routing routing(topology, allport::Routing::default_order(*topology));
  const allport::RouterConfig config = allport::router_config(allport::FabricConfig{}, routing);

  sc_core::sc_clock clock("clk", sc_core::sc_time(1, sc_core::SC_NS), 0.5,
                          sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_signal<bool> not_reset;
  allport::RouterPins router_0("router_0", config, routing, allport::NodeId{0});
  allport::RouterPins router_1("router_1", config, routing, allport::NodeId{1});
  Pins there, back;              // the two external channels
  Pins injection_0, ejection_0;  // the internal ones
  Pins injection_1, ejection_1;
  for (allport::RouterPins* router : {&router_0, &router_1}) {
    router->clk_i.bind(clock);
    router->rst_ni.bind(not_reset);
  }
  bind_output(router_0, 0, there);
  bind_input(router_1, 0, there);
  bind_output(router_1, 0, back);
  bind_input(router_0, 0, back);
  bind_input(router_0, 1, injection_0);
  bind_output(router_0, 1, ejection_0);
  bind_input(router_1, 1, injection_1);
  bind_output(router_1, 1, ejection_1);

  not_reset.write(false);
  sc_core::sc_start(sc_core::sc_time(1.5, sc_core::SC_NS));  // an edge in reset
  not_reset.write(true);

  Flit flit;
  flit.head = flit.tail = true;
  flit.address = allport::NodeId{1};
  injection_0.flit.write(flit);
  injection_0.valid.write(true);  // on the injection channel in this cycle
  int cycles = 0;
  while (!ejection_1.valid.read() && cycles < 10) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    injection_0.valid.write(false);
    ++cycles;
  }
  std::cout << "head on the ejection channel " << cycles << " cycles after the injection channel\n";
  return cycles == 2 ? 0 : 1;
}
