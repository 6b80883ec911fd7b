// SPDX-License-Identifier: Apache-2.0
// A Simulation runs its trials on a Machine: a fabric with its processors and the observers of
// both. There are two, of flits and of worms; a Simulation treats them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/cycle_clock.h"
#include "testbench/results/results.h"
#include "tlm/interface/limited_interface.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"
#include "tlm/processor/processor_rule.h"
#include "tlm/processor/reception_taker.h"
#include "tlm/processor/timekeeper.h"

namespace allport {

class CrossingCounter;
class Movement;

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const CycleClock& clock() const = 0;
  /// A run begins, whose trials begin with resets.
  virtual void begin_run() = 0;
  /// Returns to the state after reset; cycle 0 of trial `trial` begins now.
  virtual void reset(std::uint64_t trial) = 0;
  /// The program of `node` has grown, so its processor acts in the current cycle.
  virtual void call(NodeId node) = 0;
  /// A message is taken out of the reception buffer, which all nodes have, in the present cycle.
  virtual void take(const Received& one) = 0;

  /// From the next reset on the machine writes the movement of its flits to `movement`, which must
  /// outlive the runs.
  virtual void record(Movement& movement) = 0;

  /// From now until end_count() `counter`, which must outlive it, is told of the flits that cross
  /// external channels.
  virtual void count(CrossingCounter& counter) = 0;

  // Called when the kernel has nothing left to do:
  virtual void end_count() = 0;
  /// Writes to the movement what is still moving.
  virtual void settle_movement() {}
  /// Why the run was halted; empty: it was not.
  virtual std::string halted() const = 0;
  /// Why it cannot go on although messages are under way; none: the trial is over.
  virtual std::optional<Deadlock> find_deadlock() = 0;
  /// Adds the contention seen since reset; lists grow to `max_listed` entries.
  virtual void report(int trial, std::size_t max_listed, Contention& contention,
                      Contention& reception) = 0;
  virtual std::uint64_t flit_hops() const = 0;
  /// Adds what went wrong on channels since reset, in trial `trial`, where something may.
  virtual void add_link_errors(int /*trial*/, LinkErrorResults& /*results*/) {}
  /// Who has simulated so far.
  virtual ThreadUse thread_use() const = 0;
  /// The last cycle in which a flit moved, within a crossbar too; -1: none did.
  virtual Cycle last_movement() const = 0;
};

/// The parts of which all machines are made; they outlive the machine.
struct MachineParts {
  const RouterConfig& router;
  const Routing& routing;
  const NodeConfig& node;
  PortLimits limits;  ///< of flits
  MessageLog& log;
  MessagePool& pool;
  MessageObserver& observer;
  Workload* workload;            ///< what the processors send; null: their keeper knows
  Timekeeper* keeper;            ///< what they do, if they keep their own time; null: they do not
  std::int64_t reception_limit;  ///< flits of a reception buffer; 0: there are none
  const LinkErrors& errors;      ///< of the external channels of routers
  std::uint64_t seed;            ///< from which they are drawn
  int threads;                   ///< that decide a cycle of routers together
  StopFlag stop;                 ///< once it is set no more modules are made; null: there is none
};

}  // namespace allport
