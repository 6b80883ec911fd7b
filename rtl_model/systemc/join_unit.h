// SPDX-License-Identifier: Apache-2.0
// The join unit brings together the contributions of a group that meet in one router on their way
// to the root. Flits of a join on external inputs never act by themselves: the local contribution,
// at the front of injection input 0, speaks for all. It takes part in a cycle once every input that
// is expected has the same flit of the same join at the front of a buffer, and the delay is over;
// then one flit with the combined data leaves, and all operands leave their buffers together. From
// head to tail the unit remembers in which virtual channels they are. In a switch, which has no
// contribution of its own, the one on the lowest input speaks. Several joins may be on their way
// through a switch; of one only all heads can be there, since each has the inputs but one and comes
// by one virtual channel of each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rtl_model/base/bits.h"
#include "rtl_model/systemc/input_buffer.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class JoinUnit : public Unit {
 public:
  /// What becomes of the local contribution in a cycle.
  enum class State { waits, is_held, is_ready };

  JoinUnit(const char* name, const RouterConfig& config, const Routing& routing, NodeId node,
           UnitPlace place = {})
      : Unit(name, config, place),
        routing_(routing),
        node_(node),
        input_q_(config.external_ports),
        channel_vc_q_(config.channel_vc(config.external_ports, 0)),
        vcs_q_(this->arena(), config.external_ports) {}

  void reset();
  /// The input of the contribution that speaks, and the number of its buffer.
  int input() const { return input_q_; }
  int channel_vc() const { return channel_vc_q_; }

  /// Takes up the join of `head`, which has come to the front of the local input.
  void open(const Flit& head);
  /// In a switch: takes up the join for which the flit at the front of buffer `vc` of `input`
  /// speaks, if its heads may be there; false: another join has begun to leave, or may do so.
  bool take_up(const Flit& front, int input, int vc);
  /// Notes that its flits have left, tails or others.
  void leave(bool is_tail) {
    state_d_ = State::waits;
    if (is_tail) is_under_way_q_ = false;
  }
  /// Notes that a delay holds one of the operands that look() has found in this cycle.
  void hold() { state_d_ = State::is_held; }
  /// Looks for the operands in cycle `now`, in `buffer` or in what shows the same as an
  /// InputBuffer. The report is fatal if a tail meets another flit.
  template <class Buffer>
  State look(const Buffer& buffer, Cycle now);
  /// The result of look() in this cycle.
  bool is_ready() const { return state_d_ == State::is_ready; }

  /// Whether the flit at the front of `channel_vc` speaks for operands that are ready.
  bool is_ready(int channel_vc) const { return is_ready() && channel_vc == channel_vc_q_; }

  /// The external inputs on which operands are expected, beside the one that speaks.
  PortMask inputs() const { return inputs_q_; }
  /// The virtual channel of the operand on `input`, valid while the join is held or ready.
  int vc(int input) const { return vcs_q_[input]; }
  /// The flit that leaves: the one that speaks with the data of all, combined by port, the local
  /// one last, or in the order in which they arrived. At the root of a join-tree its head becomes
  /// that of a tree.
  Flit combined(const InputBuffer& buffer) const;

 private:
  template <class Buffer>
  const Flit& local(const Buffer& buffer) const {
    return buffer.front(channel_vc());
  }
  template <class Buffer>
  const Flit& operand(const Buffer& buffer, int input) const {
    return buffer.front(config_.channel_vc(input, vcs_q_[input]));
  }
  template <class Buffer>
  bool find_heads(const Buffer& buffer);
  template <class Buffer>
  bool has_flits(const Buffer& buffer) const;
  void require_equal_ends(const Flit& local, const Flit& other, int input, Cycle now) const;
  template <class Buffer>
  bool is_delayed(const Buffer& buffer, Cycle now) const;
  std::uint64_t combined_by_port(const InputBuffer& buffer) const;
  std::uint64_t combined_by_arrival(const InputBuffer& buffer) const;

  const Routing& routing_;
  NodeId node_;
  int input_q_;
  int channel_vc_q_;
  bool is_under_way_q_ = false;  // in a switch: from when all heads are there to the tail
  PortMask inputs_q_ = 0;
  int delay_q_ = 0;  // from the arrival of the last operand until it may leave, in cycles
  JoinTag join_q_;   // that of the head: bodies carry none
  bool becomes_tree_q_ = false;
  Registers<std::int8_t> vcs_q_;  // by external input: the VC of the operand
  State state_d_ = State::waits;
};

template <class Buffer>
JoinUnit::State JoinUnit::look(const Buffer& buffer, Cycle now) {
  const bool are_there = local(buffer).head ? find_heads(buffer) : has_flits(buffer);
  state_d_ = State::waits;
  if (!are_there) return state_d_;
  is_under_way_q_ = true;
  for (const int input : bits(inputs_q_)) {
    require_equal_ends(local(buffer), operand(buffer, input), input, now);
  }
  state_d_ = is_delayed(buffer, now) ? State::is_held : State::is_ready;
  return state_d_;
}

// Whether every input has the head of the same join, and where.
template <class Buffer>
bool JoinUnit::find_heads(const Buffer& buffer) {
  const Flit& head = local(buffer);
  for (const int input : bits(inputs_q_)) {
    bool is_found = false;
    for (std::uint32_t vcs = buffer.occupied_vcs(input); vcs != 0 && !is_found; vcs &= vcs - 1) {
      const int vc = __builtin_ctz(vcs);
      const Flit& other = buffer.front(config_.channel_vc(input, vc));
      is_found = other.head && other.kind == head.kind && other.address == head.address &&
                 other.free() == head.free() && other.join == head.join;
      if (is_found) vcs_q_[input] = static_cast<std::int8_t>(vc);
    }
    if (!is_found) return false;
  }
  return true;
}

// Whether the flits behind the heads have come.
template <class Buffer>
bool JoinUnit::has_flits(const Buffer& buffer) const {
  for (const int input : bits(inputs_q_)) {
    if (buffer.count(config_.channel_vc(input, vcs_q_[input])) == 0) return false;
  }
  return true;
}

// Arrivals are kept only where flits may be delayed.
template <class Buffer>
bool JoinUnit::is_delayed(const Buffer& buffer, Cycle now) const {
  if (delay_q_ == 0) return false;
  Cycle last = buffer.front_arrival(channel_vc());
  for (const int input : bits(inputs_q_)) {
    last = std::max(last, buffer.front_arrival(config_.channel_vc(input, vcs_q_[input])));
  }
  return now < last + delay_q_;
}

}  // namespace allport
