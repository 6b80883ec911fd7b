// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/verilated_router.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/bits.h"
#include "rtl_model/verilated/router_straps.h"

namespace allport {

namespace {

std::size_t words_of_acks(const RouterConfig& config) {
  if (config.switching != Switching::circuit) return 0;
  return (static_cast<std::size_t>(config.ports() * config.vcs) + 31) / 32;
}

}  // namespace

VerilatedRouter::VerilatedRouter(std::string name, std::unique_ptr<PinModel> model,
                                 const PinLayout& layout, const Router& twin,
                                 RouterChannels& channels, int hop_cycles)
    : model_(std::move(model)),
      layout_(layout),
      mirror_(std::move(name), twin, *model_, hop_cycles),
      channels_(channels),
      port_words_((static_cast<std::size_t>(layout.ports) + 31) / 32),
      ack_words_(words_of_acks(twin.config())) {
  if (twin.config().retry) retry_.emplace(*model_, layout, twin.config(), twin.node());
  set_straps(*model_, twin.config(), twin.route_computation.routing(), twin.node());
}

void VerilatedRouter::reset() {
  model_->reset(layout_.address(mirror_.node()));
  mirror_.reset();
  if (retry_) retry_->reset();
  has_arrivals_ = has_credits_ = has_acks_ = false;
  has_moved_ = has_freed_ = has_passed_acks_ = false;
  quiet_ = 0;
}

void VerilatedRouter::accept(int input, const Flit& flit, Cycle now) {
  mirror_.accept(input, flit, now);
  put(input, flit, RetryPins::Damage::none, now);
}

void VerilatedRouter::discard(int input, const Flit& flit, bool is_in_error, Cycle now) {
  put(input, flit, is_in_error ? RetryPins::Damage::found : RetryPins::Damage::hidden, now);
}

void VerilatedRouter::put(int input, const Flit& flit, RetryPins::Damage damage, Cycle now) {
  put_bit(model_->inputs().valid_i, static_cast<std::size_t>(input));
  layout_.pack(flit, input, model_->inputs().flit_i);
  if (retry_ && mirror_.config().is_external(input)) retry_->put_flit(input, damage, now);
  has_arrivals_ = true;
}

void VerilatedRouter::accept_nack(int output, Cycle until) {
  mirror_.repeat(output, until);
  retry_->put_nack(output, until);
}

bool VerilatedRouter::accept_credit(int output, int vc) {
  mirror_.accept_credit(output, vc);
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  put_bit(model_->inputs().credit_i, static_cast<std::size_t>(output));
  put_bits(model_->inputs().credit_vc_i, static_cast<std::size_t>(output) * width, layout_.vc_width,
           static_cast<std::uint64_t>(vc));
  has_credits_ = true;
  return true;
}

void VerilatedRouter::accept_ack(int output, int vc) {
  mirror_.accept_ack(output, vc);
  const int line = output * mirror_.config().vcs + vc;
  put_bit(model_->inputs().ack_i, static_cast<std::size_t>(line));
  has_acks_ = true;
}

bool VerilatedRouter::evaluate(Cycle now) {
  mirror_.begin(now);
  clock(now);
  collect_flits(now);
  collect_credits(now);
  if (ack_words_ > 0) collect_acks(now);
  model_->sample();
  collect_crossings(now);
  mirror_.settle(now);
  has_moved_ = mirror_.has_crossed();
  const bool is_awake = this->is_awake();
  clear_inputs();
  return is_awake;
}

void VerilatedRouter::clock(Cycle now) {
  try {
    model_->clock();
    if (retry_) retry_->look(now);
  } catch (const std::runtime_error& error) {
    const std::string text = mirror_.name() + ": " + error.what();
    SC_REPORT_FATAL("/allport/rtl", text.c_str());
  }
}

void VerilatedRouter::collect_flits(Cycle now) {
  const PinModel::Outputs& outputs = model_->outputs();
  for (std::size_t word = 0; word < port_words_; ++word) {
    for (const int bit : bits(outputs.valid_o[word])) {
      const int output = static_cast<int>(word * 32) + bit;
      if (retry_ && retry_->is_repeat(output)) continue;  // it is on the wire again by itself
      mirror_.send(output, layout_.unpack(outputs.flit_o, output), now, channels_);
    }
  }
}

void VerilatedRouter::collect_credits(Cycle now) {
  has_freed_ = false;
  const PinModel::Outputs& outputs = model_->outputs();
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  for (std::size_t word = 0; word < port_words_; ++word) {
    for (const int bit : bits(outputs.credit_o[word])) {
      const int input = static_cast<int>(word * 32) + bit;
      const auto vc = static_cast<int>(
          get_bits(outputs.credit_vc_o, static_cast<std::size_t>(input) * width, layout_.vc_width));
      mirror_.free_place(input, vc, now);
      channels_.return_credit(input, vc);
      has_freed_ = true;
    }
  }
}

void VerilatedRouter::collect_acks(Cycle now) {
  has_passed_acks_ = false;
  const int vcs = mirror_.config().vcs;
  for (std::size_t word = 0; word < ack_words_; ++word) {
    for (const int bit : bits(model_->outputs().ack_o[word])) {
      const int line = static_cast<int>(word * 32) + bit;
      mirror_.acknowledge(line / vcs, line % vcs, now);
      channels_.return_ack(line / vcs, line % vcs);
      has_passed_acks_ = true;
    }
  }
}

// With a crossbar delay: the flits that have won their outputs, by which they leave later.
void VerilatedRouter::collect_crossings(Cycle now) {
  const PinModel::Registers& registers = model_->registers();
  if (registers.grant_q == nullptr) return;
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  const auto ports = static_cast<std::size_t>(layout_.ports);
  for (int output = 0; output < layout_.ports; ++output) {
    const auto row = static_cast<std::size_t>(output);
    const std::uint64_t inputs = get_bits(registers.grant_q, row * ports, layout_.ports);
    if (inputs == 0) continue;
    const auto vc = static_cast<int>(get_bits(registers.vc_q, row * width, layout_.vc_width));
    mirror_.cross(output, vc, layout_.unpack_stored(registers.crossing_q, __builtin_ctzll(inputs)),
                  now, channels_);
  }
}

void VerilatedRouter::clear_inputs() {
  if (has_arrivals_) std::fill_n(model_->inputs().valid_i, port_words_, 0);
  if (has_credits_) std::fill_n(model_->inputs().credit_i, port_words_, 0);
  if (has_acks_) std::fill_n(model_->inputs().ack_i, ack_words_, 0);
  if (retry_) retry_->clear_inputs();
  has_arrivals_ = has_credits_ = has_acks_ = false;
}

bool VerilatedRouter::is_awake() {
  if (model_->has_active_pin()) return model_->is_active();
  const bool is_quiet = !has_arrivals_ && !has_credits_ && !has_acks_ && !has_moved_ &&
                        !has_freed_ && !has_passed_acks_;
  quiet_ = is_quiet ? quiet_ + 1 : 0;
  return quiet_ < quiet_cycles;
}

}  // namespace allport
