// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

constexpr int no_such_program = 127;

ChildEnd call(const std::string& program, const std::vector<std::string>& arguments) {
  ChildEnd end = run_and_wait(program, arguments);
  if (end.exit != no_such_program) return end;
  throw std::runtime_error(fmt::format(
      "Slurm is not available: its program {} is not installed on this machine", program));
}

// The last line, without the name of the program: `Invalid partition name specified`.
std::string complaint(const ChildEnd& end) {
  std::string_view text = end.err;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  text.remove_prefix(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
  for (const std::string_view word : {": error: ", " error: ", "failed: "}) {
    const std::size_t place = text.find(word);
    if (place != std::string_view::npos) text.remove_prefix(place + word.size());
  }
  return std::string(text);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Slurm replaces what follows % in the name of a log, unless a backslash precedes it.
std::string log_pattern(const std::string& folder) {
  if (folder.find('\\') != std::string::npos) {
    throw std::invalid_argument(fmt::format(
        "Slurm cannot write logs into {}: the path has a backslash; give another --output",
        shown_path(folder)));
  }
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern + "/%a.txt";
}

// The sentence for a job that sbatch refused.
std::string refusal(const ChildEnd& end, const SlurmLimits& limits) {
  std::vector<std::string> partitions = lines_of(call("sinfo", {"--noheader", "--format=%R"}).out);
  std::sort(partitions.begin(), partitions.end());
  const bool is_known = limits.partition.empty() || partitions.empty() ||
                        std::count(partitions.begin(), partitions.end(), limits.partition) > 0;
  if (is_known) return fmt::format("Slurm refuses the job: {}", complaint(end));
  std::string names;
  for (const std::string& name : partitions) names += (names.empty() ? "" : ", ") + name;
  return fmt::format("--partition: Slurm has no partition {}; it has {}",
                     in_quotes(limits.partition), names);
}

}  // namespace

bool SlurmTask::has_ended() const {
  constexpr std::array<std::string_view, 9> living{"PENDING",    "RUNNING",   "CONFIGURING",
                                                   "COMPLETING", "SUSPENDED", "STAGE_OUT",
                                                   "STOPPED",    "RESIZING",  "SIGNALING"};
  return std::find(living.begin(), living.end(), state) == living.end();
}

std::uint64_t max_array_tasks() {
  const ChildEnd end = call("scontrol", {"show", "config"});
  if (end.exit != 0) {
    throw std::runtime_error(
        fmt::format("Slurm is not available: its controller does not answer ({})", complaint(end)));
  }
  constexpr std::string_view key = "MaxArraySize";
  for (const std::string& line : lines_of(end.out)) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    std::uint64_t size = 0;
    std::from_chars(line.data() + std::min(digits, line.size()), line.data() + line.size(), size);
    if (size > 0) return size;
  }
  throw std::runtime_error("Slurm does not accept job arrays: its MaxArraySize is 0");
}

std::string submit_array(const std::string& script, const std::string& logs, std::uint64_t tasks,
                         const SlurmLimits& limits) {
  std::string array = fmt::format("--array=0-{}", tasks - 1);
  if (limits.array_width > 0) array += fmt::format("%{}", limits.array_width);
  // A task whose node dies must not start again by itself, because the sweep sees what is missing.
  std::vector<std::string> arguments{"--parsable", "--no-requeue", "--job-name=allport-sweep",
                                     array, "--output=" + log_pattern(logs)};
  if (!limits.partition.empty()) arguments.push_back("--partition=" + limits.partition);
  if (!limits.time.empty()) arguments.push_back("--time=" + limits.time);
  if (!limits.memory.empty()) arguments.push_back("--mem=" + limits.memory);
  arguments.push_back(file_argument(script));
  const ChildEnd end = call("sbatch", arguments);
  if (end.exit != 0) throw std::runtime_error(refusal(end, limits));
  return end.out.substr(0, end.out.find_first_of(";\n"));
}

std::optional<SlurmTasks> tasks_of(const std::string& job) {
  const ChildEnd end = call(
      "squeue", {"--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%K|%T|%r"});
  if (end.err.find("Invalid job id") != std::string::npos) return SlurmTasks{};
  if (end.exit != 0) return std::nullopt;
  SlurmTasks tasks;
  for (const std::string& line : lines_of(end.out)) {
    const std::size_t state = line.find('|');
    const std::size_t reason = line.find('|', state + 1);
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{} || reason == std::string::npos) continue;
    tasks[number] = {line.substr(state + 1, reason - state - 1), line.substr(reason + 1)};
  }
  return tasks;
}

bool cancel_job(const std::string& job) {
  const ChildEnd end = call("scancel", {job});
  return end.exit == 0 || end.err.find("Invalid job id") != std::string::npos;
}

}  // namespace allport
