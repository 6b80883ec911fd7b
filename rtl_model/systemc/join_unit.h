// SPDX-License-Identifier: Apache-2.0
// The join unit brings together the contributions of a group that meet in one router on their way
// to the root. Flits of a join on external inputs never act by themselves: the local contribution,
// at the front of injection input 0, speaks for all. It takes part in a cycle once every input that
// is expected has the same flit of the same join at the front of a buffer, and the delay is over;
// then one flit with the combined data leaves, and all operands leave their buffers together. From
// head to tail the unit remembers in which virtual channels they are.
#pragma once

#include "rtl_model/systemc/input_buffer.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class JoinUnit : public Unit {
 public:
  /// What becomes of the local contribution in a cycle.
  enum class State { waits, is_held, is_ready };

  JoinUnit(const sc_core::sc_module_name& name, const RouterConfig& config, const Routing& routing,
           NodeId node, StateArena* arena = nullptr)
      : Unit(name, config, arena),
        routing_(routing),
        node_(node),
        vcs_q_(this->arena(), config.external_ports) {}

  void reset();
  /// The input of the local contribution, and the number of its buffer.
  int input() const { return config_.external_ports; }
  int channel_vc() const { return config_.channel_vc(config_.external_ports, 0); }

  /// Takes up the join of `head`, which has come to the front of the local input.
  void open(const Flit& head);
  /// Notes that its flits have left.
  void leave() { state_d_ = State::waits; }
  /// Looks for the operands in cycle `now`. The report is fatal if a tail meets another flit.
  State look(const InputBuffer& buffer, Cycle now);
  /// The result of look() in this cycle.
  bool is_ready() const { return state_d_ == State::is_ready; }

  /// The external inputs on which operands are expected.
  PortMask inputs() const { return inputs_q_; }
  /// The virtual channel of the operand on `input`, valid while the join is ready.
  int vc(int input) const { return vcs_q_[input]; }
  /// The flit that leaves: the local one with the data of all, combined by port, the local one
  /// last. At the root of a join-tree its head becomes that of a tree.
  Flit combined(const InputBuffer& buffer) const;

 private:
  const Flit& local(const InputBuffer& buffer) const { return buffer.front(channel_vc()); }
  const Flit& operand(const InputBuffer& buffer, int input) const {
    return buffer.front(config_.channel_vc(input, vcs_q_[input]));
  }
  bool find_heads(const InputBuffer& buffer);
  bool has_flits(const InputBuffer& buffer) const;
  void require_equal_ends(const InputBuffer& buffer, Cycle now) const;
  bool is_delayed(const InputBuffer& buffer, Cycle now) const;

  const Routing& routing_;
  NodeId node_;
  PortMask inputs_q_ = 0;
  int delay_q_ = 0;  // from the arrival of the last operand until it may leave, in cycles
  JoinTag join_q_;   // that of the head: bodies carry none
  bool becomes_tree_q_ = false;
  Registers<std::int8_t> vcs_q_;  // by external input: the VC of the operand
  State state_d_ = State::waits;
};

}  // namespace allport
