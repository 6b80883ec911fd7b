// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliDiff : public Cli {
 protected:
  void make(const std::string& name, const std::string& arguments) const {
    const Outcome outcome = allport(arguments + " --json " + name);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
  const std::string run = "run --topology torus:4x4 --pattern uniform --rate 0.4 --cycles 400 ";
};

TEST_F(CliDiff, OfAResultWithItselfIsEmptyWhateverCommandWroteIt) {
  for (const char* arguments :
       {"run --topology hypercube:3 --algorithm wsort --explain all",
        "run --topology ring:4 --pattern uniform --rate 0.2 --cycles 200",
        "compare --topology hypercube:3 --destinations 1,2,7",
        "compare --topology torus:4x4 --collective allreduce --sizes 64,256",
        "steps --topology hypercube:3 --sizes 2 --trials 2",
        "check --topology hypercube:3 --algorithm ucube --destinations 1,2",
        "fit --topology hypercube:3 --sizes 1,8,64",
        "whatif --topology mesh:3x3 --algorithm separate --budget 2",
        "whatif --topology mesh:3x3 --algorithm separate --broken 1",
        "check --topology mesh:3x3 --algorithm separate --faults 1"}) {
    make("a.json", arguments);
    const Outcome outcome = allport("diff a.json a.json");
    EXPECT_EQ(outcome.status, 0) << arguments << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("The two results are the same.")) << arguments;
  }
}

TEST_F(CliDiff, SaysWhatDiffers) {
  make("a.json", run + "--explain slowest:1");
  make("b.json", run + "--explain slowest:1 --vcs 4");
  const Outcome outcome = allport("diff a.json b.json --report d.html --json d.json");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("vcs     2  4  +2 (+100 %)"));
  EXPECT_THAT(outcome.out, HasSubstr("traffic.latency.p99"));
  EXPECT_THAT(outcome.out, HasSubstr("Cycles of a message, by cause"));
  const Json found = Json::parse(content("d.json"));
  EXPECT_FALSE(found["is_same"]);
  EXPECT_EQ(found["config"], Json::parse(R"([{"option": "vcs", "a": 2, "b": 4, "change": 2.0}])"));
  EXPECT_THAT(content("d.html"), HasSubstr("<h2>Numbers</h2>"));
  make("c.json", run + "--seed 2");
  EXPECT_THAT(allport("diff a.json c.json").out, HasSubstr("Only the seeds differ"));
}

// A configuration does not tell a delay of 0.
TEST_F(CliDiff, ShowsTheDefaultOfAnOptionThatOneOfThemDoesNotTell) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --json ";
  allport(run + "plain.json");
  allport(run + "late.json --crossbar-delay 1");
  const std::string text = allport("diff plain.json late.json").out;
  EXPECT_THAT(text, testing::ContainsRegex("crossbar_delay +0 +1 +.1"));
  allport(run + "delayed.json --route-delay 2");
  EXPECT_THAT(allport("diff delayed.json plain.json").out,
              testing::ContainsRegex("route_delay +2 +0 +-2"));
}

TEST_F(CliDiff, HasNoExponentsInPercent) {
  make("a.json", run);
  make("b.json", "run --topology torus:4x4 --pattern uniform --rate 0.4 --cycles 9000");
  const std::string text = allport("diff a.json b.json").out;
  EXPECT_THAT(text, testing::ContainsRegex("\\(\\+2[01][0-9][0-9] %\\)"));
  EXPECT_THAT(text, Not(testing::ContainsRegex("e\\+[0-9]+ %")));
}

TEST_F(CliDiff, JudgesTrialsByTheirIntervals) {
  const std::string sets =
      "run --topology hypercube:5 --algorithm ucube --destinations random:9 --trials 20 --seed ";
  make("a.json", sets + "1");
  make("b.json", sets + "2");
  const Json found = Json::parse(allport("diff a.json b.json --json -").out);
  bool has_interval = false;
  for (const Json& one : found["numbers"]) {
    has_interval = has_interval || one.contains("is_within_intervals");
  }
  EXPECT_TRUE(has_interval);
}

TEST_F(CliDiff, RefusesWhatIsNoResult) {
  make("a.json", run);
  write("text", "no JSON");
  write("object.json", "{\"a\": 1}");
  make("compared.json", "compare --topology hypercube:2");
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"diff", "diff compares two results, and there are 0"},
           {"diff a.json", "diff compares two results, and there is 1"},
           {"diff a.json a.json a.json", "and there are 3"},
           {"diff a.json nowhere", "the file nowhere cannot be read"},
           {"diff a.json text", "text is no JSON text"},
           {"diff a.json object.json", "object.json is no result that the program writes"},
           {"diff a.json compared.json",
            "a.json is a result of run, and compared.json one of compare"},
           {"diff a.json a.json --json a.json", "which this command reads"},
           {"diff a.json a.json --report x", ".html"}}) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
  }
  EXPECT_THAT(content("a.json"), HasSubstr("\"digest\""));
}

}  // namespace
}  // namespace allport::test
