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
      curve.points.push_back({x, {{y, y - 0.5, y + 0.5}, {y, y, y}}});
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

  chart.curves.front().points.back().y.front() = {300, 299, 301};
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("\nset logscale y"));
}

TEST(Chart, EightCurvesAreOneRowAndNineAreTwo) {
  const std::string eight = gnuplot_script(chart_of(8));
  const std::string nine = gnuplot_script(chart_of(9));
  const auto plots = [](const std::string& script) {
    static const std::regex plot("\nplot ");
    return std::distance(std::sregex_iterator(script.begin(), script.end(), plot), {});
  };

  EXPECT_EQ(plots(eight), 2);
  EXPECT_EQ(plots(nine), 4);
}

TEST(Chart, LeavesOutWhatIsBeyondTheLastRow) {
  const std::string script = gnuplot_script(chart_of(chart_row_curves * max_chart_rows + 1));

  EXPECT_THAT(script, HasSubstr("$curve239 "));
  EXPECT_THAT(script, Not(HasSubstr("$curve240 ")));
}

// With 20 curves: the places of the labels of the x axes, two to a row, and of the names of the
// curves.
struct Placed {
  std::vector<double> axes;
  std::vector<double> names;
  double height = 0;
};

Placed placed() {
  const std::string picture = drawn(chart_of(20));
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

TEST(Chart, TheLegendLiesBetweenItsPanelsAndTheNextRow) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  constexpr double panel_and_label = 420;

  const Placed found = placed();

  ASSERT_EQ(found.axes.size(), 6U);
  ASSERT_EQ(found.names.size(), 20U);
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    const std::size_t row = i / chart_row_curves;
    EXPECT_GT(found.names[i], found.axes[2 * row] + 10) << i;
    EXPECT_LT(found.names[i], row < 2 ? found.axes[2 * row + 2] - panel_and_label : found.height)
        << i;
  }
}

TEST(Chart, NoNameIsWrittenOverAnother) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";

  const Placed found = placed();

  ASSERT_EQ(found.names.size(), 20U);
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
