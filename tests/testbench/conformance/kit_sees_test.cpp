// SPDX-License-Identifier: Apache-2.0
// The conformance kit finds the fault in a faulty router, and reports it in the right row:
// docs/examples/two_cycle_router with one line changed.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Fault {
  const char* name;
  std::string line;  // without its leading blanks; it occurs once in the source
  std::string wrong;
  std::vector<std::string> rows;  // rows that fail; others may fail, too
  std::string options = "--topology hypercube:3 --vcs 2";
  std::string printed = {};  // printed on stderr
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

std::string file_text(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class KitSees : public Cli, public testing::WithParamInterface<Fault> {
 protected:
  /// A file of the build folder with the faulty router, so that it is Verilated once.
  static fs::path faulty_router(const Fault& fault) {
    std::string text = file_text(ALLPORT_ROUTER);
    const std::string line = " " + fault.line + "\n";
    const std::size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos) << fault.line;
    EXPECT_EQ(text.find(line, at + 1), std::string::npos) << fault.line;
    if (at != std::string::npos) text.replace(at, line.size(), " " + fault.wrong + "\n");
    const fs::path path = fs::path(ALLPORT_ROUTERS) / (std::string(fault.name) + ".sv");
    fs::create_directories(path.parent_path());
    if (file_text(path) != text) std::ofstream(path) << text;
    return path;
  }
  /// The sheet of the faulty router, which breaks the contract; what is printed beside it is in
  /// `err`.
  Json sheet_of(const Fault& fault, std::string& err) const {
    const Outcome outcome = allport("cosim --json - --top two_cycle_router " + fault.options +
                                    " --rtl '" + faulty_router(fault).string() + "'");
    Json json = Json::parse(outcome.out, nullptr, false);
    err = outcome.err;
    EXPECT_EQ(outcome.status, 1) << err;
    EXPECT_FALSE(json.is_discarded()) << outcome.out;
    EXPECT_EQ(json["keeps_contract"], false);
    return json;
  }
};

TEST_P(KitSees, TheFaultAndBlamesTheRightRow) {
  std::string err;
  const Json json = sheet_of(GetParam(), err);

  EXPECT_THAT(err, testing::HasSubstr(GetParam().printed));
  std::vector<std::string> failed;
  for (const Json& row : json["trials"][0]["checks"]) {
    if (row["verdict"] == "failed") failed.push_back(row["check"]);
  }
  for (const std::string& row : GetParam().rows) {
    EXPECT_THAT(failed, testing::Contains(row)) << json["trials"][0]["checks"].dump(2);
  }
}

std::string name_of(const testing::TestParamInfo<Fault>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    OneLine, KitSees,
    testing::Values(
        Fault{"CreditsOfAPortLost",
              "credit_o <= freed;",
              "credit_o <= freed & ~Ports'(1);",
              {"credits"}},
        Fault{"BodiesSentWithoutCredit",
              "if (wanted[b] && found && !sent[to] && credits_q[out] != '0) begin",
              "if (wanted[b] && found && !sent[to]) begin",
              {"credits"},
              "--topology hypercube:3 --buffer-depth 2"},
        // At the edge, where the bench looks, the inputs cancel out.
        Fault{
            "OutputsThatMoveWithTheInputs",
            "credit_vc_o[p*VcWidth +: VcWidth] <= freed_vc[p];",
            "end logic [VcWidth-1:0] freed_q, seen_q; always_ff @(posedge clk_i) begin freed_q <= freed_vc[p]; seen_q <= VcWidth'(valid_i[p]); end assign credit_vc_o[p*VcWidth +: VcWidth] = freed_q ^ seen_q ^ VcWidth'(valid_i[p]); always_comb begin",
            {"pins"}},
        Fault{"TailsDropped",
              "sent[to] = 1'b1;",
              "sent[to] = flit.head || !flit.tail;",
              {"wormhole"}},
        Fault{"VcsMixMessages", "owned_d[out] = !flit.tail;", "owned_d[out] = 1'b0;", {"wormhole"}},
        Fault{"KindsThatAreReserved",
              "sent_flit[to] = flit;",
              "sent_flit[to] = flit; if (flit.head) sent_flit[to].kind = 3'd7;",
              {"codes"}},
        Fault{"ARegisterThatIsNotReset", "taken_q[i]   <= '0;", "", {"reset"}},
        Fault{
            "ALaneThatHangs",
            "assign waiting[i] = count_q != '0;",
            "int unsigned pops_q; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) pops_q <= 0; else if (popped[i]) pops_q <= pops_q + 1; assign waiting[i] = count_q != '0 && pops_q < 100;",
            {"progress"}},
        // An output without credits for 511 cycles stops all inputs.
        Fault{
            "OneOutputForAll",
            "assign waiting[i] = count_q != '0;",
            "logic [8:0] idle_q; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) idle_q <= '0; else if (credits_q[0] != '0) idle_q <= '0; else if (idle_q != '1) idle_q <= idle_q + 1'b1; assign waiting[i] = count_q != '0 && idle_q != '1;",
            {"lost_credit"}},
        // A flit that waits for 1023 cycles is forgotten.
        Fault{
            "FlitsThatAreGivenUp",
            "assign waiting[i] = count_q != '0;",
            "logic [9:0] idle_q; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) idle_q <= '0; else if (idle_q != '1) idle_q <= count_q != '0 && !popped[i] ? idle_q + 1'b1 : '0; assign waiting[i] = count_q != '0 && idle_q != '1;",
            {"lost_credit"}},
        Fault{
            "TheEndOfTheSimulation",
            "assign waiting[i] = count_q != '0;",
            "assign waiting[i] = count_q != '0; always_ff @(posedge clk_i) if (rst_ni && i == 0 && popped[i]) begin $display(\"the router says goodbye\"); $finish; end",
            {"model"},
            "--topology hypercube:3 --vcs 2",
            "the router says goodbye"}),
    name_of);

// Outputs that follow inputs without an edge, and do no harm otherwise: the sheet is compared as a
// whole.
class KitSeesAPath : public KitSees {};

TEST_P(KitSeesAPath, AndSaysOfEveryRowWhatBecameOfIt) {
  std::string err;
  const Json json = sheet_of(GetParam(), err);
  using Rows = std::vector<std::pair<std::string, std::string>>;
  Rows rows;
  for (const Json& row : json["trials"][0]["checks"]) {
    rows.emplace_back(row["check"], row["verdict"]);
    if (row["check"] == "pins") {
      EXPECT_EQ(std::string(row["detail"]).find("flit_o changes with " + GetParam().rows[0]), 0U)
          << row["detail"];
    }
  }
  const Rows expected{
      {"model", "passed"},      {"pins", "failed"},       {"reset", "passed"},
      {"latency", "skipped"},   {"rate", "skipped"},      {"gaps", "skipped"},
      {"wormhole", "skipped"},  {"credits", "skipped"},   {"lost_credit", "skipped"},
      {"switching", "skipped"}, {"reception", "skipped"}, {"lists", "skipped"},
      {"labels", "skipped"},    {"paths", "skipped"},     {"replication", "skipped"},
      {"codes", "skipped"},     {"progress", "skipped"},  {"fabric", "passed"},
      {"lockstep", "skipped"}};
  EXPECT_EQ(rows, expected) << json["trials"].dump(2);
}

constexpr const char* output_register = "flit_o[p*FlitWidth +: FlitWidth] <= sent_flit[p];";
constexpr const char* on_mesh = "--topology mesh:2x2 --ports 1";

INSTANTIATE_TEST_SUITE_P(
    OfFlits, KitSeesAPath,
    testing::Values(
        Fault{
            "PathOfAllFlits",
            output_register,
            "end logic [FlitWidth-1:0] sent_q; always_ff @(posedge clk_i) sent_q <= sent_flit[p]; assign flit_o[p*FlitWidth +: FlitWidth] = valid_o[p] ? sent_q : flit_i[p*FlitWidth +: FlitWidth]; always_ff @(posedge clk_i) begin",
            {"flit_i in the same cycle"},
            on_mesh},
        Fault{
            "PathOfDeposits",
            output_register,
            "end flit_t sent_q, comes; assign comes = flit_t'(flit_i[p*FlitWidth +: FlitWidth]); always_ff @(posedge clk_i) sent_q <= sent_flit[p]; assign flit_o[p*FlitWidth +: FlitWidth] = (valid_i[p] && !valid_o[p] && comes.head && comes.kind == 3'd1) ? comes : sent_q; always_ff @(posedge clk_i) begin",
            {"the inputs of the same cycle"},
            on_mesh}),
    name_of);

}  // namespace
}  // namespace allport::test
