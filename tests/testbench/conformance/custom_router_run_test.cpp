// SPDX-License-Identifier: Apache-2.0
// A router of the user's own carries collectives and patterns by itself: run, compare, sweep.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string rtl = std::string("--rtl '") + ALLPORT_ROUTER + "' ";  // NOLINT(cert-err58-cpp)
const std::string on_mesh = "--topology mesh:3x3 --ports 1 ";            // NOLINT(cert-err58-cpp)

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CustomRouterRun : public Cli {
 protected:
  /// The two-cycle router with `lines` before its last line, in a file of the build folder.
  static std::string router_with(const std::string& lines) {
    std::string text = text_of(ALLPORT_ROUTER);
    return router_of(text.insert(text.rfind("endmodule"), lines));
  }
  /// The same, and with `line` behind `place`.
  static std::string router_with(const std::string& lines, const std::string& line,
                                 const std::string& place) {
    std::string text = text_of(ALLPORT_ROUTER);
    text.insert(text.rfind("endmodule"), lines);
    return router_of(text.insert(text.find(place) + place.size(), line));
  }
  static std::string router_of(const std::string& text) {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    const fs::path path = fs::path(ALLPORT_ROUTERS) / ("Run" + test) / "two_cycle_router.sv";
    fs::create_directories(path.parent_path());
    if (text_of(path) != text) std::ofstream(path) << text;
    return path;
  }
};

// One message of 8 flits from node 0 to node 8 crosses 4 channels and 5 routers: with ours its tail
// is 5 + 7 cycles behind the injection, with one of two cycles a hop five more.
TEST_F(CustomRouterRun, TakesItsOwnCyclesAHop) {
  write("one.jsonl", "{\"u\": 0, \"v\": 8, \"step\": 1, \"order\": 0}\n");
  const std::string options = on_mesh + "--schedule one.jsonl --destinations 8 --flits 8 --json -";
  const Json ours = json("run " + options);
  const Json theirs = json("run " + rtl + options);

  EXPECT_EQ(theirs["latency"]["max"].get<int>(), ours["latency"]["max"].get<int>() + 5);
  EXPECT_EQ(theirs["model"], "rtl");
  EXPECT_EQ(theirs["config"]["router"]["top"], "two_cycle_router");
  EXPECT_EQ(theirs["config"]["router"]["hop_cycles"], 2);
  EXPECT_EQ(theirs["messages"], ours["messages"]);
}

TEST_F(CustomRouterRun, SaysWhoseRouterItIsAndWhatIsNotStated) {
  const Outcome outcome = allport("run " + rtl + on_mesh + "--algorithm separate --flits 8");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(
          HasSubstr("router      two_cycle_router in RTL: 2 cycles a hop\n"),
          HasSubstr("theory      not stated: its model is of routers that take one cycle a hop\n"),
          HasSubstr("as the pins show it")));
}

// Nodes 0 and 2 both send 20 flits to node 1 of a line, and both ends meet at its ejection channel.
TEST_F(CustomRouterRun, ShowsContentionAsThePinsShowIt) {
  write("two.jsonl",
        "{\"u\": 0, \"v\": 1, \"step\": 1, \"order\": 0}\n"
        "{\"u\": 2, \"v\": 1, \"step\": 1, \"order\": 0}\n");
  const std::string options =
      "--topology mesh:3x2 --ports 1 --schedule two.jsonl --source 0,2 --destinations 1 --flits 20 --json -";
  const Json ours = json("run " + options);
  const Json theirs = json("run " + rtl + options);

  ASSERT_EQ(ours["contention"]["reception"]["events"], 1);
  ASSERT_EQ(theirs["contention"]["reception"]["events"], 1);
  const Json& event = theirs["contention"]["reception"]["list"][0];
  EXPECT_EQ(event["channel"], ours["contention"]["reception"]["list"][0]["channel"]);
  EXPECT_GE(event["cycles"], 18);  // the other message has 20 flits
  EXPECT_EQ(theirs["contention"]["events"], ours["contention"]["events"]);
}

TEST_F(CustomRouterRun, CarriesOnlyTheKindsThatItDeclares) {
  const Outcome tree = allport("run " + rtl + "--topology hypercube:3 --algorithm tree");

  EXPECT_EQ(tree.status, 2);
  EXPECT_THAT(
      tree.err,
      HasSubstr(
          "router two_cycle_router: it declares that it does not support messages of the kind tree, which this traffic has (parameter Kinds = 3): choose another algorithm"));
}

TEST_F(CustomRouterRun, HasTheLimitsThatItDeclares) {
  const std::string router =
      std::string("run --rtl '") + ALLPORT_READY_VALID_ROUTER + "' --algorithm separate ";
  const auto refused = [&](const std::string& options) {
    const Outcome outcome = allport(router + options);
    EXPECT_EQ(outcome.status, 2) << options;
    return outcome.err;
  };
  EXPECT_THAT(
      refused("--topology torus:4x4"),
      HasSubstr(
          "--topology torus:4x4: the router ready_valid_router declares that it does not support it (parameter Topologies = 4)"));
  EXPECT_THAT(refused("--topology mesh:2x2x2"), HasSubstr("(parameter MaxDimensions = 2)"));
  EXPECT_THAT(
      refused("--topology mesh:3x4 --ports 2"),
      HasSubstr(
          "--ports 2: the router ready_valid_router declares that it does not support it (parameter MaxInternalPorts = 1)"));
  EXPECT_THAT(refused("--topology mesh:3x4 --switching cut-through"),
              HasSubstr("(parameter Modes = 1)"));
}

// xy_router is found beside it, the adapters in the folder of allport's own RTL.
TEST_F(CustomRouterRun, TakesARouterWithReadyAndValidByItsAdapters) {
  const Outcome outcome =
      allport(std::string("cosim --rtl '") + ALLPORT_READY_VALID_ROUTER + "' --topology mesh:3x4");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "latency     passed   2 cycle(s) a hop, the router's own 1 and 1 of its adapter, 16 ways through the router"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("failed")));
}

// axis_xy_router and xy_router are found beside it.
TEST_F(CustomRouterRun, TakesARouterWithAxiStreamsByItsAdapters) {
  const Outcome outcome =
      allport(std::string("cosim --rtl '") + ALLPORT_AXI_STREAM_ROUTER + "' --topology mesh:3x4");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("contract    kept on mesh:3x4"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("failed")));
}

// Its wave has ports on which nothing should ever be.
TEST_F(CustomRouterRun, ThatSendsOutOfTheMeshIsToldSoWithItsWave) {
  const std::string router = router_with("", "\n      valid_o <= '1;", "valid_o  <= sent;");
  const Outcome outcome =
      allport("run --rtl '" + router + "' " + on_mesh + "--algorithm separate --wave w.fst");

  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("broken invariant: "));
  EXPECT_THAT(outcome.err, HasSubstr("a flit without a head before it"));
  EXPECT_THAT(content("w.gtkw"), HasSubstr(" -> nowhere ("));
}

TEST_F(CustomRouterRun, ThatInventsAMessageIsToldSo) {
  const std::string router = router_with(
      "  logic [8:0] late_q;\n"
      "  always_ff @(posedge clk_i or negedge rst_ni)\n"
      "    if (!rst_ni) late_q <= '0; else late_q <= late_q + 9'(sent != '0);\n",
      " if (late_q == 9'd300) sent_flit[to].data[63] = 1'b1;", "sent_flit[to].vc = vc;");
  const std::string run = "run --rtl '" + router + "' " + on_mesh +
                          "--pattern uniform --cycles 3000 --rate 0.3 --wave w.fst ";
  for (const char* options : {"", "--wave-on slowest"}) {
    const Outcome outcome = allport(run + options);
    EXPECT_EQ(outcome.status, 3) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr("the RTL sent a flit of a message that never came to it"));
    EXPECT_TRUE(exists("w.gtkw"));
  }
}

TEST_F(CustomRouterRun, OfOursIsTheOneInRtl) {
  const std::string options = on_mesh + "--algorithm separate --json - ";

  EXPECT_EQ(json("run --rtl ours " + options)["model"], "rtl");
  EXPECT_EQ(json("run --rtl ours --model systemc " + options)["model"], "systemc");
}

TEST_F(CustomRouterRun, HasACurveBesideOurs) {
  const std::string command =
      "sweep --topology mesh:3x3 --ports 1 --pattern uniform --rate 0.05,0.2 --cycles 1000 --include . --top two_cycle_router --define NOTHING --parameter HopCycles=2 --rtl 'ours;" +
      std::string(ALLPORT_ROUTER) + "' --output curves";
  const Outcome outcome = allport(command);

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("points      4, of which 4 computed now"));
  std::vector<Json> points;
  std::istringstream lines(content("curves/results.jsonl"));
  for (std::string line; std::getline(lines, line);) points.push_back(Json::parse(line));
  ASSERT_EQ(points.size(), 4U);
  const auto latency = [](const Json& point) {
    return point["result"]["traffic"]["network_latency"]["mean"].get<double>();
  };
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(points[i]["config"].contains("router"), points[i]["point"]["rtl"] != "ours");
  }
  // In the order of the grid, rate before router.
  EXPECT_GT(latency(points[1]), latency(points[0]) + 1);
  EXPECT_GT(latency(points[3]), latency(points[2]) + 1);

  EXPECT_THAT(allport(command).out, HasSubstr("points      4, of which 0 computed now"));
}

TEST_F(CustomRouterRun, ComparesTheAlgorithmsThatItCarries) {
  const Outcome outcome =
      allport("compare " + rtl + "--topology hypercube:3 --algorithms ucube,wsort --json -");
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_EQ(json.size(), 2U);
  for (const Json& one : json) {
    EXPECT_EQ(one["model"], "rtl");
    EXPECT_GT(one["max"], 0);
    EXPECT_TRUE(one["theory"].is_null()) << "its model is of one cycle a hop";
    EXPECT_FALSE(one["bound"].is_null());
  }
}

TEST_F(CustomRouterRun, ComparesWithTheoryOnlyARouterOfOneCycleAHop) {
  const std::string compare = "compare --topology mesh:3x3 --ports 1 --algorithms separate ";
  const Outcome slow = allport(compare + rtl);
  EXPECT_THAT(
      slow.out,
      HasSubstr(
          "router two_cycle_router in RTL: 2 cycles a hop; theory, whose model is of one cycle a hop, is not stated; events are as the pins show them\n"));
  const Json ours = json(compare + "--json -");
  EXPECT_FALSE(ours[0]["theory"].is_null());
}

TEST_F(CustomRouterRun, RefusesWhatPinsDoNotShow) {
  const std::string run = "run " + rtl + on_mesh + "--algorithm separate ";
  for (const char* option : {"--explain slowest:1", "--report r.html", "--messages m.csv",
                             "--timeline t.ftr", "--channel-load c.csv"}) {
    const Outcome outcome = allport(run + option);
    EXPECT_EQ(outcome.status, 2) << option;
    EXPECT_THAT(outcome.err, HasSubstr("cannot be combined with --rtl")) << option;
  }
  EXPECT_THAT(allport(run + "--model worm").err,
              HasSubstr("--model worm: a router of your own (--rtl) is simulated as RTL"));
  EXPECT_THAT(allport(run + "--wave w.fst --wave-on contention").err,
              HasSubstr("--wave-on: with --rtl it takes slowest"));
}

TEST_F(CustomRouterRun, ThatCrashesIsToldAndLeavesNothing) {
  const std::string router = router_with(
      "  import \"DPI-C\" function int raise(input int number);\n"
      "  int unsigned cycles_q;\n"
      "  always_ff @(posedge clk_i) cycles_q <= rst_ni ? cycles_q + 1 : 0;\n"
      "  always_ff @(posedge clk_i) if (rst_ni && cycles_q == 30) cycles_q <= raise(4);\n");
  const Outcome outcome = allport("run --rtl '" + router + "' " + on_mesh +
                                  "--algorithm separate --flits 8 --wave w.fst --json r.json");

  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "router two_cycle_router: it crashed (Illegal instruction): there are no results, and this is not a verdict on the router"));
  for (const char* file : {"w.fst", "w.fst.hier", "w.gtkw", "r.json"}) {
    EXPECT_FALSE(exists(file)) << file;
  }

  // Nor does it take what was there before.
  write("w.fst", "a wave of old");
  write("w.gtkw", "its view");
  allport("run --rtl '" + router + "' " + on_mesh + "--algorithm separate --wave w.fst");
  EXPECT_EQ(content("w.fst"), "a wave of old");
  EXPECT_EQ(content("w.gtkw"), "its view");
  EXPECT_EQ(shell("ls | grep -c kept").out, "0\n");
  allport("run " + rtl + on_mesh + "--algorithm separate --wave w.fst");
  EXPECT_GT(content("w.fst").size(), 1000U);
  EXPECT_FALSE(exists("w.fst.hier"));
  EXPECT_EQ(shell("ls | grep -c kept").out, "0\n");
}

TEST_F(CustomRouterRun, ThatHangsIsGivenUp) {
  const std::string router = router_with(
      "  always_ff @(posedge clk_i) if (valid_i != '0) while (rst_ni) $display(\"round\");\n");
  const Outcome outcome = shell(
      "\"$program\" run --rtl '" + router + "' " + on_mesh +
      "--algorithm separate --rtl-timeout 2 >nothing 2>said; status=$?; tail -n 1 said; exit $status");

  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_THAT(outcome.out,
              HasSubstr("it hangs: one clock edge took more than the 2 s of --rtl-timeout"));
}

TEST_F(CustomRouterRun, FindsItsFilesAsItIsTold) {
  shell("mkdir lib");
  write("lib/width.svh", "`define HOPS `TWO\n");
  std::string text = text_of(ALLPORT_ROUTER);
  const std::string hops = "parameter int unsigned HopCycles     = 2";
  text.replace(text.find(hops), hops.size(), "parameter int unsigned HopCycles     = `HOPS");
  write("router.sv", "`include \"width.svh\"\n" + text);
  write("router.f", "router.sv\n");
  const std::string options = "--topology mesh:3x3 --algorithm separate --top two_cycle_router ";

  EXPECT_EQ(allport("run -f router.f --include lib --define TWO=2 " + options).status, 0);
  const Outcome without = allport("run -f router.f --define TWO=2 " + options);
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, AllOf(HasSubstr("Verilator does not accept"), HasSubstr("width.svh")));
}

}  // namespace
}  // namespace allport::test
