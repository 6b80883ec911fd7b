// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <numeric>

#include "rtl_model/base/split_mix.h"
#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/tasks/execution.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

using Chosen = std::map<Operation, const Algorithm*>;

CollectivePlanner planner_on(const std::string& shape, const Chosen& chosen = {}) {
  return {[shape](std::size_t) {
            const Routing routing = routing_on(shape);
            return CollectivePlanner::Fabric{routing, all_ports(routing)};
          },
          chosen, 4};
}

TaskGraph expanded(const std::string& text, const std::string& shape, const Chosen& chosen = {}) {
  CollectivePlanner planner = planner_on(shape, chosen);
  return expand(simgrid_format().read({{"t", text}}, {}, 4), planner);
}

// A trace in which every rank does `action(rank)` between init and finalize.
template <class Action>
std::string trace_of(std::uint32_t ranks, const Action& action) {
  std::string text;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::string name = std::to_string(rank);
    text += name + " init\n" + name + " " + action(rank) + "\n" + name + " finalize\n";
  }
  return text;
}

std::string list(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) text += " " + std::to_string(number);
  return text;
}

// Lengths of which some are 0.
std::vector<std::uint64_t> random_lengths(std::size_t count, SplitMix64& random) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    lengths.push_back(random.next() % 4 == 0 ? 0 : random.next() % 1000);
  }
  return lengths;
}

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

void expect_carried_out(const TaskGraph& graph, std::string_view what) {
  EXPECT_TRUE(are_matched(graph)) << what;
  EXPECT_EQ(finished_tasks(graph), graph.tasks.size()) << what;
}

// The algorithms that can carry out `operation` on `shape`.
std::vector<const Algorithm*> algorithms_for(Operation operation, const std::string& shape) {
  std::vector<const Algorithm*> list;
  const auto topology = parse_topology(shape);
  for (const Algorithm& one : algorithms()) {
    const bool fits = one.operation == operation && one.kind == MessageKind::unicast &&
                      one.is_for(*topology) && one.destinations != Destinations::one;
    if (fits) list.push_back(&one);
  }
  return list;
}

const std::vector<std::string> shapes{"hypercube:3", "torus:4x4", "mesh:3x2", "ring:5", "ring:3"};

TEST(Expand, AllgathervBringsEveryBlockToEveryRank) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::cout << "seed " << seed << "\n";
  SplitMix64 random(seed);
  for (const std::string& shape : shapes) {
    const auto ranks = static_cast<std::uint32_t>(parse_topology(shape)->node_count());
    for (const Algorithm* algorithm : algorithms_for(Operation::allgather, shape)) {
      const std::vector<std::uint64_t> lengths = random_lengths(ranks, random);
      const TaskGraph graph =
          expanded(trace_of(ranks,
                            [&](std::uint32_t rank) {
                              return "allgatherv " + std::to_string(lengths[rank]) + list(lengths);
                            }),
                   shape, {{Operation::allgather, algorithm}});
      expect_carried_out(graph, algorithm->name);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(received_bytes(graph, rank), sum(lengths) - lengths[rank])
            << algorithm->name << " on " << shape << ", rank " << rank;
      }
    }
  }
}

TEST(Expand, AlltoallvByDirectMessagesSendsWhatTheTraceSays) {
  SplitMix64 random(3);
  constexpr std::uint32_t ranks = 5;
  std::vector<std::vector<std::uint64_t>> sent;
  for (std::uint32_t i = 0; i < ranks; ++i) sent.push_back(random_lengths(ranks, random));
  const TaskGraph graph =
      expanded(trace_of(ranks,
                        [&](std::uint32_t rank) {
                          std::vector<std::uint64_t> received;
                          for (const auto& row : sent) received.push_back(row[rank]);
                          return "alltoallv 1" + list(sent[rank]) + " 1" + list(received);
                        }),
               "ring:5");
  expect_carried_out(graph, "alltoallv");
  std::size_t messages = 0;
  for (const Task& task : graph.tasks) {
    if (task.kind != TaskKind::send) continue;
    ++messages;
    EXPECT_EQ(task.amount, sent[task.rank][task.peer]);
  }
  std::size_t wanted = 0;
  for (std::uint32_t i = 0; i < ranks; ++i) {
    for (std::uint32_t j = 0; j < ranks; ++j) wanted += i != j && sent[i][j] > 0 ? 1 : 0;
  }
  EXPECT_EQ(messages, wanted);
}

TEST(Expand, EveryAlgorithmCarriesItsCollectiveOut) {
  for (const std::string& shape : shapes) {
    const auto ranks = static_cast<std::uint32_t>(parse_topology(shape)->node_count());
    const std::string root = std::to_string(ranks - 1);
    const std::map<Operation, std::string> actions{
        {Operation::bcast, "bcast 1001 " + root},
        {Operation::scatter, "scatter 7 7 " + root},
        {Operation::gather, "gather 7 7 " + root},
        {Operation::allgather, "allgather 7 7"},
        {Operation::alltoall, "alltoall 7 7"},
        {Operation::reduce, "reduce 1001 50 " + root},
        {Operation::allreduce, "allreduce 3 50"},
        {Operation::reduce_scatter,
         "reducescatter" + list(std::vector<std::uint64_t>(ranks, 7)) + " 50"},
        {Operation::barrier, "barrier"}};
    for (const auto& [operation, action] : actions) {
      const std::string text =
          trace_of(ranks, [&, &action = action](std::uint32_t) { return action; });
      for (const Algorithm* algorithm : algorithms_for(operation, shape)) {
        SCOPED_TRACE(std::string(algorithm->name) + " on " + shape);
        expect_carried_out(expanded(text, shape, {{operation, algorithm}}), algorithm->name);
      }
      const TaskGraph graph = expanded(text, shape);
      expect_carried_out(graph, action);
      ASSERT_EQ(graph.uses.size(), 1U);
      EXPECT_EQ(graph.uses[0].operation, to_string(operation));
      EXPECT_EQ(graph.uses[0].times, 1U);
    }
  }
}

TEST(Expand, ATreeBringsAMessageOncePerRank) {
  const TaskGraph graph =
      expanded(trace_of(8, [](std::uint32_t) { return "bcast 1001 5"; }), "hypercube:3");
  EXPECT_EQ(received_bytes(graph, 5), 0U);
  for (const std::uint32_t rank : {0U, 1U, 7U}) EXPECT_EQ(received_bytes(graph, rank), 1001U);
  EXPECT_EQ(graph.uses[0].messages, 7U);
  EXPECT_EQ(graph.uses[0].bytes, 7007U);
  EXPECT_EQ(graph.uses[0].algorithm, "sbt");
}

TEST(Expand, PrefixSumsGoAlongAChain) {
  for (const char* name : {"scan", "exscan"}) {
    const TaskGraph graph = expanded(
        trace_of(3, [&](std::uint32_t) { return std::string(name) + " 10 200"; }), "ring:3");
    expect_carried_out(graph, name);
    EXPECT_EQ(received_bytes(graph, 0), 0U);
    EXPECT_EQ(received_bytes(graph, 2), 10U);
  }
}

TEST(Expand, AnEmptyCollectiveOnlyComputes) {
  const TaskGraph graph =
      expanded(trace_of(3, [](std::uint32_t) { return "allreduce 0 200"; }), "ring:3");
  ASSERT_EQ(graph.tasks.size(), 3U);
  EXPECT_EQ(graph.tasks[0].amount, 200U);
}

TEST(Expand, OneRankHasNobodyToTellAnything) {
  const TaskGraph graph =
      expanded(trace_of(1, [](std::uint32_t) { return "allreduce 8 200"; }), "ring:3");
  ASSERT_EQ(graph.tasks.size(), 1U);
}

TEST(Expand, ACollectiveLiesBetweenWhatIsBeforeAndAfterIt) {
  const TaskGraph graph = expanded(
      "0 init\n1 init\n0 compute 5\n1 compute 9\n0 barrier\n1 barrier\n0 compute 6\n"
      "1 compute 7\n0 finalize\n1 finalize\n",
      "hypercube:1");
  // Rank 0: compute, join, receive, send, end, compute; so for rank 1.
  std::vector<std::uint32_t> of_first;
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    if (graph.tasks[i].rank == 0) of_first.push_back(i);
  }
  ASSERT_EQ(of_first.size(), 6U);
  const auto waits = [&](std::size_t task, std::size_t on) {
    return std::any_of(graph.dependencies.begin(), graph.dependencies.end(), [&](const auto& one) {
      return one.task == of_first[task] && one.on == of_first[on] && !one.on_start;
    });
  };
  EXPECT_TRUE(waits(1, 0));
  EXPECT_TRUE(waits(2, 1));
  EXPECT_TRUE(waits(3, 1));
  EXPECT_TRUE(waits(4, 2));
  EXPECT_TRUE(waits(4, 3));
  EXPECT_TRUE(waits(5, 4));
  EXPECT_EQ(graph.tasks[of_first[3]].tag, first_collective_tag);
}

TEST(Expand, RanksMustAgree) {
  const auto about = [](const std::string& text) {
    return complaint_of([&] { expanded(text, "hypercube:1"); });
  };
  const std::string begin = "0 init\n1 init\n";
  const std::string end = "0 finalize\n1 finalize\n";
  EXPECT_EQ(about(begin + "0 barrier\n1 bcast 8\n" + end),
            "t:4: rank 1 calls bcast where rank 0 calls barrier (t:3)");
  EXPECT_EQ(about(begin + "0 bcast 8\n1 bcast 9\n" + end),
            "t:4: rank 1 calls bcast of 9 bytes where rank 0 calls bcast of 8 bytes (t:3)");
  EXPECT_EQ(about(begin + "0 bcast 8 0\n1 bcast 8 1\n" + end),
            "t:4: rank 1 calls bcast with root 1 where rank 0 calls bcast with root 0 (t:3)");
  EXPECT_EQ(about(begin + "0 barrier\n" + end),
            "t:3: rank 0 calls collective 1, but rank 1 calls only 0");
  EXPECT_EQ(about(begin + "0 barrier\n1 barrier\n1 barrier\n" + end),
            "t:5: rank 1 calls collective 2, but rank 0 calls only 1");
  EXPECT_EQ(about(begin + "0 gather 8 9\n1 gather 9 9\n" + end),
            "t:3: rank 0 calls gather and expects 9 bytes of rank 0, which sends 8 (t:3)");
  EXPECT_EQ(about(begin + "0 alltoallv 1 1 2 1 1 4\n1 alltoallv 1 3 1 1 2 1\n" + end),
            "t:3: rank 0 calls alltoall and expects 4 bytes of rank 1, which sends 3 (t:4)");
}

}  // namespace
}  // namespace allport
