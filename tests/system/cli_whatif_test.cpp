// SPDX-License-Identifier: Apache-2.0
// These tests check `allport whatif`: each row is the run of its own command line.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/cli_program.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliWhatif : public Cli {
 protected:
  std::string fault_of(const std::string& arguments) const {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }

  // The number that counts, in the JSON of a run.
  static Json value_of(const Json& run, const std::string& goal) {
    if (!run["deadlock"].is_null()) return nullptr;
    if (goal == "makespan") return run["tasks"]["makespan"];
    if (goal == "completion") {
      return run["latency"].contains("completion") ? run["latency"]["completion"]["mean"]
                                                   : run["latency"]["max"];
    }
    const Json& traffic = run.contains("load") ? run["load"] : run["traffic"];
    if (goal == "accepted") {
      return run.contains("load") ? traffic["accepted_flits"] : traffic["accepted"];
    }
    return run.contains("closed_loop") ? run["closed_loop"]["round_trip"][goal]
                                       : traffic["latency"][goal];
  }

  // Runs the command line of every row, and expects what the row says. Returns what whatif found.
  Json expect_rows(const std::string& arguments) const {
    const Json found = json("whatif " + arguments + " --json -");
    const std::string goal = found["for"];
    EXPECT_EQ(value_of(run_again(found["command"]), goal), found["before"]) << found["command"];
    for (const Json& row : found["rows"]) {
      const std::string line = row["command"];
      const Json run = run_again(line);
      EXPECT_EQ(run.value("digest", ""), row["digest"]) << line;
      EXPECT_EQ(value_of(run, goal), row["after"]) << line;
      if (row["after"].is_null() || found["before"].is_null()) continue;
      const double saved = found["before"].get<double>() - row["after"].get<double>();
      EXPECT_NEAR(row["saved"].get<double>(), goal == "accepted" ? -saved : saved, 1e-9) << line;
    }
    return found;
  }

  Json run_again(const std::string& line) const {
    const Outcome outcome = shell(line + " --json -");
    EXPECT_THAT(outcome.status, testing::AnyOf(0, 3)) << line << "\n" << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }

  // The row of one change of `option` to `value`; null: there is none.
  static Json row_of(const Json& found, const std::string& option, const std::string& value) {
    for (const Json& row : found["rows"]) {
      const Json& changes = row["changes"];
      if (changes.size() == 1 && changes[0]["option"] == option && changes[0]["value"] == value) {
        return row;
      }
    }
    return nullptr;
  }
};

TEST_F(CliWhatif, FindsWhatHelpsABusyTorus) {
  const Json found = expect_rows(
      "--topology torus:4x4 --pattern uniform --rate 0.55 --cycles 1500 --seeds 3 --budget 9");
  EXPECT_EQ(found["for"], "p99");
  EXPECT_GE(found["rows"].size(), 6);
  EXPECT_GT(row_of(found, "--vcs", "4")["saved"], 0);
  EXPECT_EQ(row_of(found, "--vcs", "4")["changes"][0]["was"], "2");
  EXPECT_TRUE(row_of(found, "--vcs", "4").contains("over_seeds"));
  EXPECT_EQ(row_of(found, "--ports", "all"), nullptr) << "it has all";
  double last = 1e9;
  for (const Json& row : found["rows"]) {
    if (row.contains("over_seeds") && row["over_seeds"]["is_within_chance"]) break;
    EXPECT_LE(row["saved"], last);
    last = row["saved"];
  }
}

TEST_F(CliWhatif, NamesWhatIsRefusedWithTheReason) {
  const Outcome outcome = allport(
      "whatif --topology hypercube:3 --pattern uniform --rate 0.5 --cycles 500 --seeds 1 --json w.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 was refused"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("\nrefused   --switching cut-through: switching cut-through: a buffer of 4"));
  const Json refused = Json::parse(content("w.json"))["refused"];
  ASSERT_EQ(refused.size(), 1) << "steps are not tried where nothing has steps";
  EXPECT_EQ(refused[0]["changes"][0]["option"], "--switching");
}

TEST_F(CliWhatif, TriesOtherAlgorithmsOfACollective) {
  const Json found =
      expect_rows("--topology torus:4x4 --algorithm swing-allreduce --bytes 4KiB --ts 50");
  EXPECT_EQ(found["for"], "completion");
  EXPECT_EQ(found["seeds"], 1) << "nothing is random";
  EXPECT_NE(row_of(found, "--algorithm", "bucket-allreduce"), nullptr);
  EXPECT_GT(row_of(found, "--ts", "25")["saved"], 0);
  EXPECT_GT(found["beyond_bound"]["start-ups"], 0);
}

TEST_F(CliWhatif, SwapsTwoRanksThatAreInEachOthersWay) {
  const Json found = expect_rows("--topology torus:4x4 --algorithm rabenseifner --flits 64");
  int swaps = 0;
  for (const Json& row : found["rows"]) {
    const Json& change = row["changes"][0];
    swaps += change["option"] == "--place" &&
             change["value"].get<std::string>().find(',') != std::string::npos;
  }
  EXPECT_EQ(swaps, 3);
}

TEST_F(CliWhatif, TriesPairsAndGoesOnFromTheBest) {
  const std::string run =
      "--topology torus:4x4 --pattern uniform --rate 0.5 --cycles 800 --seeds 1 ";
  const Json pairs = expect_rows(run + "--pairs --budget 14");
  std::set<std::size_t> sizes;
  for (const Json& row : pairs["rows"]) sizes.insert(row["changes"].size());
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2}));
  const Json then = expect_rows(run + "--then --budget 14");
  int rounds = 1;
  for (const Json& row : then["rows"]) {
    rounds = std::max(rounds, row["round"].get<int>());
    EXPECT_GE(row["changes"].size(), row["round"].get<std::size_t>());
  }
  EXPECT_GT(rounds, 1);
  EXPECT_LE(then["rows"].size(), 14);
}

TEST_F(CliWhatif, TakesScenariosTasksAndTraces) {
  write("run.toml",
        "[fabric]\ntopology = \"hypercube:4\"\nports = 1\n[traffic]\nalgorithm = \"separate\"\n"
        "[node]\nts = 9\n");
  const Json scenario = expect_rows("run.toml --budget 6");
  EXPECT_THAT(scenario["command"], HasSubstr("allport run run.toml"));
  EXPECT_NE(row_of(scenario, "--ts", "4"), nullptr);
  write("two.goal",
        "num_ranks 4\nrank 0 { l1: send 640b to 1 tag 1\n l2: send 640b to 3 tag 1\n }\n"
        "rank 1 { l1: recv 640b from 0 tag 1\n }\nrank 2 { l1: calc 3\n }\n"
        "rank 3 { l1: recv 640b from 0 tag 1\n }\n");
  const Json trace = expect_rows("two.goal --topology ring:4 --ports 1 --budget 5");
  EXPECT_EQ(trace["for"], "makespan");
  EXPECT_THAT(trace["command"], HasSubstr("allport replay two.goal"));
  EXPECT_GT(row_of(trace, "--ports", "all")["saved"], 0);
}

TEST_F(CliWhatif, SaysSoWhereNothingHelps) {
  const Outcome outcome = allport(
      "whatif --topology ring:4 --algorithm ring-allgather --flits 4 --model worm --budget 20");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json found = json("whatif --topology hypercube:1 --algorithm separate --flits 1 --json -");
  for (const Json& row : found["rows"]) EXPECT_LE(row["saved"], 0);
  EXPECT_THAT(allport("whatif --topology hypercube:1 --algorithm separate --flits 1").out,
              testing::AnyOf(HasSubstr("Nothing that was tried is better."),
                             HasSubstr("as its lower bound: nothing can be faster"),
                             HasSubstr("Nothing can be changed that its causes suggest.")));
}

TEST_F(CliWhatif, FindsAWayOutOfADeadlock) {
  const Json found = expect_rows(
      "--topology hypercube:3 --algorithm tree --source 0,6 --budget 12 --for completion");
  EXPECT_EQ(found["before"], nullptr);
  bool has_way = false;
  for (const Json& row : found["rows"]) has_way = has_way || !row["after"].is_null();
  EXPECT_TRUE(has_way) << found.dump(1);
}

// Collectives that stop each other are put one after the other, which no cause tells; those that
// end are left at once.
TEST_F(CliWhatif, PutsCollectivesOfADeadlockOneAfterTheOther) {
  const Json stuck =
      json("whatif --topology hypercube:3 --algorithm tree --source 0,6 --budget 1 --json -");
  ASSERT_EQ(stuck["rows"].size(), 1U);
  EXPECT_EQ(stuck["rows"][0]["words"], "--barrier 0");
  EXPECT_FALSE(stuck["rows"][0]["after"].is_null());
  const Json free =
      json("whatif --topology hypercube:3 --algorithm ucube --source 0,6 --budget 100 --json -");
  EXPECT_FALSE(free["rows"].empty());
  for (const Json& row : free["rows"]) EXPECT_NE(row["changes"][0]["option"], "--barrier");
}

TEST_F(CliWhatif, WritesAPageAndLosesNothing) {
  const std::string run = "whatif --topology mesh:3x3 --algorithm separate --flits 4 --budget 3 ";
  EXPECT_EQ(allport(run + "--report what.html --json what.json").status, 0);
  EXPECT_THAT(content("what.html"), HasSubstr("What would help: completion, cycles"));
  EXPECT_EQ(Json::parse(content("what.json"))["version"], json(run + "--json -")["version"]);
  write("keep.json", "mine");
  EXPECT_EQ(allport("whatif --topology mesh:3x3 --algorithm nothing --json keep.json").status, 2);
  EXPECT_EQ(content("keep.json"), "mine");
  write("s.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  EXPECT_THAT(fault_of("whatif --topology mesh:3x3 --schedule s.jsonl --json s.jsonl"),
              HasSubstr("s.jsonl"));
}

// A message of this length is too long for routers.
TEST_F(CliWhatif, TakesTheFasterModelOfEachRunAndReplay) {
  write("long.goal",
        "num_ranks 2\nrank 0 {\n a: send 8000000b to 1 tag 7\n}\n"
        "rank 1 {\n b: recv 8000000b from 0 tag 7\n}\n");
  for (const std::string run :
       {"--topology hypercube:3 --algorithm separate --destinations 1 --flits 2000000",
        "long.goal --topology hypercube:3"}) {
    const Outcome outcome = allport("whatif " + run + " --budget 2");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(" --model auto\n"));
  }
  EXPECT_EQ(allport("whatif long.goal --topology hypercube:3 --broken 1 --budget 2").status, 0);
  EXPECT_THAT(fault_of("whatif long.goal --topology hypercube:3 --model systemc"),
              HasSubstr("take --model worm"));
}

TEST_F(CliWhatif, RefusesWhatMakesNoSense) {
  const std::string run = "whatif --topology mesh:3x3 --algorithm separate ";
  EXPECT_THAT(fault_of(run + "--budget 0"),
              HasSubstr("--budget: '0' is not a whole number in 1..10000"));
  EXPECT_THAT(fault_of(run + "--seeds 0"),
              HasSubstr("--seeds: '0' is not a whole number in 1..1000"));
  EXPECT_THAT(fault_of(run + "--for p99"),
              HasSubstr("--for: this run has no p99; it has completion"));
  EXPECT_THAT(fault_of(run + "--for speed"), HasSubstr("--for"));
  EXPECT_THAT(fault_of("whatif --topology mesh:3x3 --algorithm nothing"), HasSubstr("nothing"));
  EXPECT_THAT(fault_of("whatif --algorithm separate"), HasSubstr("--topology is missing"));
  EXPECT_THAT(fault_of("whatif --topology mesh:3x3"), HasSubstr("nothing to run"));
  EXPECT_THAT(fault_of("whatif nowhere.goal --topology ring:4"), HasSubstr("nowhere.goal"));
  EXPECT_THAT(fault_of("whatif --topology mesh:3x3 --schedule -"),
              HasSubstr("can be read only once"));
}

TEST_F(CliWhatif, PrintsWhatIsDoneAfterAnInterrupt) {
  const Outcome outcome = shell(
      "\"$program\" whatif --topology torus:8x8 --pattern uniform --rate 0.3 --cycles 30000 --budget 200 "
      "--jobs 1 --seeds 1 --pairs >out 2>err & sleep 8; kill -TERM $!; wait $!; echo $?");
  EXPECT_EQ(outcome.out, "3\n") << content("err");
  EXPECT_THAT(content("err"), HasSubstr("interrupted"));
}

// By night: drawn runs of all kinds.
TEST_F(CliWhatif, RowsAreTheRunsOfTheirCommandLines) {
  const RandomCases cases(3);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const auto pick = [&draw](const std::vector<std::string>& words) { return draw.one_of(words); };
    const std::string fabric =
        "--topology " + pick({"torus:4x4", "mesh:3x4", "ring:6", "hypercube:4"}) + " " +
        pick({"", "--ports 1 ", "--vcs 4 ", "--link-delay 2 "}) +
        pick({"", "--ts 20 ", "--ts 7 --tr 5 ", "--switching cut-through --buffer-depth 32 "});
    const std::string work = pick(
        {"--pattern uniform --rate 0.3 --cycles 400 ", "--pattern hotspot --rate 0.1 --cycles 500 ",
         "--algorithm separate --flits 9 ", "--algorithm direct-alltoall --flits 5 ",
         "--algorithm synthesized-allreduce --flits 32 ",
         "--algorithm synthesized-bcast --flits 40 --trials 2 ",
         "--algorithm separate --destinations random:3 --collective-rate 0.001 --cycles 900 "});
    expect_rows(fabric + work + "--seeds 2 --budget 6 " + pick({"", "--pairs ", "--then "}));
  }
}

}  // namespace
}  // namespace allport::test
