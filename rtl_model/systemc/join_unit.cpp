// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/join_unit.h"

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

void JoinUnit::require_equal_ends(const Flit& local, const Flit& other, int input,
                                  Cycle now) const {
  if (other.tail == local.tail && other.head == local.head) return;
  const std::string message = std::string(name()) + ": node " + std::to_string(index(node_)) +
                              ", cycle " + std::to_string(now) +
                              ": the contributions to a join have different lengths: the one on " +
                              "input " + std::to_string(input) +
                              (other.tail ? " ends before" : " ends behind") + " that of the node";
  SC_REPORT_FATAL("/allport/join_unit", message.c_str());
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
