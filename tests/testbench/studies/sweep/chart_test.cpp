// SPDX-License-Identifier: Apache-2.0
// These tests look at the picture as gnuplot draws it: what the legend covers, and where the
// picture ends.
#include "testbench/studies/sweep/chart.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <regex>

#include "testbench/files/gnuplot.h"
#include "testbench/studies/sweep/curve.h"

namespace allport {
namespace {

using testing::HasSubstr;
using testing::Not;

Chart chart_of(std::size_t curves) {
  Chart chart;
  chart.title = "topology torus:8x8";
  chart.x_label = "load";
  chart.panels = {{"left", false, false}, {"right", false, true}};
  for (std::size_t i = 0; i < curves; ++i) {
    ChartCurve curve{"a curve whose name is as long as they are, number " + std::to_string(i), {}};
    for (const double x : {1.0, 2.0, 3.0}) {
      const double y = x + static_cast<double>(i);
      curve.points.push_back({x, {{y, 0.5}, {y, 0}}});
    }
    chart.curves.push_back(curve);
  }
  return chart;
}

std::string drawn(const Chart& chart) {
  const std::string script = testing::TempDir() + "/chart." + std::to_string(getpid());
  std::ofstream(script) << gnuplot_script(chart);
  std::string picture = drawn_by_gnuplot(script);
  std::remove(script.c_str());
  return picture;
}

struct Text {
  double x = 0;
  double y = 0;
  std::string words;
};

std::vector<Text> texts_of(const std::string& picture) {
  static const std::regex entry(
      R"re(translate\(([0-9.]+),([0-9.]+)\)[^<]*<text>(?:<tspan[^>]*>)?([^<]*))re");
  std::vector<Text> texts;
  for (std::sregex_iterator at(picture.begin(), picture.end(), entry), end; at != end; ++at) {
    texts.push_back({std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3]});
  }
  return texts;
}

// Within less than a decade a logarithmic axis may have no number at all.
TEST(Chart, IsLogarithmicOnlyOverADecadeOrMore) {
  Chart chart = chart_of(1);
  chart.panels = {{"latency", true, false}, {"accepted", false, false}};
  EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("\nset logscale y")));

  chart.curves.front().points.back().y.front() = {300, 1};
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("\nset logscale y"));
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Chart, AllCurvesOfAGroupShareAPanelForEachQuantity) {
  EXPECT_EQ(count(gnuplot_script(chart_of(9)), "\nplot "), 2U);
  Chart chart = chart_of(9);
  chart.groups = {{"vcs 2"}, {"vcs 4"}};
  chart.curves.back().group = 1;
  const std::string script = gnuplot_script(chart);
  EXPECT_EQ(count(script, "\nplot "), 4U);
  EXPECT_THAT(script, HasSubstr("set title \"vcs 4\""));
}

// With 14 curves there are 10 colours: for the three that are the best somewhere, and for others in
// their order.
TEST(Chart, WhereThereAreMoreCurvesThanColoursTheBestHaveThem) {
  Chart chart = chart_of(14);
  for (std::size_t i = 10; i < 13; ++i) chart.curves[i].points[i - 10].y.front().mean = -9;
  EXPECT_THAT(
      best_names(chart),
      testing::ElementsAre(chart.curves[10].title, chart.curves[11].title, chart.curves[12].title));
  const std::string script = gnuplot_script(chart);

  EXPECT_THAT(script, HasSubstr("lc rgb '#0060ad' title \"" + chart.curves[10].title));
  EXPECT_THAT(script, HasSubstr("title \"" + chart.curves[0].title));
  EXPECT_THAT(script, HasSubstr("title \"others: " + chart.curves[7].title));
  EXPECT_THAT(script, Not(HasSubstr(" title \"" + chart.curves[7].title)));
}

TEST(Chart, HasTheBoundAndTheMarks) {
  Chart chart = chart_of(1);
  EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("lower bound")));
  chart.groups.front().bound = {{1, 0.25}, {2, 0.5}};
  chart.groups.front().marks = {1.5};
  const std::string script = gnuplot_script(chart);
  EXPECT_THAT(script, HasSubstr("$bound0 << end_of_curve\n1 0.25\n2 0.5\n"));
  EXPECT_THAT(script, HasSubstr("set arrow from 1.5, graph 0 to 1.5, graph 1"));
  EXPECT_THAT(script, HasSubstr("title 'lower bound of any schedule'"));
}

TEST(Chart, NamesThatDoNotFitAreTilted) {
  Chart chart = chart_of(1);
  chart.tics = {{1, "a"}, {2, "b"}};
  EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("rotate")));
  chart.tics = {{1, std::string(60, 'a')}, {2, std::string(60, 'b')}};
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("noenhanced rotate by -25"));
}

// With 10 curves in two groups: the places of the labels of the x axes, two to a row, and of the
// names of the curves.
struct Placed {
  std::vector<double> axes;
  std::vector<double> names;
  double height = 0;
};

Placed placed() {
  Chart chart = chart_of(10);
  chart.groups = {{"first"}, {"second"}};
  for (std::size_t i = 5; i < 10; ++i) chart.curves[i].group = 1;
  const std::string picture = drawn(chart);
  Placed found;
  std::smatch size;
  if (std::regex_search(picture, size, std::regex("width=\"\\d+\" height=\"(\\d+)\""))) {
    found.height = std::stod(size[1]);
  }
  for (const Text& text : texts_of(picture)) {
    if (text.words == "load") found.axes.push_back(text.y);
    if (text.words.find("a curve whose name") == 0) found.names.push_back(text.y);
  }
  return found;
}

TEST(Chart, TheLegendLiesBelowAllPanels) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";

  const Placed found = placed();

  ASSERT_EQ(found.axes.size(), 4U);
  ASSERT_EQ(found.names.size(), 10U);
  for (const double name : found.names) {
    EXPECT_GT(name, found.axes.back() + 10);
    EXPECT_LT(name, found.height);
  }
}

TEST(Chart, NoNameIsWrittenOverAnother) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";

  const Placed found = placed();

  ASSERT_EQ(found.names.size(), 10U);
  for (std::size_t i = 1; i < found.names.size(); ++i) {
    EXPECT_GT(found.names[i], found.names[i - 1] + 14) << i;
  }
}

TEST(Chart, ALongTitleOrNoteIsBroken) {
  Chart chart = chart_of(1);
  chart.title.clear();
  for (int i = 0; i < 40; ++i) chart.title += "key value, ";

  const std::string script = gnuplot_script(chart);

  EXPECT_THAT(script, HasSubstr("set label 4 "));
  chart.notes = {chart.title};
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("set label 8 "));
}

TEST(Chart, ABandIsDrawnBehindTheLine) {
  Chart chart = chart_of(1);
  EXPECT_THAT(gnuplot_script(chart), Not(HasSubstr("filledcurves")));
  chart.has_bands = true;
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("$curve0 using 1:5:6 with filledcurves"));
  chart.joins_points = false;
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("$curve0 using 1:4:5:6 with yerrorbars"));
}

TEST(Chart, NoNameIsReadAsACommand) {
  Chart chart = chart_of(1);
  chart.title = "a \"quoted\" \\name";
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("\"a 'quoted' /name\""));
}

}  // namespace
}  // namespace allport
