// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/task_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/places.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rank_collectives.h"
#include "testbench/plan/replay.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/task_file.h"

namespace allport {

namespace {

const NodeGroup* group_of(const RunPlan& plan) {
  return plan.groups.empty() ? nullptr : plan.groups.front().get();
}

std::vector<NodeId> rank_nodes(const RunPlan& plan) {
  if (plan.request.traffic.replay != nullptr) return plan.request.traffic.replay->nodes;
  return nodes_of_ranks(plan.request, plan.routing.shared_topology(), group_of(plan));
}

// What lets all messages pass after all, of what the user may choose: `; take .. or ..`; empty:
// nothing.
std::string ways_out(const TaskGraph& graph, const RunPlan& plan) {
  std::uint64_t bytes = 1;  // of the longest
  for (const Task& task : graph.tasks) {
    if (task.kind != TaskKind::send || graph.uses_host(task)) continue;
    bytes = std::max(bytes, task.amount);
  }
  const SimulationConfig& config = plan.simulation;
  const bool is_worm = config.is_transaction_level;
  const auto most =
      static_cast<std::uint64_t>(is_worm ? limits::flits.high : limits::router_flits.high);
  const auto flits = [bytes](std::int64_t of) {
    return (bytes + static_cast<std::uint64_t>(of) - 1) / static_cast<std::uint64_t>(of);
  };
  std::vector<std::string> ways;
  if (!is_worm && flits(config.flit_bytes) <= static_cast<std::uint64_t>(limits::flits.high)) {
    ways.emplace_back("--model worm");
  }
  if (plan.request.traffic.replay != nullptr) {  // lengths are in bytes, and are the trace's
    if (flits(limits::flit_bytes.high) <= most) {
      const auto least = static_cast<std::int64_t>((bytes + most - 1) / most);
      ways.push_back(fmt::format("--flit-bytes {}", least));
    }
    ways.emplace_back("a smaller --scale");
  }
  if (ways.empty()) return {};
  std::string words = "; take " + ways.front();
  for (std::size_t i = 1; i < ways.size(); ++i) {
    words += (i + 1 == ways.size() ? " or " : ", ") + ways[i];
  }
  return words;
}

// That there is the class of the message of `send`.
void require_class(const TaskGraph& graph, const Task& send, int classes) {
  if (send.message_class < classes) return;
  throw std::invalid_argument(
      fmt::format("{}: class {}, but {}; give --classes {} or more", origin_in_words(graph, send),
                  send.message_class,
                  classes == 1 ? "there is one message class, 0"
                               : fmt::format("the message classes are 0..{}", classes - 1),
                  send.message_class + 1));
}

void require_messages(const TaskGraph& graph, const RunPlan& plan) {
  const SimulationConfig& config = plan.simulation;
  const auto flit_bytes = static_cast<std::uint64_t>(config.flit_bytes);
  const std::int64_t most =
      config.is_transaction_level ? limits::flits.high : limits::router_flits.high;
  for (const Task& task : graph.tasks) {
    if (task.kind != TaskKind::send) continue;
    require_class(graph, task, plan.router.classes);
    if (graph.uses_host(task)) continue;
    const std::uint64_t flits =
        std::max<std::uint64_t>(1, (task.amount + flit_bytes - 1) / flit_bytes);
    if (flits > static_cast<std::uint64_t>(most)) {
      throw std::invalid_argument(
          fmt::format("{}: a message of {} flits, but {} moves messages of up to {}{}",
                      origin_in_words(graph, task), flits,
                      config.is_transaction_level ? "the fabric of worms" : "a fabric of routers",
                      most, ways_out(graph, plan)));
    }
    if (task.peer != task.rank) require_room(config.fabric, static_cast<int>(flits));
  }
}

void require_nodes(const TaskGraph& graph, std::size_t nodes, const RunRequest& request) {
  if (graph.ranks <= nodes) return;
  const auto first = std::find_if(graph.tasks.begin(), graph.tasks.end(), [&](const Task& task) {
    return task.rank >= nodes && !graph.is_host(task.rank);
  });
  const TrafficTable& traffic = request.traffic;
  throw std::invalid_argument(fmt::format(
      "{}: there is no node for rank {}; {}",
      first == graph.tasks.end() ? shown_path(traffic.tasks) : origin_in_words(graph, *first),
      first == graph.tasks.end() ? graph.ranks - 1 : first->rank,
      nodes == 1 ? "the run has rank 0 alone" : fmt::format("the run has ranks 0..{}", nodes - 1)));
}

// The tasks of the file, its collectives carried out.
std::shared_ptr<const TaskGraph> read_graph(const RunPlan& plan, PlannedTasks& tasks) {
  const RunRequest& request = plan.request;
  ApplicationTrace trace;
  read_input(request.traffic.tasks, "the tasks", [&](std::istream& in, const std::string& name) {
    InputHead input(in);
    require_kind(input.head(), FileKind::tasks, shown_path(name), "file of tasks");
    trace = read_tasks(input.all(), name, request.message.flit_bytes);
  });
  require_nodes(trace.graph, tasks.nodes.size(), request);
  CollectivePlanner planner =
      collective_planner(request, plan.routing, group_of(plan), trace.graph.ranks, {});
  return std::make_shared<TaskGraph>(expand(std::move(trace), planner));
}

}  // namespace

PlannedTasks plan_tasks(const RunPlan& plan) {
  PlannedTasks tasks;
  tasks.nodes = rank_nodes(plan);
  tasks.graph = plan.request.traffic.graph;
  if (tasks.graph == nullptr) tasks.graph = read_graph(plan, tasks);
  const TaskGraph& graph = *tasks.graph;
  require_nodes(graph, tasks.nodes.size(), plan.request);
  if (std::string fault = task_fault(graph); !fault.empty()) throw std::invalid_argument(fault);
  if (graph.host) require_host(*graph.host);
  tasks.nodes.resize(graph.ranks);
  require_messages(graph, plan);
  std::set<std::pair<std::uint32_t, std::uint16_t>> processors;
  for (const Task& task : graph.tasks) {
    if (graph.is_host(task.rank)) continue;
    if (task.kind == TaskKind::compute || task.cpu == 0) processors.emplace(task.rank, task.cpu);
    if (task.kind == TaskKind::compute) tasks.sequential += task.amount;
    if (task.kind != TaskKind::send || graph.uses_host(task)) continue;
    ++tasks.sends;
    tasks.bytes += task.amount;
  }
  tasks.sequential = plan.request.traffic.alone.value_or(tasks.sequential);
  tasks.processors = processors.size();
  return tasks;
}

}  // namespace allport
