// SPDX-License-Identifier: Apache-2.0
// Many processors in one module, for fabrics whose nodes are too many for a module each. They share
// one socket, where the extension's `source` and `receiver` tell them apart, and one timer: those
// that are due in a cycle act in the order of their nodes.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "tlm/processor/processor_host.h"

namespace allport {

class Bank final : public ProcessorHost {
 public:
  /// `clock`: where cycles are counted; `nodes`: how many processors, node 0 first. What is
  /// referred to outlives the bank.
  Bank(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
       Program& program, std::size_t nodes);

  void reset() override;
  void call(NodeId node) override;

 private:
  struct Turn {  // a processor acts
    Cycle cycle = 0;
    NodeId node{};
    bool operator>(const Turn& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };

  void act() override;
  void set_timer() override;
  void act(NodeId node);
  void expect(NodeId node, Cycle cycle);

  std::vector<Processor> processors_;  // by node
  std::vector<Cycle> turn_at_;         // by node: the turn it waits for; never: none
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<NodeId> receivers_;  // of what is due in the present cycle
  Cycle timer_at_ = never;
};

}  // namespace allport
