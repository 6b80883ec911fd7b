// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/replay_report.h"

#include <fmt/format.h>

#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

// `app.goal, GOAL: 16 ranks`
std::string name_of(const ReplayedJob& job) {
  const std::string others = job.files == 1 ? "" : fmt::format(" and {} more", job.files - 1);
  const std::string group = job.group.empty() ? "" : " on " + shown_path(job.group);
  return fmt::format("{}{}{}, {}: {}", shown_path(job.name), others, group, job.format,
                     counted(job.ranks, "rank"));
}

std::string words_of(const CollectiveUse& use) {
  const std::string way = use.members == 1 ? ""
                          : use.fabric.empty()
                              ? " by a chain"
                              : fmt::format(" by {} on {}", use.algorithm, use.fabric);
  return fmt::format("{} {} among {}{}: {}, {}", use.times, use.operation,
                     counted(use.members, "rank"), way, counted(use.messages, "message"),
                     counted(use.bytes, "byte"));
}

std::string left_out_words(std::uint64_t count) {
  return fmt::format(
      "{} left out: the node that {} is not in the file, or waits for this one",
      count == 1 ? "1 control dependency is" : fmt::format("{} control dependencies are", count),
      count == 1 ? "it names" : "each names");
}

}  // namespace

ReportLines collective_lines(const std::vector<CollectiveUse>& uses, const char* label) {
  ReportLines lines;
  for (const CollectiveUse& use : uses)
    lines.emplace_back(lines.empty() ? label : "", words_of(use));
  return lines;
}

Json collectives_json(const std::vector<CollectiveUse>& uses) {
  Json::array_t collectives;
  for (const CollectiveUse& use : uses) {
    collectives.push_back({{"operation", use.operation},
                           {"algorithm", use.algorithm},
                           {"fabric", use.fabric},
                           {"ranks", use.members},
                           {"times", use.times},
                           {"messages", use.messages},
                           {"bytes", use.bytes}});
  }
  return collectives;
}

ReportLines replay_lines(const Replay& replay) {
  ReportLines lines;
  for (const ReplayedJob& job : replay.jobs) {
    lines.emplace_back("replay",
                       fmt::format("{} that compute {}, and send {} with {}", name_of(job),
                                   counted(job.compute, "cycle"), counted(job.messages, "message"),
                                   counted(job.bytes, "byte")));
    for (auto& line : collective_lines(job.collectives, "")) lines.push_back(std::move(line));
    if (job.left_out > 0) lines.emplace_back("", left_out_words(job.left_out));
  }
  return lines;
}

Json replay_json(const Replay& replay) {
  Json::array_t jobs;
  for (const ReplayedJob& job : replay.jobs) {
    jobs.push_back({{"file", job.name},
                    {"files", job.files},
                    {"format", job.format},
                    {"group", job.group},
                    {"ranks", job.ranks},
                    {"tasks", job.tasks},
                    {"compute", job.compute},
                    {"messages", job.messages},
                    {"bytes", job.bytes},
                    {"left_out", job.left_out},
                    {"collectives", collectives_json(job.collectives)}});
  }
  return jobs;
}

}  // namespace allport
