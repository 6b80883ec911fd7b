// SPDX-License-Identifier: Apache-2.0
// File lists of a router of the user's own: what they may not say, and where it is said.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string with_list =  // NOLINT(cert-err58-cpp)
    std::string("cosim --rtl '") + ALLPORT_ROUTER + "' -f own.f --topology hypercube:2 --ports 1";

struct WrongList {
  const char* name;
  const char* list;
  const char* sentence;
};

class FileList : public Cli {};
class WrongFileLists : public Cli, public testing::WithParamInterface<WrongList> {};

TEST_P(WrongFileLists, AreRefusedByOneSentence) {
  shell("mkdir lists");
  write("own.f", GetParam().list);
  write("nested.f", "\n-pvalue+Depth=16\n");
  write("lists/folder.f", "-F beside.f\n");
  write("lists/beside.f", "+define+WIDE\n--cc\n");
  const Outcome outcome = allport(with_list);

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(outcome.err, std::string("allport: --file-list ") + GetParam().sentence + "\n");
}

constexpr const char* parameters =
    " has no place in a file list: use --parameter, and for what follows from the fabric its "
    "options";
constexpr const char* made =
    " has no place in a file list: leave it out, because allport itself says what is made of the "
    "sources";

std::string name_of(const testing::TestParamInfo<WrongList>& info) { return info.param.name; }

std::string refused(const std::string& option, const std::string& why = made) {
  return "own.f, line 1: '" + option + "'" + why;
}

TEST_F(FileList, WithAnOptionThatWouldOverrideOursIsRefused) {
  for (const char* option : {"--Mdir",
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
    write("own.f", std::string(option) + " x\n");
    const Outcome outcome = allport(with_list);
    EXPECT_EQ(outcome.status, 2) << option;
    EXPECT_EQ(outcome.err, "allport: --file-list " + refused(option) + "\n");
  }
}

const std::vector<std::pair<std::string, std::string>> advised{
    // NOLINT(cert-err58-cpp)
    {"-GDepth=16", parameters},
    {"--GDepth=16", parameters},
    {"-pvalue+Depth=16", parameters},
    {"--top-module", " has no place in a file list: use --top"},
    {"-top", " has no place in a file list: use --top"},
    {"--assert", " has no place in a file list: use --assertions of `cosim`"},
    {"--trace-fst",
     " has no place in a file list: use --wave of `run`, or --difference-wave of `cosim`"},
    {"--timing",
     " has no place in a file list: delays are not accepted, and --no-timing leaves them out"},
    {"-CFLAGS", " has no place in a file list: name the compiler and its options in CXX"}};

TEST_F(FileList, IsToldTheOtherWayThatAnOptionHas) {
  for (const auto& [option, why] : advised) {
    write("own.f", option + "\n");
    const Outcome outcome = allport(with_list);
    EXPECT_EQ(outcome.status, 2) << option;
    EXPECT_EQ(outcome.err, "allport: --file-list " + refused(option, why) + "\n");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Places, WrongFileLists,
    testing::Values(
        WrongList{"Nested", "// -Mdir x\n-f nested.f\n",
                  "nested.f, line 2: '-pvalue+Depth=16' has no place in a file list: use "
                  "--parameter, and for what follows from the fabric its options"},
        WrongList{"Beside", "-F lists/folder.f\n",
                  "lists/beside.f, line 2: '--cc' has no place in a file list: leave it out, "
                  "because allport itself says what is made of the sources"},
        WrongList{"NotBeside", "-f lists/folder.f -f lists/folder.f\n",
                  "lists/folder.f, line 1: beside.f: there is no such file"},
        WrongList{"BehindAComment", "/* one\ntwo */ -y --cc\n# --Mdir\n+define+A // --sc\n  --exe",
                  "own.f, line 5: '--exe' has no place in a file list: leave it out, because "
                  "allport itself says what is made of the sources"},
        WrongList{"Quoted", "\"--prefix\" V\n",
                  "own.f, line 1: '--prefix' has no place in a file list: leave it out, because "
                  "allport itself says what is made of the sources"},
        WrongList{"Escaped", "-\\Mdir V\n",
                  "own.f, line 1: '-Mdir' has no place in a file list: leave it out, because "
                  "allport itself says what is made of the sources"},
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

}  // namespace
}  // namespace allport::test
