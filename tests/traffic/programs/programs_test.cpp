// SPDX-License-Identifier: Apache-2.0
// The programs of [Ranka88] run on ranks with real data: their results are those of one processor,
// and what they record is what was sent.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "rtl_model/base/split_mix.h"
#include "traffic/programs/catalogue.h"
#include "traffic/programs/halo.h"
#include "traffic/programs/hypercube_trees.h"
#include "traffic/programs/knapsack.h"
#include "traffic/programs/load_balance.h"
#include "traffic/programs/maze.h"
#include "traffic/programs/replicated.h"
#include "traffic/programs/template_matching.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

// Every send has a receive of its peer with the same tag and bytes, and the other way round.
void expect_matched(const TaskGraph& graph) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>, int> open;
  for (const Task& one : graph.tasks) {
    if (one.kind == TaskKind::send) ++open[{one.rank, one.peer, one.tag, one.amount}];
    if (one.kind == TaskKind::receive) --open[{one.peer, one.rank, one.tag, one.amount}];
  }
  for (const auto& [message, count] : open) EXPECT_EQ(count, 0) << std::get<0>(message);
}

std::uint64_t computed(const TaskGraph& graph, std::uint32_t rank) {
  std::uint64_t cycles = 0;
  for (const Task& one : graph.tasks) {
    if (one.kind == TaskKind::compute && one.rank == rank) cycles += one.amount;
  }
  return cycles;
}

std::size_t sends(const TaskGraph& graph) {
  return static_cast<std::size_t>(
      std::count_if(graph.tasks.begin(), graph.tasks.end(),
                    [](const Task& one) { return one.kind == TaskKind::send; }));
}

// Bytes of the messages between ranks, and of the transfers from and to a host.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t to_ranks = 0;
  std::uint64_t from_ranks = 0;
  std::uint64_t transfers = 0;
};
Traffic traffic(const TaskGraph& graph) {
  Traffic all;
  for (const Task& one : graph.tasks) {
    if (one.kind != TaskKind::send) continue;
    if (graph.uses_host(one)) ++all.transfers;
    if (!graph.uses_host(one)) ++all.messages;
    (graph.is_host(one.rank)   ? all.to_ranks
     : graph.is_host(one.peer) ? all.from_ranks
                               : all.bytes) += one.amount;
  }
  return all;
}

std::string sentence(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RankProgram, IsAChainOfTasksForEachRank) {
  const TaskGraph graph = record(2, {2.0, 4, false, 0, 0}, [](Rank& self) {
    if (self.rank() == 0) {
      self.compute(5);
      self.compute(5);
      self.send(1, {7, 8}, 3);
    } else {
      EXPECT_EQ(self.receive(0, 3), (Values{7, 8}));
    }
  });

  ASSERT_EQ(graph.tasks.size(), 4U);
  EXPECT_EQ(graph.tasks[0].amount + graph.tasks[1].amount, 5U);  // 10 us of 2 us a cycle
  EXPECT_EQ(graph.tasks[2].kind, TaskKind::send);
  EXPECT_EQ(graph.tasks[2].amount, 8U);
  EXPECT_EQ(graph.tasks[2].tag, 3U);
  ASSERT_EQ(graph.dependencies.size(), 2U);
  EXPECT_EQ(graph.dependencies[1].task, 2U);
  EXPECT_EQ(graph.dependencies[1].on, 1U);
}

// From 0 to 7 by way of 1 and 3, whose processors 1 receive and send.
TEST(RankProgram, ForwardsFromNeighbourToNeighbour) {
  const TaskGraph graph = record(8, {1.0, 4, true, 0, 0}, [](Rank& self) {
    if (self.rank() == 0) self.send(7, {1, 2, 3}, 5);
    if (self.rank() == 7) {
      EXPECT_EQ(self.receive(0, 5), (Values{1, 2, 3}));
    }
  });

  expect_matched(graph);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> hops;
  for (const Task& one : graph.tasks) {
    if (one.kind == TaskKind::send) hops.emplace_back(one.rank, one.peer);
    EXPECT_EQ(one.cpu, one.rank == 0 || one.rank == 7 ? 0 : 1);
  }
  EXPECT_EQ(hops, (decltype(hops){{0, 1}, {1, 3}, {3, 7}}));
}

TEST(RankProgram, IsTheSameEveryTime) {
  const LoadBalance problem = LoadBalance::random(16, 20, 3);
  const TaskGraph once = run_load_balance(problem, 2, {1.0, 4, true, 0, 0}).tasks;
  const TaskGraph again = run_load_balance(problem, 2, {1.0, 4, true, 0, 0}).tasks;

  ASSERT_EQ(once.tasks.size(), again.tasks.size());
  for (std::size_t i = 0; i < once.tasks.size(); ++i) {
    EXPECT_EQ(once.tasks[i].peer, again.tasks[i].peer);
    EXPECT_EQ(once.tasks[i].amount, again.tasks[i].amount);
  }
}

TEST(RankProgram, ADeadlockAndAnErrorAreNamed) {
  const ProgramCosts costs;
  EXPECT_THAT(sentence([&] {
                record(3, costs, [](Rank& self) { self.receive((self.rank() + 1) % 3, 9); });
              }),
              HasSubstr("the program deadlocks: rank "));
  EXPECT_THAT(sentence([&] {
                record(2, costs, [](Rank& self) {
                  if (self.rank() == 1) self.receive(0, 4);
                });
              }),
              HasSubstr("rank 1 waits for a message of rank 0 with tag 4"));
  EXPECT_EQ(sentence([&] {
              record(2, costs, [](Rank& self) {
                if (self.rank() == 1)
                  self.receive(0, 4);
                else
                  self.send(2, {1});
              });
            }),
            "rank 0 sends to rank 2 of 2");
}

TEST(GrayMeshOfRanks, HasNeighboursOneHopApart) {
  for (std::uint32_t ranks = 1; ranks <= 256; ranks *= 2) {
    const GrayMesh mesh = GrayMesh::of(ranks);
    ASSERT_EQ(mesh.rows * mesh.columns, ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      ASSERT_EQ(mesh.rank(mesh.row(rank), mesh.column(rank)), rank);
      for (const std::uint32_t other : {mesh.rank(mesh.row(rank) + 1, mesh.column(rank)),
                                        mesh.rank(mesh.row(rank), mesh.column(rank) + 1)}) {
        const std::uint32_t bits = rank ^ other;
        EXPECT_EQ(bits & (bits - 1), 0U) << rank << " " << other;
      }
    }
  }
}

// The host is a rank beyond the last one; nobody forwards or copies what it sends or gets.
TEST(RankProgram, AHostRunsAProgramOfItsOwn) {
  const TaskGraph graph = record(
      4, {1.0, 4, true, 100, 10, {7, 0.5}},
      [](Rank& self) {
        const Values values = self.receive(self.host(), 2);
        if (self.rank() == 3) self.send(self.host(), {values.front() + 1}, 1);
      },
      [](Rank& self) {
        EXPECT_EQ(self.rank(), self.host());
        for (std::uint32_t rank = 0; rank < self.size(); ++rank) self.send(rank, {5}, 2);
        EXPECT_EQ(self.receive(3, 1), Values{6});
      });

  expect_matched(graph);
  ASSERT_TRUE(graph.host.has_value());
  EXPECT_EQ(graph.host->cycles(3), 9);
  EXPECT_EQ(graph.parties(), 5U);
  EXPECT_EQ(traffic(graph).transfers, 5U);
  EXPECT_EQ(sends(graph), 5U);
  for (std::uint32_t rank = 0; rank < 5; ++rank) EXPECT_EQ(computed(graph, rank), 0U);
  EXPECT_THAT(sentence([] {
                record(
                    1, {}, [](Rank& self) { self.receive(self.host(), 1); },
                    [](Rank& self) { self.receive(0, 3); });
              }),
              testing::AllOf(HasSubstr("the program deadlocks: "), HasSubstr("the host ")));
}

TEST(HypercubeTrees, ExpandToAllAndCollapseToTheSum) {
  for (const std::uint32_t ranks : {1U, 2U, 8U, 64U}) {
    const TaskGraph graph = record(ranks, {}, [&](Rank& self) {
      EXPECT_EQ(expand(self, self.rank() == 0 ? Values{4, 2} : Values{}, 1), (Values{4, 2}));
      const std::int32_t sum = collapse(self, static_cast<std::int32_t>(self.rank()) + 1, 2, 1);
      if (self.rank() == 0) {
        EXPECT_EQ(sum, static_cast<std::int32_t>(ranks * (ranks + 1) / 2));
      }
    });
    EXPECT_EQ(sends(graph), 2 * (ranks - 1));
  }
}

constexpr TemplateVersion versions[] = {TemplateVersion::separate, TemplateVersion::overlapping,
                                        TemplateVersion::replicated, TemplateVersion::images};
constexpr HostUse hosts[] = {HostUse::none, HostUse::shared, HostUse::data, HostUse::results};

TEST(Template, IsTheConvolutionOfOneProcessor) {
  for (const auto& [n, m, ranks] :
       std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>{
           {4, 4, 1}, {8, 3, 2}, {8, 1, 4}, {8, 4, 4}, {16, 2, 8}, {16, 4, 16}, {32, 4, 64}}) {
    const TemplateProblem problem = TemplateProblem::random(n, m, n + m);
    const Values expected = convolve(problem);
    for (const TemplateVersion version : versions) {
      for (const bool forwards : {false, true}) {
        for (const HostUse host : hosts) {
          const TemplateRun run =
              run_template(problem, version, ranks, {1, 4, forwards, 0, 0}, {}, host);
          EXPECT_EQ(run.result, expected) << n << " " << m << " " << ranks;
          EXPECT_EQ(run.tasks.host.has_value(), host != HostUse::none);
          expect_matched(run.tasks);
        }
      }
    }
  }
}

// Each rank does q^2 m^2 multiplications and additions, and adds what others computed for it:
// 2 q (m - 1) + (m - 1)^2 values; rank 0 adds up the signals of the end too.
TEST(Template, CountsTheOperationsOfTheText) {
  const TemplateProblem problem = TemplateProblem::random(16, 3, 1);
  const TemplateRun run =
      run_template(problem, TemplateVersion::overlapping, 4, {1, 2, true, 0, 0}, {1, 100, 0});
  const std::uint64_t products = 8 * 8 * 3 * 3;

  EXPECT_EQ(computed(run.tasks, 0), products * 101 + 2 * 8 * 2 + 2 * 2 + 2);
  EXPECT_EQ(computed(run.tasks, 3), products * 101 + 2 * 8 * 2 + 2 * 2);
}

// Image values go where results would come from: as much, in as many messages. [Ranka88, sec. 3]
TEST(Template, BothWaysOfTheTextSendTheSame) {
  const TemplateProblem problem = TemplateProblem::random(32, 5, 7);
  for (const std::uint32_t ranks : {2U, 4U, 8U, 16U}) {
    const auto sent = [&](TemplateVersion version) {
      return traffic(run_template(problem, version, ranks, {}, {}).tasks);
    };
    const Traffic results = sent(TemplateVersion::overlapping);
    const Traffic images = sent(TemplateVersion::images);
    EXPECT_EQ(images.bytes, results.bytes) << ranks;
    EXPECT_EQ(images.messages, results.messages) << ranks;
  }
}

// The template and the signal of the end; each rank's part, with the neighbours' values where they
// are replicated; and what was computed.
TEST(Template, AHostSendsAndGetsWhatIsAskedOfIt) {
  const TemplateProblem problem = TemplateProblem::random(16, 3, 1);
  const auto host = [&](TemplateVersion version, HostUse use) {
    const Traffic all =
        traffic(run_template(problem, version, 4, {1, 4, true, 0, 0}, {}, use).tasks);
    return std::tuple(all.transfers, all.to_ranks, all.from_ranks);
  };
  const auto whole = TemplateVersion::overlapping;
  EXPECT_EQ(host(whole, HostUse::none), std::tuple(0, 0, 0));
  EXPECT_EQ(host(whole, HostUse::shared), std::tuple(2, 36, 4));
  EXPECT_EQ(host(whole, HostUse::data), std::tuple(6, 36 + 4 * 256, 4));
  EXPECT_EQ(host(whole, HostUse::results), std::tuple(10, 36 + 4 * 256, 4 + 4 * 256));
  EXPECT_EQ(host(TemplateVersion::replicated, HostUse::data), std::tuple(6, 36 + 4 * 400, 4));
}

TEST(Template, RefusesASumThatDoesNotFit) {
  TemplateProblem problem = TemplateProblem::random(4, 2, 1);
  problem.image[3] = 65535;
  problem.mask[0] = 65535;
  EXPECT_EQ(
      sentence([&] { run_template(problem, TemplateVersion::images, 1, {}, {}); }),
      "template: with values up to 65535 and 65535 and a template of side 2 a sum may reach 17179344900, and must be below 2^31; take smaller values or a smaller template");
}

TEST(Template, RefusesWhatCannotBeCut) {
  const TemplateProblem problem = TemplateProblem::random(8, 3, 1);
  const auto run = [](const TemplateProblem& one, std::uint32_t ranks) {
    run_template(one, TemplateVersion::separate, ranks, {}, {});
  };
  EXPECT_EQ(sentence([&] { run(problem, 6); }), "template: 6 ranks are not a power of two");
  EXPECT_EQ(sentence([&] { run(problem, 16); }),
            "template: side 3 must be 1..2, the side of a rank's part of the image");
  EXPECT_EQ(sentence([&] { run(TemplateProblem::random(6, 1, 1), 16); }),
            "template: an image of side 6 cannot be cut into 4 x 4 equal squares");
}

TEST(LoadBalance, LosesNoWorkAndBalances) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::uint32_t ranks = 1U << seed % 7;
    const LoadBalance problem = LoadBalance::random(ranks, 30, seed);
    const std::vector<std::size_t> sizes = balanced_sizes(problem);
    Values all;
    for (const Values& load : problem.loads) all.insert(all.end(), load.begin(), load.end());
    for (const auto& [heuristic, host] : {std::pair(1, HostUse::none),
                                          {2, HostUse::none},
                                          {1, HostUse::data},
                                          {2, HostUse::results}}) {
      const LoadBalanceRun run = run_load_balance(problem, heuristic, {}, 0, host);
      Values left;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(run.loads[rank].size(), sizes[rank]) << seed;
        left.insert(left.end(), run.loads[rank].begin(), run.loads[rank].end());
      }
      std::sort(left.begin(), left.end());
      EXPECT_EQ(left, all) << seed;
      expect_matched(run.tasks);
    }
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_LE(*most - *least, 1 + seed % 7) << seed;
  }
}

TEST(LoadBalance, Heuristic2SendsThreeMessagesForTwoAtMostAndLess) {
  const LoadBalance problem{{Values(10), Values(2)}};
  const TaskGraph whole = run_load_balance(problem, 1, {1, 1, false, 0, 0}).tasks;
  const TaskGraph excess = run_load_balance(problem, 2, {1, 1, false, 0, 0}).tasks;
  const auto bytes = [](const TaskGraph& graph) {
    std::vector<std::uint64_t> list;
    for (const Task& one : graph.tasks) {
      if (one.kind == TaskKind::send) list.push_back(one.amount);
    }
    return list;
  };

  EXPECT_EQ(bytes(whole), (std::vector<std::uint64_t>{10, 2}));
  EXPECT_EQ(bytes(excess), (std::vector<std::uint64_t>{1, 4, 1}));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LoadBalance random = LoadBalance::random(16, 1U << seed % 8, seed);
    const std::size_t of_1 = sends(run_load_balance(random, 1, {}).tasks);
    const std::size_t of_2 = sends(run_load_balance(random, 2, {}).tasks);
    EXPECT_GE(of_2, of_1) << seed;
    EXPECT_LE(2 * of_2, 3 * of_1) << seed;
  }
}

// The sizes are values; what carries the work is as long as it is.
TEST(LoadBalance, ItemsHaveAnyLength) {
  const LoadBalance problem{{Values(10), Values(2)}};
  const auto bytes = [&](int heuristic) {
    return traffic(run_load_balance(problem, heuristic, {1, 4, false, 0, 0}, 1000).tasks).bytes;
  };
  EXPECT_EQ(bytes(1), 12000U);
  EXPECT_EQ(bytes(2), 4U + 4U + 4000U);
  const TaskGraph tasks =
      run_load_balance(problem, 1, {1, 4, false, 0, 0}, 1000, HostUse::results).tasks;
  EXPECT_EQ(traffic(tasks).to_ranks, 12000U);
  EXPECT_EQ(traffic(tasks).from_ranks, 12000U + 4U);  // the loads, and the signal of the end
}

TEST(Replicated, BothWaysComputeTheSame) {
  for (const std::uint32_t ranks : {1U, 4U, 16U}) {
    for (const bool is_recomputed : {false, true}) {
      const ReplicatedRun run = run_replicated(12345, is_recomputed, ranks, {}, {100, 10});
      EXPECT_EQ(run.result, composed(12345, ranks));
      EXPECT_EQ(sends(run.tasks), is_recomputed ? 0 : ranks - 1);
    }
  }
}

TEST(Knapsack, IsTheBestOfOneProcessorAndOfAllSubsets) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Knapsack problem = Knapsack::random(12, 30, seed);
    std::int32_t best = 0;
    for (std::uint32_t set = 0; set < 1U << 12; ++set) {
      std::int32_t profit = 0;
      std::int32_t weight = 0;
      for (std::size_t i = 0; i < 12; ++i) {
        if ((set >> i & 1U) == 0) continue;
        profit += problem.profits[i];
        weight += problem.weights[i];
      }
      if (weight <= 30) best = std::max(best, profit);
    }
    EXPECT_EQ(best_profits(problem).back(), best) << seed;
    for (std::uint32_t ranks = 1; ranks <= 16; ranks *= 2) {
      const KnapsackRun run = run_knapsack(problem, ranks, {}, {});
      EXPECT_EQ(run.best, best_profits(problem)) << seed << " " << ranks;
      EXPECT_EQ(sends(run.tasks), ranks - 1);
      for (const HostUse host : {HostUse::data, HostUse::results}) {
        const KnapsackRun with_host = run_knapsack(problem, ranks, {}, {}, host);
        EXPECT_EQ(with_host.best, run.best);
        EXPECT_EQ(traffic(with_host.tasks).transfers, ranks + 1);
        expect_matched(with_host.tasks);
      }
      std::int32_t profit = 0;
      std::int32_t weight = 0;
      for (const std::size_t one : chosen_objects(problem, run)) {
        profit += problem.profits[one];
        weight += problem.weights[one];
      }
      EXPECT_EQ(profit, run.best.back()) << seed << " " << ranks;
      EXPECT_LE(weight, 30) << seed << " " << ranks;
    }
  }
}

TEST(Maze, HasTheLengthOfOneProcessorsSearch) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::uint32_t ranks = 1U << seed % 5;
    const Maze maze = Maze::random(16, 0.05 * static_cast<double>(seed % 10), seed);
    const std::int32_t expected = shortest_path(maze);
    if (expected >= 0) ++found;
    for (const int algorithm : {1, 2}) {
      const MazeRun run = run_maze(maze, algorithm, ranks, {}, {10, 10});
      EXPECT_EQ(run.length, expected) << "seed " << seed << " algorithm " << algorithm;
      expect_matched(run.tasks);
      const std::vector<std::uint32_t> path = path_of(maze, run);
      EXPECT_EQ(static_cast<std::int32_t>(path.size()), expected + 1);
      for (const std::uint32_t cell : path) EXPECT_FALSE(maze.blocked[cell]);
      for (const HostUse host : {HostUse::data, HostUse::results}) {
        const MazeRun with_host = run_maze(maze, algorithm, ranks, {}, {10, 10}, host);
        EXPECT_EQ(with_host.length, expected) << seed;
        EXPECT_EQ(with_host.labels, run.labels) << seed;
        expect_matched(with_host.tasks);
      }
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_LT(found, 40);
}

TEST(Catalogue, EveryVersionOfEveryProgramComputesWhatOneProcessorDoes) {
  for (const CatalogueEntry& entry : program_catalogue()) {
    std::vector<std::string_view> variants = entry.variants;
    if (variants.empty()) variants.emplace_back("");
    for (const std::string_view variant : variants) {
      ProgramRequest request;
      request.variant = variant;
      request.side = 16;
      request.costs = Ncube::costs(4);
      const ProgramOutcome outcome = entry.run(request);
      EXPECT_TRUE(outcome.is_right) << entry.name << " " << variant;
      EXPECT_GT(outcome.tasks.tasks.size(), 0U) << entry.name;
      expect_matched(outcome.tasks);
    }
  }
  EXPECT_THAT(sentence([] { find_program("mase"); }), HasSubstr("did you mean 'maze'?"));
}

// A speed-up compares with one rank that has the whole problem; with more ranks it stays what it
// is.
TEST(Catalogue, OneProcessorTakesAsLongHoweverManyShareItsProblem) {
  for (const CatalogueEntry& entry : program_catalogue()) {
    const bool has_problem = entry.name != "message" && entry.name != "load-balance";
    for (const std::uint32_t ranks : {2U, 4U, 16U}) {
      ProgramRequest request;
      request.variant = entry.variants.empty() ? "" : entry.variants.front();
      request.ranks = ranks;
      request.side = 16;
      request.work_us = 50;
      request.costs = Ncube::costs(4);
      const std::uint64_t alone = entry.run(request).alone;
      EXPECT_EQ(alone > 0, has_problem) << entry.name;
      if (entry.name == "replicated") {
        EXPECT_EQ(alone, std::llround(50 * (1 + ranks) / Ncube::cycle_us));
        continue;
      }
      if (!has_problem) continue;
      request.ranks = 1;
      std::uint64_t cycles = 0;
      for (const Task& task : entry.run(request).tasks.tasks) cycles += task.amount;
      EXPECT_EQ(alone, cycles) << entry.name;
    }
  }
}

// Each word for what a host does includes those before it: whoever sends the other one something
// still does.
TEST(Catalogue, AHostDoesWhatTheWordsBeforeItsOwnSay) {
  using Transfers = std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;
  int pairs = 0;
  for (const CatalogueEntry& entry : program_catalogue()) {
    std::optional<Transfers> before;
    for (const HostUse host : hosts) {
      if (host == HostUse::none || entry.hosts.empty()) continue;
      if (host == HostUse::shared && entry.hosts[1] != "template") continue;
      ProgramRequest request;
      request.side = 16;
      request.host = host;
      Transfers transfers;
      const TaskGraph graph = entry.run(request).tasks;
      for (const Task& one : graph.tasks) {
        if (one.kind != TaskKind::send || !graph.uses_host(one)) continue;
        transfers.insert({one.rank, one.peer, one.tag});
      }
      if (before) {
        ++pairs;
        EXPECT_TRUE(
            std::includes(transfers.begin(), transfers.end(), before->begin(), before->end()))
            << entry.name << " " << static_cast<int>(host);
      }
      before = std::move(transfers);
    }
  }
  EXPECT_EQ(pairs, 2 + 1 + 1 + 1);
}

// Whoever receives copies: 178 cycles and one for each byte.
TEST(Catalogue, TheNcubeCopiesAtTheReceiver) {
  ProgramRequest request;
  request.ranks = 4;
  request.values = 5;
  request.costs = Ncube::costs(8);
  EXPECT_EQ(computed(find_program("message").run(request).tasks, 3), 178U + 40U);
}

TEST(Halo, IsTheStencilOfOneProcessor) {
  for (const StencilShape shape :
       {StencilShape::four, StencilShape::six, StencilShape::north_west}) {
    for (const std::uint32_t ranks : {1U, 2U, 4U, 8U, 16U, 64U}) {
      const HaloProblem problem = HaloProblem::random(shape, 8, 5, ranks);
      const StencilRun run = run_halo(problem, ranks, {}, 1);
      EXPECT_EQ(run.cells, iterated(problem))
          << ranks << " ranks, shape " << static_cast<int>(shape);
      expect_matched(run.tasks);
    }
  }
}

// One cell that is 1 spreads to those whose neighbour it is.
TEST(Halo, SumsTheNeighboursOfItsShape) {
  const auto spread = [](StencilShape shape, std::size_t at) {
    HaloProblem problem = HaloProblem::random(shape, 4, 1, 1);
    std::fill(problem.cells.begin(), problem.cells.end(), 0);
    problem.cells[at] = 1;
    const Values cells = iterated(problem);
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] == 1) reached.push_back(i);
    }
    return reached;
  };
  using Cells = std::vector<std::size_t>;
  EXPECT_EQ(spread(StencilShape::four, 5), (Cells{1, 4, 5, 6, 9}));
  EXPECT_EQ(spread(StencilShape::north_west, 5), (Cells{5, 6, 9, 10}));
  EXPECT_EQ(spread(StencilShape::six, 21), (Cells{5, 17, 20, 21, 22, 25, 37}));
}

// On a 4 x 4 grid, and on one of 4 x 4 x 4, each rank sends to every neighbour in each iteration.
TEST(Halo, SendsAMessageToEachNeighbour) {
  const auto sends = [](StencilShape shape, std::uint32_t ranks) {
    const TaskGraph tasks = run_halo(HaloProblem::random(shape, 8, 3, 1), ranks, {}, 1).tasks;
    return std::count_if(tasks.tasks.begin(), tasks.tasks.end(),
                         [](const Task& one) { return one.kind == TaskKind::send; });
  };
  EXPECT_EQ(sends(StencilShape::four, 16), 16 * 4 * 3);
  EXPECT_EQ(sends(StencilShape::north_west, 16), 16 * 3 * 3);
  EXPECT_EQ(sends(StencilShape::six, 64), 64 * 6 * 3);
}

TEST(Halo, RefusesMoreCellsThanItTakes) {
  EXPECT_NO_THROW(HaloProblem::random(StencilShape::six, 256, 1, 1));
  EXPECT_THROW(HaloProblem::random(StencilShape::six, 257, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace allport::test
