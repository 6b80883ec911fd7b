// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/retry_pins.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

[[noreturn]] void fault(const char* what, const char* port_kind, int port, Cycle cycle) {
  throw std::runtime_error(std::string("the RTL ") + what + ": " + port_kind + " " +
                           std::to_string(port) + " in cycle " + std::to_string(cycle));
}

std::size_t words_of(std::size_t bits) { return (bits + 31) / 32; }

}  // namespace

std::uint16_t flit_checksum(const std::uint32_t* words, std::size_t offset, std::size_t width) {
  constexpr unsigned polynomial = 0x8005;
  unsigned sum = 0;
  for (std::size_t bit = width; bit-- > 0;) {
    const bool is_over = (sum >> 15 != 0) != get_bit(words, offset + bit);
    sum = (sum << 1 & 0xFFFF) ^ (is_over ? polynomial : 0);
  }
  return static_cast<std::uint16_t>(sum);
}

RetryPins::RetryPins(PinModel& model, const PinLayout& layout, const RouterConfig& config,
                     NodeId node)
    : model_(model),
      layout_(layout),
      config_(config),
      node_(node),
      ends_(static_cast<std::size_t>(config.external_ports)),
      in_error_(ends_.size()) {
  if (model.inputs().nack_i == nullptr) {
    throw std::invalid_argument("the router in RTL has no pins for retry");
  }
  reset();
}

void RetryPins::reset() {
  for (int output = 0; output < config_.external_ports; ++output) {
    SendingEnd& end = ends_[static_cast<std::size_t>(output)];
    end = {};
    end.length = config_.replay_cycles_at(node_, output);
    end.replays.fill(-end.length);
  }
  std::fill(in_error_.begin(), in_error_.end(), 0);
  has_nacks_ = false;
}

void RetryPins::put_flit(int input, Damage damage, Cycle now) {
  const auto width = static_cast<std::size_t>(layout_.flit_width);
  const auto port = static_cast<std::size_t>(input);
  std::uint32_t* const flits = model_.inputs().flit_i;
  std::uint32_t* const sums = model_.inputs().checksum_i;
  put_bits(sums, port * checksum_bits, checksum_bits, flit_checksum(flits, port * width, width));
  in_error_[port] = damage == Damage::found ? 1 : 0;
  if (damage == Damage::none) return;
  SplitMix64 draw(static_cast<std::uint64_t>(now) * ends_.size() + port);
  const std::size_t bit = draw.next() % (width + checksum_bits);
  std::uint32_t* const words = bit < width ? flits : sums;
  const std::size_t at = bit < width ? port * width + bit : port * checksum_bits + bit - width;
  words[at / 32] ^= std::uint32_t{1} << at % 32;
}

void RetryPins::put_nack(int output, Cycle until) {
  put_bit(model_.inputs().nack_i, static_cast<std::size_t>(output));
  has_nacks_ = true;
  SendingEnd& end = ends_[static_cast<std::size_t>(output)];
  end.replays = {end.replays[1], until + config_.exit_delay() - end.length + 1};
}

void RetryPins::clear_inputs() {
  std::fill(in_error_.begin(), in_error_.end(), 0);
  if (has_nacks_) std::fill_n(model_.inputs().nack_i, words_of(ends_.size()), 0);
  has_nacks_ = false;
}

void RetryPins::look(Cycle now) {
  look_at_nacks(now);
  for (int output = 0; output < config_.external_ports; ++output) look_at(output, now + 1);
}

void RetryPins::look_at_nacks(Cycle now) const {
  for (int input = 0; input < config_.external_ports; ++input) {
    const auto port = static_cast<std::size_t>(input);
    const bool is_nack = get_bit(model_.outputs().nack_o, port);
    if (is_nack == (in_error_[port] != 0)) continue;
    fault(is_nack ? "asks for a flit that was not in error"
                  : "does not ask for a flit that was in error",
          "input", input, now + 1);
  }
}

// What is on the pins in `cycle`.
void RetryPins::look_at(int output, Cycle cycle) {
  SendingEnd& end = ends_[static_cast<std::size_t>(output)];
  end.is_repeating = end.repeats_in(cycle);
  const bool is_valid = get_bit(model_.outputs().valid_o, static_cast<std::size_t>(output));
  const Bits flit = is_valid ? flit_of(output, cycle) : Bits{};
  Bits due;
  for (; !end.line.empty(); end.line.pop_front()) {
    const Cycle again = end.line.front().cycle + end.length;
    if (again > cycle) break;
    if (!end.repeats_in(again)) continue;
    if (again < cycle) fault("has not repeated a flit", "output", output, again);
    due = end.line.front().flit;
  }
  if (end.is_repeating && flit != due) {
    fault("does not repeat what its channel carried", "output", output, cycle);
  }
  if (is_valid) end.line.push_back({cycle, flit});
}

// The flit on `output`, whose checksum must be right.
RetryPins::Bits RetryPins::flit_of(int output, Cycle cycle) const {
  const auto width = static_cast<std::size_t>(layout_.flit_width);
  const auto port = static_cast<std::size_t>(output);
  const std::uint32_t* const flits = model_.outputs().flit_o;
  const auto sum = get_bits(model_.outputs().checksum_o, port * checksum_bits, checksum_bits);
  if (sum != flit_checksum(flits, port * width, width)) {
    fault("sends a flit with a wrong checksum", "output", output, cycle);
  }
  Bits flit;
  for (std::size_t bit = 0; bit < width; bit += 32) {
    const int rest = static_cast<int>(std::min<std::size_t>(32, width - bit));
    flit.push_back(static_cast<std::uint32_t>(get_bits(flits, port * width + bit, rest)));
  }
  return flit;
}

}  // namespace allport
