// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_theory.h"

#include <gtest/gtest.h>

#include "testbench/plan/resolve.h"
#include "tests/testbench/program/options/option_setting.h"
#include "traffic/patterns/sampling.h"

namespace allport {
namespace {

using test::complaint;
using test::options;

TEST(PlanRun, AppliesTheDefaultsOfTheFabric) {
  const RunPlan cube =
      allport::plan(options({{"topology", "hypercube:4"}, {"algorithm", "wsort"}}).run);
  const RunPlan torus =
      allport::plan(options({{"topology", "torus:4x4"}, {"algorithm", "dcf"}}).run);

  EXPECT_EQ(cube.router.internal_ports, 4);
  EXPECT_EQ(cube.router.vcs, 1);
  EXPECT_EQ(cube.routing.order(), RoutingOrder::descending);
  EXPECT_EQ(torus.router.internal_ports, 4);
  EXPECT_EQ(torus.router.vcs, 2);
  EXPECT_EQ(torus.routing.order(), RoutingOrder::dimension_ordered);
}

TEST(PlanRun, TheHeadFlitCarriesData) {
  const RunPlan plan = allport::plan(
      options(
          {{"topology", "ring:4"}, {"algorithm", "separate"}, {"bytes", "9"}, {"flit_bytes", "8"}})
          .run);

  EXPECT_EQ(plan.simulation.flits, 2);
  EXPECT_EQ(plan.simulation.bytes, 9U);
}

TEST(PlanRun, SeveralSourcesAreOneCollectiveEach) {
  const RunPlan plan = allport::plan(
      options({{"topology", "hypercube:3"}, {"algorithm", "ucube"}, {"source", "0,0b101"}}).run);

  ASSERT_EQ(plan.trials().size(), 1U);
  ASSERT_EQ(plan.trials().front().size(), 2U);
  EXPECT_EQ(plan.trials().front()[1].sources, std::vector<NodeId>{node_id(5)});
  EXPECT_EQ(plan.trials().front()[1].destinations.size(), 7U);
}

// Counts may be a table without a file, and what was planned can be planned again.
TEST(PlanRun, TakesTheBytesOfEachPair) {
  RunRequest request =
      options({{"topology", "ring:3"}, {"algorithm", "ring-alltoall"}, {"flit_bytes", "8"}}).run;
  request.message.pairs =
      std::make_shared<const PairCounts>(PairCounts{"", 3, {99, 1, 0, 9, 0, 20, 0, 0, 0}});
  RunPlan plan = allport::plan(request);
  EXPECT_EQ(plan.simulation.bytes, 20U);
  EXPECT_EQ(plan.simulation.flits, 3);
  EXPECT_EQ(allport::plan(plan.request).simulation.bytes, 20U);
  const PlannedCollective& one = plan.trials().front().front();
  EXPECT_EQ(one.schedule.unicasts.size(), 4U);  // node 2 passes on what 1 has for 0
  EXPECT_EQ(longest_message(plan), 3);
  EXPECT_EQ(bandwidth_of(plan, 10), std::nullopt);

  request.message.flits = 5;
  EXPECT_EQ(complaint([&] { allport::plan(request); }), "--flits and --counts exclude each other");
  request.message.flits = 16;
  request.message.pairs = std::make_shared<const PairCounts>(PairCounts{"", 2, {0, 1, 0, 0}});
  EXPECT_EQ(complaint([&] { allport::plan(request); }),
            "--counts: the table is of 2 ranks, but 3 nodes take part");
}

// The sets are those of `allport steps`, relative to the source.
TEST(PlanRun, OneGeneratorDrawsTheSetsOfAllTrials) {
  const RunPlan plan = allport::plan(options({{"topology", "torus:4x4"},
                                              {"algorithm", "separate"},
                                              {"source", "9"},
                                              {"destinations", "random:3"},
                                              {"trials", "4"},
                                              {"seed", "7"}})
                                         .run);

  DestinationSampler sampler(15, 3, 7);
  ASSERT_EQ(plan.trials().size(), 4U);
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    std::set<NodeId> expected;
    for (const std::uint32_t relative : sampler.next())
      expected.insert(node_id((relative + 9) % 16));
    const std::vector<NodeId>& drawn = trial.front().destinations;
    EXPECT_EQ(std::set<NodeId>(drawn.begin(), drawn.end()), expected);
  }
}

TEST(PlanRun, NamesTheRelays) {
  const RunPlan plan = allport::plan(
      options({{"topology", "hypercube:3"}, {"algorithm", "sbt"}, {"destinations", "7"}}).run);

  EXPECT_EQ(plan.relays, (std::vector<NodeId>{node_id(4), node_id(6)}));
}

TEST(PlanRun, ATreeIsOneWorm) {
  const RunPlan plan = allport::plan(
      options({{"topology", "hypercube:3"}, {"algorithm", "tree"}, {"ts", "5"}, {"tr", "2"}}).run);

  EXPECT_EQ(plan.trials().front().front().kind, MessageKind::tree);
  EXPECT_EQ(predicted_latency(plan), 5 + 3 + 16 + 2);
}

TEST(PlanRun, PredictsTheClosedFormulaOfDcf) {
  const RunPlan plan = allport::plan(options({{"topology", "torus:16x16"},
                                              {"algorithm", "dcf"},
                                              {"ts", "200"},
                                              {"tr", "200"},
                                              {"flits", "64"}})
                                         .run);

  EXPECT_EQ(predicted_latency(plan), 3076);
}

TEST(PlanRun, APatternHasNoCollectives) {
  const RunPlan plan = allport::plan(
      options({{"topology", "ring:8"}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "10"}})
          .run);

  EXPECT_TRUE(plan.trials().empty());
  EXPECT_TRUE(plan.sources.empty());
}

TEST(PlanRun, APatternIsGivenToTheNodesAsItWasAskedFor) {
  const RunPlan plan = allport::plan(options({{"topology", "ring:8"},
                                              {"pattern", "hotspot"},
                                              {"hotspot", "3,5"},
                                              {"hotspot_fraction", "0.25"},
                                              {"rate", "0.1"},
                                              {"cycles", "100"},
                                              {"warmup", "20"},
                                              {"flits", "4"},
                                              {"flits_long", "12"},
                                              {"long_fraction", "0.5"},
                                              {"seed", "7"}})
                                         .run);

  ASSERT_TRUE(plan.traffic() != nullptr);
  EXPECT_EQ(plan.traffic()->pattern->name, "hotspot");
  EXPECT_EQ(plan.traffic()->hotspots, (std::vector<NodeId>{node_id(3), node_id(5)}));
  EXPECT_EQ(plan.traffic()->hotspot_fraction, 0.25);
  EXPECT_EQ(plan.traffic()->warmup, 20);
  EXPECT_EQ(plan.traffic()->cycles, 100);
  EXPECT_EQ(plan.traffic()->mean_flits(), 8);
  EXPECT_EQ(plan.traffic()->seed, 7U);
}

TEST(PlanRun, AHotspotIsNodeZeroForOneMessageInTenUnlessSaidOtherwise) {
  const RunPlan plan = allport::plan(
      options({{"topology", "ring:8"}, {"pattern", "hotspot"}, {"rate", "1"}, {"cycles", "9"}})
          .run);

  EXPECT_EQ(plan.traffic()->hotspots, std::vector<NodeId>{node_id(0)});
  EXPECT_EQ(plan.traffic()->hotspot_fraction, 0.1);
}

TEST(PlanRun, BuffersHoldTheLongestMessageOfThePlanAndNeedHoldNoMore) {
  for (const char* mode : {"cut-through", "store-and-forward"}) {
    const auto with = [&](const char* algorithm, const char* depth) {
      return complaint([&] {
        allport::plan(options({{"topology", "hypercube:4"},
                               {"algorithm", algorithm},
                               {"pieces", std::string(algorithm) == "wsort" ? "4" : "1"},
                               {"source", "0,3"},
                               {"barrier", "messages"},
                               {"switching", mode},
                               {"buffer_depth", depth}})
                          .run);
      });
    };
    EXPECT_EQ(with("wsort", "4"), "");
    EXPECT_NE(with("wsort", "3"), "");
    EXPECT_EQ(with("exchange-scatter", "128"), "");
    EXPECT_NE(with("exchange-scatter", "127"), "");
    EXPECT_EQ(with("exchange-barrier", "1"), "");
  }
}

TEST(PlanRun, RefusesNumbersThatNoOptionHasChecked) {
  const RunRequest good = options({{"topology", "hypercube:3"}, {"algorithm", "wsort"}}).run;
  const auto refusal = [&good](void (*spoil)(RunRequest&)) {
    RunRequest request = good;
    spoil(request);
    return complaint([&request] { allport::plan(request); });
  };

  EXPECT_EQ(refusal([](RunRequest&) {}), "");
  EXPECT_EQ(refusal([](RunRequest& r) { r.traffic.trials = 0; }), "trials 0: must be 1..1048576");
  EXPECT_EQ(refusal([](RunRequest& r) { r.message.flit_bytes = 0; }),
            "flit bytes 0: must be 1..64");
  EXPECT_EQ(refusal([](RunRequest& r) { r.message.flits = -1; }),
            "flits -1: must be 1..1000000000");
  EXPECT_EQ(refusal([](RunRequest& r) { r.message.bytes = 8'000'000'001; }),
            "bytes 8000000001: must be 1..8000000000");
  EXPECT_EQ(refusal([](RunRequest& r) { r.message.pieces = -1; }), "pieces -1: must be 0..1000000");
  EXPECT_EQ(refusal([](RunRequest& r) { r.check.max_violations = 0; }),
            "max violations 0: must be 1..1000000");
  EXPECT_EQ(refusal([](RunRequest& r) { r.router.vcs = 17; }), "vcs 17: must be 1..16");
}

struct Incoherence {
  const char* what;  // in the name of the test
  void (*spoil)(RunRequest&);
  const char* sentence;
};

class Incoherences : public testing::TestWithParam<Incoherence> {};

// Nothing but the values of a request says what was asked for.
TEST_P(Incoherences, AreRefusedInRequests) {
  RunRequest request = options({{"topology", "hypercube:3"}, {"algorithm", "wsort"}}).run;
  GetParam().spoil(request);
  EXPECT_EQ(complaint([&] { allport::plan(request); }), GetParam().sentence);
}

void send_uniform(RunRequest& request) {
  request.traffic.algorithm = nullptr;
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.1;
  request.traffic.cycles = 100;
}

INSTANTIATE_TEST_SUITE_P(
    PlanRun, Incoherences,
    testing::Values(
        Incoherence{"None", [](RunRequest&) {}, ""}, Incoherence{"Pattern", send_uniform, ""},
        Incoherence{"APatternOfNothing",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.traffic.rate = 0;
                    },
                    ""},
        Incoherence{"LongMessagesOfWhichThereAreNone",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.message.flits_long = 32;
                    },
                    ""},
        Incoherence{"AlgorithmAndPattern", [](RunRequest& r) { r.traffic.pattern = "uniform"; },
                    "--algorithm and --pattern exclude each other"},
        Incoherence{"AlgorithmAndSchedule", [](RunRequest& r) { r.traffic.schedule = "file"; },
                    "--algorithm and --schedule exclude each other"},
        Incoherence{"AlgorithmAndTasks",
                    [](RunRequest& r) { r.traffic.graph = std::make_shared<TaskGraph>(); },
                    "the ranks and --algorithm exclude each other"},
        Incoherence{"PatternAndTrials",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.traffic.trials = 4;
                    },
                    "--pattern and --trials exclude each other"},
        Incoherence{"PatternAndSource",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.traffic.sources = {NodeNumber{3}};
                    },
                    "--pattern and --source exclude each other"},
        Incoherence{"PatternWithoutCycles",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.traffic.cycles = 0;
                    },
                    "--pattern needs --cycles"},
        Incoherence{"HotspotsOfUniform",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.traffic.hotspot_fraction = 0.5;
                    },
                    "--hotspot-fraction is for --pattern hotspot, not for uniform"},
        Incoherence{"ShareOfNoLongMessages",
                    [](RunRequest& r) {
                      send_uniform(r);
                      r.message.long_fraction = 5;
                    },
                    "--long-fraction needs --flits-long"},
        Incoherence{"RandomAndListedDestinations",
                    [](RunRequest& r) {
                      r.traffic.destinations = {3, {NodeNumber{3}, NodeNumber{4}}};
                    },
                    "--destinations: they are random or listed, not both"},
        Incoherence{"ChainAndSource",
                    [](RunRequest& r) {
                      r.traffic.chain = {NodeNumber{0}, NodeNumber{4}};
                      r.traffic.sources = {NodeNumber{0}};
                    },
                    "--chain and --source exclude each other"},
        Incoherence{"ChainAndDestinations",
                    [](RunRequest& r) {
                      r.traffic.chain = {NodeNumber{0}, NodeNumber{4}};
                      r.traffic.destinations = {{}, {NodeNumber{4}}};
                    },
                    "--chain and --destinations exclude each other"},
        Incoherence{"RateOfNoPattern", [](RunRequest& r) { r.traffic.rate = 0.1; },
                    "--rate and --algorithm exclude each other"},
        Incoherence{"CyclesOfNoPattern", [](RunRequest& r) { r.traffic.cycles = 100; },
                    "--cycles and --algorithm exclude each other"},
        Incoherence{"LoadWithoutCycles", [](RunRequest& r) { r.traffic.collective_rate = 0.1; },
                    "--collective-rate needs --cycles"},
        Incoherence{"LoadInTrials",
                    [](RunRequest& r) {
                      r.traffic.collective_rate = 0.1;
                      r.traffic.cycles = 100;
                      r.traffic.trials = 2;
                    },
                    "--collective-rate and --trials exclude each other"},
        Incoherence{"ACountOfNoCheck",
                    [](RunRequest& r) {
                      r.check = {true, 5};
                    },
                    "--no-static and --max-violations exclude each other"},
        Incoherence{"ClockBelowZero", [](RunRequest& r) { r.node.clock_ghz = -1; },
                    "clock -1: must be 0..1000 GHz"},
        Incoherence{"FlitsAndBytes",
                    [](RunRequest& r) {
                      r.message.flits = 8;
                      r.message.bytes = 100;
                    },
                    "--flits and --bytes exclude each other"}),
    [](const auto& info) { return std::string(info.param.what); });

struct Refusal {
  std::vector<std::pair<std::string, std::string>> given;
  std::string sentence;
};

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, AreOneSentence) {
  EXPECT_EQ(complaint([] { allport::plan(options(GetParam().given).run); }), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    PlanRun, Refusals,
    testing::Values(
        Refusal{
            {{"algorithm", "wsort"}},
            "--topology is missing: give hypercube:N, torus:KxK[xK..], mesh:KxK[xK..], ring:K or graph:FILE"},
        Refusal{{{"topology", "ring:4"}},
                "nothing to run: give --algorithm, --schedule, --tasks, --pattern or --flows"},
        Refusal{
            {{"topology", "hypercube:4"}, {"algorithm", "wsort"}, {"ports", "5"}},
            "--ports 5: a router of hypercube:4 has 4 external ports, so it must be 1..4 or all"},
        Refusal{{{"topology", "hypercube:4"}, {"algorithm", "wsort"}, {"source", "16"}},
                "source 16 is not a node of hypercube:4, which has the nodes 0..15"},
        Refusal{
            {{"topology", "hypercube:4"}, {"algorithm", "wsort"}, {"destinations", "4294967297"}},
            "destination 4294967297 is not a node of hypercube:4, which has the nodes 0..15"},
        Refusal{{{"topology", "hypercube:4"}, {"algorithm", "wsort"}, {"destinations", "5,5"}},
                "destination 5 is named twice"},
        Refusal{{{"topology", "hypercube:4"}, {"algorithm", "wsort"}, {"source", "3,3"}},
                "source 3 is named twice"},
        Refusal{
            {{"topology", "torus:4x4"}, {"algorithm", "separate"}, {"source", "0b1"}},
            "source 0b1: binary numbers name nodes of a hypercube; give those of torus:4x4 in decimal"},
        Refusal{
            {{"topology", "ring:8"}, {"pattern", "uniform"}, {"rate", "16.5"}, {"cycles", "1"}},
            "--rate 16.5: must be 0..16 flits per node and cycle, at most one message of 16 flits per cycle"},
        Refusal{{{"topology", "ring:8"},
                 {"pattern", "uniform"},
                 {"rate", "1"},
                 {"cycles", "9"},
                 {"warmup", "9"}},
                "--warmup 9: must be less than --cycles 9, to leave cycles to measure in"},
        Refusal{{{"topology", "ring:8"},
                 {"pattern", "uniform"},
                 {"rate", "1"},
                 {"cycles", "9"},
                 {"flits_long", "16"},
                 {"long_fraction", "0.5"}},
                "--flits-long 16: must be more than --flits 16"},
        Refusal{{{"topology", "ring:8"},
                 {"pattern", "hotspot"},
                 {"rate", "1"},
                 {"cycles", "9"},
                 {"hotspot", "8"}},
                "hotspot 8 is not a node of ring:8, which has the nodes 0..7"},
        Refusal{{{"topology", "ring:8"},
                 {"pattern", "uniform"},
                 {"rate", "1"},
                 {"cycles", "9"},
                 {"hotspot_fraction", "0.1"}},
                "--hotspot-fraction is for --pattern hotspot, not for uniform"},
        Refusal{
            {{"topology", "hypercube:5"}, {"pattern", "tornado"}, {"rate", "1"}, {"cycles", "9"}},
            "pattern tornado is for rings, tori and meshes, not for hypercube:5 with its 32 nodes"},
        Refusal{
            {{"topology", "hypercube:4"},
             {"algorithm", "exchange-scatter"},
             {"switching", "cut-through"},
             {"buffer_depth", "127"}},
            "switching cut-through: a buffer of 127 flits cannot hold a message of 128; the buffer depth must be at least that"},
        Refusal{
            {{"topology", "hypercube:4"},
             {"algorithm", "exchange-allgather"},
             {"model", "rtl"},
             {"switching", "store-and-forward"},
             {"buffer_depth", "64"}},
            "switching store-and-forward: a buffer of 64 flits cannot hold a message of 128; the buffer depth must be at least that"},
        Refusal{
            {{"topology", "hypercube:4"},
             {"algorithm", "wsort"},
             {"flits", "18"},
             {"pieces", "4"},
             {"switching", "cut-through"},
             {"buffer_depth", "4"}},
            "switching cut-through: a buffer of 4 flits cannot hold a message of 5; the buffer depth must be at least that"},
        Refusal{
            {{"topology", "ring:5794"}, {"algorithm", "ring-allgather"}},
            "ring:5794 is too large for this collective: it sends at least 33564642 messages that carry 33564642 blocks, and the limits are 33554432 and 1073741824"}));

TEST(Resolve, AScheduleOfSeveralSourcesReachesNoneOfThem) {
  const Options given = options({{"topology", "hypercube:2"}});
  const GoalSource goals(given.run, *given.run.fabric.topology);

  EXPECT_EQ(goals.destinations({node_id(0), node_id(2)}),
            (std::vector<NodeId>{node_id(1), node_id(3)}));
}

TEST(Resolve, ADestinationMayBeNoneOfTheSources) {
  const Options given = options({{"topology", "hypercube:2"}, {"destinations", "1,2"}});
  const GoalSource goals(given.run, *given.run.fabric.topology);

  EXPECT_NE(complaint([&] { goals.destinations({node_id(0), node_id(2)}); }), "");
}

}  // namespace
}  // namespace allport
