// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/run_core.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <systemc>
#include <utility>

#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/simulation/worm_machine.h"

namespace allport {

namespace {

// The kernel turns an exception of a process into a report, of which only the text is left.
void require_memory(const sc_core::sc_report& report) {
  if (report.get_msg() == std::string(std::bad_alloc().what())) throw std::bad_alloc();
}

}  // namespace

RunCore::RunCore(const SimulationConfig& given, const Routing& routes, StopFlag stop)
    : config(given),
      routing(routes),
      router(router_config(given.fabric, routes)),
      node{given.ts, given.tr, given.flit_bytes, given.bytes, given.payload_is_symbolic},
      watch(stop),
      checker(log, routing, given.fabric.combine_order) {
  require_errors(config.errors, router, routing.topology());
  if (config.is_transaction_level) checker.skip_payloads();
}

void RunCore::make_machine(WorkRunner& runner, const RouterReplacement& replace_routers) {
  runner_ = &runner;
  const PortLimits limits{config.model.is_half_duplex, config.model.shares_bandwidth};
  const MachineParts parts{router,
                           routing,
                           node,
                           limits,
                           log,
                           pool,
                           *this,
                           runner.workload(),
                           runner.keeper(),
                           config.reception_limit,
                           config.errors,
                           config.seed,
                           config.threads,
                           watch.stop_flag()};
  if (config.is_transaction_level) {
    machine_ = std::make_unique<WormMachine>(parts, watch);
  } else {
    auto machine = std::make_unique<FlitMachine>(parts, watch, replace_routers);
    flit_machine_ = machine.get();
    machine_ = std::move(machine);
  }
  runner.on_machine();
  if (config.explain.is_any()) {
    explainer.emplace(config.explain, router, routing, log, config.tr, watch.stop_flag());
    machine_->record(explainer->movement());
    log.keep_contributions();
  }
}

FlitMachine& RunCore::flits() const {
  if (flit_machine_ != nullptr) return *flit_machine_;
  throw std::logic_error("where worms are moved there is no fabric of routers");
}

void RunCore::begin_run() {
  results = Results{};
  machine_->begin_run();
  if (explainer) explainer->begin_run();
  deliveries = DeliveryLog{};
}

void RunCore::begin_single_trial(Cycle cycles) {
  begin_run();
  watch.begin_trial(0, 1, cycles);
}

void RunCore::reset(std::uint64_t trial) {
  machine_->reset(trial);
  if (Workload* const workload = runner_->workload()) workload->reset();
  if (Timekeeper* const keeper = runner_->keeper()) keeper->reset();
  log.clear();
  checker.reset();
  deliveries.clear();
  if (explainer) explainer->reset();
}

void RunCore::on_delivered(const tlm::tlm_generic_payload& message,
                           const MessageExtension& extension) {
  checker.on_delivered(message, extension);
  runner_->on_delivered(extension);
  deliveries.add(
      {extension.source, extension.receiver, extension.order, extension.head, extension.tail});
}

void RunCore::on_received(const MessageExtension& extension, Cycle now) {
  const Cycle completes = runner_->on_received(extension, now);
  if (!explainer) return;
  explainer->receive({extension.id, extension.receiver, extension.internal_port, extension.head,
                      extension.tail, now, extension.awaited, completes});
}

void RunCore::run_kernel(int trial) {
  try {
    if (sc_core::sc_pending_activity()) sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    require_memory(report);
    results.broken_invariant = report.get_msg();
    return;
  }
  if (watch.was_stopped() || runner_->is_stopped()) {
    results.was_interrupted = true;
  } else if (const std::string reason = machine_->halted(); !reason.empty()) {
    results.broken_invariant = reason;
  } else if (results.overrun = machine_->clock().overrun(); !results.overrun.empty()) {
    // what would move is beyond the end
  } else if (std::optional<Deadlock> deadlock = machine_->find_deadlock()) {
    deadlock->trial = trial;
    for (CreditLoss& one : deadlock->lost_credits) one.trial = trial;
    results.deadlock = std::move(deadlock);
  } else {
    checker.finish();
    if (checker.finding().empty()) results.broken_invariant = runner_->finding();
  }
  if (results.broken_invariant.empty()) results.broken_invariant = checker.finding();
}

void RunCore::end_trial(int trial, bool is_random) {
  results.flit_hops += machine_->flit_hops();
  results.messages += log.size();
  machine_->report(trial, is_random ? ContentionMonitor::max_listed : ~std::size_t{0},
                   results.contention, results.reception);
  deliveries.end_trial();
  if (router.combine_order == CombineOrder::arrival) {
    if (!results.combine) results.combine.emplace();
    checker.joins().add_to(*results.combine);
  }
  if (router.retry || config.errors.has_any()) {
    if (!results.link_errors) results.link_errors.emplace();
    machine_->add_link_errors(trial, *results.link_errors);
  }
  if (explainer) machine_->settle_movement();
  results.digest = deliveries.digest();
  results.deliveries = deliveries.take();
}

Results RunCore::finish() {
  results.startup_seconds = startup_seconds;
  results.threads = machine_->thread_use();
  std::vector<Delivery> all = std::move(results.deliveries);
  Results given = results;
  given.deliveries = std::move(all);
  return given;
}

}  // namespace allport
