// SPDX-License-Identifier: Apache-2.0
// These tests check collectives in files of tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <tuple>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/tasks/execution.h"
#include "traffic/tasks/expand.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/task_file.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

TaskGraph carried_out(ApplicationTrace trace, const std::string& shape) {
  const auto fabric_of = [&](std::size_t) {
    const Routing routing = routing_on(shape);
    return CollectivePlanner::Fabric{routing, all_ports(routing)};
  };
  CollectivePlanner planner(fabric_of, {}, 4);
  return expand(std::move(trace), planner);
}

ApplicationTrace calls_in(const std::string& text, const TraceScale& scale = {}) {
  std::istringstream in(text);
  return read_tasks(in, "f.jsonl", 4, scale);
}

// A file in which every rank does `keys`.
std::string lines_of(std::uint32_t ranks, const std::string& keys) {
  std::string text;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    text += R"({"node":)" + std::to_string(rank) + "," + keys + "}\n";
  }
  return text;
}

using Row = std::tuple<TaskKind, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;

std::vector<Row> rows_of(const TaskGraph& graph) {
  std::vector<Row> rows;
  for (const Task& task : graph.tasks) {
    rows.emplace_back(task.kind, task.rank, task.peer, task.tag, task.amount);
  }
  return rows;
}

std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>> arrows_of(const TaskGraph& graph) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>> arrows;
  for (const TaskDependency& one : graph.dependencies) {
    arrows.emplace_back(one.task, one.on, one.on_start);
  }
  return arrows;
}

TEST(TaskCalls, AreTheTasksOfTheSameCallsOfSimGrid) {
  for (const std::string shape : {"hypercube:3", "torus:4x4", "mesh:3x2", "ring:5"}) {
    const auto ranks = static_cast<std::uint32_t>(parse_topology(shape)->node_count());
    const std::string root = std::to_string(ranks - 1);
    std::string blocks;
    for (std::uint32_t i = 0; i < ranks; ++i) blocks += " 7";
    const std::vector<std::pair<std::string, std::string>> calls{
        {R"("collective":"bcast","bytes":1001,"root":)" + root, "bcast 1001 " + root},
        {R"("collective":"scatter","bytes":7,"root":)" + root, "scatter 7 7 " + root},
        {R"("collective":"gather","bytes":7,"root":)" + root, "gather 7 7 " + root},
        {R"("collective":"allgather","bytes":7)", "allgather 7 7"},
        {R"("collective":"alltoall","bytes":7)", "alltoall 7 7"},
        {R"("collective":"reduce","flits":250,"root":)" + root, "reduce 1000 0 " + root},
        {R"("collective":"allreduce","flits":3)", "allreduce 12 0"},
        {R"("collective":"reduce_scatter","bytes":7)", "reducescatter" + blocks + " 0"},
        {R"("collective":"barrier")", "barrier"},
        {R"("collective":"scan","bytes":10)", "scan 10 0"},
        {R"("collective":"exscan","bytes":10)", "exscan 10 0"}};
    for (const auto& [keys, action] : calls) {
      SCOPED_TRACE(action + " on " + shape);
      std::string trace;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::string name = std::to_string(rank);
        trace += name + " init\n" + name + " " + action + "\n" + name + " finalize\n";
      }
      const TaskGraph file = carried_out(calls_in(lines_of(ranks, keys)), shape);
      const TaskGraph same = carried_out(simgrid_format().read({{"t", trace}}, {}, 4), shape);
      EXPECT_GT(file.tasks.size(), ranks);
      EXPECT_EQ(rows_of(file), rows_of(same));
      EXPECT_EQ(arrows_of(file), arrows_of(same));
      ASSERT_EQ(file.uses.size(), 1U);
      EXPECT_EQ(file.uses[0].algorithm, same.uses[0].algorithm);
    }
  }
}

TEST(TaskCalls, NameTheirAlgorithms) {
  const std::string first = R"("collective":"allreduce","bytes":64,"algorithm":"ring-allreduce")";
  const std::string second = R"("collective":"allreduce","bytes":64)";
  const TaskGraph graph = carried_out(calls_in(lines_of(8, first) + lines_of(8, second)), "ring:8");
  EXPECT_EQ(finished_tasks(graph), graph.tasks.size());
  ASSERT_EQ(graph.uses.size(), 2U);
  EXPECT_EQ(graph.uses[0].algorithm, "ring-allreduce");
  EXPECT_EQ(graph.uses[1].algorithm, "bucket-allreduce");
}

// Ranks 1 and 3 have a collective of their own, which the others do not call.
TEST(TaskCalls, BelongToGroups) {
  const std::string call = R"("collective":"allreduce","bytes":8,"group":"odd"})";
  const TaskGraph graph = carried_out(
      calls_in(R"({"node":1,)" + call + "\n" + R"({"node":3,)" + call + "\n"), "ring:2");
  ASSERT_EQ(graph.uses.size(), 1U);
  EXPECT_EQ(graph.uses[0].members, 2U);
  for (const Task& task : graph.tasks) {
    EXPECT_TRUE(task.kind != TaskKind::send || task.peer == 4 - task.rank);
  }
  EXPECT_EQ(graph.ranks, 4U);
}

TEST(TaskCalls, WaitAndAreWaitedForLikeOtherTasks) {
  const TaskGraph graph = carried_out(
      calls_in(
          R"({"node":0,"task":"work","compute":10})"
          "\n"
          R"({"node":0,"task":"sum","collective":"reduce","root":1,"bytes":4,"after":["work"],"at":7})"
          "\n"
          R"({"node":0,"compute":5,"after":["sum"]})"
          "\n"
          R"({"node":1,"collective":"reduce","root":1,"bytes":4})"
          "\n"),
      "ring:2");
  // Rank 0: the work, the begin of the call, its message, its end, the rest.
  const auto waits = [&](std::uint32_t task, std::uint32_t on) {
    return std::any_of(graph.dependencies.begin(), graph.dependencies.end(), [&](const auto& one) {
      return one.task == task && one.on == on && !one.on_start;
    });
  };
  ASSERT_EQ(graph.tasks[2].kind, TaskKind::send);
  EXPECT_EQ(graph.tasks[1].at, 7);
  EXPECT_TRUE(waits(1, 0));
  EXPECT_TRUE(waits(2, 1));
  EXPECT_TRUE(waits(3, 2));
  EXPECT_TRUE(waits(4, 3));
}

TEST(TaskCalls, AreScaled) {
  TraceScale half;
  half.factor = 0.5;
  const ApplicationTrace trace = calls_in(R"({"node":0,"compute":100,"at":8})"
                                          "\n"
                                          R"({"node":0,"collective":"allgather","bytes":31})"
                                          "\n",
                                          half);
  EXPECT_EQ(trace.graph.tasks[0].amount, 50U);
  EXPECT_EQ(trace.graph.tasks[0].at, 4);
  EXPECT_EQ(trace.calls[0].sends, (std::vector<std::uint64_t>{16}));
}

TEST(TaskCalls, AreRefusedWithFileAndLine) {
  const auto about = [](const std::string& keys) {
    return complaint_of([&] { carried_out(calls_in(lines_of(4, keys)), "ring:4"); });
  };
  EXPECT_EQ(about(R"("collective":"alreduce","bytes":4)"),
            "f.jsonl:1: unknown collective 'alreduce': did you mean 'allreduce'?");
  EXPECT_EQ(about(R"("collective":"neighbor","bytes":4)").find("f.jsonl:1: unknown collective"),
            0U);
  EXPECT_EQ(about(R"("collective":"bcast","bytes":4)"),
            "f.jsonl:1: root is missing, the rank that bcast is from or to");
  EXPECT_EQ(about(R"("collective":"allreduce","bytes":4,"root":0)"),
            "f.jsonl:1: allreduce has no root");
  EXPECT_EQ(about(R"("collective":"bcast","root":0)"),
            "f.jsonl:1: bcast has either flits or bytes");
  EXPECT_EQ(about(R"("collective":"bcast","root":0,"bytes":1,"flits":1)"),
            "f.jsonl:1: give either flits or bytes");
  EXPECT_EQ(about(R"("collective":"barrier","bytes":4)"), "f.jsonl:1: a barrier has no length");
  EXPECT_EQ(about(R"("collective":"bcast","root":4,"bytes":4)"),
            "f.jsonl:1: the root, rank 4, does not call the collective");
  EXPECT_EQ(about(R"("collective":"allreduce","bytes":4,"algorithm":"sbt")"),
            "f.jsonl:1: sbt is an algorithm for bcast, not for allreduce");
  EXPECT_EQ(about(R"("collective":"allreduce","bytes":4,"algorithm":"join-allreduce")")
                .find("f.jsonl:1: join-allreduce"),
            0U);
  EXPECT_EQ(about(R"("collective":"scan","bytes":4,"algorithm":"sbt")"),
            "f.jsonl:1: scan goes along the chain of its ranks and has no algorithm");
  EXPECT_EQ(about(R"("collective":"allreduce","bytes":4,"algorithm":5)"),
            "f.jsonl:1: algorithm must be a string, not 5");
  EXPECT_EQ(about(R"("collective":"allreduce","bytes":4,"algorithm":"rabenseifner-of")")
                .find("f.jsonl:1: unknown algorithm"),
            0U);
  EXPECT_EQ(about(R"("collective":"barrier","tag":4)"),
            "f.jsonl:1: tag is for a send or a receive");
  EXPECT_EQ(about(R"("compute":4,"root":4)"), "f.jsonl:1: root is for a collective");
  EXPECT_EQ(about(R"("compute":4,"collective":"barrier")"),
            "f.jsonl:1: give one of compute, send, receive and collective");
}

TEST(TaskCalls, MustAgree) {
  const auto about = [](const std::string& first, const std::string& second) {
    return complaint_of([&] {
      carried_out(calls_in(R"({"node":0,)" + first + "}\n" + R"({"node":1,)" + second + "}\n"),
                  "ring:2");
    });
  };
  const std::string sum = R"("collective":"allreduce","bytes":4)";
  EXPECT_EQ(about(sum, sum), "no complaint");
  EXPECT_EQ(about(sum, R"("collective":"barrier")"),
            "f.jsonl:2: rank 1 calls barrier where rank 0 calls allreduce (f.jsonl:1)");
  EXPECT_EQ(
      about(sum, sum + R"(,"algorithm":"ring-allreduce")"),
      "f.jsonl:2: rank 1 calls allreduce by ring-allreduce where rank 0 calls allreduce and names no algorithm (f.jsonl:1)");
  EXPECT_EQ(about(sum, R"("compute":1)"),
            "f.jsonl:1: rank 0 calls collective 1, but rank 1 calls only 0");
  EXPECT_EQ(
      about(R"("collective":"scatter","root":0,"bytes":4)",
            R"("collective":"scatter","root":0,"bytes":8)"),
      "f.jsonl:2: rank 1 calls scatter and expects 8 bytes of rank 0, which sends 4 (f.jsonl:1)");
}

// Beside a collective messages may have any tag, and receives any or all.
TEST(TaskCalls, AreMatchedApartFromAllOthers) {
  for (const char* wish : {"", R"(,"from":1)", R"(,"tag":2147483648)"}) {
    const std::string lines = lines_of(2, R"("collective":"allreduce","bytes":64)") +
                              R"({"node":0,"receive":true)" + wish + "}\n" +
                              R"({"node":1,"send":true,"to":0,"flits":1,"tag":2147483648})" + "\n";
    const TaskGraph graph = carried_out(calls_in(lines), "ring:2");
    EXPECT_EQ(task_fault(graph), "") << wish;
    EXPECT_EQ(finished_tasks(graph), graph.tasks.size()) << wish;
    std::size_t of_collectives = 0;
    for (const Task& task : graph.tasks) of_collectives += task.is_of_collective ? 1 : 0;
    EXPECT_EQ(of_collectives, graph.tasks.size() - 6);  // two computations at each rank, and these
  }
  const std::string unsent =
      lines_of(2, R"("collective":"barrier")") + R"({"node":0,"receive":true})";
  EXPECT_EQ(task_fault(carried_out(calls_in(unsent), "ring:2")),
            "f.jsonl:3: rank 0 receives 1 message in all, but 0 are sent to it");
}

// Whoever is alone in a group has nothing to send and nobody to wait for.
TEST(TaskCalls, OfOneRankAreOverAtOnce) {
  for (const char* call :
       {R"("collective":"allreduce","bytes":64)", R"("collective":"barrier")",
        R"("collective":"bcast","root":1,"bytes":64)", R"("collective":"scan","bytes":64)",
        R"("collective":"scatter","root":1,"bytes":64)", R"("collective":"alltoall","bytes":4)",
        R"("collective":"gather","root":1,"bytes":64,"algorithm":"dims-gather")"}) {
    const std::string lines = R"({"node":0,"compute":5})"
                              "\n"
                              R"({"node":1,)" +
                              std::string(call) + R"(,"group":"alone"})" + "\n";
    const TaskGraph graph = carried_out(calls_in(lines), "ring:4");
    EXPECT_EQ(graph.tasks.size(), 2U) << call;
    ASSERT_EQ(graph.uses.size(), 1U) << call;
    EXPECT_EQ(graph.uses[0].members, 1U);
    EXPECT_EQ(graph.uses[0].messages, 0U);
  }
}

}  // namespace
}  // namespace allport
