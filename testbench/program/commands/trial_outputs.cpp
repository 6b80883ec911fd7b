// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/trial_outputs.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/processes/interrupt.h"
#include "testbench/show/picture/trial_picture.h"
#include "testbench/show/timeline/timeline.h"

namespace allport {

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
