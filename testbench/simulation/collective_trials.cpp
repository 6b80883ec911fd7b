// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "testbench/plan/message_lengths.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/contribution.h"
#include "testbench/simulation/simulation_implementation.h"
#include "testbench/simulation/stopwatch.h"

namespace allport {

namespace {

// The fabric of worms writes the movement of unicasts only.
void require_explained(const std::vector<PlannedCollective>& collectives,
                       const SimulationConfig& config) {
  if (!config.is_transaction_level || !config.explain.is_any()) return;
  for (const PlannedCollective& one : collectives) {
    if (!one.is_one_message() && one.schedule.has_unicasts_only()) continue;
    throw std::invalid_argument(
        "the transaction-level fabric explains the latencies of unicasts only; routers in SystemC and RTL explain those of trees and joins");
  }
}

}  // namespace

// Returns the latency of the receiver if it has everything now, and had not before; otherwise -1.
Cycle Simulation::Implementation::note_reception(const MessageExtension& extension, Cycle now) {
  const bool is_counted = completions_.counts(extension.collective);
  if (is_counted && !completions_.receive(extension)) {
    latencies_.receive(now);
    return -1;
  }
  const bool is_first = latencies_.receive(extension.collective, extension.receiver, now);
  if (!is_first) {
    ++results_.repeated_deliveries;
    return -1;
  }
  if (config.barrier) barrier_.arrive(extension.collective);
  if (config.barrier_messages) pass_barrier(extension.collective, extension.receiver);
  return now - latencies_.start_of(extension.collective);
}

// The collectives of the trial that are not barriers.
std::size_t Simulation::Implementation::collective_count() const {
  const std::size_t count = collectives_->size();
  return config.barrier_messages ? (count + 1) / 2 : count;
}

void Simulation::Implementation::pass_barrier(int collective, NodeId node) {
  const auto number = static_cast<std::size_t>(collective);
  if (number < collective_count()) {
    message_barrier_.complete(number, node);
  } else {
    message_barrier_.release(number - collective_count(), node);
  }
}

void Simulation::Implementation::arm_message_barrier() {
  std::vector<std::vector<NodeId>> sources;
  std::vector<std::vector<bool>> receive;
  for (std::size_t i = 0; i < collective_count(); ++i) {
    sources.push_back((*collectives_)[i].sources);
    receive.push_back(receiving_nodes((*collectives_)[i], routing));
  }
  const std::size_t count = collective_count();
  message_barrier_.arm(
      std::move(sources), std::move(receive),
      [this, count](std::size_t barrier, NodeId node) {
        schedule_.start(node, static_cast<int>(count + barrier), machine_->clock().cycle());
        machine_->call(node);
      },
      [this](std::size_t next) { start_collective(static_cast<int>(next)); });
}

void Simulation::Implementation::start_blocks(int collective) {
  latencies_.start(collective, {}, machine_->clock().cycle());
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    schedule_.start(node_id(i), collective, machine_->clock().cycle());
    machine_->call(node_id(i));
  }
}

// The message of a multicast, acquired once.
tlm::tlm_generic_payload& Simulation::Implementation::whole_message(int collective) {
  tlm::tlm_generic_payload& payload = pool.allocate(config.payload_is_symbolic ? 1 : config.bytes);
  if (config.payload_is_symbolic) message_extension(payload)->stands_for = config.bytes;
  fill_payload(payload, static_cast<std::uint64_t>(collective));
  return payload;
}

// What `source` contributes to a collective with joins, acquired once.
tlm::tlm_generic_payload& Simulation::Implementation::contribution(int collective, NodeId source,
                                                                   bool has_floats) {
  const PlannedCollective& planned = (*collectives_)[static_cast<std::size_t>(collective)];
  const std::size_t bytes = message_bytes(planned, config);
  const std::size_t symbol = 8;  // bytes, a row of lanes of any type
  const std::size_t kept = config.payload_is_symbolic ? std::min(bytes, symbol) : bytes;
  tlm::tlm_generic_payload& payload = pool.allocate(kept);
  if (kept != bytes) message_extension(payload)->stands_for = bytes;
  fill_contribution(payload, has_floats, static_cast<std::uint64_t>(collective), source);
  return payload;
}

void Simulation::Implementation::start_collective(int collective) {
  if (memory_.has_blocks(collective)) {
    start_blocks(collective);
    return;
  }
  const PlannedCollective& planned = (*collectives_)[static_cast<std::size_t>(collective)];
  if (planned.has_joins()) {
    start_joins(collective, planned);
    return;
  }
  tlm::tlm_generic_payload& payload = whole_message(collective);
  latencies_.start(collective, planned.sources, machine_->clock().cycle());
  for (const NodeId source : planned.sources) {
    schedule_.start(source, collective, payload, machine_->clock().cycle());
    machine_->call(source);
  }
  payload.release();
}

// Every sender has a message of its own.
void Simulation::Implementation::start_joins(int collective, const PlannedCollective& planned) {
  latencies_.start(collective, {}, machine_->clock().cycle());
  const bool has_floats = joins_floats(planned.schedule);
  for (const NodeId source : planned.sources) {
    tlm::tlm_generic_payload& payload = contribution(collective, source, has_floats);
    schedule_.start(source, collective, payload, machine_->clock().cycle());
    machine_->call(source);
    payload.release();
  }
}

void Simulation::Implementation::load(const ProgramTable& programs,
                                      const std::vector<PlannedCollective>& collectives) {
  const std::size_t nodes = routing.topology().node_count();
  memory_.reset(nodes, collectives.size());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const auto& goal = collectives[i].goal;
    if (goal == nullptr) continue;
    memory_.add(static_cast<int>(i), goal, block_lengths(collectives[i], config),
                config.payload_is_symbolic ? BlockBytes::symbol : BlockBytes::all);
  }
  schedule_.load(programs, &memory_);
  completions_.begin_trial(collectives, programs, routing);
  latencies_.begin_trial(nodes, collectives.size(), programs.places());
}

void Simulation::Implementation::run_trial(const std::vector<PlannedCollective>& collectives,
                                           int trial) {
  reset();
  collectives_ = &collectives;
  load_monitor_.reset();
  const auto number = static_cast<std::uint64_t>(trial);
  ProgramTable programs = make_programs(collectives, routing, config.jitter, config.seed, number);
  programs.start_at(draw_starts(programs.nodes(), config.skew, config.seed, number));
  load(programs, collectives);
  if (config.barrier) {
    barrier_.arm(receivers(collectives, routing), [this](int next) { start_collective(next); });
    start_collective(0);
  } else if (config.barrier_messages) {
    arm_message_barrier();
    start_collective(0);
  } else {
    for (std::size_t i = 0; i < collectives.size(); ++i) start_collective(static_cast<int>(i));
  }
  run_kernel(trial);
  for (const PlannedCollective& collective : collectives) {
    if (collective.is_barrier) continue;
    results_.steps = std::max(results_.steps, collective.schedule.steps());
  }
  end_trial(trial);
  latencies_.end_trial(collectives, results_);
  const bool starts_once = !config.barrier && !config.barrier_messages;
  if (config.skew > 0 && starts_once) results_.last_starts.push_back(programs.last_start());
}

Results Simulation::Implementation::run(const CollectiveWork& work) {
  const Trials& trials = work.trials;
  require_trials(trials, work.first, config, routing.topology());
  for (const std::vector<PlannedCollective>& collectives : trials) {
    require_runnable(collectives);
    require_explained(collectives, config);
  }
  results_ = Results{};
  machine_->begin_run();
  if (explainer_) explainer_->begin_run();
  deliveries_ = DeliveryLog{};
  latencies_ = LatencyLog{};
  const double share = 1.0 / static_cast<double>(trials.size());
  results_.wall_seconds = timed([&] {
    for (std::size_t i = work.first; i < trials.size() && goes_on(); ++i) {
      watch.begin_trial(static_cast<double>(i) * share, share, 0);
      run_trial(trials[i], static_cast<int>(i));
    }
  });
  latencies_.summarize(results_);
  if (explainer_) results_.explanation = explainer_->result();
  results_.startup_seconds = startup_seconds;
  return results_;
}

}  // namespace allport
