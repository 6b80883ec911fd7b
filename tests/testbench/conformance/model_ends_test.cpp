// SPDX-License-Identifier: Apache-2.0
// A router whose model crashes, hangs, stops the simulation or cannot be built gets no verdict from
// that alone: the row `model` says what happened, in time, and nothing is left behind.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string on_cube = "--topology hypercube:2 --json -";  // NOLINT(cert-err58-cpp)

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ModelEnds : public Cli {
 protected:
  /// The two-cycle router with `lines` before its last line, in a file of the build folder, so that
  /// it is Verilated once.
  static std::string router_with(const std::string& lines) {
    std::string text = content_of(ALLPORT_ROUTER);
    text.insert(text.rfind("endmodule"), lines);
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    const fs::path path = fs::path(ALLPORT_ROUTERS) / ("Model" + test + ".sv");
    fs::create_directories(path.parent_path());
    if (content_of(path) != text) std::ofstream(path) << text;
    return path;
  }
  static std::string arguments(const std::string& router, const std::string& options) {
    return "cosim --top two_cycle_router --rtl '" + router + "' " + options;
  }
  Outcome cosim(const std::string& router, const std::string& options) const {
    return allport(arguments(router, options));
  }
  /// The row of `check` on the topology with number `trial`.
  static Json row(const Json& json, const std::string& check, std::size_t trial = 0) {
    for (const Json& one : json["trials"].at(trial)["checks"]) {
      if (one["check"] == check) return one;
    }
    return nullptr;
  }
  static std::vector<std::string> checks_with(const Json& json, const std::string& verdict) {
    std::vector<std::string> checks;
    for (const Json& one : json["trials"][0]["checks"]) {
      if (one["verdict"] == verdict) checks.push_back(one["check"]);
    }
    return checks;
  }
  /// The number of processes that were called with `word`.
  static int processes_with(const std::string& word) {
    int count = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      std::string command = content_of(entry.path() / "cmdline");
      std::replace(command.begin(), command.end(), '\0', ' ');
      if (command.find(word) != std::string::npos) ++count;
    }
    return count;
  }
  void expect_nothing_is_left(const std::string& router) const {
    EXPECT_EQ(processes_with(router), 0);
    EXPECT_FALSE(exists("cosim-difference.fst"));
  }
};

TEST_F(ModelEnds, NeverByTheNamesOfItsScopes) {
  const std::string router = router_with(
      "  always_ff @(posedge clk_i) if (valid_i == '1 && credit_i == '1 && valid_o == '1)\n"
      "    $display(\"%m\");\n");
  const Outcome outcome = cosim(router, on_cube);
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(row(json, "model")["verdict"], "passed") << json["trials"].dump(2);
  EXPECT_EQ(json["keeps_contract"], true);
}

TEST_F(ModelEnds, InACrashWhichIsNoVerdict) {
  const std::string router = router_with(
      "  import \"DPI-C\" function int raise(input int number);\n"
      "  int unsigned cycles_q;\n"
      "  always_ff @(posedge clk_i) cycles_q <= rst_ni ? cycles_q + 1 : 0;\n"
      "  always_ff @(posedge clk_i) if (rst_ni && cycles_q == 30) cycles_q <= raise(4);\n");
  const Outcome outcome = cosim(router, on_cube);
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(json["keeps_contract"].is_null());
  EXPECT_EQ(row(json, "model")["verdict"], "unknown");
  EXPECT_EQ(row(json, "model")["detail"],
            "in `pins` it crashed (Illegal instruction): this is not a verdict on the router");
  EXPECT_THAT(checks_with(json, "failed"), testing::IsEmpty());
  EXPECT_EQ(row(json, "progress")["detail"], "not reached, see the row model");
  expect_nothing_is_left(router);
}

TEST_F(ModelEnds, InAnEndOfItsProcessWhichIsNoVerdict) {
  const std::string router = router_with(
      "  import \"DPI-C\" function void exit(input int status);\n"
      "  int unsigned cycles_q;\n"
      "  always_ff @(posedge clk_i) cycles_q <= rst_ni ? cycles_q + 1 : 0;\n"
      "  always_ff @(posedge clk_i) if (rst_ni && cycles_q == 30) exit(0);\n");
  const Outcome outcome = cosim(router, on_cube);
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(json["keeps_contract"].is_null());
  EXPECT_EQ(row(json, "model")["verdict"], "unknown");
  EXPECT_EQ(row(json, "model")["detail"],
            "in `pins` it ended its process: this is not a verdict on the router");

  const Outcome run = allport("run --rtl '" + router +
                              "' --top two_cycle_router --topology hypercube:2 --algorithm sbt");
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(
      run.err,
      HasSubstr(
          "it ended its process: there are no results, and this is not a verdict on the router"));
  expect_nothing_is_left(router);
}

TEST_F(ModelEnds, InAHangThatIsGivenUp) {
  const std::string router = router_with(
      "  always_ff @(posedge clk_i) if (valid_i != '0) while (rst_ni) $display(\"round\");\n");
  const std::string options = "--topology hypercube:2 --rtl-timeout 2";
  const Outcome outcome = cosim(router, options);

  EXPECT_EQ(outcome.status, 3) << outcome.out << outcome.err;
  EXPECT_THAT(
      outcome.out,
      AllOf(
          HasSubstr(
              "model       unknown  in `pins` it hangs: one clock edge took more than the 2 s of --rtl-timeout: this is not a verdict on the router"),
          HasSubstr("contract    not decided on hypercube:2"), Not(HasSubstr("failed"))));
  expect_nothing_is_left(router);
}

TEST_F(ModelEnds, WithTheProgramThatIsToldToEnd) {
  const std::string router =
      router_with("  initial while (node_i == node_i) $display(\"the router turns\");\n");
  const Outcome outcome = shell(
      "\"$program\" " + arguments(router, "--topology hypercube:2 --rtl-timeout 3600") +
      " 2>said & pid=$!; for i in $(seq 900); do grep -q turns said && break; sleep 0.1; done; kill -TERM $pid; wait $pid; echo status $?; cat said");

  EXPECT_THAT(outcome.out, AllOf(HasSubstr("status 3"), HasSubstr("allport: interrupted")))
      << outcome.err;
  expect_nothing_is_left(router);
}

TEST_F(ModelEnds, InALoopThatDoesNotSettle) {
  const std::string router = router_with(
      "  wire chased, chaser;\n"
      "  assign chased = (valid_i != '0) && !chaser;\n"
      "  assign chaser = chased;\n"
      "  always_ff @(posedge clk_i) if (chased) $display(\"caught\");\n");
  const Outcome outcome = cosim(router, on_cube);
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(json["keeps_contract"], false);
  EXPECT_EQ(checks_with(json, "failed"), std::vector<std::string>{"model"});
  EXPECT_THAT(
      row(json, "model")["detail"].get<std::string>(),
      HasSubstr("in `pins` it ended the simulation: a combinational loop: it does not settle"));
  expect_nothing_is_left(router);
}

TEST_F(ModelEnds, WhereItDoesNotElaborateAndTheOtherSheetsArePrinted) {
  const std::string router = router_with(
      "  if (Topology == 2 && Dimensions > 2) $error(\"this router is for two dimensions\");\n");
  const Outcome outcome =
      cosim(router, "--all-topologies --parameter Topologies=4 --json trial.json");
  const Json json = Json::parse(content("trial.json"), nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 1);
  ASSERT_EQ(json["trials"].size(), 2U);
  EXPECT_EQ(row(json, "model", 0)["verdict"], "passed") << outcome.out;
  EXPECT_EQ(row(json, "fabric", 0)["verdict"], "passed");
  EXPECT_EQ(row(json, "model", 1)["verdict"], "failed");
  EXPECT_THAT(row(json, "model", 1)["detail"].get<std::string>(),
              HasSubstr("this router is for two dimensions"));
  EXPECT_EQ(row(json, "wormhole", 1)["verdict"], "skipped");
  EXPECT_THAT(outcome.out, HasSubstr("contract    broken on mesh:2x3x2; kept on mesh:3x4"));
}

TEST_F(ModelEnds, OnATopologyThatTheOptionsDoNotGoWithIsSkipped) {
  const Outcome outcome =
      cosim(ALLPORT_ROUTER, "--all-topologies --parameter Topologies=2 --vcs 3");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("torus:4x4"), HasSubstr("model       skipped")));
  EXPECT_THAT(outcome.err, HasSubstr("cannot be tried on any topology with these options"));
}

TEST_F(ModelEnds, WhenItWantsTheClockForNothingForGood) {
  const std::string router = router_with(
      "  logic stuck_q;\n"
      "  always_ff @(posedge clk_i or negedge rst_ni)\n"
      "    if (!rst_ni) stuck_q <= 1'b0; else stuck_q <= 1'b1;\n"
      "  assign active_o = stuck_q;\n");
  std::string text = content_of(router);
  const std::string last_pin = "  output logic [Ports*FlitWidth-1:0] flit_o,\n";
  text.replace(text.find(last_pin), last_pin.size(), last_pin + "  output logic active_o,\n");
  std::ofstream(router) << text;
  const Outcome outcome = cosim(router, on_cube);
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(row(json, "fabric")["verdict"], "failed");
  EXPECT_THAT(row(json, "fabric")["detail"].get<std::string>(), HasSubstr("active_o stays high"));
}

}  // namespace
}  // namespace allport::test
