// SPDX-License-Identifier: Apache-2.0
// A user sees a deadlock in words, as JSON, in a drawing and by markers in the wave.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using CliDeadlock = Cli;

constexpr const char* two_trees = "run --topology hypercube:3 --algorithm tree --source 0,6";

TEST_F(CliDeadlock, SaysWhatACopiedFlitHasDoneAndWaitsFor) {
  const Outcome outcome = allport(two_trees);

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "            0 -> all waits for channel 4 -> 5 (dimension 0), held by 6 -> all\n"
          "              since cycle 1; its flit from channel 0 -> 4 (dimension 2) is being copied: sent by channel 4 -> 6 (dimension 1) and ejection channel 2 of node 4, waits for channel 4 -> 5 (dimension 0)\n"));
}

TEST_F(CliDeadlock, JsonHasTheWholeGraph) {
  const nlohmann::json run =
      nlohmann::json::parse(allport(std::string(two_trees) + " --json -").out);

  const nlohmann::json& graph = run["wait_for"];
  EXPECT_EQ(graph["messages"].size(), 2U);
  std::size_t in_circle = 0;
  for (const nlohmann::json& flit : graph["flits"]) {
    for (const nlohmann::json& edge : flit["all_of"]) {
      if (!edge["in_circle"].get<bool>()) continue;
      const nlohmann::json& wait = run["deadlock"].at(in_circle == 0 ? 1 : 0);  // by node
      EXPECT_EQ(flit["message"], wait["message"]);
      for (const char* key : {"waits_for", "held_by", "channel", "vc"}) {
        EXPECT_EQ(edge[key], wait[key]);
      }
      ++in_circle;
    }
  }
  EXPECT_EQ(in_circle, run["deadlock"].size());
}

TEST_F(CliDeadlock, TheBarrierLeavesNothingToDraw) {
  const Outcome outcome = allport(std::string(two_trees) + " --barrier 0 --deadlock d.dot");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(exists("d.dot"));
}

TEST_F(CliDeadlock, DrawsTheGraph) {
  EXPECT_EQ(allport(std::string(two_trees) + " --deadlock d.dot").status, 3);

  const std::string graph = content("d.dot");
  EXPECT_THAT(graph, StartsWith("digraph deadlock {\n"));
  EXPECT_THAT(graph, HasSubstr("m0 [label=\"0 -> all\""));
  EXPECT_THAT(
      graph,
      HasSubstr(
          "[label=\"channel 0 -> 4 (dimension 2)\\nsent by channel 4 -> 6 (dimension 1)\\nsent by ejection channel 2 of node 4\", shape=box, peripheries=2, color"));
  EXPECT_THAT(
      graph,
      HasSubstr(
          "-> m1 [label=\"channel 4 -> 5 (dimension 0)\\nsince cycle 1\", color=\"#c0392b\""));
}

TEST_F(CliDeadlock, DrawsNodesOfAnyName) {
  write("names.dot", R"(graph { "a\b" -- "say \"hi\"" -- c -- d; c -- e; "say \"hi\"" -- f })");
  EXPECT_EQ(allport("run --topology graph:names.dot --algorithm tree --source 'a\\b,e' "
                    "--buffer-depth 1 --deadlock d.dot")
                .status,
            3);
  EXPECT_THAT(content("d.dot"), HasSubstr(R"(label="a\\b -> all")"));
  EXPECT_THAT(content("d.dot"),
              HasSubstr(R"(\nsent by channel say \"hi\" -> a\\b (port 0)\nsent by ejection)"));
  if (shell("command -v dot").status != 0) GTEST_SKIP() << "Graphviz is not installed";
  EXPECT_EQ(shell("dot -Tsvg d.dot").err, "");
}

TEST_F(CliDeadlock, DrawsThePicture) {
  if (shell("command -v dot").status != 0) GTEST_SKIP() << "Graphviz is not installed";

  EXPECT_EQ(allport(std::string(two_trees) + " --deadlock d.svg").status, 3);
  EXPECT_THAT(content("d.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(content("d.dot"), HasSubstr("digraph"));
  EXPECT_EQ(allport(std::string(two_trees) + " --deadlock p.png").status, 3);
  EXPECT_EQ(content("p.png").substr(1, 3), "PNG");
}

TEST_F(CliDeadlock, NeedsAFileThatItCanDraw) {
  const auto error = [&](const std::string& options) {
    const Outcome outcome = allport(std::string(two_trees) + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "") << options;
    return outcome.err;
  };
  EXPECT_EQ(error(" --deadlock d.pdf"),
            "allport: --deadlock d.pdf: must end in .dot, .gv, .svg or .png\n");
  EXPECT_THAT(error(" --deadlock none/d.dot"), HasSubstr("none/d.dot"));
  EXPECT_THAT(error(" --deadlock d.dot --json d.dot"),
              HasSubstr("--json is written into that file"));
  const Outcome missing = shell(
      "PATH=/nowhere $program run --topology hypercube:3 --algorithm tree --source 0,6 --deadlock d.svg");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("Graphviz's dot, which is not installed"));
}

TEST_F(CliDeadlock, TheWaveHasAMarkerForEachWaitOfTheCircle) {
  EXPECT_EQ(allport(std::string(two_trees) + " --wave w.vcd").status, 3);

  const std::string save = content("w.gtkw");
  EXPECT_THAT(save, HasSubstr(" -1 1 2 9 -1 -1 "));
  EXPECT_THAT(
      save,
      HasSubstr(
          "\n-A  cycle 1: 0>* #0 waits for channel 4 -> 5 (dimension 0, VC 0), held by 6>* #0: router_4 output_0 vc_0 "));
  EXPECT_THAT(save, HasSubstr("\n-B  cycle 2: 6>* #0 waits for "));
}

// Four unicasts wait behind two trees, at processors with one port.
constexpr const char* queues =
    "{\"u\":0,\"step\":1,\"order\":0,\"kind\":\"tree\"}\n"
    "{\"u\":6,\"step\":1,\"order\":0,\"kind\":\"tree\"}\n"
    "{\"u\":0,\"v\":1,\"step\":1,\"order\":1}\n"
    "{\"u\":0,\"v\":3,\"step\":1,\"order\":2}\n"
    "{\"u\":0,\"v\":7,\"step\":1,\"order\":3}\n"
    "{\"u\":6,\"v\":4,\"step\":1,\"order\":1}\n";

TEST_F(CliDeadlock, CountsAndDrawsWhatIsInAnInjectionQueue) {
  write("q.jsonl", queues);
  for (const std::string ports : {"1", "3"}) {
    const std::string run =
        "run --topology hypercube:3 --flits 16 --schedule q.jsonl --source 0,6 --deadlock q.dot --ports " +
        ports;
    const Outcome outcome = allport(run);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.out, HasSubstr("deadlock    in cycle 9, 6 messages can never"));
    EXPECT_THAT(outcome.err, HasSubstr("in cycle 9: 6 messages can never be delivered\n"));
    const nlohmann::json graph = nlohmann::json::parse(allport(run + " --json -").out)["wait_for"];
    EXPECT_EQ(graph["messages"],
              nlohmann::json::parse(R"([{"u":0,"v":null,"order":0}, {"u":0,"v":1,"order":1},
                  {"u":0,"v":3,"order":2}, {"u":0,"v":7,"order":3}, {"u":6,"v":null,"order":0},
                  {"u":6,"v":4,"order":1}])"));
  }
}

TEST_F(CliDeadlock, DrawsAQueue) {
  write("q.jsonl", queues);
  EXPECT_EQ(
      allport(
          "run --topology hypercube:3 --flits 16 --schedule q.jsonl --source 0,6 --ports 1 --deadlock q.dot")
          .status,
      3);

  EXPECT_THAT(content("q.dot"),
              HasSubstr("f4 [label=\"queue of injection channel 0 of node 0\", shape=box];\n"
                        "  m2 -> f4 [arrowhead=none, color=\"#666666\", style=dotted];\n"
                        "  f4 -> m1 [label=\"its turn\\nsince cycle 8\""));
}

TEST_F(CliDeadlock, OfOneMessageWithItselfIsMarkedWhereItsHeadBeganToWait) {
  write("self.jsonl",
        "{\"u\":1,\"v\":3,\"step\":1,\"order\":0,\"kind\":\"multidestination\",\"via\":[2,0]}\n");
  const Outcome outcome = allport(
      "run --topology mesh:4x2 --schedule self.jsonl --flits 40 --source 1 --destinations 2,0,3 --wave w.vcd");

  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "deadlock    in cycle 21, 1 message can never be delivered; one waits for itself:\n"));
  EXPECT_THAT(outcome.out, HasSubstr("              since cycle 4\n"));
  EXPECT_EQ(outcome.err, "allport: deadlock in cycle 21: 1 message can never be delivered\n");
  EXPECT_THAT(content("w.gtkw"), HasSubstr(" -1 4 21 -1 "));
}

TEST_F(CliDeadlock, IsTheSameForDepositsThatShareAnEjectionChannel) {
  write("two.jsonl",
        "{\"u\":0,\"v\":3,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n"
        "{\"u\":3,\"v\":0,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n"
        "{\"u\":1,\"v\":2,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n"
        "{\"u\":2,\"v\":1,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n");
  const Outcome outcome = allport(
      "run --topology hypercube:2 --ports 1 --schedule two.jsonl --source 0,1,2,3 --flits 16 --json -");

  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const nlohmann::json run = nlohmann::json::parse(outcome.out);
  ASSERT_FALSE(run["deadlock"].is_null());
  EXPECT_GE(run["deadlock"].size(), 2U);
}

// `cycles` has one meaning, whatever is sent and whatever moves it: the run ends with the deadlock.
TEST_F(CliDeadlock, CyclesEndWithTheDeadlock) {
  write("tasks.jsonl",
        "{\"node\":0,\"send\":true,\"to\":2,\"flits\":40}\n"
        "{\"node\":2,\"receive\":true,\"from\":0}\n");
  const std::string lost = "--lose-credit 0.0.0@+1,0.0.0@+1,0.0.0@+1,0.0.0@+1 --json -";
  const std::string ring = "run --topology mesh:4x4 " + lost;
  for (const std::string& line :
       {std::string(two_trees) + " --json -", std::string(two_trees) + " --model worm --json -",
        ring + " --algorithm separate", ring + " --pattern uniform --rate 0.2 --cycles 300",
        ring + " --pattern uniform --outstanding 2 --cycles 300",
        ring + " --algorithm separate --source 0,5 --collective-rate 0.01 --cycles 300",
        ring + " --tasks tasks.jsonl"}) {
    const Outcome outcome = allport(line);
    EXPECT_EQ(outcome.status, 3) << line << "\n" << outcome.err;
    const nlohmann::json run = nlohmann::json::parse(outcome.out);
    ASSERT_TRUE(run.contains("deadlock_cycle")) << line;
    EXPECT_EQ(run["cycles"], run["deadlock_cycle"]) << line;
  }
}

// Buffers of adaptive channels hold one message at a time (docs/router.md, section 6): with several
// in one, half of the runs of the first two kinds would end in a deadlock.
TEST_F(CliDeadlock, NeverComesFromAdaptiveRoutes) {
  const std::string common =
      "run --topology hypercube:5 --routing adaptive --pattern uniform --rate 0.9 --cycles 400";
  for (const char* const kind :
       {"--flits 1 --buffer-depth 1 --link-delay 4", "--flits 4 --buffer-depth 4 --link-delay 8",
        "--flits 2 --buffer-depth 5 --link-delay 2 --classes 2",
        "--flits 3 --buffer-depth 3 --link-delay 3 --switching cut-through"}) {
    for (int seed = 1; seed <= 6; ++seed) {
      const std::string line = common + " " + kind + " --seed " + std::to_string(seed);
      EXPECT_EQ(allport(line).status, 0) << line;
    }
  }
}

}  // namespace
}  // namespace allport::test
