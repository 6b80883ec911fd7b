// SPDX-License-Identifier: Apache-2.0
// A Bank is many processors in one module, for fabrics with too many nodes for a module each. They
// share one socket, where the extension's `source` and `receiver` tell them apart, and one timer:
// those that are due in a cycle act in the order of their nodes.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include "tlm/processor/processor_host.h"

namespace allport {

class Bank final : public ProcessorHost {
 public:
  /// `clock` counts cycles; `nodes` is the number of processors, node 0 first. All references must
  /// outlive the bank.
  Bank(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
       Workload& workload, std::size_t nodes);

  void reset() override;
  void call(NodeId node) override;

 private:
  struct Turn {  // a turn of a processor to act
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

  std::vector<Sender> senders_;  // by node
  std::vector<Cycle> turn_at_;   // by node: the cycle of its next turn; never if it has none
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<NodeId> receivers_;  // receivers of what is due in the present cycle
  Cycle timer_at_ = never;
};

}  // namespace allport
