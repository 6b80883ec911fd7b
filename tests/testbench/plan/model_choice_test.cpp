// SPDX-License-Identifier: Apache-2.0
// These tests check --model auto, and what messages carry on worms.
#include <gmock/gmock.h>

#include "testbench/plan/plan_theory.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using test::options;
using testing::HasSubstr;

using Given = std::vector<std::pair<std::string, std::string>>;

RunPlan plan_of(const Given& given) { return allport::plan(options(given).run); }

Model chosen(Given given) {
  given.emplace_back("model", "auto");
  const RunPlan plan = plan_of(given);
  EXPECT_TRUE(plan.is_model_chosen);
  EXPECT_EQ(plan.simulation.is_transaction_level, plan.request.model == Model::worm);
  return plan.request.model;
}

TEST(ModelChoice, TakesWormsWhereTheyMoveTheRun) {
  const std::string cube = "hypercube:3";
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "wsort"}}), Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "9"}}),
            Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "tree"}}), Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "join-reduce"}}), Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "tree"}, {"source", "0,7"}}), Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "join-reduce"}, {"combine", "arrival"}}),
            Model::systemc);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "hamiltonian"}}), Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "disjoint-paths"}, {"destinations", "7"}}),
            Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "wsort"}, {"switching", "circuit"}}),
            Model::worm);
  EXPECT_EQ(chosen({{"topology", cube}, {"algorithm", "hamiltonian"}, {"explain", "all"}}),
            Model::systemc);
  EXPECT_EQ(chosen({{"topology", cube},
                    {"routing", "adaptive"},
                    {"pattern", "uniform"},
                    {"rate", "0.1"},
                    {"cycles", "9"}}),
            Model::systemc);
  EXPECT_FALSE(plan_of({{"topology", cube}, {"algorithm", "wsort"}}).is_model_chosen);
}

TEST(ModelChoice, HasTheLimitsOfTheModelThatItTakes) {
  EXPECT_EQ(
      chosen({{"topology", "hypercube:19"}, {"algorithm", "separate"}, {"destinations", "1"}}),
      Model::worm);
  EXPECT_EQ(chosen({{"topology", "ring:4"}, {"algorithm", "ring"}, {"flits", "1000000000"}}),
            Model::worm);
  EXPECT_THAT(complaint([] {
                plan_of({{"topology", "hypercube:2"},
                         {"algorithm", "hamiltonian"},
                         {"flits", "1000001"},
                         {"explain", "all"},
                         {"model", "auto"}});
              }),
              HasSubstr("--flits 1000001: routers move messages of up to 1000000 flits"));
  EXPECT_THAT(complaint([] {
                plan_of({{"topology", "ring:4"},
                         {"algorithm", "ring-allreduce"},
                         {"bytes", "4000001"},
                         {"model", "systemc"}});
              }),
              HasSubstr("--bytes 4000001: flits 1000001: routers move messages of up to"));
  const Given long_messages = {
      {"topology", "hypercube:2"}, {"pattern", "uniform"},  {"rate", "0.1"}, {"cycles", "9"},
      {"flits_long", "1000001"},   {"long_fraction", "0.5"}};
  EXPECT_EQ(chosen(long_messages), Model::worm);
  EXPECT_THAT(complaint([&] { plan_of(long_messages); }),
              HasSubstr("--flits-long 1000001: routers move messages of up to 1000000 flits"));
}

TEST(ModelChoice, WormsCarrySymbolsForTooManyBytes) {
  const Given large{{"topology", "ring:4"},
                    {"algorithm", "ring-allreduce"},
                    {"bytes", "1000000000"},
                    {"model", "worm"}};
  EXPECT_TRUE(plan_of(large).simulation.payload_is_symbolic);
  Given bytes = large;
  bytes.emplace_back("payload", "bytes");
  EXPECT_EQ(
      complaint([&] { plan_of(bytes); }),
      "the messages of the allreduce have 6000000000 bytes in total, but the limit is 2147483648; choose shorter messages or fewer nodes, or let worms carry symbols (--model worm --payload symbolic)");
  const Given small{{"topology", "ring:4"}, {"algorithm", "ring-allreduce"}, {"model", "worm"}};
  EXPECT_FALSE(plan_of(small).simulation.payload_is_symbolic);
  Given symbols = small;
  symbols.emplace_back("payload", "symbolic");
  EXPECT_TRUE(plan_of(symbols).simulation.payload_is_symbolic);
  symbols[2] = {"model", "systemc"};
  EXPECT_EQ(complaint([&] { plan_of(symbols); }),
            "--payload symbolic: routers carry every byte; --model worm can carry symbols");
}

TEST(ModelChoice, NoMessageIsTooLongToBeCounted) {
  EXPECT_THAT(complaint([] {
                plan_of({{"topology", "hypercube:3"},
                         {"algorithm", "exchange-allgather"},
                         {"flits", "1000000000"},
                         {"model", "worm"}});
              }),
              HasSubstr("it has 4000000000 flits, but a message has at most 2147483647"));
}

// Over a busy channel: messages that share it take longer than one after another.
TEST(ModelChoice, TheTheoryIsNeverLessThanTheBusiestChannel) {
  const RunPlan plan =
      plan_of({{"topology", "ring:8"}, {"algorithm", "swing-allgather"}, {"flits", "160"}});
  ASSERT_TRUE(lower_bound_of(plan).has_value());
  EXPECT_GE(predicted_latency(plan), lower_bound_of(plan)->cycles);
  EXPECT_EQ(predicted_latency(plan), 1 + 80 * (3 * 1 + 2 + 4)) << "the first ones go three hops";
}

// With fewer ports than neighbours, all that the root of a gather receives goes through them.
TEST(ModelChoice, TheTheoryIsNeverLessThanTheBusiestPort) {
  for (const std::string ports : {"1", "2", "3", "4"}) {
    for (const std::string operation : {"gather", "scatter", "allgather", "alltoall"}) {
      const RunPlan plan = plan_of({{"topology", "mesh:9x4"},
                                    {"algorithm", "synthesized-" + operation},
                                    {"flits", "35"},
                                    {"ports", ports}});
      ASSERT_TRUE(lower_bound_of(plan).has_value());
      EXPECT_GE(predicted_latency(plan), lower_bound_of(plan)->cycles) << operation << ports;
    }
  }
}

}  // namespace
}  // namespace allport
