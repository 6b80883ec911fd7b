// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/places.h"
#include "testbench/plan/rank_collectives.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/trace_files.h"

namespace allport {

namespace {

// Plans one job.
class JobPlanner {
 public:
  JobPlanner(const ReplayRequest& request, RunRequest run, const Routing& routing,
             const ReplayJob& job)
      : request_(request), run_(std::move(run)), routing_(routing), job_(job) {
    if (job.group) run_.traffic.group = job.group;
    const auto groups = node_groups(run_, routing.shared_topology(), GroupUse::tasks);
    if (!groups.empty()) group_ = groups.front();
  }

  const std::shared_ptr<const NodeGroup>& group() const { return group_; }

  ReplayedJob plan(Replay& replay) {
    const TraceFiles files = load_trace(job_.files);
    ApplicationTrace trace =
        files.format.read(files.files, request_.scale, run_.message.flit_bytes);
    ranks_ = trace.graph.ranks;
    job_words_ = shown_path(files.files.front().name);
    place(replay.nodes);
    ReplayedJob summary;
    summary.name = files.files.front().name;
    summary.files = files.files.size();
    summary.format = files.format.name;
    if (job_.group) summary.group = job_.group->text;
    summary.ranks = ranks_;
    count(trace.graph, summary);
    summary.left_out = trace.left_out;
    CollectivePlanner planner =
        collective_planner(run_, routing_, group_.get(), ranks_, request_.algorithms);
    TaskGraph graph = expand(std::move(trace), planner);
    summary.collectives = graph.uses;
    summary.tasks = graph.tasks.size();
    append(std::move(graph), replay.graph);
    return summary;
  }

 private:
  void place(std::vector<NodeId>& nodes) {
    RunRequest placed = run_;
    const std::size_t count =
        group_ == nullptr ? routing_.topology().node_count() : group_->nodes.size();
    if (ranks_ > count) {
      throw std::invalid_argument(fmt::format(
          "{}: the trace has {}, and {} has {}", job_words_, counted(ranks_, "rank"),
          group_ == nullptr ? routing_.topology().name() : "its group", counted(count, "node")));
    }
    const auto& ranks = run_.traffic.ranks;
    if (ranks != nullptr && ranks->node_count() != ranks_) {
      throw std::invalid_argument(fmt::format("--ranks {}: it has {}, but {} has {}", ranks->name(),
                                              counted(ranks->node_count(), "node"), job_words_,
                                              counted(ranks_, "rank")));
    }
    if (ranks_ < count) placed.traffic.ranks = nullptr;
    std::vector<NodeId> own = nodes_of_ranks(placed, routing_.shared_topology(), group_.get());
    nodes.insert(nodes.end(), own.begin(), own.begin() + ranks_);
  }

  static void count(const TaskGraph& graph, ReplayedJob& summary) {
    for (const Task& task : graph.tasks) {
      if (task.kind == TaskKind::compute) summary.compute += task.amount;
      if (task.kind != TaskKind::send) continue;
      ++summary.messages;
      summary.bytes += task.amount;
    }
  }

  static void append(TaskGraph job, TaskGraph& all) {
    if (all.tasks.empty() && all.ranks == 0) {
      all = std::move(job);
      return;
    }
    const auto first = static_cast<std::uint32_t>(all.tasks.size());
    const auto file = static_cast<std::uint32_t>(all.files.size());
    for (Task task : job.tasks) {
      task.rank += all.ranks;
      if (task.kind != TaskKind::compute && task.peer != any_rank) task.peer += all.ranks;
      task.origin.file += file;
      if (task.turn != no_task) task.turn += first;
      all.tasks.push_back(task);
    }
    for (TaskDependency one : job.dependencies) {
      one.task += first;
      one.on += first;
      all.dependencies.push_back(one);
    }
    for (TaskCollective& one : job.collectives) {
      std::vector<std::uint32_t> ranks = *one.ranks;
      for (std::uint32_t& rank : ranks) rank += all.ranks;
      one.ranks = std::make_shared<const std::vector<std::uint32_t>>(std::move(ranks));
      one.use += static_cast<std::uint32_t>(all.uses.size());
      for (TaskCollective::Call& call : one.calls) {
        call.begin += first;
        call.end += first;
      }
      all.collectives.push_back(std::move(one));
    }
    all.uses.insert(all.uses.end(), job.uses.begin(), job.uses.end());
    std::move(job.files.begin(), job.files.end(), std::back_inserter(all.files));
    all.ranks += job.ranks;
  }

  const ReplayRequest& request_;
  RunRequest run_;
  const Routing& routing_;
  const ReplayJob& job_;
  std::shared_ptr<const NodeGroup> group_;  // null: all nodes
  std::uint32_t ranks_ = 0;
  std::string job_words_;
};

}  // namespace

namespace {

// Throws if an algorithm is chosen for what no job calls.
void require_used(const ReplayRequest& request, const Replay& replay) {
  for (const auto& [operation, algorithm] : request.algorithms) {
    const auto has_it = [name = to_string(operation)](const ReplayedJob& job) {
      return std::any_of(job.collectives.begin(), job.collectives.end(),
                         [&](const CollectiveUse& use) { return use.operation == name; });
    };
    if (std::any_of(replay.jobs.begin(), replay.jobs.end(), has_it)) continue;
    throw std::invalid_argument(fmt::format("--map {0}={1}: no {0} is called in what is replayed",
                                            to_string(operation), algorithm->name));
  }
}

}  // namespace

Replay plan_replay(const ReplayRequest& request, const RunRequest& run) {
  const Routing routing = make_routing(run);
  std::vector<JobPlanner> jobs;
  std::vector<NodeGroup> groups;
  for (const ReplayJob& job : request.jobs) {
    jobs.emplace_back(request, run, routing, job);
    if (jobs.back().group() != nullptr) groups.push_back(*jobs.back().group());
  }
  if (request.jobs.size() > 1) require_disjoint(routing.topology(), groups);
  Replay replay;
  for (JobPlanner& job : jobs) replay.jobs.push_back(job.plan(replay));
  require_used(request, replay);
  replay.inputs = replay.graph.files;
  for (const ReplayJob& job : request.jobs) {
    replay.inputs.insert(replay.inputs.end(), job.files.begin(), job.files.end());
  }
  return replay;
}

}  // namespace allport
