// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/collective_runner.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "testbench/plan/requirements.h"
#include "testbench/simulation/contribution.h"
#include "testbench/simulation/program_table.h"
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
        "the transaction-level fabric explains the latencies of unicasts only; the model systemc explains those of other kinds");
  }
}

}  // namespace

void CollectiveRunner::on_machine() {
  const SimulationConfig& config = core_.config;
  if (config.barrier) barrier_.emplace("barrier", core_.machine().clock(), *config.barrier);
  if (config.barrier_messages) message_barrier_.emplace("message_barrier");
}

std::string CollectiveRunner::finding() {
  const std::string fault = CollectiveTrial::finding();
  return fault.empty() && message_barrier_ ? message_barrier_->finding() : fault;
}

// The collectives of the trial that are not barriers.
std::size_t CollectiveRunner::collective_count() const {
  const std::size_t count = collectives()->size();
  return message_barrier_ ? (count + 1) / 2 : count;
}

void CollectiveRunner::on_complete(const MessageExtension& extension) {
  if (barrier_) barrier_->arrive(extension.collective);
  if (!message_barrier_) return;
  const auto number = static_cast<std::size_t>(extension.collective);
  if (number < collective_count()) {
    message_barrier_->complete(number, extension.receiver);
  } else {
    message_barrier_->release(number - collective_count(), extension.receiver);
  }
}

void CollectiveRunner::arm_message_barrier() {
  std::vector<std::vector<NodeId>> sources;
  std::vector<std::vector<bool>> receive;
  const std::size_t count = collective_count();
  for (std::size_t i = 0; i < count; ++i) {
    sources.push_back((*collectives())[i].sources);
    receive.push_back(receiving_nodes((*collectives())[i], core_.routing));
  }
  message_barrier_->arm(
      std::move(sources), std::move(receive),
      [this, count](std::size_t barrier, NodeId node) {
        schedule_.start(node, static_cast<int>(count + barrier), core_.now());
        core_.machine().call(node);
      },
      [this](std::size_t next) { start_collective(static_cast<int>(next)); });
}

void CollectiveRunner::start_blocks(int collective) {
  latencies_.start(collective, {}, core_.now());
  for (std::size_t i = 0; i < core_.nodes(); ++i) {
    schedule_.start(node_id(i), collective, core_.now());
    core_.machine().call(node_id(i));
  }
}

// Every sender has a message of its own.
void CollectiveRunner::start_joins(int collective) {
  latencies_.start(collective, {}, core_.now());
  const bool has_floats = joins_floats(planned(collective).schedule);
  for (const NodeId source : planned(collective).sources) {
    tlm::tlm_generic_payload& payload = contribution(collective, source, has_floats);
    schedule_.start(source, collective, payload, core_.now());
    core_.machine().call(source);
    payload.release();
  }
}

void CollectiveRunner::start_collective(int collective) {
  if (planned(collective).goal != nullptr) {
    start_blocks(collective);
    return;
  }
  if (planned(collective).has_joins()) {
    start_joins(collective);
    return;
  }
  tlm::tlm_generic_payload& payload = whole_message(collective);
  latencies_.start(collective, planned(collective).sources, core_.now());
  for (const NodeId source : planned(collective).sources) {
    schedule_.start(source, collective, payload, core_.now());
    core_.machine().call(source);
  }
  payload.release();
}

void CollectiveRunner::run_trial(const std::vector<PlannedCollective>& collectives, int trial) {
  const SimulationConfig& config = core_.config;
  reset(collectives, trial);
  const auto number = static_cast<std::uint64_t>(trial);
  ProgramTable programs =
      make_programs(collectives, core_.routing, config.jitter, config.seed, number);
  programs.start_at(draw_starts(programs.nodes(), config.skew, config.seed, number));
  load(programs, collectives);
  if (barrier_) {
    barrier_->arm(receivers(collectives, core_.routing),
                  [this](int next) { start_collective(next); });
    start_collective(0);
  } else if (message_barrier_) {
    arm_message_barrier();
    start_collective(0);
  } else {
    for (std::size_t i = 0; i < collectives.size(); ++i) start_collective(static_cast<int>(i));
  }
  core_.run_kernel(trial);
  Results& results = core_.results;
  for (const PlannedCollective& collective : collectives) {
    if (collective.is_barrier) continue;
    results.steps = std::max(results.steps, collective.schedule.steps());
  }
  core_.end_trial(trial, false);
  if (core_.explainer) core_.explainer->explain(trial, collectives, cycles());
  latencies_.end_trial(collectives, results);
  if (config.skew > 0 && !barrier_ && !message_barrier_) {
    results.last_starts.push_back(programs.last_start());
  }
}

Results CollectiveRunner::run(const Work& given) {
  const auto& work = std::get<CollectiveWork>(given);
  const Trials& trials = work.trials;
  require_trials(trials, work.first, core_.config, core_.routing.topology());
  for (const std::vector<PlannedCollective>& collectives : trials) {
    require_runnable(collectives);
    require_explained(collectives, core_.config);
  }
  core_.begin_run();
  latencies_ = LatencyLog{};
  const double share = 1.0 / static_cast<double>(trials.size());
  core_.results.wall_seconds = timed([&] {
    for (std::size_t i = work.first; i < trials.size() && core_.results.is_complete(); ++i) {
      core_.watch.begin_trial(static_cast<double>(i) * share, share, 0);
      run_trial(trials[i], static_cast<int>(i));
    }
  });
  latencies_.summarize(core_.results);
  if (core_.explainer) core_.results.explanation = core_.explainer->result();
  return core_.finish();
}

}  // namespace allport
