// SPDX-License-Identifier: Apache-2.0
// The switch allocator decides which flits cross the switch in this cycle, and keeps the credit
// counters that limit them. First each input chooses one of its virtual channels that has an output
// VC and a credit; then each output chooses one of the inputs that request it. An input's choice
// counts as won when one of its flits moves. A flit without a credit never wins.
#pragma once

#include <cstdint>

#include "rtl_model/base/bits.h"
#include "rtl_model/systemc/round_robin_arbiter.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class SwitchAllocator : public Unit {
 public:
  /// Output `output` takes the front flit of VC `vc` of `input`.
  struct Grant {
    int output = 0;
    int input = 0;
    int vc = 0;
    int channel_vc = 0;
  };

  SwitchAllocator(const char* name, const RouterConfig& config, UnitPlace place = {});

  void reset();

  /// Accepts a credit for `output_vc` that is on the wire. The report is fatal if no credit was
  /// missing.
  void accept_credit(int output_vc) {
    std::uint16_t& credits = credits_q_[output_vc];
    if (credits == config_.buffer_depth) report_overflow(output_vc);
    ++credits;
  }
  /// Notes that a flit leaves by `output_vc`.
  void use_credit(int output_vc) { --credits_q_[output_vc]; }
  int credits(int output_vc) const { return credits_q_[output_vc]; }
  bool has_all_credits(int output_vc) const {
    return credits_q_[output_vc] == config_.buffer_depth;
  }

  /// Notes that VC `vc` of `input` has a flit that `outputs` could take now (it has a virtual
  /// channel and a credit there).
  void request(int input, int vc, PortMask outputs) {
    request(input, vc, config_.channel_vc(input, vc), outputs);
  }
  /// The same, where the number of that VC is known.
  void request(int input, int vc, int channel_vc, PortMask outputs) {
    const PortMask bit = PortMask{1} << input;
    if ((requesting_d_ & bit) != 0 && !is_before(vc, requests_d_[input].vc, input)) return;
    requesting_d_ |= bit;
    requests_d_[input] = {outputs, vc, channel_vc};
  }
  // For a flit whose operands lie in several inputs, and leave them together:
  /// Whether `input` has chosen its VC `vc`, once all requests of this cycle are there.
  bool has_chosen(int input, int vc) const { return requests_d_[input].vc == vc; }
  /// Takes back the outputs that `input` requests.
  void withdraw(int input) { requests_d_[input].outputs = 0; }
  /// Notes that the choice of VC `vc` of `input` has won with that of another input.
  void won_with_another(int input, int vc) {
    if (config_.vcs > 1) input_q_[input].won(vc, config_.vcs_of(input));
  }
  /// This cycle's grants, by output; valid until the next call.
  const BoundedList<Grant>& allocate() {
    grants_d_.clear();
    for (const int output : bits(choose_inputs())) {
      const int input = chosen_d_[output];
      const Request& request = requests_d_[input];
      output_q_[output].won(input, config_.ports());
      if (config_.vcs > 1) input_q_[input].won(request.vc, config_.vcs_of(input));
      grants_d_.push_back({output, input, request.vc, request.channel_vc});
    }
    requesting_d_ = 0;
    return grants_d_;
  }
  const BoundedList<Grant>& grants() const { return grants_d_; }

 private:
  struct Request {  // the choice of an input so far in this cycle
    PortMask outputs = 0;
    int vc = 0;
    int channel_vc = 0;
  };

  bool is_before(int vc, int chosen, int input) const {
    const RoundRobinArbiter& arbiter = input_q_[input];
    const int vcs = config_.vcs_of(input);
    return arbiter.distance(vc, vcs) < arbiter.distance(chosen, vcs);
  }
  bool is_before(int input, int chosen, const RoundRobinArbiter& arbiter) const {
    return arbiter.distance(input, config_.ports()) < arbiter.distance(chosen, config_.ports());
  }
  // Each output chooses among the inputs that request it. Returns the outputs that are requested.
  PortMask choose_inputs() {
    PortMask asked = 0;
    for (const int input : bits(requesting_d_)) {
      const PortMask outputs = requests_d_[input].outputs;
      for (const int output : bits(outputs)) {
        const bool is_contested = (asked >> output & 1U) != 0;
        if (is_contested && !is_before(input, chosen_d_[output], output_q_[output])) continue;
        chosen_d_[output] = input;
      }
      asked |= outputs;
    }
    return asked;
  }
  void report_overflow(int output_vc) const;

  Registers<std::uint16_t> credits_q_;     // per output VC
  Registers<RoundRobinArbiter> input_q_;   // per input, over its VCs
  Registers<RoundRobinArbiter> output_q_;  // per output, over inputs
  Combinational<int> chosen_d_;            // per requested output: the input that it takes
  Combinational<Request> requests_d_;      // per requesting input
  BoundedList<Grant> grants_d_;
  PortMask requesting_d_ = 0;
};

}  // namespace allport
