// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/output_probe.h"

#include <algorithm>
#include <cstddef>

namespace allport {

namespace {

std::size_t words_of(int bits) { return (static_cast<std::size_t>(bits) + 31) / 32; }

}  // namespace

OutputProbe::OutputProbe(PinModel& model, const RouterConfig& config, const PinLayout& layout,
                         std::uint64_t seed)
    : model_(model), generator_(seed) {
  const int flits = layout.ports * layout.flit_width;
  const int vcs = layout.ports * layout.vc_width;
  add_input("valid_i", model.inputs().valid_i, layout.ports);
  add_input("flit_i", model.inputs().flit_i, flits);
  add_input("credit_i", model.inputs().credit_i, layout.ports);
  add_input("credit_vc_i", model.inputs().credit_vc_i, vcs);
  add_output("valid_o", model.outputs().valid_o, layout.ports);
  add_output("flit_o", model.outputs().flit_o, flits);
  add_output("credit_o", model.outputs().credit_o, layout.ports);
  add_output("credit_vc_o", model.outputs().credit_vc_o, vcs);
  if (config.switching != Switching::circuit) return;  // elsewhere ack_i is low
  add_input("ack_i", model.inputs().ack_i, layout.ports * config.vcs);
  add_output("ack_o", model.outputs().ack_o, layout.ports * config.vcs);
}

// The probe writes there. NOLINTNEXTLINE(readability-non-const-parameter)
void OutputProbe::add_input(const char* name, std::uint32_t* words, int bits) {
  inputs_.push_back({name, words, bits, {}, std::vector<std::uint32_t>(words_of(bits))});
}

void OutputProbe::add_output(const char* name, const std::uint32_t* words, int bits) {
  outputs_.push_back({name, words, std::vector<std::uint32_t>(words_of(bits))});
}

void OutputProbe::draw_others() {
  for (Input& input : inputs_) {
    input.driven.assign(input.words, input.words + input.other.size());
    for (int at = 0; at < input.bits; at += 32) {
      put_bits(input.other.data(), static_cast<std::size_t>(at), std::min(32, input.bits - at),
               generator_.next());
    }
  }
}

// The name of an output that has changed; null: all are as they were.
const char* OutputProbe::moved_output() const {
  for (const Output& output : outputs_) {
    if (!std::equal(output.registered.begin(), output.registered.end(), output.words)) {
      return output.name;
    }
  }
  return model_.is_active() == was_active_ ? nullptr : "active_o";
}

std::string OutputProbe::find_path() {
  was_active_ = model_.is_active();
  for (Output& output : outputs_) {
    std::copy_n(output.words, output.registered.size(), output.registered.begin());
  }
  draw_others();
  for (const Input& input : inputs_) {
    std::copy(input.other.begin(), input.other.end(), input.words);
  }
  model_.settle();
  const char* moved = moved_output();
  for (const Input& input : inputs_) {
    std::copy(input.driven.begin(), input.driven.end(), input.words);
  }
  if (moved == nullptr) return {};
  std::string text = std::string(moved) + " changes with the inputs of the same cycle";
  for (const Input& input : inputs_) {  // one at a time, for its name
    std::copy(input.other.begin(), input.other.end(), input.words);
    model_.settle();
    const char* alone = moved_output();
    std::copy(input.driven.begin(), input.driven.end(), input.words);
    if (alone == nullptr) continue;
    text = std::string(alone) + " changes with " + input.name + " in the same cycle";
    break;
  }
  return text + ", without an edge of the clock: every output must be a register";
}

}  // namespace allport
