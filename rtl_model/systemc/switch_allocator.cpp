// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/switch_allocator.h"

#include <algorithm>
#include <string>

namespace allport {

SwitchAllocator::SwitchAllocator(const sc_core::sc_module_name& name, const RouterConfig& config)
    : sc_module(name),
      config_(config),
      credits_q_(static_cast<std::size_t>(config.channel_vcs())),
      input_q_(static_cast<std::size_t>(config.ports())),
      output_q_(input_q_.size()),
      input_requests_d_(input_q_.size()),
      output_requests_d_(input_q_.size()) {
  grants_d_.reserve(input_q_.size());
  reset();
}

void SwitchAllocator::reset() {
  std::fill(credits_q_.begin(), credits_q_.end(),
            static_cast<std::uint16_t>(config_.buffer_depth_flits));
  std::fill(input_q_.begin(), input_q_.end(), RoundRobinArbiter{});
  std::fill(output_q_.begin(), output_q_.end(), RoundRobinArbiter{});
  std::fill(input_requests_d_.begin(), input_requests_d_.end(), InputRequest{});
  std::fill(output_requests_d_.begin(), output_requests_d_.end(), OutputRequest{});
  requesting_inputs_d_ = 0;
  requested_outputs_d_ = 0;
}

void SwitchAllocator::accept_credit(int output_vc) {
  std::uint16_t& credits = credits_q_[static_cast<std::size_t>(output_vc)];
  if (credits == config_.buffer_depth_flits) {
    const std::string message =
        std::string(name()) + ": output VC " + std::to_string(output_vc) + " has a credit too many";
    SC_REPORT_FATAL("/allport/switch_allocator", message.c_str());
  }
  ++credits;
}

void SwitchAllocator::request(int input, int vc, PortMask outputs) {
  InputRequest& best = input_requests_d_[static_cast<std::size_t>(input)];
  const int distance =
      input_q_[static_cast<std::size_t>(input)].distance(vc, config_.vcs_of(input));
  if (best.vc < 0 || distance < best.distance) {
    best = {static_cast<std::int16_t>(vc), static_cast<std::int16_t>(distance), outputs};
  }
  requesting_inputs_d_ |= PortMask{1} << input;
}

void SwitchAllocator::ask_outputs(int input, PortMask outputs) {
  for (PortMask rest = outputs; rest != 0; rest &= rest - 1) {
    const auto output = static_cast<std::size_t>(__builtin_ctzll(rest));
    OutputRequest& best = output_requests_d_[output];
    const int distance = output_q_[output].distance(input, config_.ports());
    if (best.input < 0 || distance < best.distance) {
      best = {static_cast<std::int16_t>(input), static_cast<std::int16_t>(distance)};
    }
  }
  requested_outputs_d_ |= outputs;
}

const std::vector<SwitchAllocator::Grant>& SwitchAllocator::allocate() {
  grants_d_.clear();
  for (PortMask rest = requesting_inputs_d_; rest != 0; rest &= rest - 1) {
    const int input = __builtin_ctzll(rest);
    ask_outputs(input, input_requests_d_[static_cast<std::size_t>(input)].outputs);
  }
  for (PortMask rest = requested_outputs_d_; rest != 0; rest &= rest - 1) {
    const int output = __builtin_ctzll(rest);
    OutputRequest& winner = output_requests_d_[static_cast<std::size_t>(output)];
    const int input = winner.input;
    const int vc = input_requests_d_[static_cast<std::size_t>(input)].vc;
    output_q_[static_cast<std::size_t>(output)].won(input, config_.ports());
    input_q_[static_cast<std::size_t>(input)].won(vc, config_.vcs_of(input));
    grants_d_.push_back({static_cast<std::int16_t>(output), static_cast<std::int16_t>(input),
                         static_cast<std::int16_t>(vc)});
    winner = OutputRequest{};
  }
  for (PortMask rest = requesting_inputs_d_; rest != 0; rest &= rest - 1) {
    input_requests_d_[static_cast<std::size_t>(__builtin_ctzll(rest))] = InputRequest{};
  }
  requesting_inputs_d_ = 0;
  requested_outputs_d_ = 0;
  return grants_d_;
}

}  // namespace allport
