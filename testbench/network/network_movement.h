// SPDX-License-Identifier: Apache-2.0
// A NetworkMovement keeps what Network::explain() tells of beside the NetworkRecord: how all flits
// moved, and who received them. It is there only where it was asked for, since it grows with each
// message, hop and stall.
#pragma once

#include <vector>

#include "testbench/observe/explain/fabric_channels.h"
#include "testbench/observe/explain/movement.h"
#include "testbench/observe/explain/worm_movement.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"
#include "tlm/worm/engine.h"

namespace allport {

class NetworkMovement {
 public:
  /// Of all messages of `engine`; `plan` and `engine` must outlive it.
  NetworkMovement(const RunPlan& plan, WormEngine& engine);
  /// The same movement, for an equal plan and an engine that takes over the state of that of
  /// `other`.
  NetworkMovement(const NetworkMovement& other, const RunPlan& plan, WormEngine& engine);
  NetworkMovement(const NetworkMovement&) = delete;
  NetworkMovement& operator=(const NetworkMovement&) = delete;
  ~NetworkMovement() = default;

  /// Notes that a node has received a message.
  void receive(const WormReception& reception) { received_.push_back(reception); }

  /// Explains the messages so far, those of `log`, in cycle `now` of the engine; what channels do
  /// is told up to cycle `end`, which is `now` if anything is under way.
  Explanation explain(const ExplainRequest& request, const MessageLog& log, Cycle now,
                      Cycle end) const;

 private:
  const RunPlan& plan_;
  const WormEngine& engine_;
  const FabricChannels channels_;
  Movement movement_;
  WormMovement writer_;
  std::vector<WormReception> received_;
};

}  // namespace allport
