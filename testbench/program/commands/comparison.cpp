// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/comparison.h"
#include "testbench/plan/plan_collectives.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/conformance/custom_fabric.h"
#include "testbench/plan/plan_load.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/verdict.h"
#include "testbench/plan/way_to_bound.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/terminal/stage.h"

namespace allport {

namespace {

// Latencies that differ by more than this share are different answers.
constexpr double tolerance = 0.05;

bool differ(Cycle a, Cycle b) {
  const auto [less, more] = std::minmax(a, b);
  return static_cast<double>(more - less) > tolerance * static_cast<double>(less);
}

bool is_other_answer(const ComparedRun& a, const ComparedRun& b) {
  const bool both_end = a.results.has_latency() && b.results.has_latency();
  return !both_end || !a.problem.empty() || !b.problem.empty() ||
         differ(a.results.latency.max, b.results.latency.max);
}

// The parts of each block; 0: there are no blocks.
std::size_t parts_of(const RunPlan& plan) {
  const std::shared_ptr<const Collective>& goal = plan.trials().front().front().goal;
  return goal == nullptr ? 0 : goal->part_count();
}

}  // namespace

Comparison::Comparison(const RunRequest& request, std::vector<const Algorithm*> algorithms,
                       bool are_named, std::vector<std::size_t> sizes,
                       const ReplacementOf& replacement_of)
    : request_(request), sizes_(std::move(sizes)), plan_(plan_fabric(request)) {
  require_node_model(plan_);
  for (const Algorithm* algorithm : algorithms) contestants_.push_back({algorithm});
  {
    const EndAtOnce nothing_to_report;
    const Stage stage("planning");
    std::vector<RunPlan> plans;
    for (const std::size_t bytes : sizes_) plans.push_back(planned_for(bytes));
    if (plans.empty()) plans.push_back(plan_);
    if (!are_named || request_.message.pieces != 1) leave_out_refused(plans);
    add_parts(plans);
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
  const RouterReplacement replace_routers =
      replacement_of ? replacement_of(plan_, places_) : RouterReplacement{};
  simulation_ =
      std::make_unique<Simulation>(plan_.simulation, plan_.routing, replace_routers, stop_);
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

// What is made for one algorithm, which is named when there is not enough memory for it.
template <class Task>
auto Comparison::sized_by(const Contestant& contestant, const Task& work) const {
  RunRequest request = request_;
  request.traffic.algorithm = contestant.algorithm;
  return sized(request, work);
}

void Comparison::plan_with(RunPlan& plan, const Contestant& contestant) const {
  sized_by(contestant, [&] { plan_alone_or_load(plan, contestant); });
}

void Comparison::plan_alone_or_load(RunPlan& plan, const Contestant& contestant) const {
  const Algorithm& algorithm = *contestant.algorithm;
  plan.request.message.parts = contestant.parts > 0 ? contestant.parts : request_.message.parts;
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
  std::vector<Contestant> planned;
  for (const Contestant& contestant : contestants_) {
    give_up_if_interrupted();
    try {
      for (RunPlan& plan : plans) plan_with(plan, contestant);
      planned.push_back(contestant);
    } catch (const std::invalid_argument& refusal) {
      left_out_.push_back(std::string(contestant.algorithm->name) + ": " + refusal.what());
      if (left_out_.size() == contestants_.size()) throw;
    }
  }
  contestants_ = std::move(planned);
}

// The latencies that theory has for a row; empty: it cannot be planned.
std::vector<std::optional<Cycle>> Comparison::predicted(const Contestant& contestant,
                                                        std::vector<RunPlan>& plans) const {
  std::vector<std::optional<Cycle>> list;
  for (RunPlan& plan : plans) {
    give_up_if_interrupted();
    try {
      plan_with(plan, contestant);
    } catch (const std::invalid_argument&) {
      return {};
    }
    list.push_back(predicted_latency(plan));
  }
  return list;
}

// Algorithms that choose ways by the number of parts may use both ways round a ring only with two:
// there is a row for 1 and for 2 unless theory has the same latency. What is synthesized has the
// number that suits its plan.
void Comparison::add_parts(std::vector<RunPlan> plans) {
  if (request_.message.parts != 0 || request_.traffic.collective_rate) return;
  std::vector<Contestant> all;
  for (const Contestant& one : contestants_) {
    all.push_back(one);
    if (one.algorithm->own_parts == nullptr || one.algorithm->is_synthesized) continue;
    const std::vector<std::optional<Cycle>> of_one = predicted(one, plans);
    for (const int parts : {1, 2}) {
      const Contestant other{one.algorithm, parts};
      const std::vector<std::optional<Cycle>> latencies = predicted(other, plans);
      const bool may_differ =
          !std::equal(of_one.begin(), of_one.end(), latencies.begin(), latencies.end(),
                      [](const auto& a, const auto& b) { return a && b && !differ(*a, *b); });
      if (may_differ && !latencies.empty()) all.push_back(other);
    }
  }
  contestants_ = std::move(all);
}

// Leaves out rows with parts of their own that are nowhere another answer than the algorithm's
// first row, and has the others say their parts.
void Comparison::drop_alike(std::vector<ComparedSize>& sizes) {
  std::size_t first = 0;
  std::vector<bool> stays(contestants_.size(), true);
  std::vector<bool> says_parts(contestants_.size(), false);
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    if (contestants_[i].parts == 0) {
      first = i;
      continue;
    }
    stays[i] = std::any_of(sizes.begin(), sizes.end(), [&](const ComparedSize& size) {
      return i >= size.runs.size() ||  // an interrupt came before
             is_other_answer(size.runs[first], size.runs[i]);
    });
    if (stays[i]) says_parts[i] = says_parts[first] = true;
  }
  for (ComparedSize& size : sizes) {
    std::vector<ComparedRun> kept;
    for (std::size_t i = 0; i < size.runs.size(); ++i) {
      if (!says_parts[i]) size.runs[i].parts = 0;
      if (stays[i]) kept.push_back(std::move(size.runs[i]));
    }
    size.runs = std::move(kept);
  }
  std::vector<Contestant> left;
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    if (stays[i]) left.push_back(contestants_[i]);
  }
  contestants_ = std::move(left);
}

void Comparison::settle_all(RunPlan& plan) {
  for (const Contestant& contestant : contestants_) {
    give_up_if_interrupted();
    plan_with(plan, contestant);
    settle_model(plan);
    if (plan.request.custom_router) places_ = std::max(places_, places_for(plan));
  }
}

// The simulation, which no exception must leave, is outside of what may be given up.
std::optional<ComparedRun> Comparison::run(const Contestant& contestant, RunPlan& plan) {
  try {
    return sized_by(contestant, [&] { return simulated(contestant, plan); });
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

void Comparison::plan_run(const Contestant& contestant, RunPlan& plan) const {
  plan_with(plan, contestant);
  settle_model(plan);
  // Lengths are what counts here; long messages of bytes would take long to copy.
  const bool may_have_symbols =
      request_.message.payload == Payload::automatic && plan.simulation.is_transaction_level;
  if (!sizes_.empty() && may_have_symbols) plan.simulation.payload_is_symbolic = true;
}

ComparedRun Comparison::simulated(const Contestant& contestant, RunPlan& plan) {
  const auto all =
      static_cast<double>(contestants_.size() * std::max<std::size_t>(sizes_.size(), 1));
  const auto done = static_cast<double>(done_++);
  const auto show = [&](double fraction, Cycle) {
    if (!searched_.empty()) {
      progress_->update(-1, searched_);
      return;
    }
    progress_->update(std::min(1.0, (done + std::max(fraction, 0.0)) / all),
                      std::string(contestant.algorithm->name));
  };
  simulation_->on_progress(show);
  show(0, 0);
  ComparedRun one;
  one.algorithm = contestant.algorithm;
  one.topology = plan.routing.shared_topology();
  {
    const Stoppable planning(stop_);
    plan_run(contestant, plan);
    one.longest = longest_message(plan);
    if (plan.is_scheduled()) {
      one.parts = parts_of(plan);
      one.theory = predicted_latency(plan);
      one.bound = lower_bound_of(plan);
      if (has_links_) one.busiest_link = busiest_link_of(plan);
    }
  }
  simulation_->use_message(plan.simulation);
  one.results = simulation_->run(plan.work);
  tell_way_to_bound(plan, one.results, stop_);
  if (plan.request.message.pieces == 0) one.pieces = pieces_of(plan.trials());
  one.problem = contradiction(plan, one.results, stop_);
  if (one.problem.empty()) one.problem = fault(one.results);
  if (plan.is_scheduled() && one.results.has_latency())
    one.bandwidth = bandwidth_of(plan, one.results.latency.max);
  return one;
}

std::vector<ComparedRun> Comparison::run() {
  std::vector<ComparedSize> all(1);
  for (const Contestant& contestant : contestants_) {
    if (was_stopped()) break;
    std::optional<ComparedRun> one = run(contestant, plan_);
    if (!one) break;
    all.front().runs.push_back(std::move(*one));
  }
  plan_.request.message.parts = request_.message.parts;
  drop_alike(all);
  return std::move(all.front().runs);
}

std::vector<ComparedSize> Comparison::run_sizes() {
  std::vector<ComparedSize> list;
  for (const std::size_t bytes : sizes_) {
    if (was_stopped()) break;
    RunPlan plan = planned_for(bytes);
    ComparedSize size;
    size.bytes = bytes;
    for (const Contestant& contestant : contestants_) {
      if (was_stopped()) break;
      std::optional<ComparedRun> one = run(contestant, plan);
      if (one) size.runs.push_back(std::move(*one));
    }
    if (size.runs.size() == contestants_.size()) list.push_back(std::move(size));
  }
  drop_alike(list);
  return list;
}

std::optional<Cycle> Comparison::latency(const Contestant& contestant, std::size_t bytes) {
  RunPlan plan = planned_for(bytes);
  const std::optional<ComparedRun> one = run(contestant, plan);
  if (!one || was_stopped()) return std::nullopt;
  return one->results.latency.max;
}

// Returns whether it was found, and no interrupt came before.
bool Comparison::narrow(Crossover& change, const Contestant& shorter, const Contestant& longer) {
  const auto flit = static_cast<std::size_t>(plan_.simulation.flit_bytes);
  const std::size_t exact = std::max(flit, change.below / 32);
  while (change.above - change.below > exact) {
    searched_ = "searching where " + change.longer +
                " becomes the fastest: " + std::to_string(change.below) + " to " +
                std::to_string(change.above) + " bytes";
    // Whole flits further, because joins take no others.
    const std::size_t half = (change.above - change.below) / 2;
    const std::size_t middle = change.below + std::max(flit, half - half % flit);
    const std::optional<Cycle> of_longer = latency(longer, middle);
    const std::optional<Cycle> of_shorter = of_longer ? latency(shorter, middle) : std::nullopt;
    if (!of_shorter) return false;
    (*of_longer < *of_shorter ? change.above : change.below) = middle;
  }
  return !was_stopped();
}

std::vector<Crossover> Comparison::crossovers(const std::vector<ComparedSize>& sizes) {
  std::vector<Crossover> list;
  for (std::size_t i = 1; i < sizes.size() && !was_stopped(); ++i) {
    const ComparedRun* shorter = sizes[i - 1].fastest();
    const ComparedRun* longer = sizes[i].fastest();
    if (shorter == nullptr || longer == nullptr) continue;
    const auto before = static_cast<std::size_t>(shorter - sizes[i - 1].runs.data());
    const auto after = static_cast<std::size_t>(longer - sizes[i].runs.data());
    if (before == after) continue;
    Crossover change{row_name(*shorter), row_name(*longer), sizes[i - 1].bytes, sizes[i].bytes};
    if (narrow(change, contestants_[before], contestants_[after])) list.push_back(change);
  }
  progress_->erase();
  return list;
}

}  // namespace allport
