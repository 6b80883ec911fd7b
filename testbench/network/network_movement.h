// SPDX-License-Identifier: Apache-2.0
// A NetworkMovement keeps what Network::explain() tells of beside the NetworkRecord: how all flits
// moved, and who received them. It is there only where it was asked for, since it grows with each
// message, hop and stall.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/network/network_fabric.h"
#include "testbench/observe/explain/explainer.h"
#include "testbench/observe/explain/fabric_channels.h"
#include "testbench/observe/explain/movement.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"
#include "tlm/worm/listeners.h"

namespace allport {

class NetworkMovement {
 public:
  /// Of all messages of `fabric`, those of `log`; all three must outlive it. `reception_limit`: 0
  /// for none.
  NetworkMovement(const RunPlan& plan, NetworkFabric& fabric, const MessageLog& log,
                  std::int64_t reception_limit);
  /// The same movement, for an equal plan and a fabric that is a copy of that of `other`.
  NetworkMovement(const NetworkMovement& other, const RunPlan& plan, NetworkFabric& fabric);
  NetworkMovement(const NetworkMovement&) = delete;
  NetworkMovement& operator=(const NetworkMovement&) = delete;
  ~NetworkMovement() = default;

  /// Notes that a node has received a message.
  void receive(const WormReception& reception) { received_.push_back(reception); }

  /// Notes that `node` has taken a message out of its reception buffer in cycle `now`.
  void take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now);

  /// Explains the messages so far, those of `log`, in cycle `now` of the fabric; what channels do
  /// is told up to cycle `end`, which is `now` if anything is under way.
  Explanation explain(const ExplainRequest& request, const MessageLog& log, Cycle now,
                      Cycle end) const;
  /// Calls `show` with what there is to show of them, likewise.
  void show(const MessageLog& log, Cycle now, Cycle end,
            const std::function<void(const ShownTrial&)>& show) const;

 private:
  /// Calls `use` with what explains the messages so far, up to cycle `end`.
  void explain_so_far(const ExplainRequest& request, const MessageLog& log, Cycle now, Cycle end,
                      const std::function<void(Explainer&)>& use) const;

  const RunPlan& plan_;
  const NetworkFabric& fabric_;
  const FabricChannels channels_;
  Movement movement_;
  std::vector<WormReception> received_;
};

}  // namespace allport
