// SPDX-License-Identifier: Apache-2.0
// The state of a fabric of worms. A worm is a row of passages: out of its node, through each router
// on its way, the last one onto the ejection channel. A passage moves flits from the buffer of one
// virtual channel into another one; while nothing is in its way it moves one in every cycle, and
// needs no thought. Numbers are as of a cycle (`at`) and run on at the rates that stand beside
// them.
#pragma once

#include <cstdint>

#include "rtl_model/systemc/flit.h"

namespace allport {

/// Index of a passage or a virtual channel; 0: none.
using WormIndex = std::uint32_t;

/// A virtual channel: its credits at the sender's end, and whose flits stand in the buffer at the
/// other end. All zero after reset, so that memory is touched only where a worm comes by.
struct WormChannel {
  Cycle at = 0;
  std::int32_t used = 0;    ///< credits in use (B - used are left), at the beginning of cycle `at`
  WormIndex owner = 0;      ///< the passage that sends into it, from the grant to the tail
  WormIndex front = 0;      ///< the passage whose flits are first in the buffer
  WormIndex back = 0;       ///< and the last of those that follow
  WormIndex waiting = 0;    ///< VC 0 of a channel: heads that ask for one of its VCs
  std::uint16_t grant = 0;  ///< round robin over the input VCs of the router that sends into it
  std::uint8_t choice = 0;  ///< round robin of its front over the VCs of an output
  std::int8_t returning = 0;  ///< credits that come back in every cycle: 1, or 0; for a moment more
  bool is_draining : 1;       ///< its owner uses one in every cycle
  bool is_noted : 1;          ///< VC 0 of a channel: heads ask in this cycle

  void run_to(Cycle now) {
    used += static_cast<std::int32_t>(now - at) * (is_draining - returning);
    at = now;
  }
};

struct Passage {
  Cycle at = 0;
  Cycle timer = -1;  ///< when it must be thought about again; -1: when something happens
  Cycle waiting_since = 0;
  std::int32_t arrived =
      0;                    ///< flits that have come to the router by cycle `at`, that one included
  std::int32_t sent = 0;    ///< flits that have left it before cycle `at`
  std::int32_t length = 0;  ///< L
  WormIndex in = 0;         ///< virtual channel its flits come from; 0: the node itself
  WormIndex out = 0;        ///< and the one they leave by; VC 0 of the channel until it is granted
  WormIndex behind = 0;     ///< next in the same buffer
  WormIndex next_waiting = 0;
  WormIndex next_competing = 0;  ///< of the same router; those that could move a flit, V > 1 only
  WormIndex previous_competing = 0;
  std::uint32_t worm = 0;
  std::uint32_t node = 0;
  std::uint32_t in_channel = 0;
  std::uint32_t out_channel = 0;
  MessageId message = no_message;
  MessageId held_by = no_message;  ///< the message that keeps its head off the channel
  std::uint16_t input_vc = 0;      ///< number of `in` among the router's input VCs
  std::uint8_t input = 0;          ///< port
  std::uint8_t output = 0;         ///< port
  std::uint16_t candidates = 1;    ///< VCs that its head may be given at `output`, one bit each
  bool is_first : 1;               ///< from the node to the injection channel
  bool is_last : 1;                ///< onto the ejection channel
  bool is_arriving : 1;            ///< a flit arrives in every cycle
  bool is_running : 1;             ///< a flit leaves in every cycle
  bool has_channel : 1;            ///< owns `out`
  bool is_waiting : 1;             ///< asks for a VC
  bool is_competing : 1;           ///< in the list of its router
  bool is_noted : 1;               ///< to be thought about in this cycle
  bool is_done : 1;                ///< its tail has left
  bool is_asleep : 1;              ///< of a convoy that sleeps

  void run_to(Cycle now) {
    const auto cycles = static_cast<std::int32_t>(now - at);
    if (is_arriving) arrived = arrived + cycles < length ? arrived + cycles : length;
    if (is_running) sent += cycles;
    at = now;
  }
};

struct Worm {
  MessageId message = no_message;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  WormIndex first_passage = 0;
  std::uint32_t passages = 0;
  std::uint32_t convoy = 0;      ///< that it is a member of; 0: of none
  std::uint32_t decisions = 0;   ///< taken for it so far
  std::uint32_t next_watch = 0;  ///< number of decisions from which on a convoy is looked for
  std::uint32_t patience = 0;    ///< decisions between one look and the next
  Cycle injected = 0;            ///< head on the injection channel
  Cycle head = 0;                ///< on the ejection channel
};

}  // namespace allport
