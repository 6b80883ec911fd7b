// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/join_unit.h"

#include <array>
#include <string>

#include "rtl_model/base/bits.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

void JoinUnit::reset() {
  input_q_ = config_.external_ports;
  channel_vc_q_ = config_.channel_vc(input_q_, 0);
  is_under_way_q_ = false;
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

bool JoinUnit::take_up(const Flit& front, int input, int vc) {
  const int channel_vc = config_.channel_vc(input, vc);
  if (is_under_way_q_) return channel_vc == channel_vc_q_;
  open(front);
  input_q_ = input;
  channel_vc_q_ = channel_vc;
  inputs_q_ &= ~(PortMask{1} << input);
  return true;
}

void JoinUnit::require_equal_ends(const Flit& local, const Flit& other, int input,
                                  Cycle now) const {
  if (other.tail == local.tail && other.head == local.head) return;
  const std::string speaking =
      config_.is_external(input_q_) ? "on input " + std::to_string(input_q_) : "of the node";
  const std::string message =
      name() + ": node " + std::to_string(index(node_)) + ", cycle " + std::to_string(now) +
      ": the contributions to a join have different lengths: the one on " + "input " +
      std::to_string(input) + (other.tail ? " ends before" : " ends behind") + " that " + speaking;
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
  const bool is_local = !config_.is_external(input_q_);
  std::uint64_t data = local(buffer).data;
  if (is_local) {
    data = operand(buffer, __builtin_ctzll(rest)).data;
    rest &= rest - 1;
  }
  for (; rest != 0; rest &= rest - 1) {
    data = combine(join_q_, data, operand(buffer, __builtin_ctzll(rest)).data);
  }
  return is_local ? combine(join_q_, data, local(buffer).data) : data;
}

// The partial sum of each flit of the message is one of its own. A stable order by arrival puts the
// local contribution, if there is one, last among those of one cycle.
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
  const bool is_local = !config_.is_external(input_q_);
  const auto insert_speaker = [&] {
    insert({buffer.front_arrival(channel_vc()), local(buffer).data});
  };
  if (!is_local) insert_speaker();
  for (const int input : bits(inputs_q_)) {
    insert({buffer.front_arrival(config_.channel_vc(input, vcs_q_[input])),
            operand(buffer, input).data});
  }
  if (is_local) insert_speaker();
  std::uint64_t data = operands.front().data;
  for (std::size_t i = 1; i < count; ++i) data = combine(join_q_, data, operands[i].data);
  return data;
}

}  // namespace allport
