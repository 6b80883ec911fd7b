// SPDX-License-Identifier: Apache-2.0
// These tests check errors on links, and credits that are lost, from the command line.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/vcd_reader.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string four = "--topology hypercube:3 --algorithm separate --destinations 6 --flits 4 ";

class CliLinkErrors : public Cli {
 protected:
  std::string fault_of(const std::string& arguments) const {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }
};

TEST_F(CliLinkErrors, AreToldInReportAndResults) {
  const Json results = json("run " + four + "--flit-errors 0.2@1,0.2@3,4.1@99 --json -");
  EXPECT_EQ(results["latency"]["max"], 10);
  EXPECT_EQ(results["flit_errors"], 2);
  EXPECT_EQ(results["replays"], 2);
  EXPECT_EQ(results["discarded_flits"], 4);
  EXPECT_EQ(results["lost_credits"], 0);
  EXPECT_EQ(results["link_errors"]["channels"], Json::parse(R"([{"channel":{"node":0,"port":2},
                                                "errors":2,"replays":2,"discarded":4}])"));
  EXPECT_EQ(results["link_errors"]["missed"], Json({"4.1@99"}));
  EXPECT_EQ(results["config"]["retry"], true);
  EXPECT_EQ(results["config"]["flit_errors"], Json({"0.2@1", "0.2@3", "4.1@99"}));

  const std::string report = allport("run " + four + "--flit-errors 0.2@1,0.2@3,4.1@99").out;
  EXPECT_THAT(report, HasSubstr(", retry of 3 given errors"));
  EXPECT_THAT(report, HasSubstr("errors      2 flits in error, 2 replays, 4 flits discarded\n"));
  EXPECT_THAT(report, HasSubstr("missed      4.1@99: no flit was there"));
}

// In place of the list a file, or a scenario.
TEST_F(CliLinkErrors, StandInFiles) {
  write("errors.txt", "# two of them\n0.2@1\n\n 0.2@3 , 4.1@99 # and one that misses\n");
  write("s.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[router]\nflit_errors = [\"0.2@1\", \"0.2@3\"]\n"
        "[message]\nflits = 4\n[traffic]\nalgorithm = \"separate\"\ndestinations = 6\n");
  EXPECT_EQ(json("run " + four + "--flit-errors errors.txt --json -")["latency"]["max"], 10);
  EXPECT_EQ(json("run s.toml --json -")["latency"]["max"], 10);
}

TEST_F(CliLinkErrors, AreNoneWhereNothingErrs) {
  const Json plain = json("run " + four + "--json -");
  const Json retry = json("run " + four + "--retry --json -");
  EXPECT_EQ(plain["digest"], retry["digest"]);
  EXPECT_FALSE(plain.contains("flit_errors"));
  EXPECT_FALSE(plain.contains("link_errors"));
  EXPECT_EQ(retry["flit_errors"], 0);
  EXPECT_THAT(allport("run " + four + "--retry").out, HasSubstr("errors      none\n"));
}

// Trials and seeds draw their own; who runs them, and in which order, changes none.
TEST_F(CliLinkErrors, AreDrawnByPlaceAndCycle) {
  const std::string run =
      "run --topology torus:4x4 --algorithm separate --flits 64 --flit-error-rate 0.02 --json - ";
  const auto errors = [&](const std::string& options) {
    const Json results = json(run + options);
    return results["flit_errors"].get<int>();
  };
  const int first = errors("");
  EXPECT_GT(first, 0);
  EXPECT_EQ(errors(""), first);
  EXPECT_NE(errors("--seed 2"), first);
  EXPECT_EQ(errors("--model auto"), first);
  const Json two = json(run + "--trials 2 --jitter 1");
  EXPECT_GT(two["flit_errors"].get<int>(), 0);
  // 32 bits of a flit: 1 - (1 - b)^32 of 0.02.
  EXPECT_EQ(json("run --topology torus:4x4 --algorithm separate --flits 64 --bit-error-rate "
                 "0.00063113 --json -")["flit_errors"],
            first);
}

TEST_F(CliLinkErrors, AreColumnsOfASweep) {
  ASSERT_EQ(allport("sweep --topology hypercube:3 --algorithm separate --flits 64 "
                    "--flit-error-rate 0,0.02 --output points")
                .status,
            0);
  const std::string table = content("points/results.csv");
  EXPECT_THAT(table.substr(0, table.find('\n')), HasSubstr("flit_errors"));
  EXPECT_THAT(table.substr(0, table.find('\n')), HasSubstr("discarded_flits"));
}

TEST_F(CliLinkErrors, MayBeDrawnOverTheirRate) {
  const std::string sweep = "sweep --topology hypercube:3 --algorithm sbt --output points ";
  const Outcome drawn =
      allport(sweep + "--flit-error-rate 0.01,0.1 --plot-x flit-error-rate --plot-y flit_errors");
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_THAT(content("points/curve.svg"), HasSubstr("flit_errors"));
}

TEST_F(CliLinkErrors, OfAPointOfASweepAreAList) {
  const std::string sweep = "sweep --topology hypercube:3 --algorithm sbt --output points ";
  const Outcome lists = allport(sweep + "--flit-errors '0.2@1,0.2@9;0.2@1'");
  EXPECT_THAT(lists.out, HasSubstr("points      2, of which 2 computed now")) << lists.err;
}

TEST_F(CliLinkErrors, AreChanceToWhatif) {
  const std::string whatif =
      "whatif --topology torus:4x4 --algorithm dims-allreduce --budget 2 --seeds 3 ";
  for (const char* rate : {"--flit-error-rate 0.05", "--bit-error-rate 0.001"}) {
    EXPECT_THAT(allport(whatif + rate).out, HasSubstr("; the best over 3 seeds\n")) << rate;
  }
  EXPECT_THAT(allport(whatif + "--flit-errors 0.0@1").out, Not(HasSubstr("seeds")));
}

TEST_F(CliLinkErrors, AreACauseOfLatency) {
  const Json results = json("explain " + four + "--flit-errors 0.2@1 --json -");
  EXPECT_EQ(results["explanation"]["by_cause"], Json::parse(R"({"hop":3,"length":3,"retry":2})"));
}

TEST_F(CliLinkErrors, AreInWaves) {
  using Changes = VcdReader::Changes;
  for (const int delay : {0, 1}) {
    const int hit = delay == 0 ? 1 : 2;
    ASSERT_EQ(allport("run " + four + "--link-delay " + std::to_string(delay) +
                      " --flit-errors 0.2@" + std::to_string(hit) + " --wave w.vcd")
                  .status,
              0);
    const VcdReader wave = VcdReader::from_text(content("w.vcd"));
    EXPECT_EQ(wave.changes("fabric.router_4.input_2.error"),
              (Changes{{0, 0}, {hit, 1}, {hit + 1, 0}}));
    const int seen = hit + 1 + delay;
    EXPECT_EQ(wave.changes("fabric.router_0.output_2.nack"),
              (Changes{{0, 0}, {seen, 1}, {seen + 1, 0}}));
    EXPECT_THAT(content("w.gtkw"), HasSubstr("is in error on channel 0 -> 4"));
  }
}

// Of one credit, and the last one of two.
TEST_F(CliLinkErrors, OfCreditsStopAChannelThatHasNoneLeft) {
  const Outcome report =
      allport("run " + four + "--buffer-depth 1 --lose-credit 0.2.0@+1 --json r.json");
  EXPECT_EQ(report.status, 3);
  EXPECT_THAT(report.out,
              HasSubstr("deadlock    in cycle 4, 1 message can never be delivered; a credit was "
                        "lost:\n            0 -> 6 waits for a credit of channel 0 -> 4 (dimension "
                        "2), and nothing stands beyond it\n            credit of 0.2.0 lost in "
                        "cycle 2\n"));
  const Json results = Json::parse(content("r.json"));
  EXPECT_EQ(results["deadlock"], Json::array());
  EXPECT_EQ(results["wait_for"]["flits"][0]["all_of"][0]["waits_for"], "lost");
  EXPECT_EQ(results["link_errors"]["lost_credits"],
            Json::parse(R"([{"channel":{"node":0,"port":2},"vc":0,"cycle":2}])"));

  const Json slower = json("run " + four + "--buffer-depth 2 --lose-credit 0.2.0@2 --json -");
  EXPECT_EQ(slower["lost_credits"], 1);
  EXPECT_EQ(slower["latency"]["max"],
            json("run " + four + "--buffer-depth 2 --json -")["latency"]["max"].get<int>() + 2);
  EXPECT_EQ(allport("run " + four + "--buffer-depth 2 --lose-credit 0.2.0@+2,0.2.0@+2").status, 3);
  EXPECT_THAT(allport("run " + four + "--lose-credit 0.2.0@1").out,
              HasSubstr("missed      0.2.0@1: no credit was there"));
}

TEST_F(CliLinkErrors, AreExplainedWithLostCredits) {
  for (const std::string depth : {"1", "2", "3"}) {
    const Json results = json(
        "run --topology hypercube:3 --algorithm separate --destinations 6 --flits 40 "
        "--explain all --buffer-depth " +
        depth + " --lose-credit 0.2.0@+" + (depth == "1" ? "900" : "4") + " --json -");
    int sum = 0;
    for (const auto& [cause, cycles] : results["explanation"]["by_cause"].items()) {
      sum += cycles.get<int>();
    }
    EXPECT_EQ(sum, results["latency"]["max"]) << depth;
  }
}

TEST_F(CliLinkErrors, AreRefusedInOneSentence) {
  const std::string run = "run --topology mesh:3x3 --algorithm separate ";
  struct Refused {
    const char* given;
    const char* sentence;
  };
  write("torn.txt", "0.0@4\n0.0@");
  write("empty.txt", "# nothing\n");
  for (const Refused& one : {
           Refused{"--flit-errors 0.1@4",
                   "--flit-errors: '0.1@4': node 0 of mesh:3x3 has no channel at output 1; its "
                   "external outputs are 0, 2"},
           Refused{"--missing-links 1-2 --flit-errors 1.0@4",
                   "--flit-errors: '1.0@4': the link of this channel is missing"},
           Refused{"--missing-links 1-2 --lose-credit 2.1.0@+4",
                   "the link of this channel is missing"},
           Refused{"--flit-errors 9.0@4", "'9' is not a node of mesh:3x3; "},
           Refused{"--flit-errors 0@4", "'0@4' must be NODE.PORT@CYCLE, as in 0.2@17"},
           Refused{"--flit-errors 0.0@4,0.0@4", "it is named twice"},
           Refused{"--flit-errors 0.0@-4", "must be NODE.PORT@CYCLE"},
           Refused{"--flit-errors torn.txt", "torn.txt:2: '0.0@' must be NODE.PORT@CYCLE"},
           Refused{"--flit-errors empty.txt", "the file empty.txt names no error"},
           Refused{"--flit-errors none.txt", "the file none.txt cannot be read"},
           Refused{"--flit-error-rate 0.6", "'0.6' is not a number in 0..0.5"},
           Refused{"--flit-error-rate nan", "'nan' is not a number in 0..0.5"},
           Refused{
               "--bit-error-rate 0.3",
               "a share of 1 of the flits of 32 bits would be in error, and 0.5 may be at most: it "
               "must be 0..0.0214"},
           Refused{"--flit-error-rate 0.1 --bit-error-rate 0.1",
                   "--flit-error-rate and --bit-error-rate exclude each other"},
           Refused{"--lose-credit 0.0.1@4", "the virtual channels of a channel are 0..0"},
           Refused{"--lose-credit 0.0@4", "'0.0@4' must be NODE.PORT.VC@CYCLE"},
           Refused{"--lose-credit 0.4.0@4", "has no channel at output 4"},
           Refused{"--lose-credit 0.0.0@4,0.0.0@4", "a channel has one credit in a cycle"},
           Refused{"--retry --model worm",
                   "so it has no --retry and no errors on links; the model systemc has them"},
           Refused{"--lose-credit 0.0.0@4 --model worm", "so it has no --lose-credit"},
           Refused{"--retry --model rtl --routing table:dimension",
                   "routers in RTL that follow a table repeat no flits, and this run has --routing "
                   "table:dimension"},
       }) {
    const std::string err = fault_of(run + one.given);
    EXPECT_THAT(err, HasSubstr(one.sentence)) << one.given;
  }
  EXPECT_THAT(
      fault_of("cosim --topology mesh:3x3 --algorithm separate --retry --missing-links 0-1"),
      HasSubstr("cosim: routers in RTL that follow a table repeat no flits"));
  EXPECT_THAT(fault_of("network --topology mesh:3x3 --retry"), HasSubstr("--retry"));
}

TEST_F(CliLinkErrors, AreNotForWormsSoAutoTakesFlitsAndSaysSo) {
  const Outcome report = allport("run " + four + "--flit-errors 0.2@1 --model auto");
  EXPECT_EQ(report.status, 0);
  EXPECT_THAT(report.out, HasSubstr("model       systemc, chosen by --model auto: model worm moves "
                                    "worms over channels that never err"));
  EXPECT_THAT(
      allport("run " + four + "--lose-credit 0.2.0@1 --model auto").out,
      HasSubstr("model       systemc, chosen by --model auto: model worm loses no credits"));
}

TEST_F(CliLinkErrors, NoRetryBesideErrorsIsRefused) {
  for (const std::string errors :
       {"flit_errors = '0.0@3'", "flit_error_rate = 0.1", "bit_error_rate = 1e-5"}) {
    write("run.toml", "[fabric]\ntopology = 'mesh:3x3'\n[router]\nretry = false\n" + errors +
                          "\n[traffic]\nalgorithm = 'separate'\n");
    const std::string key = errors.substr(0, errors.find(' '));
    std::string option = "--" + key;
    std::replace(option.begin(), option.end(), '_', '-');
    EXPECT_EQ(fault_of("run run.toml"),
              "allport: run.toml:4:9: retry: it is false beside " + option +
                  ", whose errors channels repair by retry; leave one of the two out\n");
  }
  write("run.toml",
        "[fabric]\ntopology = 'mesh:3x3'\n[router]\nretry = false\n"
        "[traffic]\nalgorithm = 'separate'\n");
  EXPECT_THAT(fault_of("run run.toml --flit-error-rate 0.1"),
              HasSubstr("beside --flit-error-rate"));
  EXPECT_EQ(allport("run run.toml").status, 0);
  EXPECT_EQ(allport("run run.toml --flit-error-rate 0").status, 0);
  EXPECT_EQ(allport("run run.toml --retry --flit-error-rate 0.1").status, 0);
}

}  // namespace
}  // namespace allport::test
