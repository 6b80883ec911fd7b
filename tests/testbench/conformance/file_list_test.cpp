// SPDX-License-Identifier: Apache-2.0
// These tests check what the file lists of a router of the user's own may not say, and where it is
// said.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string with_list =  // NOLINT(cert-err58-cpp)
    std::string("cosim --rtl '") + ALLPORT_ROUTER + "' -f own.f --topology hypercube:2 --ports 1";

const std::string no_place = " has no place in a file list: ";  // NOLINT(cert-err58-cpp)
const std::string parameters =                                  // NOLINT(cert-err58-cpp)
    no_place + "use --parameter, and for what follows from the fabric its options";
const std::string made =  // NOLINT(cert-err58-cpp)
    no_place + "leave it out, because allport itself says what is made of the sources";

class FileList : public Cli {
 protected:
  /// What the program says of `own.f`, which it must refuse.
  std::string refusal(const std::string& list) const {
    write("own.f", list);
    const Outcome outcome = allport(with_list);
    EXPECT_EQ(outcome.status, 2) << list;
    EXPECT_THAT(outcome.out, IsEmpty()) << list;
    return outcome.err;
  }
};

TEST_F(FileList, WithAnOptionThatWouldOverrideOursIsRefused) {
  for (const std::string option : {"--Mdir",
                                   "-Mdir",
                                   "--prefix",
                                   "--mod-prefix",
                                   "--exe",
                                   "--build",
                                   "--binary",
                                   "--main",
                                   "--cc",
                                   "-cc",
                                   "--sc",
                                   "--lint-only",
                                   "--xml-only",
                                   "--xml-output",
                                   "-E",
                                   "-o",
                                   "-O0",
                                   "-O3",
                                   "--x-assign",
                                   "--x-initial",
                                   "--flatten",
                                   "--threads",
                                   "--hierarchical",
                                   "--savable",
                                   "--vpi",
                                   "--protect-ids",
                                   "--pins-bv",
                                   "--no-pins64",
                                   "--public-flat-rw",
                                   "--coverage",
                                   "--make",
                                   "-MAKEFLAGS",
                                   "-LDFLAGS",
                                   "--getenv",
                                   "--pipe-filter",
                                   "--dpi-hdr-only",
                                   "-j",
                                   "--gdb",
                                   "--version",
                                   "-Wno-USERERROR",
                                   "-Wwarn-USERERROR",
                                   "--nonsense"}) {
    EXPECT_EQ(refusal(option + " x\n"),
              "allport: --file-list own.f, line 1: '" + option + "'" + made + "\n");
  }
}

TEST_F(FileList, IsToldTheOtherWayThatAnOptionHas) {
  const std::vector<std::pair<std::string, std::string>> advised{
      {"-GDepth=16", parameters},
      {"--GDepth=16", parameters},
      {"-pvalue+Depth=16", parameters},
      {"--top-module", no_place + "use --top"},
      {"-top", no_place + "use --top"},
      {"--assert", no_place + "use --assertions of `cosim`"},
      {"--trace-fst", no_place + "use --wave of `run`, or --difference-wave of `cosim`"},
      {"--timing", no_place + "delays are not accepted, and --no-timing leaves them out"},
      {"-CFLAGS", no_place + "name the compiler and its options in CXX"}};
  for (const auto& [option, why] : advised) {
    EXPECT_EQ(refusal(option + "\n"),
              "allport: --file-list own.f, line 1: '" + option + "'" + why + "\n");
  }
}

struct WrongList {
  const char* name;
  const char* list;
  std::string sentence;
};

class WrongFileLists : public FileList, public testing::WithParamInterface<WrongList> {};

TEST_P(WrongFileLists, AreRefusedByOneSentence) {
  shell("mkdir lists");
  write("nested.f", "\n-pvalue+Depth=16\n");
  write("lists/folder.f", "-F beside.f\n");
  write("lists/beside.f", "+define+WIDE\n--cc\n");
  EXPECT_EQ(refusal(GetParam().list), "allport: --file-list " + GetParam().sentence + "\n");
}

std::string name_of(const testing::TestParamInfo<WrongList>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Places, WrongFileLists,
    testing::Values(
        WrongList{"Nested", "// -Mdir x\n-f nested.f\n",
                  "nested.f, line 2: '-pvalue+Depth=16'" + parameters},
        WrongList{"Beside", "-F lists/folder.f\n", "lists/beside.f, line 2: '--cc'" + made},
        WrongList{"NotBeside", "-f lists/folder.f -f lists/folder.f\n",
                  "lists/folder.f, line 1: beside.f: there is no such file"},
        WrongList{"BehindAComment", "/* one\ntwo */ -y --cc\n# --Mdir\n+define+A // --sc\n  --exe",
                  "own.f, line 5: '--exe'" + made},
        WrongList{"Quoted", "\"--prefix\" V\n", "own.f, line 1: '--prefix'" + made},
        WrongList{"Escaped", "-\\Mdir V\n", "own.f, line 1: '-Mdir'" + made},
        WrongList{"Itself", "\n-f own.f\n",
                  "own.f, line 2: own.f is being read already, so it names itself"},
        WrongList{"NoName", "--f", "own.f, line 1: --f names no file"}),
    name_of);

TEST_F(FileList, SaysWhichSourcesThereAreAndHowTheyAreRead) {
  shell("mkdir modules");
  write("modules/beside.sv",
        "module beside(input logic value_i, output logic value_o);\n"
        "  assign value_o = value_i ^ `FLIPPED;\nendmodule\n");
  write("top.sv",
        "module top(input logic clk_i, output logic value_o);\n"
        "  beside u_beside(.value_i(clk_i), .value_o);\nendmodule\n");
  write("own.f",
        "-sv -Wno-UNUSED // as ever\n-DFLIPPED=1'b1 +define+MORE\n-y modules\n"
        "-f $ALLPORT_LISTS/nested.f\n");
  write("nested.f", "--no-timing --bbox-sys -fno-gate --unroll-count 9\ntop.sv\n");
  const Outcome outcome =
      shell("ALLPORT_LISTS=. \"$program\" cosim -f own.f --top top --topology hypercube:2");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("top top does not keep the pin contract: input rst_ni"));
}

// The list of our own RTL, which has the package that is otherwise put before the files.
TEST_F(FileList, MayHaveOursInAListWithinIt) {
  write("own.f", "-f nested.f\n");
  write("nested.f", std::string("-F ") + ALLPORT_SV + "/allport.f\n");
  write("ours.toml", "topologies = [\"torus\"]\n");
  const Outcome outcome = allport(
      "run -f own.f --top allport_router --declaration ours.toml --topology torus:4x4 --vcs 2 --algorithm separate");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// Ours with other defaults stands for one of a user's own that declares a pipeline.
TEST_F(FileList, OfARouterWithAPipelineRunsWhereTheFabricHasItsDelays) {
  shell(std::string("cp ") + ALLPORT_SV + "/*.sv " + ALLPORT_SV +
        "/allport.f . && sed -i 's/RouteDelay = 0/RouteDelay = 1/; s/VcDelay = 0/VcDelay = 2/; "
        "s/CrossbarDelay = 0/CrossbarDelay = 1/' allport_router.sv");
  write("ours.toml", "topologies = [\"mesh\"]\n");
  const std::string traffic =
      " --topology mesh:3x3 --ports 1 --vcs 2 --pattern uniform --rate 0.3 --cycles 600 ";
  const std::string own = " -f allport.f --top allport_router --declaration ours.toml" + traffic;
  const std::string delays = "--route-delay 1 --vc-delay 2 --crossbar-delay 1";

  const Outcome verdict = allport("cosim" + own + delays);
  EXPECT_EQ(verdict.status, 0) << verdict.err;
  EXPECT_THAT(verdict.out, HasSubstr("declares 5 cycles a hop"));
  EXPECT_THAT(verdict.out, HasSubstr("identical to the SystemC router"));
  EXPECT_EQ(json("run --json -" + own + delays)["digest"],
            json("run --json -" + traffic + delays)["digest"]);
  for (const auto& [others, parameter] : std::vector<std::pair<std::string, std::string>>{
           {"", "--route-delay 0: .*RouteDelay = 1"},
           {"--route-delay 1 --vc-delay 1 --crossbar-delay 1", "--vc-delay 1: .*VcDelay = 2"},
           {"--route-delay 1 --vc-delay 2", "--crossbar-delay 0: .*CrossbarDelay = 1"}}) {
    const Outcome refused = allport("run" + own + others);
    EXPECT_EQ(refused.status, 2) << others;
    EXPECT_THAT(refused.err, testing::ContainsRegex(parameter)) << others;
  }
}

}  // namespace
}  // namespace allport::test
