// SPDX-License-Identifier: Apache-2.0
// A Comparison runs the same traffic under several algorithms. All of them run on one simulation,
// because SystemC elaborates once in a process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/program/report/comparison_table.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/simulation/simulation.h"

namespace allport {

class Comparison {
 public:
  /// Plans all that is asked for, so that what cannot be run is refused before anything is
  /// simulated: `algorithms` with the message of `request` or, where there are `sizes`, of each of
  /// these lengths in bytes. All run on one model: worms, if the model is open and worms can move
  /// all of them. Algorithms that were not named, and refuse to be planned, are left out; those
  /// that were named only where they cannot be cut into pieces as others are. Of an algorithm that
  /// takes parts there are several rows where these change its latency by more than 5 %. Throws
  /// std::invalid_argument, one sentence. `equipment` makes what replaces the routers, given the
  /// fabric and the most places that headers need; empty: nothing does.
  using ReplacementOf = std::function<RouterReplacement(const RunPlan& plan, int places)>;
  Comparison(const RunRequest& request, std::vector<const Algorithm*> algorithms, bool are_named,
             std::vector<std::size_t> sizes, const ReplacementOf& replacement_of = {});

  /// The fabric of the runs, and their model.
  const RunPlan& plan() const { return plan_; }
  std::size_t row_count() const { return contestants_.size(); }
  /// A sentence for each algorithm that was left out.
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// The runs of all algorithms, fewer after an interrupt.
  std::vector<ComparedRun> run();
  /// The same for each of the sizes, in their order.
  std::vector<ComparedSize> run_sizes();
  /// Where the fastest algorithm changes between neighbours of `sizes`: found by runs of the two
  /// algorithms with lengths between, to 1/32 of the shorter length or to a flit; after an
  /// interrupt those that are found.
  std::vector<Crossover> crossovers(const std::vector<ComparedSize>& sizes);

  /// Has the runs tell their busiest links.
  void tell_links() { has_links_ = true; }

  void erase_progress() { progress_->erase(); }
  bool was_stopped() const { return stop_ != nullptr && stop_->load(); }

 private:
  // What a row runs; 0 parts: as many as the request says, or as the algorithm takes by itself.
  struct Contestant {
    const Algorithm* algorithm = nullptr;
    int parts = 0;
  };

  RunPlan planned_for(std::size_t bytes) const;
  void leave_out_refused(std::vector<RunPlan> plans);
  void add_parts(std::vector<RunPlan> plans);
  std::vector<std::optional<Cycle>> predicted(const Contestant& contestant,
                                              std::vector<RunPlan>& plans) const;
  void drop_alike(std::vector<ComparedSize>& sizes);
  template <class Task>
  auto sized_by(const Contestant& contestant, const Task& work) const;
  void plan_with(RunPlan& plan, const Contestant& contestant) const;
  void plan_alone_or_load(RunPlan& plan, const Contestant& contestant) const;
  void settle_all(RunPlan& plan);
  /// None: an interrupt came before there was anything to show.
  std::optional<ComparedRun> run(const Contestant& contestant, RunPlan& plan);
  void plan_run(const Contestant& contestant, RunPlan& plan) const;
  ComparedRun simulated(const Contestant& contestant, RunPlan& plan);
  std::optional<Cycle> latency(const Contestant& contestant, std::size_t bytes);
  bool narrow(Crossover& change, const Contestant& shorter, const Contestant& longer);

  RunRequest request_;
  std::vector<Contestant> contestants_;
  std::vector<std::size_t> sizes_;
  std::vector<std::string> left_out_;
  RunPlan plan_;
  StopFlag stop_ = nullptr;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ProgressBar> progress_;
  std::size_t done_ = 0;  // runs that have ended
  std::string searched_;  // in words, the crossover that is being searched for
  bool has_links_ = false;
  int places_ = 0;  // for further destinations, the most that a header needs
};

}  // namespace allport
