// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/curve.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "testbench/files/gnuplot.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

PointResult traffic(double offered, double accepted, double latency, bool is_saturated) {
  return {0,
          "",
          {{"traffic",
            {{"offered", offered},
             {"accepted", accepted},
             {"latency", {{"mean", latency}}},
             {"saturated", is_saturated}}}}};
}

CurvePlot two_curves() {
  CurvePlot plot("torus:8x8");
  plot.add("vcs 2", "0.3", traffic(0.3, 0.25, 400, true));
  plot.add("vcs 2", "0.1", traffic(0.1, 0.1, 20, false));
  plot.add("vcs 2", "0.2", traffic(0.2, 0.2, 30, true));
  plot.add("vcs 4", "0.1", traffic(0.1, 0.1, 20, false));
  return plot;
}

TEST(CurvePlot, SaysWhereEachCurveSaturates) {
  EXPECT_THAT(two_curves().saturation(), ElementsAre("vcs 2: saturated from 0.2, accepts 0.25",
                                                     "vcs 4: not saturated at 0.1"));
}

TEST(CurvePlot, SortsByLoadAndMarksTheFirstSaturatedPoint) {
  EXPECT_THAT(gnuplot_script(two_curves().chart()),
              HasSubstr("$curve0 << end_of_curve\n0.1 0 0 20 20 20 0.1 0.1 0.1\n"
                        "0.2 1 1 30 30 30 0.2 0.2 0.2\n0.3 1 0 400 400 400 0.25 0.25 0.25\n"
                        "end_of_curve\n$curve1"));
}

TEST(CurvePlot, DrawsTheCompletionOfCollectivesOverTheirOwnRate) {
  const PointResult load{0,
                         "",
                         {{"load",
                           {{"offered", 0.002},
                            {"accepted", 0.001},
                            {"latency", {{"mean", 50}}},
                            {"completion", {{"mean", 90}}},
                            {"saturated", true}}}}};
  CurvePlot plot("mesh:8x8", CurveOf::collectives);

  EXPECT_TRUE(plot.add("umesh", "0.002", load));
  EXPECT_FALSE(plot.add("umesh", "0.1", traffic(0.1, 0.1, 20, false)));

  const Chart chart = plot.chart();
  EXPECT_EQ(chart.x_label, "offered load (collectives per source and cycle)");
  ASSERT_EQ(chart.curves.size(), 1U);
  ASSERT_EQ(chart.curves[0].points.size(), 1U);
  EXPECT_DOUBLE_EQ(chart.curves[0].points[0].y.at(0).mean, 90);
  EXPECT_THAT(plot.saturation(), ElementsAre("umesh: saturated from 0.002, accepts 0.001"));
}

PointResult too_short(double offered) {
  PointResult point = traffic(offered, offered, 20, false);
  point.result["traffic"]["saturated"] = nullptr;
  return point;
}

TEST(CurvePlot, SaysWhichPointsAreTooShortToTell) {
  CurvePlot plot("");
  plot.add("a", "0.1", traffic(0.1, 0.1, 20, false));
  plot.add("a", "0.2", too_short(0.2));
  plot.add("a", "0.3", too_short(0.3));
  plot.add("a", "0.4", traffic(0.4, 0.35, 20, true));
  plot.add("b", "0.1", traffic(0.1, 0.1, 20, false));
  plot.add("b", "0.2", too_short(0.2));
  plot.add("c", "0.2", too_short(0.2));
  EXPECT_THAT(
      plot.saturation(),
      ElementsAre("a: saturated from 0.4, accepts 0.35, too short to tell at 0.2 to 0.3",
                  "b: not saturated at 0.1, too short to tell at 0.2", "c: too short to tell"));
}

TEST(CurvePlot, RunsOfOneRateAreOnePointInABand) {
  CurvePlot plot("");
  plot.add("", "0.1", traffic(0.09, 0.09, 20, false));
  plot.add("", "0.1", traffic(0.11, 0.11, 40, false));
  plot.add("", "0.2", traffic(0.2, 0.2, 60, false));
  const Chart chart = plot.chart();

  ASSERT_EQ(chart.curves.size(), 1U);
  ASSERT_EQ(chart.curves[0].points.size(), 2U);
  EXPECT_DOUBLE_EQ(chart.curves[0].points[0].x, 0.1);
  EXPECT_DOUBLE_EQ(chart.curves[0].points[0].y.at(0).mean, 30);
  EXPECT_NEAR(chart.curves[0].points[0].y.at(0).half, 12.7062 * 10, 1e-2);
  EXPECT_TRUE(chart.has_bands);
  EXPECT_THAT(gnuplot_script(chart), HasSubstr("mean over the seeds (2 at most)"));
}

TEST(CurvePlot, HasAPanelForEachValue) {
  CurvePlot plot("");
  plot.add("vcs 2", "0.1", traffic(0.1, 0.1, 20, false), {"ports 1", ""});
  plot.add("vcs 2", "0.1", traffic(0.1, 0.1, 15, true), {"ports all", ""});
  const Chart chart = plot.chart();

  ASSERT_EQ(chart.groups.size(), 2U);
  EXPECT_EQ(chart.groups[1].title, "ports all");
  EXPECT_EQ(chart.curves.at(1).group, 1U);
  EXPECT_EQ(chart.curves.at(0).known_as(), chart.curves.at(1).known_as());
  EXPECT_THAT(plot.saturation(), ElementsAre("ports 1, vcs 2: not saturated at 0.1",
                                             "ports all, vcs 2: saturated from 0.1, accepts 0.1"));
}

TEST(CurvePlot, LeavesOutPointsWithoutTraffic) {
  CurvePlot plot("");
  plot.add("", "0.1", {137, "killed", nullptr});
  plot.add("", "0.1", {0, "", {{"traffic", nullptr}}});
  plot.add("", "0.1", {0, "", {{"traffic", {{"offered", 0.1}, {"latency", {{"mean", nullptr}}}}}}});

  PointResult deadlock = traffic(0.1, 0, 0, false);
  deadlock.exit = 3;
  EXPECT_FALSE(plot.add("", "0.1", deadlock));
  EXPECT_TRUE(plot.is_empty());
  EXPECT_TRUE(plot.add("", "0.1", traffic(0.1, 0.1, 20, false)));
}

TEST(CurvePlot, GnuplotDrawsEveryCurve) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string script = testing::TempDir() + "/curve." + std::to_string(getpid());
  std::ofstream(script) << gnuplot_script(two_curves().chart());

  const std::string picture = drawn_by_gnuplot(script);

  EXPECT_THAT(picture, HasSubstr("vcs 2: saturated from 0.2, accepts 0.25"));
  EXPECT_THAT(picture, HasSubstr("vcs 4: not saturated at 0.1"));
  EXPECT_THAT(picture, HasSubstr("mean latency (cycles)"));
  std::remove(script.c_str());
}

}  // namespace
}  // namespace allport
