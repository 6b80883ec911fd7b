// SPDX-License-Identifier: Apache-2.0
// The Implementation is what a Simulation has behind its interface: the machine, what its
// processors send, and who listens. What is common to all runs is in simulation.cpp, trials of
// collectives in collective_trials.cpp, runs of patterns, tasks and programs, which happen once, in
// single_trials.cpp, collectives that start at random in load_trial.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "testbench/explain/explainer.h"
#include "testbench/monitors/completion_log.h"
#include "testbench/monitors/delivery_checker.h"
#include "testbench/monitors/delivery_log.h"
#include "testbench/monitors/latency_log.h"
#include "testbench/monitors/load_monitor.h"
#include "testbench/monitors/traffic_monitor.h"
#include "testbench/simulation/flit_machine.h"
#include "testbench/simulation/program_table.h"
#include "testbench/simulation/simulation.h"
#include "testbench/simulation/watch.h"
#include "tlm/processor/background.h"
#include "tlm/processor/barrier.h"
#include "tlm/processor/host_channel.h"
#include "tlm/processor/message_barrier.h"
#include "tlm/processor/modelled_workload.h"
#include "tlm/processor/pattern_workload.h"
#include "tlm/processor/program_workload.h"
#include "tlm/processor/schedule_workload.h"
#include "tlm/processor/task_workload.h"

namespace allport {

class Simulation::Implementation final : public MessageObserver {
 public:
  Implementation(const SimulationConfig& given, const Routing& routes, const Equip& equip,
                 StopFlag stop);

  // Each kind of work; they throw std::invalid_argument for what they cannot run as it is.
  Results run(const CollectiveWork& work);
  Results run(const LoadWork& work);
  Results run(const PatternWork& work);
  Results run(const TaskWork& work);
  Results run(const ProgramWork& work);
  void show_trial(const std::function<void(const ShownTrial&)>& show) const;
  /// The machine of flits; throws std::logic_error if this is the machine of worms.
  FlitMachine& flits() const;

  void on_delivered(const tlm::tlm_generic_payload& message,
                    const MessageExtension& extension) override;
  void on_received(const MessageExtension& extension, Cycle now) override;

  SimulationConfig config;
  const Routing routing;
  const RouterConfig router;
  MessageLog log;
  MessagePool pool;
  NodeConfig node_config;
  Watch watch;
  double startup_seconds = 0;

 private:
  void require_runnable(const std::vector<PlannedCollective>& collectives) const;
  /// Throws std::invalid_argument unless the configuration has a host exactly where there must be
  /// one.
  void require_host(bool has_host) const;
  /// `request` with the length, the seed and the ties of the configuration.
  TrafficRequest own(TrafficRequest request) const;
  /// The same of a pattern beside ranks. Throws std::invalid_argument unless there is one exactly
  /// where the configuration has one.
  std::optional<TrafficRequest> own_background(const std::optional<TrafficRequest>& request) const;
  std::unique_ptr<Machine> make_machine(const Equip& equip);
  void reset();
  void start_collective(int collective);
  tlm::tlm_generic_payload& whole_message(int collective);
  tlm::tlm_generic_payload& contribution(int collective, NodeId source, bool has_floats);
  void start_blocks(int collective);
  void start_joins(int collective, const PlannedCollective& planned);
  std::size_t collective_count() const;
  void pass_barrier(int collective, NodeId node);
  void arm_message_barrier();
  void load(const ProgramTable& programs, const std::vector<PlannedCollective>& collectives);
  void run_trial(const std::vector<PlannedCollective>& collectives, int trial);
  void begin_single_trial(Cycle cycles);  // of that many cycles; 0: nobody knows
  void start_pattern(const SyntheticTraffic& traffic);
  void run_pattern_trial(const SyntheticTraffic& traffic);
  Timekeeper* keeper();
  template <class Workload>
  void run_ranks(const Workload& workload, const std::vector<NodeId>& nodes,
                 const std::optional<TrafficRequest>& background);
  void call_ranks(const std::vector<NodeId>& nodes);
  template <class Workload>
  TaskResults task_results(const Workload& workload, const std::vector<NodeId>& nodes) const;
  void run_kernel(int trial);
  Cycle cycles_of_trial() const;
  Cycle note_reception(const MessageExtension& extension, Cycle now);
  void end_trial(int trial);
  void run_load_trial(const std::vector<PlannedCollective>& collectives);
  tlm::tlm_generic_payload& message_at_start(NodeId node, int collective);
  bool is_background(int collective) const;
  MeasurementWindow window_of(Cycle warmup, Cycle cycles) const;
  ProcessorLoad processor_load(const TrafficRequest& request) const;
  void count_crossings(CountedCrossings counted);
  TrafficResults measure(const MeasurementWindow& window, const ProcessorLoad& processors,
                         std::size_t first_collective = 0);
  LoadResults measure_load(const MeasurementWindow& window);
  bool goes_on() const { return results_.is_complete(); }

  ScheduleWorkload schedule_;
  PatternWorkload pattern_;
  Workload& workload_;  // one of the two
  TaskWorkload tasks_;
  ProgramWorkload programs_;
  ModelledWorkload modelled_;
  Background background_;
  std::unique_ptr<HostLink> host_;       // null: there is no host
  FlitMachine* flit_machine_ = nullptr;  // if that is the machine
  std::unique_ptr<Machine> machine_;
  DeliveryChecker checker_;
  DeliveryLog deliveries_;
  LatencyLog latencies_;
  CompletionLog completions_;
  std::optional<LoadMonitor> load_monitor_;  // of collectives that start at random
  BlockMemory memory_;
  Barrier barrier_;
  MessageBarrier message_barrier_;
  std::optional<Explainer> explainer_;
  std::optional<CrossingCounter> crossings_;  // while there is a pattern
  const std::vector<PlannedCollective>* collectives_ = nullptr;
  Results results_;
};

}  // namespace allport
