// SPDX-License-Identifier: Apache-2.0
// These tests check the verdict sheet of a router of the user's own, and what is reported of RTL
// that cannot be tried.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string two_cycle_router =  // NOLINT(cert-err58-cpp)
    std::string("cosim --rtl '") + ALLPORT_ROUTER + "' --top two_cycle_router ";

class CustomRouter : public Cli {
 protected:
  /// The rows of the only trial, by name.
  static std::map<std::string, std::string> verdicts(const Json& json) {
    EXPECT_EQ(json["trials"].size(), 1U);
    std::map<std::string, std::string> verdicts;
    for (const Json& row : json["trials"][0]["checks"]) verdicts[row["check"]] = row["verdict"];
    return verdicts;
  }
};

TEST_F(CustomRouter, ThatKeepsTheContractIsClean) {
  const Outcome outcome = allport(two_cycle_router + "--topology hypercube:3");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "two_cycle_router: declares 2 cycles a hop; unicast, deposit; hypercube, torus and ring, mesh"));
  EXPECT_THAT(outcome.out, HasSubstr("replication skipped"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "lockstep    skipped  a router of 2 cycles a hop is not a twin of ours; --lockstep compares them"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "contract    kept on hypercube:3, as far as tried: wormhole, deterministic routing, unicast, deposit\n"
          "not tried   torus and ring, mesh\n"));
  EXPECT_THAT(outcome.out, HasSubstr("twin        not compared with the SystemC router"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("failed")));
  EXPECT_FALSE(exists("cosim-difference.fst"));
}

TEST_F(CustomRouter, IsComparedOnDemandAndItsWavesAreWhereTheyAreWanted) {
  const Outcome outcome =
      allport(two_cycle_router + "--topology hypercube:3 --lockstep --difference-wave twin.fst");

  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("lockstep    differs"));
  EXPECT_THAT(outcome.out, HasSubstr("waves: twin.fst"));
  EXPECT_THAT(outcome.out,
              HasSubstr("twin        not identical to the SystemC router on this traffic"));
  EXPECT_TRUE(exists("twin.fst"));
  EXPECT_FALSE(exists("cosim-difference.fst"));
}

TEST_F(CustomRouter, OfSeveralCyclesHasWavesOfADifferenceOnlyWhereItIsCompared) {
  const Outcome outcome = allport(two_cycle_router + "--difference-wave twin.fst");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "--difference-wave needs --lockstep: the router two_cycle_router takes 2 cycles a hop"));
}

TEST_F(CustomRouter, IsToldWhichFunctionItImportsFromNowhere) {
  std::ifstream original(ALLPORT_ROUTER);
  std::string text{std::istreambuf_iterator<char>(original), {}};
  text.insert(text.rfind("endmodule"),
              "  import \"DPI-C\" function int nowhere_to_be_found(input int number);\n"
              "  int unsigned found_q;\n"
              "  always_ff @(posedge clk_i) if (&valid_i) found_q <= nowhere_to_be_found(1);\n");
  write("two_cycle_router.sv", text);
  const Outcome outcome =
      allport("run --rtl two_cycle_router.sv --topology hypercube:2 --algorithm separate");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "router two_cycle_router: it imports the function 'nowhere_to_be_found' (DPI-C), which no library has"));
}

TEST_F(CustomRouter, HasAVerdictInJson) {
  const Outcome outcome = allport(two_cycle_router + "--topology hypercube:3 --json -");
  const Json json = Json::parse(outcome.out, nullptr, false);

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_FALSE(json.is_discarded()) << outcome.out;
  EXPECT_EQ(json["model"], "cosim");
  EXPECT_EQ(json["keeps_contract"], true);
  EXPECT_TRUE(json["is_twin"].is_null());
  EXPECT_EQ(json["router"]["top"], "two_cycle_router");
  EXPECT_EQ(json["router"]["hop_cycles"], 2);
  EXPECT_EQ(json["router"]["kinds"], 3);
  EXPECT_EQ(json["router"]["topologies"], 7);
  EXPECT_EQ(json["router"]["modes"], 1);
  EXPECT_EQ(json["router"]["routings"], 1);
  EXPECT_EQ(json["router"]["files"], Json({ALLPORT_ROUTER}));
  EXPECT_EQ(json["trials"][0]["topology"], "hypercube:3");
  const std::map<std::string, std::string> expected{
      {"model", "passed"},      {"pins", "passed"},         {"reset", "passed"},
      {"latency", "passed"},    {"rate", "passed"},         {"gaps", "passed"},
      {"wormhole", "passed"},   {"credits", "passed"},      {"lost_credit", "passed"},
      {"switching", "skipped"}, {"reception", "passed"},    {"lists", "skipped"},
      {"paths", "skipped"},     {"replication", "skipped"}, {"labels", "skipped"},
      {"codes", "passed"},      {"progress", "passed"},     {"fabric", "passed"},
      {"lockstep", "skipped"}};
  EXPECT_EQ(verdicts(json), expected);
  EXPECT_TRUE(json["trials"][0]["lockstep"].is_null());
}

TEST_F(CustomRouter, IsRefusedWhatItDeclaresThatItLacks) {
  const Outcome circuit = allport(two_cycle_router + "--topology ring:5 --switching circuit");
  EXPECT_EQ(circuit.status, 2);
  EXPECT_THAT(
      circuit.err,
      HasSubstr(
          "--switching circuit: the router two_cycle_router declares that it does not support it (parameter Modes = 1)"));
  const Outcome adaptive = allport(two_cycle_router + "--topology hypercube:3 --routing adaptive");
  EXPECT_EQ(adaptive.status, 2);
  EXPECT_THAT(
      adaptive.err,
      HasSubstr(
          "--routing adaptive: the router two_cycle_router declares that it does not support it (parameter Routings = 1)"));
}

TEST_F(CustomRouter, IsNamedWhenTheFilesHaveItNot) {
  const Outcome outcome = allport(std::string("cosim --rtl '") + ALLPORT_ROUTER + "' --top router");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("with top 'router'"), HasSubstr("'router'")));
}

TEST_F(CustomRouter, WithASyntaxErrorIsToldFileAndLine) {
  write("wrong.sv", "module wrong (input logic clk_i);\n  assign = clk_i;\nendmodule\n");
  const Outcome outcome = allport("cosim --rtl wrong.sv --top wrong");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("does not accept wrong.sv"), HasSubstr("wrong.sv:2:")));
}

TEST_F(CustomRouter, ThatLacksPinsIsToldEachOfThem) {
  write("bare.sv",
        "module bare (input logic clk_i, input logic rst_ni, input logic [5:0] valid_i,\n"
        "             output logic [1:0] credit_o, output logic [5:0] valid_o);\n"
        "  assign credit_o = {rst_ni, clk_i};\n"
        "  assign valid_o = valid_i;\n"
        "endmodule\n");
  const Outcome outcome = allport("cosim --rtl bare.sv --topology hypercube:3 --ports 3");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  for (const char* pin : {"input node_i", "input flit_i", "output credit_vc_o", "output flit_o",
                          "input credit_i", "input credit_vc_i"}) {
    EXPECT_THAT(outcome.err, HasSubstr(std::string(pin) + " is missing, the fabric needs"));
  }
  EXPECT_THAT(outcome.err, HasSubstr("output credit_o has 2 bits, the fabric needs 6"));
  for (const char* pin : {"clk_i", "rst_ni", "valid_i", "valid_o"}) {
    EXPECT_THAT(outcome.err, Not(HasSubstr(pin)));
  }
}

TEST_F(CustomRouter, WithoutClockAndResetIsToldSo) {
  write("still.sv",
        "module still (input logic [39:0] rst_ni, output logic [5:0] valid_o);\n"
        "  assign valid_o = rst_ni[5:0];\n"
        "endmodule\n");
  const Outcome outcome = allport("cosim --rtl still.sv --top still --topology hypercube:3");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("top still does not keep the pin contract: input clk_i is missing"),
                    HasSubstr("input rst_ni has 40 bits, the fabric needs 1")));

  write("blank.sv",
        "module blank (output logic [5:0] valid_o);\nassign valid_o = '0;\nendmodule\n");
  EXPECT_THAT(allport("cosim --rtl blank.sv --top blank --topology hypercube:3").err,
              AllOf(HasSubstr("input clk_i is missing"), HasSubstr("input rst_ni is missing")));
}

}  // namespace
}  // namespace allport::test
