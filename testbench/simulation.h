// SPDX-License-Identifier: Apache-2.0
// Config and plan in, results out: elaborates the fabric with its nodes, monitors and checkers and
// runs trials on it, each from reset. One Simulation per process (SystemC's kernel cannot be
// reset).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/flit_machine.h"
#include "testbench/results.h"
#include "traffic/collective.h"
#include "traffic/schedule.h"
#include "traffic/synthetic_traffic.h"

namespace allport {

struct SimulationConfig {
  FabricConfig fabric;
  bool moves_worms = false;      ///< the transaction-level fabric (tlm/worm) instead of routers
  Cycle ts = 0;                  ///< sender's latency, 0 .. 10^9
  Cycle tr = 0;                  ///< receiver's latency, 0 .. 10^9
  Cycle jitter = 0;              ///< largest random delay at an injection port, 0 .. 10^9
  std::optional<Cycle> barrier;  ///< keeps several collectives apart at this cost; none: no barrier
  bool barrier_messages = false;  ///< of a trial's n collectives the last n/2 are such barriers
  int flits = 16;                 ///< L, 1 .. 10^6
  int flit_bytes = 4;             ///< payload bytes of a flit, 1 .. 8
  std::size_t bytes = 64;         ///< payload bytes of a message: flits == ceil(bytes / flit_bytes)
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument with one sentence naming option, value and range.
void validate(const SimulationConfig& config);

/// A collective and the plan that carries it out.
struct PlannedCollective {
  std::vector<NodeId> sources;       ///< hold the message from the start; usually one
  std::vector<NodeId> destinations;  ///< whose latency counts
  Schedule schedule;
  /// Tree or path: sent as one worm of that kind from the source; the schedule is its edges.
  MessageKind worm = MessageKind::unicast;
  /// A barrier of messages: not a collective of the run, but behind one of them (barrier_messages).
  bool is_barrier = false;
  /// The goal of a schedule whose unicasts carry blocks; none: they carry the whole message.
  std::shared_ptr<const Collective> goal{};

  bool is_worm() const { return worm != MessageKind::unicast; }
};

/// Called now and then while running: the fraction done, if known (0 .. 1, else negative), and the
/// present cycle.
using Progress = std::function<void(double fraction, Cycle cycle)>;

class Simulation {
 public:
  static constexpr std::size_t max_listed_events = 100000;

  /// Elaborates. `pattern_nodes`: nodes for synthetic traffic instead of collectives.
  /// Throws std::invalid_argument as validate() does.
  Simulation(const SimulationConfig& config, const Routing& routing, bool pattern_nodes = false,
             const Equip& equip = {});
  ~Simulation();

  /// Runs one trial per element of `trials`, each from reset; stops after a trial that could not
  /// complete. All collectives of a trial start at cycle 0, or one after another behind a barrier.
  /// `first`: number of the first trial to run.
  Results run(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first = 0);
  /// Runs a synthetic pattern until all messages started in cycles 0 .. cycles - 1 have arrived; of
  /// the request, flits and seed are those of the configuration.
  Results run_pattern(TrafficRequest request);
  /// The pattern `uniform`, measured from the first cycle on.
  Results run_uniform(double rate, Cycle cycles);

  /// The fabric of routers; there is none where worms are moved.
  Fabric& fabric();
  /// Name of a message of the present trial, for waves.
  MessageName message_name(MessageId id) const;
  /// What was noted of it, cycles from the trial's start.
  const MessageRecord& message(MessageId id) const;

  void on_progress(Progress progress);
  /// The run ends at the next opportunity once `flag` is set (from a signal handler).
  void stop_when(const std::atomic<bool>* flag);
  /// Without monitors and checkers: to show that every cycle is the same (tests, bench).
  void detach_observers();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace allport
