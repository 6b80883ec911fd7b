// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/slurm_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/quote.h"
#include "testbench/files/json_text.h"
#include "testbench/files/whole_file.h"
#include "testbench/studies/sweep/local_executor.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

std::string task_file(const std::string& folder, std::uint64_t task) {
  return fmt::format("{}/tasks/{}.jsonl", folder, task);
}

// Reads the points that write_task() has written.
std::vector<Point> points_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error(
        fmt::format("{} cannot be read: {}", shown_path(path), std::strerror(errno)));
  }
  std::vector<Point> points;
  for (std::string line; std::getline(file, line);) {
    const Json json = parsed_json(line);
    try {
      points.push_back({json.at("name"), json.at("config"), json.at("arguments"), ""});
    } catch (const Json::exception&) {
      throw std::runtime_error(fmt::format(
          "{} is damaged; remove the folder slurm that it is in, and what was done stays",
          shown_path(path)));
    }
  }
  return points;
}

std::string script_text(const std::string& store) {
  const std::string program = fs::read_symlink(this_program).string();
  return fmt::format("#!/bin/sh\nexec {} sweep --output {} --worker\n", shell_word(program),
                     shell_word(fs::absolute(store).string()));
}

void write_task(const PointsToRun& work, const std::string& folder, std::uint64_t task,
                const std::vector<std::uint64_t>& points) {
  std::string text;
  for (const std::uint64_t index : points) {
    const Point point = work.point_at(index);
    text +=
        compact({{"name", point.name}, {"config", point.config}, {"arguments", point.arguments}}) +
        "\n";
  }
  write_whole(work.store.partial_folder(), task_file(folder, task), text);
}

}  // namespace

SlurmJob SlurmJob::submit(const PointsToRun& work, const std::vector<std::uint64_t>& points,
                          std::uint64_t points_per_task, const SlurmLimits& limits) {
  SlurmJob job;
  job.folder_ = work.store.folder() + "/slurm";
  job.point_count_ = points.size();
  job.forget();
  fs::create_directories(job.folder_ + "/tasks");
  fs::create_directories(job.folder_ + "/logs");
  for (std::uint64_t from = 0; from < points.size(); from += points_per_task) {
    const std::uint64_t to = std::min<std::uint64_t>(from + points_per_task, points.size());
    write_task(work, job.folder_, job.task_count_++,
               {points.begin() + static_cast<std::ptrdiff_t>(from),
                points.begin() + static_cast<std::ptrdiff_t>(to)});
  }
  const std::string script = fs::absolute(job.folder_ + "/job.sh").string();
  write_whole(work.store.partial_folder(), script, script_text(work.store.folder()));
  job.number_ =
      submit_array(script, fs::absolute(job.folder_ + "/logs").string(), job.task_count_, limits);
  write_whole(
      work.store.partial_folder(), job.folder_ + "/job.json",
      compact({{"job", job.number_}, {"tasks", job.task_count_}, {"points", job.point_count_}}) +
          "\n");
  return job;
}

std::optional<SlurmJob> SlurmJob::left_in(const ResultStore& store) {
  SlurmJob job;
  job.folder_ = store.folder() + "/slurm";
  const std::string path = job.folder_ + "/job.json";
  const std::optional<std::string> text = whole_text(path);
  if (!text && errno == ENOENT) return std::nullopt;
  const Json json = parsed_json(text.value_or(""));
  try {
    job.number_ = json.at("job");
    job.task_count_ = json.at("tasks");
    job.point_count_ = json.at("points");
  } catch (const Json::exception&) {
    throw std::runtime_error(
        fmt::format("{} is damaged: when no job of the sweep is at work any more, remove the file",
                    shown_path(path)));
  }
  return job;
}

std::vector<std::string> SlurmJob::names(std::uint64_t task) const {
  std::vector<std::string> names;
  for (Point& point : points_of(task_file(folder_, task))) {
    names.push_back(std::move(point.name));
  }
  return names;
}

std::string SlurmJob::last_words(std::uint64_t task) const {
  std::ifstream file(fmt::format("{}/logs/{}.txt", folder_, task));
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

void SlurmJob::forget() const {
  std::error_code error;
  fs::remove(folder_ + "/job.json", error);  // first, because without it the rest is ignored
  fs::remove_all(folder_, error);
}

void run_task(const ResultStore& store, std::uint64_t task, const std::atomic<bool>* stop) {
  std::vector<Point> points;
  for (Point& point : points_of(task_file(store.folder() + "/slurm", task))) {
    if (!store.has(point.name)) points.push_back(std::move(point));
  }
  std::vector<std::uint64_t> numbers(points.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  LocalExecutor(1).run({store, numbers, [&points](std::uint64_t i) { return points[i]; }, stop,
                        [](std::uint64_t, const std::string&) {}, [](const std::string&) {}});
}

}  // namespace allport
