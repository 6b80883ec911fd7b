// SPDX-License-Identifier: Apache-2.0
// The conformance kit tests a router that declares every kind, switching mode and routing: the
// router keeps the contract, and the rows for these notice when it does not.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct DeclarationCase {
  const char* name;
  std::string options;
  std::vector<std::string> passed;  // rows that must not be skipped
  std::string line = {};            // of `file`; empty: it stays as it is
  std::string wrong = {};
  std::vector<std::string> failed = {};  // rows that fail; others may fail, too
  std::string file = "every_claim_router.sv";
  std::string detail = {};  // part of the detail of the first of them

  bool keeps_contract() const {
    return failed.empty() || failed == std::vector<std::string>{"lockstep"};
  }
};

void PrintTo(const DeclarationCase& one, std::ostream* out) { *out << one.name; }

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class EveryClaim : public Cli, public testing::WithParamInterface<DeclarationCase> {
 protected:
  /// The router's files, with `file` changed as the case says.
  static std::string sources(const DeclarationCase& one) {
    const fs::path folder = fs::path(ALLPORT_ROUTERS) / one.name;
    fs::create_directories(folder);
    std::string files;
    std::ifstream list(fs::path(ALLPORT_SV) / "allport.f");
    for (std::string line; std::getline(list, line);) {
      if (line.rfind("allport_", 0) != 0) continue;
      const fs::path path = fs::path(ALLPORT_SV) / line;
      files += (line == one.file ? changed(one, path, folder) : path).string() + ",";
    }
    const fs::path top = ALLPORT_EVERY_CLAIM_ROUTER;
    return files + (one.file == top.filename() ? changed(one, top, folder) : top).string();
  }

 private:
  /// `path` as changed by the case, in `folder`.
  static fs::path changed(const DeclarationCase& one, const fs::path& path,
                          const fs::path& folder) {
    std::string text = text_of(path);
    const std::size_t at = text.find(one.line);
    EXPECT_NE(at, std::string::npos) << one.line;
    if (at != std::string::npos) text.replace(at, one.line.size(), one.wrong);
    const fs::path copy = folder / path.filename();
    if (text_of(copy) != text) std::ofstream(copy) << text;
    return copy;
  }
};

TEST_P(EveryClaim, IsJudgedByTheRowsOfItsKindsAndModes) {
  const DeclarationCase& one = GetParam();
  const Outcome outcome = allport("cosim --lockstep --json - --top every_claim_router " +
                                  one.options + " --rtl '" + sources(one) + "'");
  const Json json = Json::parse(outcome.out, nullptr, false);

  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  const Json& checks = json["trials"][0]["checks"];
  std::vector<std::string> passed;
  std::vector<std::string> failed;
  std::string detail;
  for (const Json& row : checks) {
    if (row["verdict"] == "passed") passed.push_back(row["check"]);
    if (row["verdict"] == "failed") failed.push_back(row["check"]);
    if (!one.failed.empty() && row["check"] == one.failed.front()) detail = row["detail"];
  }
  EXPECT_THAT(detail, testing::HasSubstr(one.detail));
  for (const std::string& row : one.passed) {
    EXPECT_THAT(passed, testing::Contains(row)) << checks.dump(2);
  }
  for (const std::string& row : one.failed) {
    EXPECT_THAT(failed, testing::Contains(row)) << checks.dump(2);
  }
  EXPECT_EQ(outcome.status, one.failed.empty() ? 0 : 1) << outcome.err << checks.dump(2);
  EXPECT_EQ(json["keeps_contract"], one.keeps_contract());
  EXPECT_EQ(json["is_twin"], one.failed.empty());
}

std::string name_of(const testing::TestParamInfo<DeclarationCase>& info) { return info.param.name; }

const std::vector<DeclarationCase>& cases() {
  static const std::vector<DeclarationCase> all{
      DeclarationCase{"Wormhole",
                      "--topology hypercube:3 --ports 2",
                      {"reception", "lists", "paths", "replication", "lockstep"}},
      DeclarationCase{"CutThrough",
                      "--topology torus:4x4 --switching cut-through --flits 4",
                      {"switching", "reception", "lists", "lockstep"}},
      DeclarationCase{"Mesh", "--topology mesh:3x4", {"reception", "lists", "labels", "lockstep"}},
      DeclarationCase{"HopsThatAreNotTakenAsDemanded",
                      "--topology mesh:3x4",
                      {},
                      "if (demanded_i != '0) wanted = demanded_i;",
                      "",
                      {"labels"},
                      "allport_label_routing.sv"},
      DeclarationCase{
          "StoreAndForward",
          "--topology hypercube:3 --switching store-and-forward --flits 5 --buffer-depth 6",
          {"switching", "lists", "paths", "replication", "lockstep"}},
      DeclarationCase{
          "Circuit", "--topology torus:4x4 --switching circuit", {"switching", "lockstep"}},
      DeclarationCase{
          "Adaptive", "--topology hypercube:3 --routing adaptive --vcs 3", {"latency", "lockstep"}},
      DeclarationCase{"HeadsThatLeaveBeforeTheirTails",
                      "--topology hypercube:3 --switching store-and-forward --flits 4",
                      {},
                      "Mode = Switching",
                      "Mode = (Switching == 2) ? 1 : Switching",
                      {"switching"}},
      DeclarationCase{"AcknowledgementsThatAreLost",
                      "--topology hypercube:3 --switching circuit",
                      {},
                      "assign ack_o = ack;",
                      "assign ack_o = ack & ~(Ports*Vcs)'(1);",
                      {"switching"}},
      DeclarationCase{"CopiesThatAreLost",
                      "--topology hypercube:3",
                      {},
                      "Reception = 1'b1",
                      "Reception = 1'b0",
                      {"lists", "paths"}},
      DeclarationCase{"ListsThatAreNotShifted",
                      "--topology hypercube:3",
                      {},
                      "= list >> AddressWidth;",
                      "= list;",
                      {"lists"},
                      "allport_stripping_unit.sv",
                      ": via is ("},
      DeclarationCase{"DetoursThatAreNotTaken",
                      "--topology hypercube:3 --routing adaptive",
                      {"latency", "wormhole", "fabric"},
                      "(detours != '0)",
                      "(detours != '0) && (highest == '0)",
                      {"lockstep"},
                      "allport_adaptive_routing.sv"},
      DeclarationCase{"AdaptiveChannelsThatAreGivenEarly",
                      "--topology hypercube:3 --routing adaptive",
                      {},
                      "!is_owned && has_all_i[ov];",
                      "!is_owned;",
                      {"wormhole"},
                      "allport_vc_allocator.sv",
                      "a head on an adaptive VC whose credits are not all back"}};
  return all;
}

// By day one of each family; each has a router of its own to be built.
std::vector<DeclarationCase> cases_of(bool is_day) {
  const std::set<std::string> by_day{"Wormhole", "Circuit", "Adaptive", "CopiesThatAreLost"};
  std::vector<DeclarationCase> chosen;
  for (const DeclarationCase& one : cases()) {
    if ((by_day.count(one.name) > 0) == is_day) chosen.push_back(one);
  }
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Of, EveryClaim, testing::ValuesIn(cases_of(true)), name_of);
INSTANTIATE_TEST_SUITE_P(ByNight, EveryClaim, testing::ValuesIn(cases_of(false)), name_of);

}  // namespace
}  // namespace allport::test
