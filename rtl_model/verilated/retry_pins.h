// SPDX-License-Identifier: Apache-2.0
// RetryPins are the pins of a router in RTL with retry that others do not have: checksums and nacks
// (rtl_model/sv/allport_retry_router.sv). What is in error has a flipped bit on them, which the RTL
// must find. And it looks whether the RTL asks for what was in error, and for nothing else,
// and whether it repeats, bit by bit and in the right cycles, what it had on its channels.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

/// CRC-16 of x^16 + x^15 + x^2 + 1 over the `width` bits of `words` from bit `offset` on, the last
/// of them first.
std::uint16_t flit_checksum(const std::uint32_t* words, std::size_t offset, std::size_t width);

class RetryPins {
 public:
  static constexpr int checksum_bits = 16;
  /// Of a flit on the wires: whether a bit of it, or of its checksum, has flipped, and whether the
  /// router must find that; where it discards anyway it must not even look.
  enum class Damage { none, hidden, found };

  /// All must outlive it; `model` has the pins.
  RetryPins(PinModel& model, const PinLayout& layout, const RouterConfig& config, NodeId node);

  void reset();
  /// Puts the checksum of the flit that lies on the pins of external `input` beside it, and then
  /// damages either, in cycle `now`.
  void put_flit(int input, Damage damage, Cycle now);
  /// A nack for `output`, which is busy before cycle `until`.
  void put_nack(int output, Cycle until);
  void clear_inputs();

  /// Looks at the outputs after cycle `now` has been decided. Throws std::runtime_error if they are
  /// not what they must be.
  void look(Cycle now);
  /// Whether what `output` has on its pins since then is there once more.
  bool is_repeat(int output) const {
    return config_.is_external(output) && ends_[static_cast<std::size_t>(output)].is_repeating;
  }

 private:
  using Bits = std::vector<std::uint32_t>;
  struct Sent {
    Cycle cycle;
    Bits flit;
  };
  struct SendingEnd {                // of an external output
    Cycle length = 0;                // D
    std::deque<Sent> line;           // what was on the channel in the last D cycles
    std::array<Cycle, 2> replays{};  // the first cycles of the last two
    bool is_repeating = false;

    bool repeats_in(Cycle cycle) const {
      return std::any_of(replays.begin(), replays.end(),
                         [&](Cycle first) { return cycle >= first && cycle < first + length; });
    }
  };

  void look_at_nacks(Cycle now) const;
  void look_at(int output, Cycle cycle);
  Bits flit_of(int output, Cycle cycle) const;

  PinModel& model_;
  const PinLayout& layout_;
  const RouterConfig& config_;
  const NodeId node_;
  std::vector<SendingEnd> ends_;        // by external output
  std::vector<std::uint8_t> in_error_;  // by external input: its flit in the present cycle
  bool has_nacks_ = false;
};

}  // namespace allport
