// SPDX-License-Identifier: Apache-2.0
// A router may declare this in a file beside it: length in the head, ties that it does not heed, VC
// classes of its own. The routers are docs/examples/two_cycle_router with some lines changed, which
// break the contract as long as they do not declare so.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class DeclarationFile : public Cli {
 protected:
  /// A file of the build folder with the changed router, so that it is Verilated once.
  static std::string changed(const char* name,
                             const std::vector<std::pair<std::string, std::string>>& changes) {
    std::string text = text_of_file(ALLPORT_ROUTER);
    for (const auto& [old, replacement] : changes) {
      const std::size_t at = text.find(old);
      EXPECT_NE(at, std::string::npos) << old;
      if (at != std::string::npos) text.replace(at, old.size(), replacement);
    }
    const fs::path path = fs::path(ALLPORT_ROUTERS) / (std::string(name) + ".sv");
    fs::create_directories(path.parent_path());
    if (text_of_file(path) != text) std::ofstream(path) << text;
    return "--top two_cycle_router --rtl '" + path.string() + "' ";
  }

  Json sheet(const std::string& options, int status) {
    const Outcome outcome = allport("cosim --json - " + options);
    EXPECT_EQ(outcome.status, status) << outcome.err << outcome.out;
    return Json::parse(outcome.out, nullptr, false);
  }
  static std::vector<std::string> failed(const Json& sheet) {
    std::vector<std::string> rows;
    for (const Json& row : sheet["trials"][0]["checks"]) {
      if (row["verdict"] == "failed") rows.push_back(row["check"]);
    }
    return rows;
  }
};

// It counts the flits of a message by the length in its head, and does not look at tails.
TEST_F(DeclarationFile, GivesHeadsALengthInWormholeSwitching) {
  const std::string router =
      changed("ThatCountsFlits",
              {{"2 + VcWidth + 3 + TieWidth", "2 + VcWidth + 3 + 13 + TieWidth"},
               {"    logic [TieWidth-1:0]     ties;",
                "    logic [12:0] length;\n    logic [TieWidth-1:0]     ties;"},
               {"    assign arriving[p] = flit_t'(flit_i[p*FlitWidth +: FlitWidth]);",
                "    flit_t raw;\n"
                "    logic [12:0] rest_q, rest;\n"
                "    assign raw = flit_t'(flit_i[p*FlitWidth +: FlitWidth]);\n"
                "    assign rest = raw.head ? raw.length : rest_q;\n"
                "    always_comb begin arriving[p] = raw; arriving[p].tail = rest == 13'd1; end\n"
                "    always_ff @(posedge clk_i) if (valid_i[p]) rest_q <= rest - 13'd1;"}});
  write("length.toml", "length-in-head = true\nkinds = [\"unicast\"]\n");

  EXPECT_THAT(failed(sheet(router + "--topology mesh:3x3", 1)), Contains("wormhole"));
  EXPECT_THAT(allport("cosim " + router + "--topology mesh:3x3 --declaration length.toml").err,
              HasSubstr("kinds is declared by the top as well, as its parameter Kinds"));

  write("length.toml", "length-in-head = true\n");
  const Json kept = sheet(router + "--topology mesh:3x3 --declaration length.toml", 0);
  EXPECT_EQ(kept["keeps_contract"], true);
  EXPECT_EQ(kept["router"]["length_in_head"], true);

  const Outcome run = allport(
      "run " + router +
      "--declaration length.toml --topology mesh:4x4 --ports 1 --pattern uniform --rate 0.1 --cycles 500 --flits 9 --json run.json");
  EXPECT_EQ(run.status, 0) << run.err;
  const Outcome longer = allport(
      "run " + router +
      "--declaration length.toml --topology mesh:4x4 --ports 1 --pattern uniform --rate 0.1 --cycles 500 --flits 8192");
  EXPECT_EQ(longer.status, 2);
  EXPECT_THAT(
      longer.err,
      HasSubstr(
          "flits 8192: the heads of this router carry the length of their message, which must be 1..8191"));
}

TEST_F(DeclarationFile, LeavesOutTiesThatTheRouterDoesNotHeed) {
  const std::string router =
      changed("WithoutTies", {{"up = !ties[i];", "up = ties[i] == ties[i];"}}) +
      "--topology torus:4x4 ";
  write("ties.toml", "ties = false\n");

  EXPECT_THAT(failed(sheet(router, 1)), Contains("wormhole"));
  const Json kept = sheet(router + "--declaration ties.toml", 0);
  EXPECT_EQ(kept["keeps_contract"], true);
  EXPECT_EQ(kept["router"]["ties"], false);

  const std::string run =
      "run " + router + "--declaration ties.toml --pattern uniform --rate 0.1 --cycles 300 ";
  EXPECT_EQ(allport(run).status, 0);
  EXPECT_THAT(
      allport(run + "--ties negative").err,
      HasSubstr(
          "--ties negative: the router two_cycle_router declares that it does not support it (parameter Ties = 0)"));

  write("tie.jsonl", R"({"u": 0, "v": 2, "step": 1, "order": 0, "displacement": [-2, 0]})"
                     "\n");
  const Outcome refused = allport("run " + router + "--declaration ties.toml --schedule tie.jsonl");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr(
          "the message 0 > 2 goes in the - direction of an exact tie, and the router declares that it does not heed ties (parameter Ties = 0)"));
}

TEST_F(DeclarationFile, LeavesVcClassesToTheRouter) {
  const std::string router =
      changed("WithItsOwnClasses", {{"    return (2 * vc >= Vcs) == late_class;",
                                     "    return (2 * vc >= Vcs) == !late_class;"}}) +
      "--topology torus:4x4 --vcs 2 ";
  write("classes.toml", "own-vc-classes = true\n");

  EXPECT_THAT(failed(sheet(router, 1)), Contains("wormhole"));
  const Json kept = sheet(router + "--declaration classes.toml", 0);
  EXPECT_EQ(kept["keeps_contract"], true);
  EXPECT_EQ(kept["router"]["own_vc_classes"], true);
}

TEST_F(DeclarationFile, IsRefusedWhereItIsWrong) {
  const std::string cosim = "cosim --rtl '" + std::string(ALLPORT_ROUTER) + "' --declaration ";
  const auto error = [&](const std::string& text) {
    write("wrong.toml", text);
    const Outcome outcome = allport(cosim + "wrong.toml");
    EXPECT_EQ(outcome.status, 2) << text;
    return outcome.err;
  };

  EXPECT_THAT(allport(cosim + "none.toml").err, HasSubstr("--declaration none.toml"));
  EXPECT_THAT(allport("run --topology ring:4 --declaration none.toml").err,
              HasSubstr("--declaration needs --rtl"));
  EXPECT_THAT(error("square = 1\n"),
              HasSubstr("--declaration wrong.toml:1:1: square must be true or false"));
  EXPECT_THAT(error("\nmax-side = 1\n"),
              HasSubstr("wrong.toml:2:1: max-side must be a number 2..65535"));
  EXPECT_THAT(error("reset-cycles = 4097\n"), HasSubstr("reset-cycles must be a number 0..4096"));
  EXPECT_THAT(error("modes = [\"wormhole\", \"wormhol\"]\n"),
              HasSubstr("wrong.toml:1:22: unknown word 'wormhol': did you mean 'wormhole'?"));
  EXPECT_THAT(
      error("modes = []\n"),
      HasSubstr(
          "modes must be a list of words among wormhole, cut-through, store-and-forward, circuit"));
  EXPECT_THAT(error("modes = 3\n"), HasSubstr("modes must be a list of words"));
  EXPECT_THAT(error("max-sides = 4\n"),
              HasSubstr("unknown key 'max-sides': did you mean 'max-side'?"));
  EXPECT_THAT(error("hop-cycles = 2\n"),
              HasSubstr("hop-cycles is declared by the top as well, as its parameter HopCycles"));
  EXPECT_THAT(error("square = \n"), HasSubstr("--declaration wrong.toml:1:"));
  EXPECT_THAT(error("a = " + std::string(5000, '[') + "\n"), HasSubstr("nested more than 16 deep"));
}

}  // namespace
}  // namespace allport::test
