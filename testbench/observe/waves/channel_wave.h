// SPDX-License-Identifier: Apache-2.0
// A ChannelWave is one channel in a wave: the kind of the flit on it, its message, virtual channel
// and data.
#pragma once

#include <cstdint>
#include <optional>

#include "rtl_model/systemc/flit.h"
#include "testbench/observe/waves/wave_names.h"
#include "testbench/observe/waves/wave_window.h"

namespace allport {

/// The kind of `flit` in a wave; null stands for no flit.
std::uint64_t wave_kind(const Flit* flit);
/// `message` as a value; no_message has no value.
inline WaveValue wave_message(MessageId message) {
  if (message == no_message) return std::nullopt;
  return static_cast<std::uint64_t>(message);
}
inline WaveSignal declare(WaveWindow& window, const WaveVariable& variable, WaveValue initial) {
  return window.declare(variable.name, variable.width, initial);
}

class ChannelWave {
 public:
  /// Declares the signals in the open scope.
  void declare_in(WaveWindow& window);
  /// Shows that `flit` is on the channel in the present cycle; null: no flit is.
  void show(WaveWindow& window, const Flit* flit) const;

 private:
  WaveSignal flit_{};
  WaveSignal message_{};
  WaveSignal vc_{};
  WaveSignal data_{};
};

}  // namespace allport
