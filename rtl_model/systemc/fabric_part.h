// SPDX-License-Identifier: Apache-2.0
// A part of a fabric: what one thread decides of a cycle.
#pragma once

#include <algorithm>

#include "rtl_model/systemc/fabric.h"

namespace allport {

/// Some of the routers, and the registers of what they send. What goes to another part lies in
/// slots of cycles to come while that one takes what is there in the present cycle.
struct alignas(64) Fabric::Part {
  Part(const RouterConfig& config, std::size_t place, std::size_t parts)
      : number(place),
        arrivals_q(parts,
                   DelayLine<Arrival>(std::max(config.longest_hop(), config.longest_replay()))),
        credits_q(parts,
                  DelayLine<Credit>(std::max({config.longest_hop(), config.longest_replay(), 2}))),
        acks_q(parts, DelayLine<Credit>(std::max(config.longest_hop(), 2))) {}

  void clear() {
    for (auto& line : arrivals_q) line.clear();
    for (auto& line : credits_q) line.clear();
    for (auto& line : acks_q) line.clear();
    terminal_credits_q.clear();
    terminal_acks_q.clear();
    ejected_d.clear();
    awake_q.clear();
    calling_q.clear();
    called_d.clear();
    wakes_d.clear();
    is_served_d = false;
    flit_hops = 0;
    ejected_flits = 0;
    last_movement = -1;
  }

  /// Whether something of it arrives at routers in `cycle`, from `now` on.
  bool arrives(Cycle cycle, Cycle now) const {
    const bool is_within = cycle - now <= static_cast<Cycle>(arrivals_q.front().reach());
    for (std::size_t to = 0; to < arrivals_q.size(); ++to) {
      const bool has_flits = is_within && !arrivals_q[to].on(cycle).empty();
      if (has_flits || !credits_q[to].on(cycle).empty() || !acks_q[to].on(cycle).empty()) {
        return true;
      }
    }
    return false;
  }

  const std::size_t number;
  StateArena arena;  // the state of its routers
  // By the part to which they go:
  std::vector<DelayLine<Arrival>> arrivals_q;
  std::vector<DelayLine<Credit>> credits_q;
  std::vector<DelayLine<Credit>> acks_q;  // acknowledgements of circuits, handled like credits
  DelayLine<TerminalCredit> terminal_credits_q{2};
  DelayLine<TerminalCredit> terminal_acks_q{2};
  std::vector<Arrival> ejected_d;      // input: internal port
  std::vector<std::uint32_t> awake_q;  // routers to call in the cycle being decided next
  std::vector<std::uint32_t> awake_d;
  std::vector<std::uint32_t> calling_q;  // terminals to call in the next cycle
  std::vector<std::uint32_t> called_d;   // and in the present one
  std::vector<Wake> wakes_d;             // asked for while its thread serves its terminals
  bool is_served_d = false;              // whether its thread has served them in the present cycle
  std::uint64_t flit_hops = 0;
  std::uint64_t ejected_flits = 0;
  Cycle last_movement = -1;
};

}  // namespace allport
