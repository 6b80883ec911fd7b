// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/trial_outputs.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/show/picture/trial_picture.h"
#include "testbench/show/timeline/timeline.h"

namespace allport {

namespace {

// Throws before anything is simulated unless the wave and the files beside it can be written.
void require_wave_files(const std::string& wave) {
  const auto [flits, messages, save] = wave_companions(wave);
  for (const std::string& file : {wave, flits, messages, save}) OutputFile{file};
}

}  // namespace

std::optional<WaveOptions> wave_options(const Options& options, const Topology& topology) {
  if (options.observe.wave.empty()) return std::nullopt;
  if (options.run.model == Model::worm) {
    throw std::invalid_argument(
        "--wave: the model worm has no signals to show; the models systemc and rtl have them");
  }
  require_wave_ending(options.observe.wave);
  require_wave_files(options.observe.wave);
  if (options.run.traffic.trials > 1) {
    throw std::invalid_argument(
        fmt::format("--wave shows a single run from reset and cannot be combined with --trials {}",
                    options.run.traffic.trials));
  }
  WaveOptions wave;
  wave.path = options.observe.wave;
  wave.nodes = to_routers(options.observe.wave_nodes, topology, "wave node");
  wave.from = options.observe.wave_from;
  wave.to = options.observe.wave_to.value_or(WaveWindow::no_end);
  if (wave.to < wave.from) {
    throw std::invalid_argument(
        fmt::format("--wave-to {}: must be --wave-from {} or later", wave.to, wave.from));
  }
  return wave;
}

TimelineOutput::TimelineOutput(const Options& options, const Topology& topology)
    : path_(options.observe.timeline), topology_(topology) {
  if (path_.empty()) return;
  if (options.run.traffic.trials > 1) {
    throw std::invalid_argument(fmt::format(
        "--timeline shows a single run from reset and cannot be combined with --trials {}",
        options.run.traffic.trials));
  }
  file_.emplace(path_);
}

void TimelineOutput::write(const ShownTrial& trial) {
  try {
    file_->commit([&](const OutputFile::Append& append) {
      write_timeline(trial, topology_, *timeline_format(path_), append, catch_interrupts());
    });
  } catch (const Stopped&) {
    is_cut_ = true;
    problem_ = fmt::format("{} was not written: interrupted", shown_path(path_));
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
}

void PageOutput::draw(const ShownTrial& trial, const Results& results) {
  const auto& path = results.explanation->path;
  try {
    const Topology& topology = plan_.routing.topology();
    trial_ = trial_picture(trial, topology,
                           is_last_trial(plan_, path) ? path : std::vector<PathMessage>{},
                           picture_size(topology.node_count()), catch_interrupts());
  } catch (const Stopped&) {
    problem_ = "the page has no pictures: interrupted";
    return;
  }
  const std::size_t unexplained = trial_["unexplained"].get<std::size_t>();
  if (unexplained == 0) return;
  problem_ = fmt::format("the pictures of the page lack {} of {}: interrupted", unexplained,
                         counted(trial.receptions.size(), "message"));
}

void PageOutput::commit(const std::string& command, PageAdvice advice,
                        const SessionResults& session, const StaticVerdict& verdict,
                        const std::string& problem, Json run) {
  file_->commit(run_page(plan_, session, verdict,
                         {command, std::move(advice), problem, std::move(run), std::move(trial_)}));
}

}  // namespace allport
