// SPDX-License-Identifier: Apache-2.0
// A RankRunner carries out what ranks do from cycle 0 on, and the pattern beside them, if there is
// one: a TaskRunner tasks, a ProgramRunner programs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "testbench/simulation/run_core.h"
#include "testbench/simulation/traffic_meter.h"
#include "testbench/simulation/work_runner.h"
#include "tlm/processor/background.h"
#include "tlm/processor/host_channel.h"
#include "tlm/processor/pattern_workload.h"
#include "tlm/processor/program_workload.h"
#include "tlm/processor/task_workload.h"

namespace allport {

template <class Ranks>
class RankRunner : public WorkRunner {
 public:
  /// `made`: what the ranks are made of.
  template <class... Made>
  explicit RankRunner(RunCore& core, const Made&... made)
      : WorkRunner(core),
        ranks_(made...),
        host_(core.config.host ? std::make_unique<HostLink>("host", *core.config.host) : nullptr),
        pattern_(core.node, core.pool, core.message_bytes(), core.nodes()),
        meter_(core) {
    if (core.config.has_background) {
      background_.emplace(ranks_, pattern_, core.node, core.router, core.routing);
    }
  }

  // WorkRunner
  Timekeeper* keeper() override {
    return background_ ? static_cast<Timekeeper*>(&*background_) : &ranks_;
  }
  Cycle cycles() const override { return core_.results.cycles; }

 protected:
  /// Throws std::invalid_argument unless the configuration has a host exactly where there must be
  /// one.
  void require_host(bool has_host) const;
  /// The pattern beside the ranks, as the configuration has it. Throws std::invalid_argument unless
  /// there is one exactly where the configuration has one.
  std::optional<TrafficRequest> settled(const std::optional<TrafficRequest>& request) const;
  /// Runs what is loaded, with ranks on `nodes`.
  void run_ranks(const std::vector<NodeId>& nodes, const std::optional<TrafficRequest>& background);
  HostLink* host() { return host_.get(); }

  Ranks ranks_;

 private:
  void call_ranks(const std::vector<NodeId>& nodes);
  TaskResults task_results(const std::vector<NodeId>& nodes) const;

  std::unique_ptr<HostLink> host_;  // null: there is no host
  PatternWorkload pattern_;
  std::optional<Background> background_;  // none: the ranks are alone
  TrafficMeter meter_;
};

class TaskRunner final : public RankRunner<TaskWorkload> {
 public:
  explicit TaskRunner(RunCore& core)
      : RankRunner(core, core.task_machine(), core.message_bytes()) {}

  Results run(const Work& work) override;
};

class ProgramRunner final : public RankRunner<ProgramWorkload> {
 public:
  explicit ProgramRunner(RunCore& core) : RankRunner(core, core.task_machine()) {}

  Results run(const Work& work) override;
};

}  // namespace allport
