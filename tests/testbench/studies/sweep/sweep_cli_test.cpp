// SPDX-License-Identifier: Apache-2.0
// A user sees this of `allport sweep`: what it computes, writes, prints and refuses.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Sweep : public Cli {
 protected:
  std::vector<nlohmann::json> results(const std::string& folder) const {
    std::vector<nlohmann::json> list;
    for (const std::string& line : lines_of(content(folder + "/results.jsonl"))) {
      list.push_back(nlohmann::json::parse(line));
    }
    return list;
  }
};

TEST_F(Sweep, ComputesEveryPointAsRunDoes) {
  write("grid.toml",
        "[fabric]\ntopology = 'hypercube:3..4'\n[message]\nflits = [16, 64]\n"
        "[traffic]\nalgorithm = ['wsort', 'separate']\n");

  const Outcome outcome = allport("sweep grid.toml");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "points      8, of which 8 computed now\n"
            "tables      grid.sweep/results.csv, grid.sweep/results.jsonl\n");
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto all = results("grid.sweep");
  ASSERT_EQ(all.size(), 8U);
  for (const nlohmann::json& one : all) {
    const nlohmann::json point = one.at("point");
    nlohmann::json alone =
        json("run --json - --topology " + point.at("topology").get<std::string>() + " --flits " +
             point.at("flits").get<std::string>() + " --algorithm " +
             point.at("algorithm").get<std::string>());
    EXPECT_EQ(one.at("result").at("digest"), alone.at("digest")) << point;
    EXPECT_EQ(one.at("result").at("latency"), alone.at("latency")) << point;
    EXPECT_EQ(one.at("config").at("flits"), alone.at("config").at("flits"));
  }
}

// Four shards at once compute all points, each one once; the sweep itself computes none.
TEST_F(Sweep, IsComputedByShardsAtOnce) {
  const std::string grid = "sweep --topology hypercube:3,ring:5 --algorithm separate --flits 1..5 ";
  const Outcome shards = shell(
      "for i in 1 2 3 4; do allport " + grid +
      "--output shards --shard $i/4 --jobs 1 >$i.out 2>$i.err & done; wait; cat 1.out 2.out 3.out 4.out");
  EXPECT_EQ(shards.out,
            "points      10, of which 3 are in shard 1 of 4: 3 done, 3 computed now\n"
            "points      10, of which 3 are in shard 2 of 4: 3 done, 3 computed now\n"
            "points      10, of which 2 are in shard 3 of 4: 2 done, 2 computed now\n"
            "points      10, of which 2 are in shard 4 of 4: 2 done, 2 computed now\n");
  EXPECT_FALSE(exists("shards/results.csv"));
  EXPECT_THAT(allport(grid + "--output shards --shard 2/4").out, HasSubstr("3 done, 0 computed"));
  EXPECT_THAT(allport(grid + "--output shards").out,
              StartsWith("points      10, of which 0 computed now\n"));
  EXPECT_EQ(allport(grid + "--output whole").status, 0);
  EXPECT_EQ(content("shards/results.csv"), content("whole/results.csv"));
}

TEST_F(Sweep, RefusesShardsThatThereAreNot) {
  const auto fault_of = [this](const std::string& options) {
    const Outcome outcome =
        allport("sweep --topology ring:4 --algorithm separate --output none " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_FALSE(exists("none")) << options;
    return outcome.err;
  };
  EXPECT_THAT(fault_of("--shard 0/4"), HasSubstr("--shard: '0' is not a whole number in 1.."));
  EXPECT_THAT(fault_of("--shard 5/4"), HasSubstr("--shard: '5/4': the shards are 1/4 .. 4/4"));
  EXPECT_THAT(fault_of("--shard 1/0"), HasSubstr("--shard: '0' is not"));
  EXPECT_THAT(fault_of("--shard 3"), HasSubstr("as 1/4"));
  EXPECT_THAT(fault_of("--shard 1/4 --executor slurm"), HasSubstr("--shard is for"));
  EXPECT_THAT(fault_of("--shard 1/4 --report a.html"),
              HasSubstr("--shard and --report exclude each other"));
}

TEST_F(Sweep, RefusesPointsWhoseBuffersCannotHoldTheLongestMessage) {
  write(
      "grid.toml",
      "[fabric]\ntopology = 'hypercube:4'\n[router]\nswitching = 'cut-through'\nbuffer_depth = [128, 64]\n"
      "[traffic]\nalgorithm = 'exchange-scatter'\n");

  const Outcome outcome = allport("sweep grid.toml");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 2 points failed"));
  EXPECT_THAT(outcome.err, HasSubstr("a buffer of 64 flits cannot hold a message of 128"));
}

TEST_F(Sweep, RefusesAValueTwiceInAListButNotInAZip) {
  const std::string grid = " --topology hypercube:2 --algorithm ucube --output twice";

  const Outcome outcome = allport("sweep --seed 1,3,1 --ts 1,2" + grid);

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "allport: --seed: the value '1' is twice in the list\n");
  EXPECT_EQ(allport("sweep --seed 0..2,2" + grid).status, 2);
  EXPECT_EQ(allport("sweep --seed 1,1 --ts 1,2 --zip seed,ts" + grid).status, 0);
}

// The best number follows only from a plan.
TEST_F(Sweep, ComputesTheBestNumberOfPiecesAsRunDoes) {
  const std::string point = " --topology hypercube:4 --algorithm wsort --pieces best --flits 64";

  EXPECT_EQ(allport("sweep --ts 0,20 --output some" + point).status, 0);

  ASSERT_EQ(results("some").size(), 2U);
  EXPECT_EQ(results("some")[1]["config"]["pieces"],
            json("run --ts 20 --json -" + point)["config"]["pieces"]);
  EXPECT_EQ(allport("sweep --topology hypercube:4 --algorithm tree --pieces best").status, 2);
}

TEST_F(Sweep, TheTableIsInTheOrderOfTheGridWhateverFinishesFirst) {
  allport("sweep --topology torus:4x4 --pattern uniform --rate 0.3,0.01 --cycles 3000,10 --jobs 4");

  const std::vector<std::string> table = lines_of(content("allport.sweep/results.csv"));
  ASSERT_EQ(table.size(), 5U);
  EXPECT_THAT(table[0], StartsWith("rate,cycles,exit,error,latency.max,"));
  EXPECT_THAT(table[0], HasSubstr(",traffic.latency.p99,"));
  EXPECT_THAT(table[1], StartsWith("0.3,3000,0,,"));
  EXPECT_THAT(table[2], StartsWith("0.3,10,0,,"));
  EXPECT_THAT(table[3], StartsWith("0.01,3000,0,,"));
  EXPECT_THAT(table[4], StartsWith("0.01,10,0,,"));
}

TEST_F(Sweep, TablesDoNotDependOnHowManyRunAtOnce) {
  const std::string grid =
      "sweep --topology hypercube:4 --algorithm ucube,wsort --destinations 'random:3;random:5' --seed 1..4";
  allport(grid + " --jobs 1 --output one");
  allport(grid + " --jobs 5 --output five");

  EXPECT_EQ(content("one/results.csv"), content("five/results.csv"));
  EXPECT_EQ(content("one/results.jsonl"), content("five/results.jsonl"));
  EXPECT_EQ(lines_of(content("one/results.csv")).size(), 17U);
}

TEST_F(Sweep, DoesNotComputeAPointTwice) {
  const std::string first = "sweep --output all --topology ring:6 --algorithm separate --ts 0,1,2";
  const std::string second =
      "sweep --output all --topology ring:6 --algorithm separate --ts 2,3 --vcs 2";

  EXPECT_THAT(allport(first).out, StartsWith("points      3, of which 3 computed now\n"));
  EXPECT_THAT(allport(first).out, StartsWith("points      3, of which 0 computed now\n"));
  EXPECT_THAT(allport(second).out, StartsWith("points      2, of which 1 computed now\n"));
}

TEST_F(Sweep, FailedPointsAreListedAndNotLost) {
  const Outcome outcome =
      allport("sweep --topology hypercube:3,torus:4x4 --algorithm wsort,dcf --output some");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(
      outcome.err,
      StartsWith(
          "allport: 2 of 4 points failed, the first: topology hypercube:3, algorithm dcf: "));
  const auto all = results("some");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].at("exit"), 0);
  EXPECT_EQ(all[1].at("exit"), 2);
  EXPECT_THAT(all[1].at("error").get<std::string>(), HasSubstr("dcf"));
  EXPECT_THAT(lines_of(content("some/results.csv"))[2], StartsWith("hypercube:3,dcf,2,"));
}

TEST_F(Sweep, ADeadlockKeepsItsResults) {
  EXPECT_EQ(allport("sweep --topology hypercube:3 --algorithm tree --source '0,6;0'").status, 3);

  const auto all = results("allport.sweep");
  EXPECT_EQ(all.at(0).at("exit"), 3);
  EXPECT_THAT(all.at(0).at("error").get<std::string>(), StartsWith("deadlock in cycle"));
  EXPECT_GT(all.at(0).at("result").at("deadlock_cycle"), 0);
  EXPECT_EQ(all.at(1).at("exit"), 0);
}

TEST_F(Sweep, FailedPointsAreTriedAgainOnlyOnRequest) {
  const std::string missing =
      "sweep --topology hypercube:3,torus:4x4 --algorithm dcf --output some";

  EXPECT_THAT(allport(missing).out, StartsWith("points      2, of which 2 computed now\n"));
  EXPECT_THAT(allport(missing).out, StartsWith("points      2, of which 0 computed now\n"));
  EXPECT_THAT(allport(missing + " --retry-failed").out,
              StartsWith("points      2, of which 1 computed now\n"));
}

TEST_F(Sweep, AScheduleIsKnownByItsLinesNotByItsName) {
  const std::string grid = "sweep --topology ring:4 --schedule a.jsonl --output some";
  write("a.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  EXPECT_THAT(allport(grid).out, StartsWith("points      1, of which 1 computed now\n"));
  EXPECT_THAT(allport(grid).out, StartsWith("points      1, of which 0 computed now\n"));

  write("a.jsonl", "{\"u\":0,\"v\":2,\"step\":1,\"order\":0}\n");
  EXPECT_THAT(allport(grid).out, StartsWith("points      1, of which 1 computed now\n"));
}

TEST_F(Sweep, DrawsTheLatencyThroughputCurve) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";

  const Outcome outcome = allport(
      "sweep --topology torus:4x4 --pattern uniform --rate 0.1:0.9:0.4 --cycles 2000 --vcs 2,4 --plot curve.svg");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("curve       curve.svg\nsaturation  vcs 2: saturated from "));
  EXPECT_THAT(content("curve.svg"), HasSubstr("vcs 4: "));
  // The labels of the y axes are on the picture whole: letters of 13 pixels stand on their lines.
  const std::string picture = content("curve.svg");
  std::size_t labels = 0;
  for (std::size_t at = picture.find(") rotate(270)"); at != std::string::npos;
       at = picture.find(") rotate(270)", at + 1)) {
    const std::size_t begin = picture.rfind("translate(", at) + 10;
    EXPECT_GE(std::stod(picture.substr(begin)), 13);
    ++labels;
  }
  EXPECT_GE(labels, 2U);
  EXPECT_THAT(content("curve.svg"), HasSubstr("</svg>"));
}

TEST_F(Sweep, SeedsFoldIntoOneCurve) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";

  const Outcome outcome = allport(
      "sweep --topology torus:4x4 --pattern uniform --rate 0.1,0.2 --cycles 1000 --seed 1..3 --output load");

  EXPECT_THAT(outcome.out,
              testing::EndsWith("curve       load/curve.svg\nsaturation  not saturated at 0.21\n"));
  EXPECT_THAT(content("load/curve.svg"), HasSubstr("mean over the seeds (3 at most)"));
}

TEST_F(Sweep, DrawsAnyColumnOverAnyOption) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  const std::string grid =
      "sweep --topology hypercube:4 --algorithm ucube,wsort --buffer-depth 2,8 --seed 1..3 --destinations 'random:2;random:5;random:9' --trials 2 --plot-x ";

  const Outcome outcome = allport(grid + "destinations");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::EndsWith("curve       allport.sweep/curve.svg\n"));
  const std::string picture = content("allport.sweep/curve.svg");
  for (const char* words : {"buffer_depth 8, algorithm wsort", "latency.completion.mean",
                            "destinations random:..", "mean over the seeds (3 at most)"}) {
    EXPECT_THAT(picture, HasSubstr(words));
  }
  EXPECT_EQ(allport(grid + "buffer-depth --plot-y steps --plot b.svg").status, 0);
  EXPECT_THAT(content("b.svg"), HasSubstr("algorithm wsort, destinations random:9"));
}

TEST_F(Sweep, AColumnWithoutNumbersIsRefusedBeforeAnythingIsComputed) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  for (const char* traffic :
       {"--algorithm ucube,wsort", "--pattern uniform --rate 0.1 --cycles 9"}) {
    const std::string grid =
        "sweep --topology hypercube:4 --ts 1,2 --plot-x ts " + std::string(traffic) + " --plot-y ";

    const Outcome near = allport(grid + "latency.maxx");
    EXPECT_EQ(near.status, 2);
    EXPECT_EQ(
        near.err,
        "allport: --plot-y: unknown column of numbers 'latency.maxx': did you mean 'latency.max'?\n");
    for (const char* column : {"nosuch", "digest", "exit", "deadlock_cycle"}) {
      const Outcome outcome = allport(grid + column);
      EXPECT_EQ(outcome.status, 2) << column;
      EXPECT_THAT(outcome.err, StartsWith("allport: --plot-y: unknown column of numbers '" +
                                          std::string(column) + "': choose one of latency.max, "))
          << column;
    }
    EXPECT_FALSE(exists("allport.sweep"));
  }
}

TEST_F(Sweep, PointsThatFailedAreNotDrawnAndNamed) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome trees = allport(
      "sweep --topology hypercube:2,hypercube:3 --algorithm tree --source '0,6;0' --ts 0,5 --plot-x ts --plot-y latency.max --output trees");
  EXPECT_EQ(trees.status, 3);
  EXPECT_THAT(trees.out,
              HasSubstr("\nleft out    4 of 8 points, which failed or have no number here: "));
  EXPECT_THAT(trees.out, HasSubstr("topology hypercube:3, ts 0, source 0,6"));
  EXPECT_THAT(content("trees/curve.svg"), HasSubstr("left out: 4 of 8 points"));
  EXPECT_THAT(content("trees/curve.gnuplot"), HasSubstr("$curve0 << end_of_curve\n0 0 0 1"));
  EXPECT_THAT(content("trees/curve.gnuplot"), testing::Not(HasSubstr("$curve2 ")));

  const Outcome loads = allport(
      "sweep --topology torus:4x4 --vcs 1,2 --pattern uniform --rate 0.1,0.5 --cycles 100 --output loads");
  EXPECT_EQ(loads.status, 3);
  EXPECT_THAT(
      loads.out,
      HasSubstr(
          "\nleft out    2 of 4 points, which failed or have no number here: vcs 1, rate 0.1; vcs 1, rate 0.5\n"));
}

// Every point fails: the exit status says that the results are not complete.
TEST_F(Sweep, APictureOfNothingIsNotDrawn) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = allport(
      "sweep --topology hypercube:3 --algorithm tree --source 0,6 --ts 0,1 --plot-x ts --output deadlocks");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("\ncurve       not drawn: no point has a number to draw\n"));
  EXPECT_THAT(outcome.err, HasSubstr("allport: 2 of 2 points failed"));
}

TEST_F(Sweep, AFlagMayBeOffInAPoint) {
  write("grid.toml",
        "[fabric]\ntopology = 'hypercube:3'\n[traffic]\nalgorithm = 'wsort'\n"
        "[observe]\nno_static = [true, false]\n");

  const Outcome outcome = allport("sweep grid.toml");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(results("grid.sweep").at(0).at("result").at("static").is_null());
  EXPECT_FALSE(results("grid.sweep").at(1).at("result").at("static").is_null());
}

TEST_F(Sweep, OptionsThatAdvanceTogetherAreOneAxis) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  allport(
      "sweep --topology ring:4 --algorithm separate --flits 4,8 --buffer-depth 4,8 --zip flits,buffer-depth --plot-x flits");

  EXPECT_THAT(content("allport.sweep/curve.gnuplot"), testing::Not(HasSubstr("$curve1")));
}

TEST_F(Sweep, ManyCurvesShareAPanelAndTheReportNamesTheFirst) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";

  const Outcome outcome =
      allport("sweep --topology ring:4 --pattern uniform --rate 0.1,0.2 --cycles 50 --ts 1..26");

  EXPECT_THAT(outcome.out, HasSubstr("curve       allport.sweep/curve.svg\n"));
  EXPECT_THAT(outcome.out,
              testing::EndsWith("saturation  .. 2 more curves: see the legend of the picture\n"));
  EXPECT_THAT(content("allport.sweep/curve.gnuplot"), HasSubstr("title \"others: ts "));
}

// 2 x 2 x 3 x 2 curves: the algorithm has the colours, the length panels, and of the depth and the
// channels the best counts.
TEST_F(Sweep, ManyCurvesAreSortedOutOrAsTheOptionsSay) {
  if (shell("gnuplot --version").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  const std::string grid =
      "sweep --topology hypercube:3 --algorithm ucube,separate --buffer-depth 2,8 --flits 2,4,8 --vcs 1,2 --ts 1,9 --plot-x ts --plot-y latency.max ";
  const Outcome outcome = allport(grid);

  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::EndsWith("shown       each point is the best of vcs, buffer_depth\n"));
  const std::string script = content("allport.sweep/curve.gnuplot");
  EXPECT_THAT(script, HasSubstr("set title \"flits 8\""));
  EXPECT_THAT(script, HasSubstr("each point is the best of vcs, buffer_depth"));
  EXPECT_THAT(script, HasSubstr("title \"ucube\""));
  EXPECT_THAT(script, HasSubstr("$curve5 "));
  EXPECT_THAT(script, testing::Not(HasSubstr("$curve6 ")));

  ASSERT_EQ(
      allport(grid + "--plot-colour vcs,flits --plot-fixed buffer-depth=08 --plot-panel algorithm")
          .status,
      0);
  const std::string other = content("allport.sweep/curve.gnuplot");
  EXPECT_THAT(other, HasSubstr("set title \"separate\""));
  EXPECT_THAT(other, HasSubstr("title \"vcs 2, flits 8\""));
  EXPECT_THAT(other, HasSubstr("only buffer_depth 8"));
}

TEST_F(Sweep, MistakesAreOneSentenceAndNothingIsComputed) {
  write("grid.toml", "[fabric]\ntopology = 'ring:4'\n[traffic]\nalgorithm = 'separate'\n");
  write("typo.toml", "[fabric]\ntopolgy = 'ring:4'\n");
  write("empty.toml", "[node]\nts = '9..1'\n");
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"sweep typo.toml", "typo.toml:2:1: unknown key 'topolgy': did you mean 'topology'?"},
      {"sweep empty.toml",
       "empty.toml:2:6: ts: the range '9..1' is empty: it ends before it begins"},
      {"sweep none.toml", "the grid none.toml cannot be read: No such file or directory"},
      {"sweep grid.toml --ts 1,x", "--ts: 'x' is not a whole number in 0..1000000000"},
      {"sweep grid.toml --seed 1..2000000",
       "the grid has 2000000 points, more than 1000000: give --yes if that is intended"},
      {"sweep grid.toml --zip ts,tr --ts 1,2 --tr 1..3",
       "--zip: ts has 2 values and tr has 3: keys that are zipped must have the same number of values"},
      {"sweep grid.toml --plot a.svg",
       "--plot needs several values of --rate, --collective-rate or --outstanding, or --plot-x"},
      {"sweep grid.toml --plot-x ts",
       "--plot-x: 'ts' is not an option with several values here; there is none"},
      {"sweep grid.toml --plot-x ts --flits 1,2 --buffer-depth 4,8",
       "--plot-x: 'ts' is not an option with several values here; those are buffer_depth, flits"},
      {"sweep grid.toml --plot-y latency.max", "--plot-y needs --plot-x"},
      {"sweep grid.toml --ts 1,2 --plot-x ts --plot-panel vcs",
       "--plot-panel: 'vcs' is not an option with several values here; those are ts"},
      {"sweep grid.toml --ts 1,2 --vcs 1,2 --plot-x ts --plot-best vcs --plot-colour vcs",
       "--plot-colour and --plot-best both name 'vcs'"},
      {"sweep grid.toml --ts 1,2 --vcs 1,2 --plot-x ts --plot-best vcs,vcs",
       "--plot-best names 'vcs' twice"},
      {"sweep grid.toml --ts 1,2 --vcs 1,2 --plot-x ts --plot-fixed vcs=3",
       "--plot-fixed: '3' is not a value of vcs here; those are 1, 2"},
      {"sweep grid.toml --plot-fixed vcs",
       "--plot-fixed: 'vcs' must be an option and its value, KEY=VALUE"},
      {"sweep grid.toml --plot-fixed vcs=1 --plot-fixed vcs=2",
       "--plot-fixed: 'vcs' has a value already"},
      {"sweep --topology ring:4 --pattern uniform --rate 0.1,0.2 --cycles 9 --plot-colour rate",
       "--plot-colour: 'rate' is on the x axis, unless --plot-x names another option"},
      {"sweep grid.toml --ts 1,2 --vcs 1,2 --plot-panel vcs",
       "--plot-colour, --plot-panel, --plot-best and --plot-fixed need a picture, by --plot-x, or a page, by --report"},
      {"sweep grid.toml --plot a.png", "--plot: 'a.png' must end with .svg"},
      {"sweep grid.toml --partition short", "--partition is for --executor slurm"},
      {"sweep grid.toml --executor slurm --jobs 2", "--jobs is for --executor local"},
      {"sweep grid.toml --executor cloud",
       "--executor: unknown executor 'cloud': choose one of local, slurm"},
      {"sweep grid.toml --worker", "--worker is for the tasks that a sweep starts on Slurm"},
      {"sweep --topology ring:4",
       "nothing to run: give --algorithm, --schedule, --tasks, --pattern or --flows"},
      {"sweep grid.toml --output typo.toml/a",
       "the folder typo.toml/a/points cannot be made: Not a directory"}};
  for (const auto& [arguments, sentence] : mistakes) {
    const Outcome outcome = allport(arguments);

    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.out, IsEmpty()) << arguments;
    EXPECT_EQ(outcome.err, "allport: " + sentence + "\n") << arguments;
    EXPECT_FALSE(exists("grid.sweep")) << arguments;
  }
}

TEST_F(Sweep, ASlurmThatIsNotThereIsOneSentence) {
  write("grid.toml", "[fabric]\ntopology = 'ring:4'\n[traffic]\nalgorithm = 'separate'\n");

  const Outcome outcome = shell("PATH=/nowhere allport sweep grid.toml --executor slurm");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(
      outcome.err,
      "allport: Slurm is not available: its program scontrol is not installed on this machine; 0 of 1 points are done and kept in grid.sweep\n");
}

}  // namespace
}  // namespace allport::test
