// SPDX-License-Identifier: Apache-2.0
// A router may have its coordinates and its routing table as parameters, buffers of a fixed depth
// or of a power of two, a longest message, and hops of 1 to 2 cycles. The first is
// docs/examples/ready_valid_router with pins that have become parameters.
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
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Changes = std::vector<std::pair<std::string, std::string>>;

std::string text_of_path(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string changed_text(const fs::path& path, const Changes& changes) {
  std::string text = text_of_path(path);
  for (const auto& [old, replacement] : changes) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    if (at != std::string::npos) text.replace(at, old.size(), replacement);
  }
  return text;
}

// It knows where it is, and by which link each node is reached, from parameters alone.
const Changes& table_for_coordinates() {
  static const Changes changes{
      {"parameter int unsigned Width  = 64\n",
       "parameter int unsigned Width  = 64,\n"
       "  parameter logic [(1 << (XWidth + YWidth)) * 3 - 1:0] Routes = '0\n"},
      {"  input  logic [XWidth-1:0]      x_i,        // where this router is\n"
       "  input  logic [YWidth-1:0]      y_i,\n",
       ""},
      {"      if (slot_q[i].x > x_i) way[i] = 3'd0;\n"
       "      else if (slot_q[i].x < x_i) way[i] = 3'd1;\n"
       "      else if (slot_q[i].y > y_i) way[i] = 3'd2;\n"
       "      else if (slot_q[i].y < y_i) way[i] = 3'd3;\n"
       "      else way[i] = 3'd4;\n",
       "      way[i] = Routes[32'({slot_q[i].y, slot_q[i].x}) * 3 +: 3];\n"}};
  return changes;
}

// `declared`: what stands behind DataWidth in the parameters of the top.
Changes top_of_table(const std::string& declared) {
  return {
      {"parameter int unsigned DataWidth     = 64,\n",
       "parameter int unsigned DataWidth     = 64,\n  " + declared + "\n"},
      {"  logic [4:0] in_valid,",
       "  typedef logic [(1 << AddressWidth) * 3 - 1:0] table_t;\n"
       "  function automatic table_t routes();\n"
       "    table_t to;\n"
       "    to = '0;\n"
       "    for (int unsigned y = 0; y < Side1; y++)\n"
       "      for (int unsigned x = 0; x < Side0; x++)\n"
       "        to[((y << XWidth) + x) * 3 +: 3] = x > Coordinate0 ? 3'd0 : x < Coordinate0 ? 3'd1 : y > Coordinate1 ? 3'd2 : y < Coordinate1 ? 3'd3 : 3'd4;\n"
       "    return to;\n"
       "  endfunction\n"
       "  logic [4:0] in_valid,"},
      {"    .Width(FlitWidth)\n  ) u_router",
       "    .Width(FlitWidth),\n    .Routes(routes())\n"
       "  ) u_router"},
      {"    .x_i(node_i[XWidth-1:0]),\n    .y_i(node_i[AddressWidth-1:XWidth]),\n", ""}};
}

constexpr const char* by_coordinates =
    "parameter int unsigned Coordinate0 = 0,\n  parameter int unsigned Coordinate1 = 0,";
constexpr const char* by_number =
    "parameter int unsigned Node = 0,\n"
    "  localparam int unsigned Coordinate0 = Node % Side0,\n"
    "  localparam int unsigned Coordinate1 = Node / Side0,";

class NodeRouter : public Cli {
 protected:
  /// Both files in a folder of the build folder, so that they are Verilated once.
  static std::string router(const char* name, const char* declared) {
    const fs::path folder = fs::path(ALLPORT_ROUTERS) / name;
    const fs::path examples = fs::path(ALLPORT_READY_VALID_ROUTER).parent_path();
    fs::create_directories(folder);
    const auto keep = [&](const char* file, const std::string& text) {
      if (text_of_path(folder / file) != text) std::ofstream(folder / file) << text;
    };
    keep("xy_router.sv", changed_text(examples / "xy_router.sv", table_for_coordinates()));
    keep("ready_valid_router.sv",
         changed_text(examples / "ready_valid_router.sv", top_of_table(declared)));
    return "--rtl '" + (folder / "ready_valid_router.sv").string() + "' ";
  }
  std::string error(const std::string& command) {
    const Outcome outcome = allport(command);
    EXPECT_EQ(outcome.status, 2) << command;
    return outcome.err;
  }
};

const std::string plain =  // NOLINT(cert-err58-cpp)
    std::string("--rtl '") + ALLPORT_READY_VALID_ROUTER + "' ";

TEST_F(NodeRouter, WithCoordinatesAndATableAsParametersIsTheOneWithPins) {
  const std::string there = router("ByCoordinates", by_coordinates);
  const Json sheet = json("cosim " + there + "--topology mesh:3x2 --json -");
  EXPECT_EQ(sheet["keeps_contract"], true) << sheet["trials"].dump(2);

  const std::string options =
      "--topology mesh:3x2 --ports 1 --pattern uniform --rate 0.3 --cycles 500 --json -";
  EXPECT_EQ(json("run " + there + options)["digest"], json("run " + plain + options)["digest"]);
  const Outcome words = allport("cosim " + there + "--topology mesh:3x2");
  EXPECT_THAT(words.out, HasSubstr("; parameters of its node"));
  EXPECT_THAT(error("run " + there + "--parameter Coordinate0=1 " + options),
              HasSubstr("--parameter Coordinate0: it is set by the options of the fabric"));
}

TEST_F(NodeRouter, WithTheNumberOfItsNodeIsTheOneWithPins) {
  const std::string there = router("ByNumber", by_number);
  const std::string uniform =
      "--topology mesh:2x3 --ports 1 --pattern uniform --rate 0.3 --cycles 500 --json -";
  EXPECT_EQ(json("run " + there + uniform)["digest"], json("run " + plain + uniform)["digest"]);
  // At two of its nodes only, beside ours.
  const Outcome some = allport("cosim " + there + "--topology mesh:2x3 --rtl-nodes 1,4");
  EXPECT_EQ(some.status, 0) << some.out << some.err;
}

TEST_F(NodeRouter, IsNamedWithTheNodeThatItRefuses) {
  const std::string there = router("ByNumber", by_number);
  std::string text = text_of_path(fs::path(ALLPORT_ROUTERS) / "ByNumber" / "ready_valid_router.sv");
  text.insert(text.rfind("endmodule"), "  if (Node == 2) $error(\"no such place\");\n");
  write("ready_valid_router.sv", text);
  const std::string message =
      error("run --rtl ready_valid_router.sv --include '" +
            (fs::path(ALLPORT_ROUTERS) / "ByNumber").string() +
            "' --topology mesh:2x2 --pattern uniform --rate 0.1 --cycles 100");
  EXPECT_THAT(message,
              AllOf(HasSubstr("at node 2: Verilator does not accept"), HasSubstr("no such place")));
}

TEST_F(NodeRouter, OfAFixedDepthIsRunWithIt) {
  write("fixed.toml", "fixed-depth = 8\n");
  const std::string run =
      "run " + plain +
      "--declaration fixed.toml --topology mesh:2x2 --pattern uniform --rate 0.1 --cycles 200 --json - ";
  EXPECT_EQ(json(run)["config"]["buffer_depth"], 8);
  EXPECT_EQ(json(run + "--buffer-depth 8")["config"]["buffer_depth"], 8);
  EXPECT_THAT(
      error(run + "--buffer-depth 4"),
      HasSubstr(
          "--buffer-depth 4: the router ready_valid_router declares that it does not support it (parameter FixedDepth = 8)"));
  EXPECT_THAT(allport("cosim " + plain + "--declaration fixed.toml --topology mesh:2x2").out,
              HasSubstr("; buffers of 8 flits"));
}

TEST_F(NodeRouter, OfPowersOfTwoIsRunWithThem) {
  write("power.toml", "power-of-two-depth = true\n");
  const std::string run =
      "run " + plain +
      "--declaration power.toml --topology mesh:2x2 --pattern uniform --rate 0.1 --cycles 200 --json - --buffer-depth ";
  EXPECT_EQ(json(run + "8")["config"]["buffer_depth"], 8);
  EXPECT_EQ(json(run + "1")["config"]["buffer_depth"], 1);
  for (const char* depth : {"3", "6", "12"}) {
    EXPECT_THAT(error(run + depth), HasSubstr("(parameter PowerOfTwoDepth = 1)")) << depth;
  }
}

TEST_F(NodeRouter, OfALongestMessageIsGivenNoLongerOne) {
  write("short.toml", "max-flits = 5\n");
  const std::string declared = plain + "--declaration short.toml --topology mesh:2x2 ";
  const std::string run =
      "run " + declared + "--pattern uniform --rate 0.1 --cycles 200 --json - --flits ";
  EXPECT_EQ(json(run + "5")["config"]["flits"], 5);
  EXPECT_THAT(
      error(run + "6"),
      HasSubstr(
          "flits 6: this router declares that a message has at most 5 flits (parameter MaxFlits = 5)"));
  const std::string umesh = "run " + declared + "--algorithm umesh --flits ";
  EXPECT_THAT(error(umesh + "6"), HasSubstr("flits 6: this router declares that a message has at"));
  EXPECT_THAT(error(umesh + "5 --address-flits 1"),
              HasSubstr("flits 6: this router declares that a message has at"));
  const Outcome sheet = allport("cosim " + declared + "--flits 5");
  EXPECT_EQ(sheet.status, 0) << sheet.out << sheet.err;
  EXPECT_THAT(sheet.out, HasSubstr("; messages of at most 5 flits"));
}

TEST_F(NodeRouter, OfOneToTwoCyclesIsNoTwinAndNotAskedToBe) {
  write("cycles.toml", "hop-cycles = 1\nmax-hop-cycles = 2\n");
  const std::string cosim = std::string("cosim --rtl '") + ALLPORT_EVERY_CLAIM_ROUTER +
                            "' --declaration cycles.toml --topology ring:4 ";
  EXPECT_THAT(
      allport(cosim).out,
      AllOf(
          HasSubstr(
              "lockstep    skipped  a router of 1..2 cycles a hop is not a twin of ours; --lockstep compares them"),
          HasSubstr("not compared with the SystemC router")));
  EXPECT_THAT(
      error(cosim + "--difference-wave twin.fst"),
      HasSubstr(
          "--difference-wave needs --lockstep: the router every_claim_router takes 1..2 cycles a hop"));
}

}  // namespace
}  // namespace allport::test
