// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/join_unit.h"

#include <array>
#include <string>

#include "rtl_model/base/bits.h"
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
  flit.data = config_.combine_order == CombineOrder::port ? combined_by_port(buffer)
                                                          : combined_by_arrival(buffer);
  return flit;
}

std::uint64_t JoinUnit::combined_by_port(const InputBuffer& buffer) const {
  PortMask rest = inputs_q_;
  std::uint64_t data = operand(buffer, __builtin_ctzll(rest)).data;
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    data = combine(join_q_, data, operand(buffer, __builtin_ctzll(rest)).data);
  }
  return combine(join_q_, data, local(buffer).data);
}

// The partial sum of each flit of the message is one of its own. The local input has the highest
// number of all inputs, so a stable order by arrival puts it last among those of one cycle.
std::uint64_t JoinUnit::combined_by_arrival(const InputBuffer& buffer) const {
  struct Operand {
    Cycle arrival;
    std::uint64_t data;
  };
  std::array<Operand, max_external_ports + 1> operands{};
  std::size_t count = 0;
  const auto insert = [&](const Operand& one) {
    std::size_t place = count++;
    for (; place > 0 && operands[place - 1].arrival > one.arrival; --place) {
      operands[place] = operands[place - 1];
    }
    operands[place] = one;
  };
  for (const int input : bits(inputs_q_)) {
    insert({buffer.front_arrival(config_.channel_vc(input, vcs_q_[input])),
            operand(buffer, input).data});
  }
  insert({buffer.front_arrival(channel_vc()), local(buffer).data});
  std::uint64_t data = operands.front().data;
  for (std::size_t i = 1; i < count; ++i) data = combine(join_q_, data, operands[i].data);
  return data;
}

}  // namespace allport
