// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/channel_wave.h"

namespace allport {

std::uint64_t wave_kind(const Flit* flit) {
  WaveFlit kind = WaveFlit::none;
  if (flit != nullptr) {
    if (flit->head) {
      kind = flit->tail ? WaveFlit::single : WaveFlit::head;
    } else {
      kind = flit->tail ? WaveFlit::tail : WaveFlit::body;
    }
  }
  return static_cast<std::uint64_t>(kind);
}

void ChannelWave::declare_in(WaveWindow& window) {
  flit_ = declare(window, wave::flit, 0);
  message_ = declare(window, wave::message, std::nullopt);
  vc_ = declare(window, wave::vc, std::nullopt);
  data_ = declare(window, wave::data, std::nullopt);
}

void ChannelWave::show(WaveWindow& window, const Flit* flit) const {
  window.set(flit_, wave_kind(flit));
  window.set(message_, flit != nullptr ? wave_message(flit->message) : std::nullopt);
  window.set(vc_, flit != nullptr ? WaveValue(index(flit->vc)) : std::nullopt);
  window.set(data_, flit != nullptr ? WaveValue(flit->data) : std::nullopt);
}

}  // namespace allport
