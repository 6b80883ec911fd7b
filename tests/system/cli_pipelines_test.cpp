// SPDX-License-Identifier: Apache-2.0
// These tests check routers with pipelines from the command line, on flits and on worms.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Stages {
  int route = 0;
  int vc = 0;
  int crossbar = 0;

  std::string options() const {
    return " --route-delay " + std::to_string(route) + " --vc-delay " + std::to_string(vc) +
           " --crossbar-delay " + std::to_string(crossbar);
  }
  int sum() const { return route + vc + crossbar; }
};

class CliPipelines : public Cli {
 protected:
  // The results on flits, which those on worms are equal to.
  Json run(const std::string& options) const {
    const Json flits = json("run --json - --model systemc " + options);
    const Json worms = json("run --json - --model worm " + options);
    for (const char* key :
         {"digest", "latency", "contention", "deadlock", "deadlock_cycle", "wait_for", "cycles"}) {
      EXPECT_EQ(flits.value(key, Json()), worms.value(key, Json())) << key << " of " << options;
    }
    return flits;
  }
  std::string fault_of(const std::string& arguments) const {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }
};

// The worked cases of docs/router.md: the last flit of four is on the ejection channel of node 6.
TEST_F(CliPipelines, HaveTheCyclesOfTheContract) {
  const std::string four =
      "--topology hypercube:3 --algorithm separate --source 0 --destinations 6 --flits 4";
  const auto has = [&](const Stages& stages, int depth) {
    return run(four + stages.options() + " --buffer-depth " +
               std::to_string(depth))["latency"]["max"]
        .get<int>();
  };
  EXPECT_EQ(has({0, 0, 0}, 4), 6);
  EXPECT_EQ(has({1, 0, 0}, 4), 9);
  EXPECT_EQ(has({0, 1, 0}, 4), 9);
  EXPECT_EQ(has({0, 0, 1}, 4), 9);
  EXPECT_EQ(has({1, 1, 1}, 4), 15);
  EXPECT_EQ(has({0, 0, 1}, 3), 9);
  EXPECT_EQ(has({0, 0, 1}, 2), 10);
  EXPECT_EQ(has({0, 0, 1}, 1), 15);
}

// Each of the h + 1 routers on the way costs a + v + x, and no flit waits for another message.
TEST_F(CliPipelines, TakeAsLongAsTheirTheoryAndExplainEveryCycle) {
  for (const Stages stages :
       {Stages{1, 0, 0}, Stages{0, 2, 0}, Stages{0, 0, 3}, Stages{1, 1, 1}, Stages{4, 4, 4}}) {
    for (
        const std::string work :
        {"--topology hypercube:4 --algorithm separate --source 0 --destinations 15 --flits 9",
         "--topology mesh:4x4 --algorithm separate --source 0 --destinations 15 --flits 5 --link-delay 2",
         "--topology hypercube:4 --algorithm tree --source 3 --flits 7 --replication-delay 2",
         "--topology hypercube:3 --algorithm join-allreduce --flits 6 --combine-delay 1"}) {
      SCOPED_TRACE(work + stages.options());
      const std::string options = work + stages.options() + " --buffer-depth 32 --ts 10 --tr 3";
      const Json result = run(options);
      const std::string longest = std::to_string(result["latency"]["max"].get<int>());
      EXPECT_THAT(allport("run " + options).out,
                  HasSubstr("\ntheory      max " + longest + " cycles"));
      const Json explained = json("explain --model systemc --json - " + options);
      int cycles = 0;
      for (const Json& message : explained["explanation"]["path"]) {
        for (const auto& [cause, of_it] : message["by_cause"].items()) cycles += of_it.get<int>();
      }
      EXPECT_EQ(cycles, result["latency"]["max"]) << explained["explanation"]["path"].dump();
    }
  }
  const Json one = json(
      "explain --json - --topology hypercube:4 --algorithm separate --source 0 --destinations 15 "
      "--route-delay 1 --vc-delay 2 --crossbar-delay 3");
  EXPECT_EQ(one["explanation"]["by_cause"]["pipeline"], 5 * 6);
}

// The tail of a circuit leaves the buffer as it comes, so the next head is first in it at once: two
// messages of one port are L + 2h + 3 + (h + 1)(a + v + x) cycles apart, without a further a + v.
// Node 1 has its block after 25 + 26 cycles, node 2 after 26 + 26.
TEST_F(CliPipelines, FollowOneAnotherAsCircuitsAsTheoryCounts) {
  const std::string work =
      "run --topology mesh:3 --algorithm dims-scatter --ports 1 --switching circuit --flits 4";
  EXPECT_THAT(allport(work + Stages{4, 4, 0}.options()).out,
              HasSubstr("\ntheory      max 52 cycles, equal to the simulation"));
  for (const Stages stages : {Stages{1, 0, 0}, Stages{0, 3, 1}, Stages{2, 2, 2}}) {
    EXPECT_THAT(allport(work + stages.options() + " --buffer-depth 8").out,
                HasSubstr(", equal to the simulation"));
  }
}

// A head that waits for its route or for the switch asks for nothing: it does not wait for the
// channel, and loses no arbitration. The head of a lone message wins each channel and has it for
// three cycles before it goes.
TEST_F(CliPipelines, LeaveTheirChannelsEmptyWhileAHeadWaitsForTheSwitch) {
  const std::string lone =
      "run --topology mesh:3 --algorithm separate --destinations 2 --flits 4 --channel-load c.csv";
  for (const std::string model : {"systemc", "worm"}) {
    SCOPED_TRACE(model);
    allport(lone + Stages{1, 3, 2}.options() + " --model " + model);
    for (const std::string channel : {"external,0,0", "external,1,0", "ejection,2,1"}) {
      EXPECT_THAT(content("c.csv"),
                  HasSubstr(",24," + channel + ",4,0.16666666666666666,4,0,0,3,17,1,0\n"));
    }
  }
}

// Uniform traffic, collectives, narrow buffers, classes and tables: worms are where flits are.
TEST_F(CliPipelines, AreTheSameOnFlitsAndOnWorms) {
  for (const Stages stages :
       {Stages{1, 0, 0}, Stages{0, 1, 0}, Stages{0, 0, 1}, Stages{1, 1, 1}, Stages{2, 0, 4}}) {
    for (
        const std::string work :
        {"--topology torus:4x4 --pattern uniform --rate 0.2 --flits 5 --cycles 600",
         "--topology torus:4x4 --pattern uniform --rate 0.3 --flits 24 --cycles 600 --buffer-depth 2",
         "--topology mesh:4x4 --pattern uniform --rate 0.3 --flits 6 --cycles 600 --buffer-depth 1 --link-delay 1",
         "--topology torus:4x4 --pattern uniform --rate 0.1 --flits 5 --cycles 600 --classes 2",
         "--topology torus:4x4 --algorithm direct-alltoall --flits 40 --vcs 4",
         "--topology hypercube:4 --algorithm tree --source 0,5 --flits 3 --trials 2 --jitter 6",
         "--topology ring:6 --routing table:updown --algorithm separate --flits 9",
         "--topology torus:4x4 --algorithm bucket-allreduce --bytes 4096 --ts 20"}) {
      run(work + stages.options());
    }
  }
}

TEST_F(CliPipelines, StandInTheReportAndInResults) {
  const std::string work = "run --topology mesh:3x3 --algorithm separate --flits 4";
  const std::string stages = Stages{1, 2, 3}.options();
  EXPECT_THAT(allport(work + stages).out, HasSubstr("route delay 1, VC delay 2, crossbar delay 3"));
  EXPECT_THAT(allport(work).out, Not(HasSubstr("crossbar")));
  EXPECT_THAT(allport("fit --topology mesh:3x3 --sizes 1,2" + stages).out,
              HasSubstr("link delay 0, route delay 1, VC delay 2, crossbar delay 3\n"));
  const Json config = json(work + stages + " --json -")["config"];
  EXPECT_EQ(config["route_delay"], 1);
  EXPECT_EQ(config["vc_delay"], 2);
  EXPECT_EQ(config["crossbar_delay"], 3);
  EXPECT_FALSE(json(work + " --json -")["config"].contains("route_delay"));
}

TEST_F(CliPipelines, DeadlockOnFlitsAsOnWorms) {
  for (const Stages stages : {Stages{1, 0, 0}, Stages{0, 3, 0}, Stages{0, 0, 2}, Stages{1, 2, 3}}) {
    const std::string work = "--topology hypercube:3 --algorithm tree --source 0,6 --flits 16";
    for (const char* model : {"systemc", "worm"}) {
      EXPECT_EQ(allport("run " + work + stages.options() + " --model " + model).status, 3);
    }
    const auto results = [&](const std::string& model) {
      const Outcome outcome =
          allport("run --json - " + work + stages.options() + " --model " + model);
      Json found = Json::parse(outcome.out, nullptr, false);
      for (const char* key : {"model", "config", "wall_seconds", "static_wall_seconds"}) {
        found.erase(key);
      }
      return found;
    };
    EXPECT_GT(results("systemc")["deadlock_cycle"], 9);
    EXPECT_EQ(results("systemc"), results("worm"));
  }
}

TEST_F(CliPipelines, AreWhatWhatifTakesAway) {
  const Json found = json(
      "whatif --topology mesh:4x4 --algorithm separate --flits 4 --route-delay 2 --vc-delay 1 "
      "--budget 12 --json -");
  bool is_tried = false;
  for (const Json& row : found["rows"]) {
    const Json& changes = row["changes"];
    if (changes.size() != 1 || changes[0]["option"] != "--route-delay") continue;
    is_tried = true;
    EXPECT_GT(row["saved"], 0);
  }
  EXPECT_TRUE(is_tried) << found.dump(1);
}

// A plan that is made for the times of the machine is the same on the way through a schedule.
TEST_F(CliPipelines, AreKnownToWhoeverPlans) {
  for (const std::string stages :
       {"--route-delay 3", "--vc-delay 2", "--crossbar-delay 4 --route-delay 1"}) {
    const std::string machine = "--topology mesh:2x2x3 " + stages;
    const Json base = json("run --json - --algorithm synthesized-gather " + machine);
    write("plan.jsonl", allport("schedule --algorithm synthesized-gather " + machine).out);
    const std::string parts = " --parts " + std::to_string(base["config"]["parts"].get<int>());
    const Json planned =
        json("run --json - --schedule plan.jsonl --collective gather " + machine + parts);
    EXPECT_EQ(planned["digest"], base["digest"]) << stages;
    EXPECT_EQ(allport("check --algorithm synthesized-gather " + machine).status, 0) << stages;
  }
}

TEST_F(CliPipelines, AreRefusedOutOfRange) {
  const std::string work = "run --topology mesh:3x3 --algorithm separate ";
  for (const std::string option : {"--route-delay", "--vc-delay", "--crossbar-delay"}) {
    EXPECT_THAT(fault_of(work + option + " 5"),
                HasSubstr(option + ": '5' is not a whole number in 0..4"));
    EXPECT_THAT(fault_of(work + option + " -1"), HasSubstr(option));
    EXPECT_THAT(fault_of(work + option + " x"), HasSubstr(option));
  }
}

}  // namespace
}  // namespace allport::test
