// SPDX-License-Identifier: Apache-2.0
// These tests check the broadcast by safety levels on hypercubes of which nodes are missing.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class CliSafetyBcast : public Cli {
 protected:
  // What is said of arguments that are refused.
  std::string fault_of(const std::string& arguments) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }
};

const std::string left = "--topology hypercube:4 --missing-nodes 1,2,4 ";

TEST_F(CliSafetyBcast, TakesTheSameCyclesOnFlitsAndWorms) {
  for (const std::string more :
       {"", "--source 8", "--source 0 --ports 1 --ts 7 --tr 3", "--pieces 4", "--steps aware",
        "--routing table:shortest", "--vcs 2 --buffer-depth 16"}) {
    const std::string run = "run --algorithm safety-bcast --json - " + left + more;
    const Json flits = json(run + " --model systemc");
    const Json worms = json(run + " --model worm");
    EXPECT_EQ(flits["digest"], worms["digest"]) << more;
    EXPECT_EQ(flits["latency"]["by_destination"].size(), 12U) << more;
    EXPECT_EQ(flits["contention"]["events"], 0) << more;
  }
}

// From the unsafe node 0 the last node hears in step n + 1, from the safe node 8 in step n.
TEST_F(CliSafetyBcast, TakesAStepMoreFromAnUnsafeSource) {
  const std::string run = "run --algorithm safety-bcast --flits 1 --json - " + left;
  EXPECT_EQ(json(run + "--source 0")["steps"], 5);
  EXPECT_EQ(json(run + "--source 15")["steps"], 4);
}

TEST_F(CliSafetyBcast, IsProved) {
  EXPECT_EQ(allport("check --require theorem1 --algorithm safety-bcast " + left).status, 0);
}

TEST_F(CliSafetyBcast, IsRefusedWhereItLeadsNowhere) {
  const std::string run = "run --algorithm safety-bcast ";
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {left + "--source 4", "'4' is not a node of hypercube:4 without nodes 1, 2 and 4"},
           {left + "--destinations 8,9", "it takes the destinations 'all' only"},
           {left + "--ranks ring:13", "plans among the nodes as they are"},
           {left + "--place random:1", "plans among the nodes as they are"},
           {left + "--group 0,8,9",
            "algorithm safety-bcast is for hypercubes, also without some nodes"},
           {"--topology mesh:3x4 --missing-nodes 4",
            "safety-bcast is for hypercubes, also without some nodes"}}) {
    EXPECT_THAT(fault_of(run + arguments), HasSubstr(sentence)) << arguments;
  }
}

TEST_F(CliSafetyBcast, NamesTheNodesThatItDoesNotReach) {
  const std::string cut = "--topology hypercube:4 --missing-nodes 1,4,7,8 ";
  const std::string sentence =
      "algorithm safety-bcast does not reach node 5 of hypercube:4 without 4 nodes from source 0; it is sure to reach all where at most 3 nodes are missing; another source may reach them, and synthesized-bcast does\n";
  EXPECT_EQ(fault_of("run --algorithm safety-bcast " + cut), "allport: " + sentence);
  EXPECT_THAT(allport("compare " + cut).out, HasSubstr("left out safety-bcast: " + sentence));
}

}  // namespace
}  // namespace allport::test
