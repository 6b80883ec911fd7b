// SPDX-License-Identifier: Apache-2.0
// What a Simulation runs its trials on: a fabric with its processors and with what observes both.
// There are two, of flits and of worms; a Simulation knows no difference between them.
#pragma once

#include <optional>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"
#include "rtl_model/topology/router_config.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"
#include "tlm/processor/processor.h"

namespace allport {

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const CycleClock& clock() const = 0;
  /// Back to the state after reset; cycle 0 begins now.
  virtual void reset() = 0;
  /// The program of `node` has grown: its processor acts in the present cycle.
  virtual void call(NodeId node) = 0;

  // When the kernel has nothing left to do:
  /// Why the run was halted; empty: it was not.
  virtual std::string halted() const = 0;
  /// Why it cannot go on although messages are under way; none: all is over.
  virtual std::optional<Deadlock> find_deadlock() = 0;
  /// Adds the contention seen since reset; lists grow to `max_listed` entries.
  virtual void report(int trial, std::size_t max_listed, Contention& contention,
                      Contention& reception) = 0;
  virtual std::uint64_t flit_hops() const = 0;
  /// The external channels that `message` took; null: those that the routing names.
  virtual const std::vector<Channel>* route_of(MessageId message) const = 0;
  /// The last cycle in which a flit was decided on; -1: none was.
  virtual Cycle last_movement() const = 0;
};

/// What all machines are made with; all of it outlives the machine.
struct MachineParts {
  const RouterConfig& router;
  const Routing& routing;
  const NodeConfig& node;
  MessageLog& log;
  MessagePool& pool;
  MessageObserver& observer;
  Program& program;  ///< what the processors send
};

}  // namespace allport
