// SPDX-License-Identifier: Apache-2.0
// These tests check `check --faults` and `whatif --broken`: each row is the run of its own command
// line, and what cuts nodes off is refused by `run` itself.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CliFaults : public Cli {
 protected:
  std::string fault_of(const std::string& arguments) const {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }
  // What a command found, whatever its status is.
  Json found(const std::string& arguments, int status) const {
    const Outcome outcome = allport(arguments + " --json -");
    EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.err;
    return Json::parse(outcome.out)["faults"];
  }
  // Expects of every row what the run of its command line says.
  void expect_rows(const Json& faults, const char* const completion) const {
    const Json::json_pointer number(completion);
    double last = 1e18;
    for (const Json& row : faults["run"]["rows"]) {
      const std::string line = row["command"];
      const Outcome outcome = shell(line + " --json -");
      if (!row["problem"].is_null()) {
        EXPECT_NE(outcome.status, 0) << line;
        EXPECT_EQ(row["after"], nullptr) << line;
        continue;
      }
      ASSERT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
      const Json run = Json::parse(outcome.out);
      EXPECT_EQ(run["digest"], row["digest"]) << line;
      EXPECT_EQ(run.at(number), row["after"]) << line;
      const double cost = row["after"].get<double>() - faults["run"]["before"].get<double>();
      EXPECT_EQ(row["costs"], cost) << line;
      if (row.contains("over_seeds")) continue;
      EXPECT_LE(cost, last) << "the worst first: " << line;
      last = cost;
    }
  }
};

constexpr const char* completion = "/latency/max";

TEST_F(CliFaults, RunsWithoutEachLink) {
  for (const char* run : {"--topology mesh:3x3 --algorithm separate",
                          "--topology mesh:3x3 --algorithm synthesized-allreduce --flits 32",
                          "--topology hypercube:3 --algorithm wsort --ts 20"}) {
    const Json faults = found(std::string("check --faults 1 ") + run, 0);
    EXPECT_EQ(faults["run"]["rows"].size(), 12) << run;
    EXPECT_EQ(faults["sets"], 12);
    EXPECT_EQ(faults["are_drawn"], false);
    EXPECT_EQ(faults["cutting_sets"], 0);
    expect_rows(faults, completion);
    EXPECT_GT(faults["run"]["rows"][0]["costs"], 0) << run;
  }
}

TEST_F(CliFaults, FindsThePlantedLink) {
  // The only message goes from 3 to 4; without that link it goes around the ring.
  write("one.jsonl", "{\"u\":3,\"v\":4,\"step\":1,\"order\":0}\n");
  const Json faults =
      found("check --topology ring:8 one.jsonl --source 3 --destinations 4 --faults 1", 0);
  const Json& rows = faults["run"]["rows"];
  ASSERT_EQ(rows.size(), 8);
  EXPECT_EQ(rows[0]["links"], "3-4");
  EXPECT_EQ(rows[0]["costs"], 6) << "six channels more, of a cycle each";
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i]["costs"], 0);
}

TEST_F(CliFaults, NamesWhatIsCutOff) {
  write("tail.csv", "hub,a\nhub,b\na,b\nb,leaf\n");
  const Outcome outcome = allport("check --topology graph:tail.csv --faults 1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out,
            "tried     all 4 sets of 1 of the 4 links\n"
            "cut       1 link is enough to cut nodes off, such as b-leaf: node leaf\n"
            "          1 of these sets cuts nodes off\n"
            "          1 cut of 1 link, of which no link can be left out:\n"
            "            b-leaf: node leaf\n"
            "\n"
            "The loss of b-leaf cuts off node leaf.\n");
  const Json two = found("check --topology graph:tail.csv --faults 2", 1);
  EXPECT_EQ(two["cuts"]["count"], 4) << "the leaf, and each corner of the triangle";
  EXPECT_EQ(two["cuts"]["list"][0]["cut_off"], Json({"leaf"}));
  EXPECT_EQ(two["cutting_sets"], 6) << "three with the leaf's link, three of the triangle";
  EXPECT_EQ(two["run"], nullptr);
  EXPECT_EQ(allport("check --topology mesh:3x3 --faults 1").status, 0);
}

TEST_F(CliFaults, OfWhatIsLeftOfAFabric) {
  const Json faults = found("check --topology mesh:3x3 --missing-nodes 4 --faults 2", 1);
  EXPECT_EQ(faults["links"], 8) << "a ring";
  EXPECT_EQ(faults["cuts"]["count"], 28);
  EXPECT_EQ(faults["cuts"]["list"][0]["cut_off"].size(), 4);
}

// The seeds draw the loads, and not other nodes that are missing.
TEST_F(CliFaults, OfADrawnFabricAreOfOneFabric) {
  const Outcome found = allport(
      "whatif --topology mesh:4x4 --pattern uniform --rate 0.2 --cycles 500 --missing-nodes random:2 "
      "--broken 1 --budget 4 --seeds 3 --json f.json");
  EXPECT_THAT(found.out, HasSubstr("--missing-nodes random:2:1 ")) << found.err;
  EXPECT_THAT(found.out, Not(HasSubstr("no result")));
  EXPECT_THAT(found.out, Not(HasSubstr("no number with seed")));
}

TEST_F(CliFaults, RunsNoSetThatCutsNodesOff) {
  const Json faults =
      found("check --topology mesh:2x3 --algorithm separate --flits 4 --faults 2", 1);
  EXPECT_EQ(faults["all_sets"], 21);
  EXPECT_EQ(faults["sets"], 21);
  std::set<std::string> cutting;
  for (const Json& cut : faults["cuts"]["list"]) cutting.insert(cut["links"]);
  EXPECT_EQ(cutting.size(), faults["cutting_sets"]);
  EXPECT_EQ(cutting.size() + faults["run"]["rows"].size(), 21);
  for (const std::string& links : cutting) {
    const Outcome run =
        allport("run --topology mesh:2x3 --algorithm separate --flits 4 --missing-links " + links);
    EXPECT_EQ(run.status, 2) << links;
  }
  expect_rows(faults, completion);
}

TEST_F(CliFaults, DrawsFromTooManySets) {
  const std::string line = "check --topology torus:4x4 --algorithm separate --faults 3 --budget 6";
  const Json faults = found(line, 0);
  EXPECT_EQ(faults["all_sets"], 4960);
  EXPECT_EQ(faults["sets"], 6);
  EXPECT_EQ(faults["seed"], 1);
  EXPECT_EQ(faults["smallest_cut"]["count"], 4);
  expect_rows(faults, completion);
  EXPECT_EQ(found(line, 0), faults);
  EXPECT_NE(found(line + " --seed 2", 0)["run"]["rows"], faults["run"]["rows"]);
  EXPECT_THAT(allport(line).out,
              HasSubstr("6 of 4960 sets of 3 of the 32 links, drawn with seed 1\n"));
}

TEST_F(CliFaults, SaysWhyARunHasNoResult) {
  const Outcome outcome = allport(
      "check --topology ring:5 --algorithm separate --routing dimension-ordered --faults 1");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("crosses the missing link 0>1"));
  EXPECT_THAT(outcome.out, HasSubstr("the run has no result."));
  EXPECT_THAT(outcome.out, HasSubstr("it has no result\n"));
}

TEST_F(CliFaults, OfAnyRunByWhatif) {
  const Json load = found(
      "whatif --topology mesh:3x3 --pattern uniform --rate 0.2 --cycles 600 --seeds 3 --broken 1",
      0);
  EXPECT_EQ(load["run"]["for"], "p99");
  EXPECT_EQ(load["run"]["seeds"], 3);
  EXPECT_EQ(load["run"]["rows"].size(), 12);
  std::size_t judged = 0;
  for (const Json& row : load["run"]["rows"]) judged += row.contains("over_seeds") ? 1 : 0;
  EXPECT_EQ(judged, 8);
  expect_rows(load, "/traffic/latency/p99");
  const Json accepted = found(
      "whatif --topology ring:4 --pattern uniform --rate 0.9 --cycles 600 --seeds 1 --for accepted "
      "--broken 1",
      0);
  EXPECT_GT(accepted["run"]["rows"][0]["costs"], 0) << "less is accepted";
  write(
      "two.goal",
      "num_ranks 4\nrank 0 { l1: send 640b to 1 tag 1\n }\nrank 1 { l1: recv 640b from 0 tag 1\n }\n"
      "rank 2 { l1: calc 3\n }\nrank 3 { l1: calc 3\n }\n");
  const Json trace = found("whatif two.goal --topology ring:4 --broken 1", 0);
  EXPECT_EQ(trace["run"]["for"], "makespan");
  EXPECT_EQ(trace["run"]["rows"][0]["links"], "0-1");
  EXPECT_GT(trace["run"]["rows"][0]["costs"], 0);
  expect_rows(trace, "/tasks/makespan");
  write("run.toml", "[fabric]\ntopology = \"mesh:3x3\"\n[traffic]\nalgorithm = \"separate\"\n");
  const Json scenario = found("whatif run.toml --broken", 0);
  EXPECT_THAT(scenario["run"]["command"], HasSubstr("allport run run.toml"));
  expect_rows(scenario, completion);
  EXPECT_EQ(found("check --topology mesh:3x3 --algorithm separate --faults 1",
                  0)["run"]["rows"][0]["costs"],
            scenario["run"]["rows"][0]["costs"]);
}

TEST_F(CliFaults, AsAPage) {
  const Outcome outcome =
      allport("whatif --topology mesh:3x3 --algorithm separate --broken 2 --report worst.html");
  EXPECT_EQ(outcome.status, 0) << "the loss of links is what was asked for";
  EXPECT_THAT(outcome.out, HasSubstr("The loss of 0-1,0-3 cuts off node 0."));
  const std::string page = content("worst.html");
  EXPECT_THAT(page, HasSubstr("<h2>What costs most</h2>"));
  EXPECT_THAT(page, HasSubstr("<h2>What cuts nodes off</h2>"));
  EXPECT_THAT(page, HasSubstr("<td>0-1,0-3</td><td>node 0</td>")) << "a number alone is a count";
}

TEST_F(CliFaults, AnInterruptLeavesWhatIsDone) {
  const Outcome outcome = shell(
      "timeout --preserve-status -s INT 4 $program check --topology torus:8x8 --faults 2 "
      "--algorithm dims-allreduce --json -");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("allport: interrupted\n"));
  if (outcome.out.empty()) return;  // on a machine on which the first run takes so long
  const Json run = Json::parse(outcome.out)["faults"]["run"];
  EXPECT_EQ(run["is_interrupted"], true);
  EXPECT_LT(run["rows"].size(), 8128);
}

TEST_F(CliFaults, RefusesWhatMakesNoSense) {
  const std::string mesh = "check --topology mesh:3x3 ";
  EXPECT_EQ(fault_of(mesh + "--faults 0"),
            "allport: --faults: '0' is not a whole number in 1..32\n");
  EXPECT_EQ(fault_of(mesh + "--faults 33"),
            "allport: --faults: '33' is not a whole number in 1..32\n");
  EXPECT_EQ(fault_of(mesh + "--faults 13"), "allport: --faults 13: mesh:3x3 has 12 links\n");
  EXPECT_EQ(fault_of("check --topology hypercube:13 --faults 1"),
            "allport: --faults 1: sets of links are looked at in fabrics of at most 4096 routers, "
            "and hypercube:13 has 8192\n");
  EXPECT_THAT(fault_of("check --faults 1"), HasSubstr("--topology is missing"));
  EXPECT_THAT(fault_of(mesh + "--faults 1 --flits 4"), HasSubstr("--flits"));
  EXPECT_THAT(fault_of(mesh + "--faults 1 --jobs 4"), HasSubstr("--jobs"));
  EXPECT_THAT(fault_of(mesh + "--faults 1 --missing-links 0-1"), HasSubstr("--missing-links"));
  EXPECT_THAT(fault_of(mesh + "--faults 1 --algorithm separate --require theorem1"),
              HasSubstr("--require"));
  EXPECT_THAT(fault_of(mesh + "--algorithm separate --budget 4"), HasSubstr("--budget"));
  EXPECT_THAT(fault_of(mesh + "--faults 1 - < /dev/null"), HasSubstr("can be read only once"));
  const std::string what = "whatif --topology mesh:3x3 --algorithm separate --broken 1 ";
  EXPECT_THAT(fault_of(what + "--pairs"), HasSubstr("--pairs is about changes"));
  EXPECT_THAT(fault_of(what + "--missing-links 0-1"), HasSubstr("and so does --broken"));
  EXPECT_THAT(fault_of(what + "--for p99"), HasSubstr("--for: this run has no p99"));
  EXPECT_EQ(fault_of("whatif --topology mesh:3x3 --algorithm separate --broken 0"),
            "allport: --broken: '0' is not a whole number in 1..32\n");
  EXPECT_EQ(fault_of("whatif --topology mesh:3x3 --algorithm separate --broken --broken"),
            "allport: --broken is given twice\n");
  EXPECT_THAT(fault_of("whatif --topology mesh:3x3 --algorithm separate --broken -1"),
              HasSubstr("'-1' is not a whole number in 1..32"));
  EXPECT_EQ(fault_of("whatif --topology mesh:3x3 --algorithm separate --broken true"),
            "allport: --broken: 'true' is not a whole number in 1..32\n");
  write("two.csv", "u,v\na,b\nc,d\n");
  EXPECT_THAT(fault_of("check --topology graph:two.csv --faults 1"), HasSubstr("is in pieces"));
}

TEST_F(CliFaults, OptionsWithoutEffectAreRefused) {
  const auto fault_of = [&](const std::string& arguments) {
    const Outcome outcome = allport("check " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  };
  EXPECT_EQ(fault_of("--topology torus:8x8 --faults 1 --seed 3"),
            "allport: --faults 1: all 128 sets of links are tried, so there is nothing that --seed "
            "would draw; leave it out\n");
  EXPECT_THAT(fault_of("--topology mesh:3x3 --algorithm dims-allreduce --faults 1 --seed 3"),
              HasSubstr("--faults 1: all 12 sets of links are tried"));
  EXPECT_EQ(allport("check --topology torus:8x8 --faults 2 --budget 9 --seed 3").status, 0);
  EXPECT_EQ(
      allport("check --topology torus:4x4 --missing-nodes random:1 --faults 1 --seed 3").status, 0);
  EXPECT_THAT(fault_of("--topology torus:8x8 --faults 1 --replan"),
              HasSubstr("--replan: check --faults of a fabric plans nothing"));
  EXPECT_EQ(allport("check --topology torus:4x4 --missing-nodes 5 --faults 1 --replan").status, 0);
}

}  // namespace
}  // namespace allport::test
