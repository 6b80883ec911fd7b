// SPDX-License-Identifier: Apache-2.0
// Are RouterPins and Verilator's SystemC module of the RTL the same module, pin for pin, in an
// ordinary SystemC testbench with a clock and signals?
#include <gtest/gtest.h>

#include <deque>
#include <systemc>
#include <vector>

#include "VPins.h"
#include "rtl_model/systemc/router_pins.h"
#include "rtl_model/verilated/pin_layout.h"
#include "testbench/conformance/bench_messages.h"

namespace allport {
namespace {

using sc_core::sc_signal;
using sc_core::sc_vector;

constexpr NodeId node{5};
constexpr int external_ports = 3;
constexpr int internal_ports = 2;
constexpr int ports = external_ports + internal_ports;

FabricConfig fabric_config() {
  FabricConfig config;
  config.internal_ports = internal_ports;
  config.vcs = 2;
  config.buffer_depth = 3;
  return config;
}

/// The same pins twice: the inputs are driven together, the outputs are separate.
class Bench : public sc_core::sc_module {
 public:
  explicit Bench(std::uint64_t seed)
      : sc_module(sc_core::sc_module_name("bench")),
        routing(parse_topology("hypercube:3"), RoutingOrder::descending),
        config(router_config(fabric_config(), routing)),
        layout(config, routing, 32),
        systemc("systemc", config, routing, node),
        rtl("rtl"),
        messages_(config, routing, node),
        generator_(seed),
        credits_(static_cast<std::size_t>(config.channel_vcs()), config.buffer_depth),
        sending_(static_cast<std::size_t>(ports)),
        owed_(static_cast<std::size_t>(ports)) {
    bind_systemc();
    bind_rtl();
    SC_HAS_PROCESS(Bench);
    SC_METHOD(drive_and_compare);
    sensitive << clock.negedge_event();
    dont_initialize();
  }

  std::uint64_t differences = 0;
  std::uint64_t flits = 0;
  std::uint64_t cycles = 0;

 private:
  using Words = std::vector<std::uint32_t>;
  struct Sending {
    BenchMessage message;
    int next = 0;
    bool is_open = false;
  };

  void bind_systemc() {
    systemc.clk_i.bind(clock);
    systemc.rst_ni.bind(not_reset);
    systemc.valid_i.bind(valid_i);
    systemc.flit_i.bind(flit_i);
    systemc.credit_o.bind(credit_o);
    systemc.credit_vc_o.bind(credit_vc_o);
    systemc.valid_o.bind(valid_o);
    systemc.flit_o.bind(flit_o);
    systemc.credit_i.bind(credit_i);
    systemc.credit_vc_i.bind(credit_vc_i);
  }
  void bind_rtl() {
    rtl.clk_i(clock);
    rtl.rst_ni(not_reset);
    rtl.node_i(rtl_node_i);
    rtl.valid_i(rtl_valid_i);
    rtl.flit_i(rtl_flit_i);
    rtl.credit_o(rtl_credit_o);
    rtl.credit_vc_o(rtl_credit_vc_o);
    rtl.valid_o(rtl_valid_o);
    rtl.flit_o(rtl_flit_o);
    rtl.credit_i(rtl_credit_i);
    rtl.credit_vc_i(rtl_credit_vc_i);
    rtl.ack_o(rtl_ack_o);
    rtl.ack_i(rtl_ack_i);
    rtl.active_o(rtl_active_o);
    rtl_node_i.write(static_cast<std::uint32_t>(index(node)));
  }

  std::uint64_t draw(std::uint64_t bound) { return generator_.next() % bound; }

  // Runs in the middle of a cycle: the outputs are those of the cycle, the inputs of the next one
  // follow.
  void drive_and_compare() {
    ++cycles;
    not_reset.write(cycles > 2);
    if (cycles <= 3) return;
    compare();
    take_credits();
    drive_flits();
    drive_credits();
  }

  void compare() {
    Words words(static_cast<std::size_t>(ports * layout.flit_width + 31) / 32);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = rtl_flit_o.read().get_word(static_cast<int>(i));
    }
    for (int port = 0; port < ports; ++port) {
      const auto i = static_cast<std::size_t>(port);
      const bool is_valid = (rtl_valid_o.read() >> port & 1U) != 0;
      const bool is_credit = (rtl_credit_o.read() >> port & 1U) != 0;
      if (is_valid != valid_o[i].read() || is_credit != credit_o[i].read()) ++differences;
      if (is_valid && !(layout.unpack(words.data(), port) == flit_o[i].read())) ++differences;
      if (is_credit && (rtl_credit_vc_o.read() >> port & 1U) != index(credit_vc_o[i].read())) {
        ++differences;
      }
    }
  }

  void take_credits() {
    for (int port = 0; port < ports; ++port) {
      const auto i = static_cast<std::size_t>(port);
      if (credit_o[i].read()) {
        ++credits_[static_cast<std::size_t>(
            config.channel_vc(port, static_cast<int>(index(credit_vc_o[i].read()))))];
      }
      if (valid_o[i].read()) owed_[i].push_back(flit_o[i].read().vc);
    }
  }

  void drive_flits() {
    std::uint32_t valid = 0;
    Words words(static_cast<std::size_t>(ports * layout.flit_width + 31) / 32);
    for (int port = 0; port < ports; ++port) {
      const auto i = static_cast<std::size_t>(port);
      valid_i[i].write(false);
      Sending& sending = sending_[i];
      if (!sending.is_open) begin(port);
      if (!sending.is_open || draw(4) == 0) continue;
      const int input_vc = config.channel_vc(port, sending.message.vc);
      if (credits_[static_cast<std::size_t>(input_vc)] == 0) continue;
      --credits_[static_cast<std::size_t>(input_vc)];
      const Flit flit = next_flit(sending);
      valid |= 1U << port;
      layout.pack(flit, port, words.data());
      valid_i[i].write(true);
      flit_i[i].write(flit);
      ++flits;
    }
    rtl_valid_i.write(valid);
    sc_dt::sc_bv<ports * 74> bits;
    for (std::size_t i = 0; i < words.size(); ++i) bits.set_word(static_cast<int>(i), words[i]);
    rtl_flit_i.write(bits);
  }

  // A message for `port`, if chance finds one.
  void begin(int port) {
    const auto message =
        messages_.draw(MessageKind::unicast, 1 + static_cast<int>(draw(5)), generator_);
    if (message && message->input == port) {
      sending_[static_cast<std::size_t>(port)] = {*message, 0, true};
    }
  }

  Flit next_flit(Sending& sending) {
    Flit flit;
    flit.head = sending.next == 0;
    flit.tail = ++sending.next == sending.message.flits;
    flit.vc = vc_id(static_cast<std::size_t>(sending.message.vc));
    flit.data = generator_.next() & 0xffffffffU;
    flit.message = static_cast<MessageId>(flits);
    if (flit.head) flit.address = sending.message.address;
    sending.is_open = !flit.tail;
    return flit;
  }

  void drive_credits() {
    std::uint32_t credit = 0;
    std::uint32_t vcs = 0;
    for (int port = 0; port < ports; ++port) {
      const auto i = static_cast<std::size_t>(port);
      credit_i[i].write(false);
      if (owed_[i].empty() || draw(3) == 0) continue;
      credit_i[i].write(true);
      credit_vc_i[i].write(owed_[i].front());
      credit |= 1U << port;
      vcs |= static_cast<std::uint32_t>(index(owed_[i].front())) << port;
      owed_[i].pop_front();
    }
    rtl_credit_i.write(credit);
    rtl_credit_vc_i.write(vcs);
  }

 public:
  Routing routing;
  RouterConfig config;
  PinLayout layout;

 private:
  sc_core::sc_clock clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  sc_signal<bool> not_reset;
  sc_vector<sc_signal<bool>> valid_i{"valid_i", ports}, credit_o{"credit_o", ports};
  sc_vector<sc_signal<bool>> valid_o{"valid_o", ports}, credit_i{"credit_i", ports};
  sc_vector<sc_signal<Flit>> flit_i{"flit_i", ports}, flit_o{"flit_o", ports};
  sc_vector<sc_signal<VcId>> credit_vc_o{"credit_vc_o", ports}, credit_vc_i{"credit_vc_i", ports};
  sc_signal<std::uint32_t> rtl_node_i, rtl_valid_i, rtl_credit_i, rtl_credit_vc_i;
  sc_signal<std::uint32_t> rtl_valid_o, rtl_credit_o, rtl_credit_vc_o;
  sc_signal<std::uint32_t> rtl_ack_o, rtl_ack_i;  // for circuit switching only
  sc_signal<sc_dt::sc_bv<ports * 74>> rtl_flit_i, rtl_flit_o;
  sc_signal<bool> rtl_active_o;
  RouterPins systemc;
  VPins rtl;
  BenchMessages messages_;
  SplitMix64 generator_;
  std::vector<int> credits_;
  std::vector<Sending> sending_;
  std::vector<std::deque<VcId>> owed_;
};

TEST(RouterPins, AreThePinsOfTheRtl) {
  Bench bench(1);
  ASSERT_EQ(bench.layout.flit_width, 2 + 1 + 3 + 1 + 3 + 64);

  sc_core::sc_start(sc_core::sc_time(20000, sc_core::SC_NS));

  EXPECT_EQ(bench.differences, 0U);
  EXPECT_GT(bench.flits, 5000U);
}

}  // namespace
}  // namespace allport
