// SPDX-License-Identifier: Apache-2.0
// Pictures are well-formed, and show what they are meant to show.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "testbench/studies/reproduce/drawing/torus_drawing.h"
#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/figure.h"
#include "testbench/studies/reproduce/papers/papers.h"
#include "testbench/studies/reproduce/planned_tree.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

bool is_well_formed(const std::string& svg) {
  pugi::xml_document document;
  return document.load_buffer(svg.data(), svg.size()) && document.child("svg");
}

// The number of arrows, each of which ends in a polygon.
std::size_t arrows(const std::string& svg) {
  std::size_t count = 0;
  for (std::size_t at = svg.find("<polygon"); at != std::string::npos;
       at = svg.find("<polygon", at + 1)) {
    ++count;
  }
  return count;
}

TEST(Svg, EscapesWords) {
  Svg svg;
  svg.text({0, 0}, "a < b & c", {});

  EXPECT_TRUE(is_well_formed(svg.picture(10, 10)));
  EXPECT_THAT(svg.picture(10, 10), HasSubstr("a &lt; b &amp; c"));
}

TEST(TreeDrawing, HasAnArrowForEachUnicastAndTellsRelays) {
  const PlannedTree wsort = planned_tree("wsort", 4, 4, 0, {1, 3, 5, 7, 11, 12, 14, 15});
  const PlannedTree sbt = planned_tree("sbt", 4, 1, 0, {1, 3, 5, 7, 11, 12, 14, 15});

  const std::string direct = draw_trees("t", {{"a", wsort.schedule, wsort.goal}}, 1, 4, "step");
  const std::string relayed = draw_trees("t", {{"a", sbt.schedule, sbt.goal}}, 1, 4, "step");

  EXPECT_EQ(arrows(direct), 8U);
  EXPECT_EQ(arrows(relayed), 13U);
  EXPECT_THAT(direct, Not(HasSubstr(">relay<")));
  EXPECT_THAT(relayed, HasSubstr(">relay<"));
  EXPECT_THAT(relayed, HasSubstr(">step 4<"));
}

// If there were whole-number coordinates only, the root of a negative number would not show.
TEST(TorusDrawing, ManyMessagesOnOneChannelFitBesideTheNodes) {
  const PlannedTree separate = planned_broadcast("separate", "torus:8x8");

  const std::string svg = draw_torus(
      "t", {{"a", separate.schedule, node_id(0), false, 0, false, {}}}, separate.routing);

  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_GE(arrows(svg), 63U);
}

TEST(LineChart, TellsGnuplotAllCurves) {
  LineChart chart("title \"quoted\"", "x", "y");
  chart.add("one", {{2, 5}, {1, 4}});
  chart.add("two", {{1, 6}}, true);

  const std::string script = chart.script();

  EXPECT_THAT(script, HasSubstr("1 4\n2 5\nend_of_curve"));
  EXPECT_THAT(script, HasSubstr("title \"two\""));
  EXPECT_THAT(script, HasSubstr("\"title 'quoted'\""));
}

TEST(LineChart, PutsBandsBehindTheCurves) {
  LineChart chart("t", "x", "y");
  chart.add("one", {{1, 4}});
  chart.add_band("all", {{2, 3}, {1, 2}}, {{2, 7}, {1, 9}});

  const std::string script = chart.script();

  EXPECT_THAT(script, HasSubstr("1 2 9\n2 3 7\nend_of_band"));
  EXPECT_LT(script.find("$band0 using"), script.find("$curve0 using"));
}

TEST(Figures, EveryDrawingThatNeedsNoRunIsWellFormed) {
  for (const Figure& figure : figures()) {
    if (figure.kind != FigureKind::drawing || !figure.points({}).empty()) continue;
    const FigureResult result = figure.make({}, {});
    EXPECT_TRUE(is_well_formed(result.picture.svg)) << figure.name;
    EXPECT_THAT(result.picture.svg, Not(HasSubstr("nan"))) << figure.name;
    EXPECT_GT(result.table.rows(), 0U) << figure.name;
    EXPECT_FALSE(result.claims.empty()) << figure.name;
  }
}

}  // namespace
}  // namespace allport::test
