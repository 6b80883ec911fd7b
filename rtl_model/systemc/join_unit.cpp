// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/join_unit.h"

#include <algorithm>
#include <string>

#include "rtl_model/topology/group_routes.h"

namespace allport {

void JoinUnit::reset() {
  inputs_q_ = 0;
  state_d_ = State::waits;
}

void JoinUnit::open(const Flit& head) {
  inputs_q_ = join_inputs(routing_, node_, head.address, head.free());
  becomes_tree_q_ = head.kind == MessageKind::join_tree && head.address == node_;
  join_q_ = head.join;
  delay_q_ = (inputs_q_ != 0 ? config_.combine_delay : 0) +
             (becomes_tree_q_ ? config_.replication_delay : 0);
}

JoinUnit::State JoinUnit::look(const InputBuffer& buffer, Cycle now) {
  const bool are_there = local(buffer).head ? find_heads(buffer) : has_flits(buffer);
  state_d_ = State::waits;
  if (!are_there) return state_d_;
  require_equal_ends(buffer, now);
  state_d_ = is_delayed(buffer, now) ? State::is_held : State::is_ready;
  return state_d_;
}

// Whether every input has the head of the same join, and where.
bool JoinUnit::find_heads(const InputBuffer& buffer) {
  const Flit& head = local(buffer);
  for (PortMask rest = inputs_q_; rest != 0; rest &= rest - 1) {
    const int input = __builtin_ctzll(rest);
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
bool JoinUnit::has_flits(const InputBuffer& buffer) const {
  for (PortMask rest = inputs_q_; rest != 0; rest &= rest - 1) {
    const int input = __builtin_ctzll(rest);
    if (buffer.count(config_.channel_vc(input, vcs_q_[input])) == 0) return false;
  }
  return true;
}

void JoinUnit::require_equal_ends(const InputBuffer& buffer, Cycle now) const {
  for (PortMask rest = inputs_q_; rest != 0; rest &= rest - 1) {
    const int input = __builtin_ctzll(rest);
    const Flit& other = operand(buffer, input);
    if (other.tail == local(buffer).tail && other.head == local(buffer).head) continue;
    const std::string message =
        std::string(name()) + ": node " + std::to_string(index(node_)) + ", cycle " +
        std::to_string(now) + ": the contributions to a join have different lengths: the one on " +
        "input " + std::to_string(input) + (other.tail ? " ends before" : " ends behind") +
        " that of the node";
    SC_REPORT_FATAL("/allport/join_unit", message.c_str());
  }
}

// Arrivals are kept only where flits may be delayed.
bool JoinUnit::is_delayed(const InputBuffer& buffer, Cycle now) const {
  if (delay_q_ == 0) return false;
  Cycle last = buffer.front_arrival(channel_vc());
  for (PortMask rest = inputs_q_; rest != 0; rest &= rest - 1) {
    const int input = __builtin_ctzll(rest);
    last = std::max(last, buffer.front_arrival(config_.channel_vc(input, vcs_q_[input])));
  }
  return now < last + delay_q_;
}

Flit JoinUnit::combined(const InputBuffer& buffer) const {
  Flit flit = local(buffer);
  if (flit.head && becomes_tree_q_) flit.kind = MessageKind::tree;
  if (inputs_q_ == 0) return flit;
  PortMask rest = inputs_q_;
  std::uint64_t data = operand(buffer, __builtin_ctzll(rest)).data;
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    data = combine(join_q_, data, operand(buffer, __builtin_ctzll(rest)).data);
  }
  flit.data = combine(join_q_, data, flit.data);
  return flit;
}

}  // namespace allport
