// SPDX-License-Identifier: Apache-2.0
// Who crosses the switch in this cycle, and the credit counters that bound it. First each input
// chooses one of its virtual channels that has an output VC and a credit; then each output chooses
// one of the inputs that ask for it. An input's choice counts as won when one of its flits moves. A
// flit without a credit never wins.
#pragma once

#include <systemc>
#include <vector>

#include "rtl_model/systemc/round_robin_arbiter.h"
#include "rtl_model/systemc/router_config.h"

namespace allport {

class SwitchAllocator : public sc_core::sc_module {
 public:
  /// Output `output` takes the front flit of VC `vc` of `input`.
  struct Grant {
    std::int16_t output = 0;
    std::int16_t input = 0;
    std::int16_t vc = 0;
  };

  SwitchAllocator(const sc_core::sc_module_name& name, const RouterConfig& config);

  void reset();

  /// A credit for `output_vc` is on the wire. Fatal report when there was none to come back.
  void accept_credit(int output_vc);
  /// A flit leaves by `output_vc`.
  void use_credit(int output_vc) { --credits_q_[static_cast<std::size_t>(output_vc)]; }
  int credits(int output_vc) const { return credits_q_[static_cast<std::size_t>(output_vc)]; }

  /// VC `vc` of `input` has a flit that `outputs` could take now (virtual channel and credit
  /// there).
  void request(int input, int vc, PortMask outputs);
  /// This cycle's grants, by output; valid until the next call.
  const std::vector<Grant>& allocate();

 private:
  struct InputRequest {
    std::int16_t vc = -1;
    std::int16_t distance = 0;
    PortMask outputs = 0;
  };
  struct OutputRequest {
    std::int16_t input = -1;
    std::int16_t distance = 0;
  };

  void ask_outputs(int input, PortMask outputs);

  const RouterConfig& config_;
  std::vector<std::uint16_t> credits_q_;          // per output VC
  std::vector<RoundRobinArbiter> input_q_;        // per input, over its VCs
  std::vector<RoundRobinArbiter> output_q_;       // per output, over inputs
  std::vector<InputRequest> input_requests_d_;    // per input, this cycle
  std::vector<OutputRequest> output_requests_d_;  // per output, this cycle
  std::vector<Grant> grants_d_;
  PortMask requesting_inputs_d_ = 0;
  PortMask requested_outputs_d_ = 0;
};

}  // namespace allport
