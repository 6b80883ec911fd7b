// SPDX-License-Identifier: Apache-2.0
// The tests of the RTL's units have these parts in common: a clock, pins of any width and dice. The
// pins of a wrapper are arrays, with one element for each of the units that it holds side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_layout.h"

namespace allport::test {

/// A verilated wrapper. A cycle: set the inputs, settle(), look at the outputs, edge().
template <class Model>
struct Clocked : Model {
  void settle() {
    Model::clk_i = 0;
    Model::eval();
  }
  void edge() {
    Model::clk_i = 1;
    Model::eval();
  }
  void reset() {
    Model::rst_ni = 1;
    settle();
    Model::rst_ni = 0;
    settle();
    edge();
    Model::rst_ni = 1;
  }
};

template <class Pin>
void clear(Pin& pin) {
  std::fill(std::begin(pin.m_storage), std::end(pin.m_storage), 0U);
}

/// Element `i` of `width` bits each.
template <class Pin>
std::uint64_t get(const Pin& pin, int i, int width = 1) {
  return get_bits(pin.m_storage, static_cast<std::size_t>(i) * static_cast<std::size_t>(width),
                  width);
}
template <class Pin>
void put(Pin& pin, int i, int width, std::uint64_t value) {
  put_bits(pin.m_storage, static_cast<std::size_t>(i) * static_cast<std::size_t>(width), width,
           value);
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  int below(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
  bool chance(int percent) { return below(100) < percent; }
  std::uint64_t bits() { return engine_(); }
  /// `width` bits, each set with a chance of `percent`.
  std::uint64_t mask(int width, int percent) {
    std::uint64_t mask = 0;
    for (int i = 0; i < width; ++i) mask |= std::uint64_t{chance(percent)} << i;
    return mask;
  }
  /// For some cycles on: idle, quiet, busy or always.
  int density() {
    static constexpr std::array<int, 5> densities{3, 15, 50, 85, 100};
    return densities[static_cast<std::size_t>(below(static_cast<int>(densities.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

/// The port of channel VC `channel_vc`, and which of the port's VCs it is.
inline int port_of(const RouterConfig& config, int channel_vc) {
  return config.port_of(channel_vc);
}
inline int vc_of(const RouterConfig& config, int channel_vc) {
  return channel_vc - config.channel_vc(port_of(config, channel_vc), 0);
}
/// The message class of those that come in on input VC `input_vc`.
inline int message_class_of(const RouterConfig& config, int input_vc) {
  return config.message_class(port_of(config, input_vc), vc_of(config, input_vc));
}

inline constexpr std::uint64_t seeds = 3;

}  // namespace allport::test
