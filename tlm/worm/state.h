// SPDX-License-Identifier: Apache-2.0
// These structures are the state of a fabric of worms. A worm is a row of passages: out of its
// node, through each router on its way, the last one onto the ejection channel. A passage moves
// flits from the buffer of one virtual channel to the next; while nothing is in its way it moves
// one flit in every cycle, and needs no decision. Its numbers are those of cycle `at`, and change
// from then on at the rates beside them.
#pragma once

#include <cstdint>

#include "rtl_model/router/flit.h"

namespace allport {

/// Index of a passage or a virtual channel; 0 stands for none.
using WormIndex = std::uint32_t;

/// A virtual channel: its credits at the sender's end, and the passages whose flits are in the
/// buffer at the other end. All fields are zero after reset, so that memory is touched only where a
/// worm comes by.
struct WormChannel {
  Cycle at = 0;
  std::int32_t used = 0;      ///< credits in use (B - used are left) at the beginning of cycle `at`
  WormIndex owner = 0;        ///< the passage that sends into it, from the grant to the tail
  WormIndex front = 0;        ///< the passage whose flits are first in the buffer
  WormIndex back = 0;         ///< the passage whose flits are last in the buffer
  WormIndex waiting = 0;      ///< of VC 0: the heads that request one of the channel's VCs
  std::uint32_t user = 0;     ///< of VC 0: the worms whose way has the channel (LoneWorms)
  std::uint16_t grant = 0;    ///< round robin over the input VCs of the router that sends into it
  std::uint8_t choice = 0;    ///< round robin pointer of its front over the VCs of an output
  std::int8_t returning = 0;  ///< credits that come back per cycle: 0 or 1, briefly more
  bool is_draining = false;   ///< whether its owner uses one credit in every cycle
  bool is_noted = false;      ///< of VC 0: whether heads request in this cycle

  void run_to(Cycle now) {
    used += static_cast<std::int32_t>(now - at) * (is_draining - returning);
    at = now;
  }
};

/// An external channel that is narrower than a flit.
struct WormNarrowChannel {
  Cycle free_from = 0;  ///< the first cycle in which it takes another flit
  MessageId message{};  ///< whose flit it took last
};

struct Passage {
  Cycle at = 0;
  Cycle timer = -1;  ///< when a decision on it is due; -1: when something happens
  Cycle waiting_since = 0;
  std::int32_t arrived = 0;  ///< flits that have come to the router up to and including cycle `at`
  std::int32_t sent = 0;     ///< flits that have left it before cycle `at`
  std::int32_t length = 0;   ///< L, flits of the message
  WormIndex in = 0;          ///< virtual channel from which its flits come; 0: the node itself
  WormIndex out = 0;         ///< virtual channel by which they leave; VC 0 until one is granted
  WormIndex behind = 0;      ///< next passage in the same buffer
  WormIndex next_waiting = 0;
  WormIndex next_competing = 0;  ///< list of those in the router that could move a flit, V > 1 only
  WormIndex previous_competing = 0;
  std::uint32_t worm = 0;
  std::uint32_t node = 0;
  std::uint32_t in_channel = 0;
  std::uint32_t out_channel = 0;
  std::uint32_t junction = 0;  ///< of a tree or join: the junction that it leads into or belongs to
  MessageId message = no_message;
  MessageId held_by = no_message;  ///< the message that keeps its head, or a flit of it, off the
                                   ///< channel
  std::uint16_t input_vc = 0;      ///< number of `in` among the router's input VCs
  std::uint8_t input = 0;          ///< input port
  std::uint8_t output = 0;         ///< output port, or no_output
  std::uint16_t candidates = 1;    ///< VCs that its head may be given at `output`, one bit each;
                                   ///< 0: those of the class of `in`, which is not known yet
  bool is_first : 1;               ///< whether it leads from the node to the injection channel
  bool is_last : 1;                ///< whether it leads onto the ejection channel
  bool is_narrow : 1;              ///< whether a flit occupies its channel for several cycles
  bool is_arriving : 1;            ///< whether a flit arrives in every cycle
  bool is_running : 1;             ///< whether a flit leaves in every cycle
  bool has_channel : 1;            ///< whether it owns `out`
  bool is_waiting : 1;             ///< whether it requests a VC
  bool is_competing : 1;           ///< whether it is in the list of its router
  bool is_noted : 1;               ///< whether it is decided upon in this cycle
  bool is_done : 1;                ///< whether its tail has left
  bool is_asleep : 1;              ///< whether it belongs to a convoy that sleeps
  bool awaits_ack : 1;             ///< of a circuit, out of its node: whether its flits wait for it
  bool is_routed : 1;  ///< whether its head has come to the front, a > 0 only: its route is there
                       ///< when its timer expires

  void run_to(Cycle now) {
    if (at == now) return;
    const auto cycles = static_cast<std::int32_t>(now - at);
    if (is_arriving) arrived = arrived + cycles < length ? arrived + cycles : length;
    if (is_running) sent += cycles;
    at = now;
  }
};

/// The output of a passage by which flits only come.
constexpr std::uint8_t no_output = 255;

/// A router on the way of a tree or a join: flits come in by several channels or leave by several.
/// A passage stands for one channel there: first the operands, by which they come, the one that
/// speaks for a join (the local one, in a switch that of the lowest input) before the others, and
/// behind them the branches, by which they leave. A flit leaves the buffers of all operands when
/// every branch has taken it.
struct WormJunction {
  WormIndex first = 0;        ///< its first operand
  std::uint8_t operands = 1;  ///< their number
  std::uint8_t branches = 1;  ///< their number, behind the operands
  bool is_noted : 1;          ///< whether it is decided upon in this cycle
  bool is_running : 1;        ///< whether a flit leaves by all branches in every cycle
  bool is_narrow : 1;         ///< whether a branch is: then it never runs
  bool has_ejection : 1;      ///< whether one of them is an ejection channel
  Cycle timer = -1;           ///< when a decision on it is due; -1: when something happens
  Cycle delay = 0;            ///< cycles for which a flit that has come is held, r or c or both
  Cycle tail_ready = -1;  ///< when the last tail that has come is held no more, for WormActivity

  WormIndex first_branch() const { return first + operands; }
  WormIndex end() const { return first + operands + branches; }
};

/// What a branch has beyond other passages.
struct WormBranch {
  WormIndex next = 0;  ///< the operand in the next router
  Cycle head = 0;      ///< cycle of the head on the ejection channel
  Cycle front = 0;     ///< of an operand, a > 0 only: from when its head is first in its buffer
};

/// How a worm uses the channels on its way.
enum class WormUse : std::uint8_t {
  none,    ///< that is not known, or it is over
  shared,  ///< others may use them too
  lone,    ///< nobody else does (LoneWorms)
};

struct Worm {
  MessageId message = no_message;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  WormIndex first_passage = 0;
  std::uint32_t passages = 0;    ///< 0: it is over
  std::uint32_t convoy = 0;      ///< the convoy of which it is a member; 0: none
  std::uint32_t decisions = 0;   ///< number of decisions taken for it so far
  std::uint32_t next_watch = 0;  ///< number of decisions from which a convoy is looked for
  std::uint32_t patience = 0;    ///< decisions from one look to the next
  Cycle injected = 0;            ///< cycle of the head on the injection channel
  Cycle head = 0;                ///< cycle of the head on the ejection channel
  std::uint32_t tree = 0;        ///< of a tree or join: its number among these; 0: it is neither
  WormUse use = WormUse::none;
  bool has_left = false;      ///< of a lone worm: whether its injection channel is free again
  bool is_tail_told = false;  ///< of a lone worm: whether the client has been told of its tail
};

}  // namespace allport
