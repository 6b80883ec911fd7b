// SPDX-License-Identifier: Apache-2.0
// These tests check routers in RTL beside those in SystemC, requested on the command line.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* wsort = "--topology hypercube:3 --algorithm wsort";

class Cosim : public Cli {};

TEST_F(Cosim, OfAMulticastFindsNoDifference) {
  const Outcome outcome = allport(std::string("cosim ") + wsort);

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("8 routers in RTL"));
  EXPECT_THAT(outcome.out, HasSubstr("no difference"));
  EXPECT_FALSE(exists("cosim-difference.fst"));
}

TEST_F(Cosim, EndsAsTheRunsOfEitherModelAlone) {
  const std::string options = std::string(wsort) + " --json -";
  const Json both = json("cosim " + options);
  const Json systemc = json("run " + options);
  const Json rtl = json("run --model rtl " + options);

  EXPECT_GT(both["cosim"]["compared_cycles"], 0);
  EXPECT_TRUE(both["cosim"]["difference"].is_null());
  EXPECT_EQ(both["cosim"]["rtl_nodes"].size(), 8U);
  for (const Json* alone : {&systemc, &rtl}) {
    for (const char* key : {"digest", "cycles", "latency", "messages", "flit_hops"}) {
      ASSERT_TRUE(alone->contains(key)) << key;
      EXPECT_EQ(both[key], (*alone)[key]) << key;
    }
  }
}

TEST_F(Cosim, HasRtlAtTheNodesThatAreNamed) {
  const Json some = json(std::string("cosim --json - --rtl-nodes 5,2 ") + wsort);
  const Json all = json(std::string("cosim --json - --rtl-nodes all ") + wsort);

  EXPECT_EQ(some["cosim"]["rtl_nodes"], Json({2, 5}));
  EXPECT_EQ(all["cosim"]["rtl_nodes"].size(), 8U);
  EXPECT_EQ(some["digest"], all["digest"]);
  EXPECT_LT(some["cosim"]["compared_cycles"], all["cosim"]["compared_cycles"]);
}

TEST_F(Cosim, DrawsTheNodesOfAShareFromTheSeed) {
  const auto nodes = [&](const std::string& options) {
    return json("cosim --json - " + options + " " + wsort)["cosim"]["rtl_nodes"];
  };
  EXPECT_EQ(nodes("--rtl-nodes random:0.3").size(), 2U);
  EXPECT_EQ(nodes("--rtl-nodes random:0.01").size(), 1U);
  EXPECT_EQ(nodes("--rtl-nodes random:1").size(), 8U);
  EXPECT_EQ(nodes("--rtl-nodes random:0.5 --seed 7"), nodes("--rtl-nodes random:0.5 --seed 7"));
  bool is_another = false;
  for (const char* seed : {"8", "9", "10", "11"}) {
    is_another = is_another || nodes("--rtl-nodes random:0.5 --seed 7") !=
                                   nodes(std::string("--rtl-nodes random:0.5 --seed ") + seed);
  }
  EXPECT_TRUE(is_another);
}

TEST_F(Cosim, WithoutVerilatorSaysThatItIsNeeded) {
  for (const char* command : {"cosim ", "run --model rtl "}) {
    const Outcome outcome =
        shell(std::string("mkdir -p none; PATH=\"$PWD/none\" \"$program\" ") + command + wsort);

    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("verilator is not installed or not in PATH"));
  }
}

struct WrongUse {
  const char* name;
  std::string arguments;
  std::string sentence;  // a part of it
};

class CosimErrors : public Cli, public testing::WithParamInterface<WrongUse> {};

TEST_P(CosimErrors, AreOneSentence) {
  const Outcome outcome = allport(GetParam().arguments);

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(outcome.err.substr(0, 9), "allport: ");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().sentence));
}

std::string at_nodes(const std::string& nodes) {
  return std::string("cosim ") + wsort + " --rtl-nodes " + nodes;
}

std::string own(const std::string& options) {
  return std::string("cosim --rtl '") + ALLPORT_ROUTER + "' " + options;
}

std::string name_of(const testing::TestParamInfo<WrongUse>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Nodes, CosimErrors,
    testing::Values(
        WrongUse{"Unknown", at_nodes("5,99"), "RTL node 99 is not a node of hypercube:3"},
        WrongUse{"Twice", at_nodes("5,2,5"), "RTL node 5 is named twice"},
        WrongUse{"NoShare", at_nodes("random:0"), "random:0 leaves no node"},
        WrongUse{"MoreThanAll", at_nodes("random:2"), "--rtl-nodes: '2' is not a number in 0..1"},
        WrongUse{"NoNumber", at_nodes("random:x"), "--rtl-nodes: 'x' is not a number in 0..1"},
        WrongUse{"NoNumberAtAll", at_nodes("random:"), "--rtl-nodes: '' is not a number in 0..1"},
        WrongUse{"Empty", at_nodes("''"), "--rtl-nodes: the list is empty"},
        WrongUse{"Comma", at_nodes("5,,9"), "has a comma with no item"},
        WrongUse{"Word", at_nodes("some"), "'some' must be all, random:F or a list of nodes"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fabrics, CosimErrors,
    testing::Values(
        WrongUse{
            "FourDimensionsAlone",
            "run --model rtl --topology torus:2x2x2x2 --pattern uniform --rate 0.1 --cycles 10",
            "torus:2x2x2x2: the SystemVerilog router is for hypercubes of 1..10 dimensions and for rings, tori and meshes of 1..3"},
        WrongUse{"FourDimensions",
                 "cosim --topology torus:2x2x2x2 --pattern uniform --rate 0.1 --cycles 10",
                 "the SystemVerilog router is for hypercubes of 1..10 dimensions"},
        WrongUse{"ElevenDimensions", "cosim --topology hypercube:11 --algorithm wsort",
                 "the SystemVerilog router is for hypercubes of 1..10 dimensions"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    CustomRouter, CosimErrors,
    testing::Values(
        WrongUse{"NoTop", "cosim -f absent.f",
                 "--file-list needs --top, or --rtl with the file of the top"},
        WrongUse{"NoRtl", "cosim --top two_cycle_router",
                 "--top needs --rtl with the files of a router of your own"},
        WrongUse{"NoList", "cosim -f absent.f --top absent",
                 "--file-list absent.f: there is no such file"},
        WrongUse{"ListIsAFolder", "cosim -f . --top absent",
                 "--file-list .: it is a folder; name the file lists in it"},
        WrongUse{"DeclarationIsAFolder", own("--declaration ."),
                 "--declaration .: it is a folder; name the TOML file in it"},
        WrongUse{"NoInclude", own("--include absent"), "--include absent: there is no such folder"},
        WrongUse{"Dimensions", own("--parameter MaxDimensions=2 --topology mesh:2x2x2"),
                 "unknown parameter 'MaxDimensions'"},
        WrongUse{"NoFile", "cosim --rtl absent.sv --top absent",
                 "--rtl absent.sv: there is no such file"},
        WrongUse{"Folder", "cosim --rtl . --top absent",
                 "--rtl .: it is a folder; name the SystemVerilog files in it"},
        WrongUse{
            "Strict", own("--top two_cycle_router --strict"),
            "--strict cannot be combined with --rtl: the verdict sheet has no contention events; `run`, and `cosim` without --rtl, take it"},
        WrongUse{
            "NoStatic", own("--top two_cycle_router --no-static"),
            "--no-static cannot be combined with --rtl: the verdict sheet has no static check; `run`"},
        WrongUse{
            "MaxViolations", own("--top two_cycle_router --max-violations 5"),
            "--max-violations cannot be combined with --rtl: the verdict sheet has no static check; `run`"},
        WrongUse{"Wave", own("--top two_cycle_router --wave w.fst"),
                 "--wave cannot be combined with --rtl"},
        WrongUse{"Parameter", own("--top two_cycle_router --parameter Nonsense=1"),
                 "unknown parameter 'Nonsense'"},
        WrongUse{"ParameterNearly", own("--top two_cycle_router --parameter HopCycle=1"),
                 "unknown parameter 'HopCycle': did you mean 'HopCycles'?"},
        WrongUse{"ParameterOfTheOptions", own("--top two_cycle_router --parameter Vcs=2"),
                 "--parameter Vcs: it is set by the options of the fabric and the router"},
        WrongUse{"ParameterNearOneOfTheOptions", own("--top two_cycle_router --parameter Vc=1"),
                 "unknown parameter 'Vc': choose one of "},
        WrongUse{"ParameterTwice", own("--top two_cycle_router --parameter Kinds=1,Kinds=2"),
                 "--parameter Kinds: it is given twice"},
        WrongUse{"ParameterTwiceApart",
                 own("--top two_cycle_router --parameter Kinds=1 --parameter Kinds=1"),
                 "--parameter Kinds: it is given twice"},
        WrongUse{"ParameterWithoutValue", own("--top two_cycle_router --parameter HopCycles"),
                 "--parameter: 'HopCycles' must be NAME=VALUE"},
        WrongUse{"ParameterBelowZero", own("--top two_cycle_router --parameter HopCycles=-1"),
                 "parameter HopCycles of the router is 4294967295: must be 1..64"},
        WrongUse{
            "MacroOfADigit", own("--define MORE,1X=3"),
            "--define: '1X=3' must be NAME or NAME=VALUE, the name of letters, digits, _ and $, and no digit or $ first"},
        WrongUse{"MacroWithoutName", own("--define =3"), "--define: '=3' must be NAME or"},
        WrongUse{"FileTwice",
                 std::string("cosim --rtl '") + ALLPORT_ROUTER + "," + ALLPORT_ROUTER + "'",
                 "two_cycle_router.sv: it is given twice"},
        WrongUse{"ClaimOutOfRange", own("--top two_cycle_router --parameter HopCycles=0"),
                 "parameter HopCycles of the router is 0: must be 1..64"},
        WrongUse{"NoUnicasts", own("--top two_cycle_router --parameter Kinds=2"),
                 "every router must support unicasts"},
        WrongUse{"Topology",
                 own("--top two_cycle_router --parameter Topologies=6 --topology hypercube:3"),
                 "declares that it does not support it (parameter Topologies = 6)"}),
    name_of);

}  // namespace
}  // namespace allport::test
