// SPDX-License-Identifier: Apache-2.0
// A Node is a processor in a module of its own, behind a network interface of its own.
#pragma once

#include "tlm/processor/processor_host.h"

namespace allport {

class Node final : public ProcessorHost {
 public:
  /// `clock` counts cycles. All references must outlive the node.
  Node(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
       Workload& workload, NodeId node);

  void reset() override;
  void call(NodeId node) override;

 private:
  void act() override;
  void set_timer() override;

  const NodeId node_;
  Sender sender_;
};

}  // namespace allport
