// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/comparison.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/conformance/own_fabric.h"
#include "testbench/plan/plan_load.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/terminal/stage.h"

namespace allport {

Comparison::Comparison(const RunRequest& request, std::vector<const Algorithm*> algorithms,
                       bool are_named, std::vector<std::size_t> sizes, const Equipment& equipment)
    : request_(request),
      algorithms_(std::move(algorithms)),
      sizes_(std::move(sizes)),
      plan_(plan_fabric(request)) {
  require_node_model(plan_);
  {
    const EndAtOnce nothing_to_report;
    const Stage stage("planning");
    std::vector<RunPlan> plans;
    for (const std::size_t bytes : sizes_) plans.push_back(planned_for(bytes));
    if (plans.empty()) plans.push_back(plan_);
    if (!are_named || request_.message.pieces != 1) leave_out_refused(plans);
    for (const bool is_second_time : {false, true}) {
      for (RunPlan& plan : plans) settle_all(plan);
      const auto on_routers = std::find_if(plans.begin(), plans.end(), [](const RunPlan& plan) {
        return plan.is_model_chosen && plan.request.model == Model::systemc;
      });
      if (is_second_time || on_routers == plans.end()) break;
      request_.model = Model::systemc;  // what one of them needs, all have
      plan_ = plan_fabric(request_);
      plan_.is_model_chosen = true;
      for (std::size_t i = 0; i < plans.size(); ++i) {
        plans[i] = sizes_.empty() ? plan_ : planned_for(sizes_[i]);
      }
    }
    plan_.simulation = plans.front().simulation;
    plan_.request.model = plans.front().request.model;
    request_.model = plan_.request.model;
  }
  stop_ = catch_interrupts();
  const Equip equip = equipment ? equipment(plan_, places_) : Equip{};
  simulation_ = std::make_unique<Simulation>(plan_.simulation, plan_.routing, false, equip, stop_);
  progress_ = std::make_unique<ProgressBar>("comparing");
}

RunPlan Comparison::planned_for(std::size_t bytes) const {
  RunRequest sized = request_;
  sized.message.bytes = bytes;
  try {
    return plan_fabric(sized);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("--sizes: " + size_in_words(bytes) + ": " + error.what());
  }
}

// Alone, or as a load.
void Comparison::plan_with(RunPlan& plan, const Algorithm& algorithm) const {
  if (!request_.traffic.collective_rate) {
    plan_algorithm(plan, algorithm);
    return;
  }
  plan.request.traffic.algorithm = &algorithm;
  require_load(plan.request);
  plan_load(plan);
}

// A plan that is too large, for example; what is wrong with all of them is the user's mistake.
void Comparison::leave_out_refused(std::vector<RunPlan> plans) {
  std::vector<const Algorithm*> planned;
  for (const Algorithm* algorithm : algorithms_) {
    give_up_if_interrupted();
    try {
      for (RunPlan& plan : plans) plan_with(plan, *algorithm);
      planned.push_back(algorithm);
    } catch (const std::invalid_argument& refusal) {
      left_out_.push_back(std::string(algorithm->name) + ": " + refusal.what());
      if (left_out_.size() == algorithms_.size()) throw;
    }
  }
  algorithms_ = std::move(planned);
}

void Comparison::settle_all(RunPlan& plan) {
  for (const Algorithm* algorithm : algorithms_) {
    give_up_if_interrupted();
    plan_with(plan, *algorithm);
    settle_model(plan);
    if (plan.request.own_router) places_ = std::max(places_, places_for(plan));
  }
}

// The simulation, which no exception must leave, is outside of what may be given up.
std::optional<ComparedRun> Comparison::run(const Algorithm& algorithm, RunPlan& plan) {
  try {
    return simulated(algorithm, plan);
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

void Comparison::plan_run(const Algorithm& algorithm, RunPlan& plan) const {
  plan_with(plan, algorithm);
  settle_model(plan);
  // Lengths are what counts here; long messages of bytes would take long to copy.
  const bool may_have_symbols =
      request_.message.payload == Payload::automatic && plan.simulation.is_transaction_level;
  if (!sizes_.empty() && may_have_symbols) plan.simulation.payload_is_symbolic = true;
}

ComparedRun Comparison::simulated(const Algorithm& algorithm, RunPlan& plan) {
  const auto all =
      static_cast<double>(algorithms_.size() * std::max<std::size_t>(sizes_.size(), 1));
  const auto done = static_cast<double>(done_++);
  const auto show = [&](double fraction, Cycle) {
    if (!searched_.empty()) {
      progress_->update(-1, searched_);
      return;
    }
    progress_->update(std::min(1.0, (done + std::max(fraction, 0.0)) / all),
                      std::string(algorithm.name));
  };
  simulation_->on_progress(show);
  show(0, 0);
  ComparedRun one;
  one.algorithm = &algorithm;
  {
    const Stoppable planning(stop_);
    plan_run(algorithm, plan);
    one.longest = longest_message(plan);
    if (!plan.load) {
      one.theory = predicted_latency(plan);
      one.bound = lower_bound_of(plan);
    }
  }
  simulation_->use_message(plan.simulation);
  one.results = plan.load ? simulation_->run_load(plan.trials.front(), *plan.load,
                                                  plan.sources.size())
                          : simulation_->run(plan.trials);
  if (plan.request.message.pieces == 0) one.pieces = pieces_of(plan.trials);
  one.problem = contradiction(plan, one.results, stop_);
  if (one.problem.empty()) one.problem = fault(one.results);
  if (!plan.load && one.results.has_latency())
    one.bandwidth = bandwidth_of(plan, one.results.latency.max);
  return one;
}

std::vector<ComparedRun> Comparison::run() {
  std::vector<ComparedRun> runs;
  for (const Algorithm* algorithm : algorithms_) {
    if (was_stopped()) break;
    std::optional<ComparedRun> one = run(*algorithm, plan_);
    if (!one) break;
    runs.push_back(std::move(*one));
  }
  return runs;
}

std::vector<ComparedSize> Comparison::run_sizes() {
  std::vector<ComparedSize> list;
  for (const std::size_t bytes : sizes_) {
    if (was_stopped()) break;
    RunPlan plan = planned_for(bytes);
    ComparedSize size;
    size.bytes = bytes;
    for (const Algorithm* algorithm : algorithms_) {
      if (was_stopped()) break;
      std::optional<ComparedRun> one = run(*algorithm, plan);
      if (one) size.runs.push_back(std::move(*one));
    }
    if (size.runs.size() == algorithms_.size()) list.push_back(std::move(size));
  }
  return list;
}

std::optional<Cycle> Comparison::latency(const Algorithm& algorithm, std::size_t bytes) {
  RunPlan plan = planned_for(bytes);
  const std::optional<ComparedRun> one = run(algorithm, plan);
  if (!one || was_stopped()) return std::nullopt;
  return one->results.latency.max;
}

// Returns whether it was found, and no interrupt came before.
bool Comparison::narrow(Crossover& change) {
  const auto flit = static_cast<std::size_t>(plan_.simulation.flit_bytes);
  const std::size_t exact = std::max(flit, change.below / 32);
  while (change.above - change.below > exact) {
    searched_ = "searching where " + std::string(change.longer->name) + " becomes the fastest: " +
                std::to_string(change.below) + " to " + std::to_string(change.above) + " bytes";
    // Whole flits further, because joins take no others.
    const std::size_t half = (change.above - change.below) / 2;
    const std::size_t middle = change.below + std::max(flit, half - half % flit);
    const std::optional<Cycle> longer = latency(*change.longer, middle);
    const std::optional<Cycle> shorter = longer ? latency(*change.shorter, middle) : std::nullopt;
    if (!shorter) return false;
    (*longer < *shorter ? change.above : change.below) = middle;
  }
  return !was_stopped();
}

std::vector<Crossover> Comparison::crossovers(const std::vector<ComparedSize>& sizes) {
  std::vector<Crossover> list;
  for (std::size_t i = 1; i < sizes.size() && !was_stopped(); ++i) {
    const ComparedRun* shorter = sizes[i - 1].fastest();
    const ComparedRun* longer = sizes[i].fastest();
    if (shorter == nullptr || longer == nullptr || shorter->algorithm == longer->algorithm)
      continue;
    Crossover change{shorter->algorithm, longer->algorithm, sizes[i - 1].bytes, sizes[i].bytes};
    if (narrow(change)) list.push_back(change);
  }
  progress_->erase();
  return list;
}

}  // namespace allport
