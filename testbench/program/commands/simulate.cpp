// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/report/report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/waves/gtkw_file.h"

namespace allport {

namespace {

// Before anything is simulated: the wave and the files beside it can be written.
void require_wave_files(const Options& options) {
  const auto [flits, messages, save] = wave_companions(options.observe.wave);
  for (const std::string& file : {options.observe.wave, flits, messages, save}) OutputFile{file};
}

// None when no waves are wanted.
std::optional<WaveOptions> wave_options(const Options& options, const Topology& topology) {
  if (options.observe.wave.empty()) return std::nullopt;
  if (options.run.model == Model::worm) {
    throw std::invalid_argument(
        "--wave: the model worm has no signals to show; the models systemc and rtl have");
  }
  require_wave_files(options);
  if (options.run.traffic.trials > 1) {
    throw std::invalid_argument(
        fmt::format("--wave shows one run from reset: it does not go with --trials {}",
                    options.run.traffic.trials));
  }
  WaveOptions wave;
  wave.path = options.observe.wave;
  wave.nodes = to_nodes(options.observe.wave_nodes, topology, "wave node");
  wave.from = options.observe.wave_from;
  wave.to = options.observe.wave_to.value_or(WaveWindow::no_end);
  if (wave.to < wave.from) {
    throw std::invalid_argument(
        fmt::format("--wave-to {}: must be --wave-from {} or later", wave.to, wave.from));
  }
  return wave;
}

class Run {
 public:
  Run(const RunPlan& plan, const SimulationExtras& extras)
      : plan_(plan),
        extras_(extras),
        simulation_(plan.simulation, plan.routing, is_pattern(), extras.equip) {
    simulation_.on_progress(
        [this](double fraction, Cycle cycle) { progress_.update(fraction, cycle); });
    simulation_.stop_when(catch_interrupts());
  }

  void record(const WaveOptions& wave) {
    recorder_.emplace(
        simulation_.fabric(), wave, [this](MessageId id) { return simulation_.message_name(id); },
        [this](const Loss& loss) { return simulation_.is_contention(loss); });
    if (extras_.dress) extras_.dress(*recorder_);
  }

  Results run() {
    return is_pattern() ? simulation_.run_pattern(*plan_.traffic) : simulation_.run(plan_.trials);
  }

  /// One trial once more, ending as it did before; its results.
  Results run_again(std::size_t trial) {
    return is_pattern()
               ? run()
               : simulation_.run({plan_.trials.begin(),
                                  plan_.trials.begin() + static_cast<std::ptrdiff_t>(trial) + 1},
                                 trial);
  }

  /// Why the waves of the run with `results` are not whole; empty when they are.
  std::string finish(const Results& results) {
    try {
      if (recorder_) finish_wave(*recorder_, results);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

 private:
  bool is_pattern() const { return plan_.traffic.has_value(); }

  const RunPlan& plan_;
  const SimulationExtras& extras_;
  Simulation simulation_;
  ProgressBar progress_{"simulating"};
  std::optional<WaveRecorder> recorder_;
};

}  // namespace

WaveRerun difference_rerun(const Difference& difference, const std::string& path) {
  constexpr Cycle cycles_before = 300;
  WaveRerun rerun;
  rerun.wave.path = path;
  rerun.wave.nodes = {difference.node};
  rerun.wave.from = std::max(Cycle{0}, difference.cycle - cycles_before);
  rerun.wave.to = difference.cycle;
  rerun.trial = static_cast<std::size_t>(difference.trial);
  return rerun;
}

Simulated simulate(const Options& options, const RunPlan& plan, const SimulationExtras& extras) {
  const std::optional<WaveOptions> wave = wave_options(options, plan.routing.topology());
  Run run(plan, extras);
  if (wave) run.record(*wave);
  Simulated simulated;
  simulated.results = run.run();
  simulated.wave_problem = run.finish(simulated.results);
  if (wave || !extras.rerun) return simulated;
  if (const std::optional<WaveRerun> rerun = extras.rerun(simulated.results)) {
    run.record(rerun->wave);
    simulated.wave_problem = run.finish(run.run_again(rerun->trial));
  }
  return simulated;
}

}  // namespace allport
