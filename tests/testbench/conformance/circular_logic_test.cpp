// SPDX-License-Identifier: Apache-2.0
// What Verilator may simulate wrongly is no verdict: circular logic between the blocks of a router
// is believed only where two levels of optimization agree that all is well. A message that comes
// into the gap of another one is named as that.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string handshakes =  // NOLINT(cert-err58-cpp)
    std::string("--rtl '") + ALLPORT_READY_VALID_ROUTER + "' ";
const std::string circular =  // NOLINT(cert-err58-cpp)
    handshakes + "--include '" + ALLPORT_CIRCULAR + "' ";

class CircularLogic : public Cli {
 protected:
  /// The sheet of a router, and its status.
  Json sheet(const std::string& options, int status, const std::string& side = "3") {
    const Outcome outcome = allport("cosim --topology mesh:" + side + "x2 --json - " + options);
    EXPECT_EQ(outcome.status, status) << outcome.err << outcome.out;
    return Json::parse(outcome.out, nullptr, false);
  }
  static Json row(const Json& json, const std::string& check) {
    for (const Json& one : json["trials"][0]["checks"]) {
      if (one["check"] == check) return one;
    }
    return nullptr;
  }
  static std::vector<std::string> failed(const Json& json) {
    std::vector<std::string> rows;
    for (const Json& one : json["trials"][0]["checks"]) {
      if (one["verdict"] == "failed") rows.push_back(one["check"]);
    }
    return rows;
  }
};

class ByNightCircularLogic : public CircularLogic {};

TEST_F(CircularLogic, IsBelievedWhereTwoLevelsOfOptimizationAgree) {
  const Json json = sheet(circular, 0, "2");
  EXPECT_EQ(json["keeps_contract"], true) << json["trials"].dump(2);
  EXPECT_THAT(
      std::string(row(json, "model")["detail"]),
      AllOf(
          HasSubstr(
              "the same at two levels of optimization, though it has circular logic (UNOPTFLAT in "),
          HasSubstr("xy_router.sv:")));
}

TEST_F(CircularLogic, IsNoVerdictWhereSomethingFails) {
  const Json json = sheet(circular + "--define GAPS_FAULT", 3);
  EXPECT_TRUE(json["keeps_contract"].is_null());
  EXPECT_THAT(failed(json), IsEmpty()) << json["trials"].dump(2);
  EXPECT_EQ(row(json, "model")["verdict"], "unknown");
  EXPECT_THAT(
      std::string(row(json, "model")["detail"]),
      AllOf(HasSubstr("circular logic, which Verilator at times simulates wrongly"),
            HasSubstr("UNOPTFLAT in "), HasSubstr("isolate_assignments in a control file (.vlt)")));
  EXPECT_EQ(row(json, "gaps")["verdict"], "unknown");
  EXPECT_THAT(std::string(row(json, "gaps")["detail"]),
              HasSubstr("failed in this model: a gap inside a message lets another one in"));
}

// A control file leaves the sources as they are.
TEST_F(CircularLogic, IsAVerdictWhereTheCirclesAreBroken) {
  write("break.vlt",
        "`verilator_config\n"
        "isolate_assignments -module \"circular_buffer\" -var \"request_o\"\n");
  const std::string broken = std::string("--rtl break.vlt,'") + ALLPORT_READY_VALID_ROUTER +
                             "' --include '" + ALLPORT_CIRCULAR + "' --define GAPS_FAULT";
  const Json json = sheet(broken, 1);
  EXPECT_EQ(json["keeps_contract"], false);
  EXPECT_EQ(row(json, "model")["verdict"], "passed") << json["trials"].dump(2);
  EXPECT_EQ(row(json, "gaps")["verdict"], "failed");
}

// The warnings are switched off in many sources, which makes no model right.
TEST_F(ByNightCircularLogic, IsSeenWhereItsWarningsAreSwitchedOff) {
  write("silent.f", "-Wno-UNOPTFLAT\n");
  const Json json = sheet(circular + "--file-list silent.f", 0, "2");
  EXPECT_THAT(std::string(row(json, "model")["detail"]), HasSubstr("though it has circular logic"));
}

TEST_F(CircularLogic, IsMentionedWhereTheRouterRunsByItself) {
  const std::string options =
      "--topology mesh:3x3 --ports 1 --pattern uniform --rate 0.3 --cycles 500 --json -";
  const Outcome outcome = allport("run " + circular + options);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("router ready_valid_router: it has circular logic"));
  EXPECT_THAT(allport("run " + handshakes + options).err, Not(HasSubstr("circular")));
}

TEST_F(CircularLogic, OfNoneIsAVerdictAndAGapHasItsName) {
  const fs::path folder = fs::path(ALLPORT_ROUTERS) / "Gaps";
  fs::create_directories(folder);
  std::ifstream original(fs::path(ALLPORT_READY_VALID_ROUTER).parent_path() / "xy_router.sv");
  std::string text{std::istreambuf_iterator<char>(original), {}};
  const std::string line = "    is_held_d = is_held_q;\n";
  ASSERT_NE(text.find(line), std::string::npos);
  text.insert(text.find(line) + line.size(),
              "    for (int unsigned o = 0; o < 5; o++)\n"
              "      if (!full_q[from_q[o]]) is_held_d[o] = 1'b0;\n");
  std::ofstream(folder / "xy_router.sv") << text;
  const Json json = sheet(handshakes + "--include '" + folder.string() + "'", 1);
  EXPECT_EQ(json["keeps_contract"], false);
  const Json gaps = row(json, "gaps");
  EXPECT_EQ(gaps["verdict"], "failed") << json["trials"].dump(2);
  EXPECT_THAT(std::string(gaps["detail"]),
              AllOf(HasSubstr("a gap inside a message lets another one in: one from input "),
                    HasSubstr("a head came before the tail of the previous message"),
                    HasSubstr("without the gap they do not mix")));
  EXPECT_EQ(row(json, "wormhole")["verdict"], "skipped");
  EXPECT_EQ(row(json, "wormhole")["detail"], "not judged: gaps failed first");
}

}  // namespace
}  // namespace allport::test
