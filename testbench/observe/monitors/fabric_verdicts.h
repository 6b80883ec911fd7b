// SPDX-License-Identifier: Apache-2.0
// FabricVerdicts has the verdicts on a fabric of routers, whatever its processors are: contention
// while it runs, and a deadlock once nothing moves any more. A program with processors of its own
// makes one of these before it starts the simulation (docs/library.md).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/observe/monitors/route_log.h"
#include "testbench/observe/monitors/still_routers.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"

namespace allport {

class FabricVerdicts {
 public:
  /// Observes `fabric` from now on. `log` and `interfaces` (by node; they may be filled later) are
  /// those of its network interfaces; all three must outlive it.
  FabricVerdicts(Fabric& fabric, const MessageLog& log, const NetworkInterfaces& interfaces);
  ~FabricVerdicts();
  FabricVerdicts(const FabricVerdicts&) = delete;
  FabricVerdicts& operator=(const FabricVerdicts&) = delete;

  /// Forgets what was seen; to be called when the fabric is reset.
  void reset();

  /// Contention for the channels between routers since reset; events in the order of their cycles.
  Contention contention() const;
  /// The same for the ejection channels, whose queues every router has.
  Contention reception() const;
  /// Adds both, as those of `trial`; each list grows to at most `max_listed` entries.
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) const;

  /// The messages that cannot go on and the messages that hold them up, with a cycle of them; none
  /// if the fabric is empty. To be called when the simulation has nothing left to do.
  std::optional<Deadlock> deadlock();

  const ContentionRule& rule() const { return contention_.rule(); }

 private:
  Fabric& fabric_;
  const MessageLog& log_;
  const NetworkInterfaces& interfaces_;
  const bool is_adaptive_;
  RouteLog routes_;  // used if it is adaptive
  ContentionMonitor contention_;
};

}  // namespace allport
