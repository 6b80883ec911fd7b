// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/worm_machine.h"

#include "testbench/observe/monitors/deadlock_finder.h"
#include "testbench/observe/monitors/still_worms.h"

namespace allport {

WormMachine::WormMachine(const MachineParts& parts, CycleObserver& watch)
    : fabric_("fabric", parts.router, parts.routing, CycleClock::finest_period(), parts.log,
              parts.pool, parts.node.flit_bytes, {}, parts.reception_limit),
      log_(parts.log),
      contention_({parts.log, parts.routing}) {
  const std::size_t nodes = parts.routing.topology().node_count();
  if (parts.keeper != nullptr) {
    timed_ = std::make_unique<TimedProcessors>("processors", fabric_, *parts.keeper, nodes, 1);
    timed_->socket().bind(fabric_.socket());
    if (parts.keeper->observes_sent()) fabric_.tell_of_sent();
  } else {
    bank_ = std::make_unique<Bank>("processors", parts.node, fabric_, *parts.workload, nodes);
    bank_->socket.bind(fabric_.socket());
    fabric_.skip_payloads();
  }
  fabric_.observe(parts.observer);
  fabric_.observe(static_cast<WormContentionListener&>(*this));
  fabric_.observe(watch);
  fabric_.stop_when(parts.stop);
}

// All processors are processes of the kernel, which runs until nothing is left to do.
void WormMachine::reset(std::uint64_t /*trial*/) {
  fabric_.reset();
  fabric_.set_horizon(WormCalendar::never);
  contention_.reset();
  if (bank_) bank_->reset();
  if (timed_) timed_->reset();
  if (movement_) movement_->reset();
}

void WormMachine::record(Movement& movement) {
  movement_.emplace(movement, fabric_.config());
  fabric_.engine().observe(*movement_);
}

void WormMachine::count(CrossingCounter& counter) {
  crossings_.emplace(counter);
  fabric_.engine().observe(*crossings_);
}

void WormMachine::end_count() {
  fabric_.engine().tell_of_lone(fabric_.cycle() + 1, *crossings_);
  crossings_->settle(fabric_.cycle());
  fabric_.engine().dismiss(*crossings_);
  crossings_.reset();
}

std::optional<Deadlock> WormMachine::find_deadlock() {
  if (fabric_.engine().is_idle()) return std::nullopt;
  const StillWorms still(fabric_.engine());
  still.settle_waits(contention_);
  return allport::find_deadlock(still, log_, contention_);
}

void WormMachine::on_contention(const WormContention& wait) {
  contention_.hear(fabric_.config(), wait);
}

void WormMachine::report(int trial, std::size_t max_listed, Contention& contention,
                         Contention& reception) {
  contention_.report(trial, max_listed, contention, reception);
}

}  // namespace allport
