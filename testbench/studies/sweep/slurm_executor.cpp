// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/slurm_executor.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace allport {

namespace {

constexpr int max_fruitless_jobs = 3;
constexpr int patience = 60;  // queries without an answer, each of which takes some time
constexpr int shortest_pause = 250;
constexpr int longest_pause = 5000;

// Unlike std::this_thread::sleep_for it ends at a signal.
void pause(int milliseconds) { poll(nullptr, 0, milliseconds); }

// Reasons that a user need not know: the task waits for its turn.
bool is_usual(const std::string& reason) {
  constexpr std::array<std::string_view, 7> passing{
      "", "None", "Resources", "Priority", "JobArrayTaskLimit", "NonZeroExitCode", "BeginTime"};
  return std::find(passing.begin(), passing.end(), reason) != passing.end();
}

/// The jobs of one piece of work, one after another.
class Submissions {
 public:
  Submissions(const PointsToRun& work, const SlurmOptions& options);

  void run();

 private:
  std::vector<std::uint64_t> missing() const;
  std::uint64_t points_per_task(std::size_t points, bool is_first) const;
  void follow(const SlurmJob& job);
  bool look_at(const SlurmJob& job);  // returns whether it is over
  void count_results(const SlurmJob& job, std::uint64_t task);
  void tell_reason(const SlurmJob& job, const SlurmTask& task);
  void note_ends(const SlurmJob& job);
  void cancel(const SlurmJob& job);
  void store_failures(const std::vector<std::uint64_t>& points);

  const PointsToRun& work_;
  const SlurmOptions& options_;
  std::vector<std::string> names_;  // names of the points
  // The current job:
  SlurmTasks tasks_;  // as last seen
  std::map<std::uint64_t, std::vector<std::string>>
      open_;                 // by task that has begun: its points without a result
  std::uint64_t found_ = 0;  // number of results found
  // All jobs:
  std::uint64_t done_ = 0;                   // points done before the current job
  std::map<std::string, std::string> ends_;  // how the last task of each point ended
  std::string reason_;                       // the last reason that was reported
  int unanswered_ = 0;                       // queries in a row without an answer
};

Submissions::Submissions(const PointsToRun& work, const SlurmOptions& options)
    : work_(work), options_(options) {
  for (const std::uint64_t index : work_.points) names_.push_back(work_.point_at(index).name);
}

void Submissions::run() {
  if (const auto left = SlurmJob::left_in(work_.store)) {
    work_.notice(
        fmt::format("the Slurm job {} of an earlier sweep must end first", left->number()));
    follow(*left);
  }
  int fruitless = 0;
  bool is_first = true;
  for (std::vector<std::uint64_t> points = missing(); !points.empty();) {
    if (fruitless == max_fruitless_jobs) return store_failures(points);
    done_ = names_.size() - points.size();
    const SlurmJob job =
        SlurmJob::submit(work_, points, points_per_task(points.size(), is_first), options_.limits);
    follow(job);
    is_first = false;
    const std::size_t before = points.size();
    points = missing();
    fruitless = points.size() < before ? 0 : fruitless + 1;
  }
}

std::vector<std::uint64_t> Submissions::missing() const {
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!work_.store.has(names_[i])) list.push_back(work_.points[i]);
  }
  return list;
}

// A point that is alone in its task and kills it does not affect other points.
std::uint64_t Submissions::points_per_task(std::size_t points, bool is_first) const {
  constexpr std::uint64_t enough_tasks = 1000;
  const std::uint64_t most = std::min(max_array_tasks(), enough_tasks);
  const std::uint64_t least = (points + most - 1) / most;
  return is_first ? std::max(least, options_.points_per_task) : least;
}

void Submissions::follow(const SlurmJob& job) {
  tasks_.clear();
  open_.clear();
  found_ = 0;
  for (int milliseconds = shortest_pause; !look_at(job);
       milliseconds = std::min(2 * milliseconds, longest_pause)) {
    if (work_.stop->load()) cancel(job);
    pause(milliseconds);
  }
  note_ends(job);
  job.forget();
}

bool Submissions::look_at(const SlurmJob& job) {
  const std::optional<SlurmTasks> seen = tasks_of(job.number());
  unanswered_ = seen ? 0 : unanswered_ + 1;
  if (unanswered_ == patience) {
    throw std::runtime_error(fmt::format(
        "Slurm's controller does not answer any more: job {} may go on without it; start the same sweep again to resume",
        job.number()));
  }
  if (!seen) return false;
  std::uint64_t waiting = 0;
  std::uint64_t running = 0;
  for (const auto& [number, task] : *seen) {
    tasks_[number] = task;
    if (task.state == "PENDING") {
      ++waiting;
      tell_reason(job, task);
    } else {
      if (!task.has_ended()) ++running;
      count_results(job, number);
    }
  }
  work_.progress(std::min<std::uint64_t>(done_ + found_, names_.size()),
                 fmt::format("job {}: {} running, {} waiting", job.number(), running, waiting));
  return waiting + running == 0 || found_ == job.point_count();
}

void Submissions::count_results(const SlurmJob& job, std::uint64_t task) {
  const auto [entry, is_new] = open_.try_emplace(task);
  std::vector<std::string>& names = entry->second;
  if (is_new) names = job.names(task);
  const auto missing = std::remove_if(names.begin(), names.end(), [this](const std::string& name) {
    return work_.store.has(name);
  });
  found_ += static_cast<std::uint64_t>(names.end() - missing);
  names.erase(missing, names.end());
}

void Submissions::tell_reason(const SlurmJob& job, const SlurmTask& task) {
  if (is_usual(task.reason) || task.reason == reason_) return;
  reason_ = task.reason;
  work_.notice(fmt::format("Slurm holds back job {}: {}", job.number(), reason_));
}

void Submissions::note_ends(const SlurmJob& job) {
  for (std::uint64_t number = 0; number < job.task_count(); ++number) {
    const auto task = tasks_.find(number);
    const bool is_known = task != tasks_.end() && task->second.has_ended();
    const std::string state = is_known ? task->second.state : "unknown to Slurm";
    if (state == "COMPLETED") continue;
    const std::string words = job.last_words(number);
    for (const std::string& name : job.names(number)) {
      ends_[name] = words.empty() ? state : fmt::format("{}: {}", state, words);
    }
  }
}

void Submissions::cancel(const SlurmJob& job) {
  constexpr int questions = 40;
  work_.notice(fmt::format("cancelling Slurm job {}", job.number()));
  bool is_over = false;
  if (cancel_job(job.number())) {
    for (int i = 0; i < questions && !is_over; ++i) {
      is_over = look_at(job);
      if (!is_over) pause(2 * shortest_pause);
    }
  }
  if (is_over) {
    job.forget();
  } else {
    work_.notice(
        fmt::format("job {} is not gone yet: see `squeue --jobs={}`", job.number(), job.number()));
  }
  throw SweepStopped();
}

void Submissions::store_failures(const std::vector<std::uint64_t>& points) {
  constexpr int incomplete = 3;
  for (const std::uint64_t index : points) {
    const Point point = work_.point_at(index);
    const auto end = ends_.find(point.name);
    work_.store.write(
        point, {incomplete,
                fmt::format("Slurm did not finish it in {} jobs; its last task ended as {}",
                            max_fruitless_jobs, end == ends_.end() ? "COMPLETED" : end->second),
                nullptr});
  }
}

}  // namespace

void SlurmExecutor::run(const PointsToRun& work) { Submissions(work, options_).run(); }

}  // namespace allport
