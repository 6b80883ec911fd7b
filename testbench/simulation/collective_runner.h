// SPDX-License-Identifier: Apache-2.0
// A CollectiveRunner carries out collectives trial by trial, each from reset: all of a trial start
// in cycle 0, or one after another behind a barrier.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/simulation/collective_trial.h"
#include "tlm/processor/barrier.h"
#include "tlm/processor/message_barrier.h"

namespace allport {

class CollectiveRunner final : public CollectiveTrial {
 public:
  explicit CollectiveRunner(RunCore& core) : CollectiveTrial(core) {}

  // WorkRunner
  void on_machine() override;
  Results run(const Work& work) override;
  std::string finding() override;

 private:
  void on_complete(const MessageExtension& extension) override;
  std::size_t collective_count() const;
  void arm_message_barrier();
  void start_collective(int collective);
  void start_blocks(int collective);
  void start_joins(int collective);
  void run_trial(const std::vector<PlannedCollective>& collectives, int trial);

  std::optional<Barrier> barrier_;                 // none: no barrier, or one of messages
  std::optional<MessageBarrier> message_barrier_;  // none: no barrier of messages
};

}  // namespace allport
