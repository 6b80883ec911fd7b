// SPDX-License-Identifier: Apache-2.0
// RouterPins is one router behind pins, with a clock and a process of its own, for any SystemC
// testbench. The pins are named as in the SystemVerilog. At each rising edge it takes the values
// that its input pins had in the cycle that ends and drives what it decided into the cycle that
// begins; every output is a register. Inputs and outputs are numbered as in RouterConfig: external
// ports first, then the internal ones.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/router.h"

namespace allport {

class RouterPins : public sc_core::sc_module, private RouterChannels {
 public:
  sc_core::sc_in<bool> clk_i;
  sc_core::sc_in<bool> rst_ni;  ///< synchronous reset, active low

  sc_core::sc_vector<sc_core::sc_in<bool>> valid_i;  ///< per input
  sc_core::sc_vector<sc_core::sc_in<Flit>> flit_i;
  sc_core::sc_vector<sc_core::sc_out<bool>> credit_o;  ///< per input: a buffer place is free again
  sc_core::sc_vector<sc_core::sc_out<VcId>> credit_vc_o;

  sc_core::sc_vector<sc_core::sc_out<bool>> valid_o;  ///< per output
  sc_core::sc_vector<sc_core::sc_out<Flit>> flit_o;
  sc_core::sc_vector<sc_core::sc_in<bool>> credit_i;  ///< per output
  sc_core::sc_vector<sc_core::sc_in<VcId>> credit_vc_i;

  // Acknowledgements of circuits, one bit per VC; in other switching modes there are none.
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> ack_o;  ///< per input
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> ack_i;   ///< per output

  /// `config` and `routing` must outlive the module.
  RouterPins(const sc_core::sc_module_name& name, const RouterConfig& config,
             const Routing& routing, NodeId node);

  Router router;

 private:
  void clock_edge();
  void send(int output, int vc, const Flit& flit) override;
  void return_credit(int input, int vc) override;
  void return_ack(int input, int vc) override;

  const RouterConfig& config_;
  std::vector<std::uint32_t> acks_d_;  // per input
  Cycle cycle_ = 0;
};

std::ostream& operator<<(std::ostream& out, VcId vc);
void sc_trace(sc_core::sc_trace_file* file, const VcId& vc, const std::string& name);

}  // namespace allport
