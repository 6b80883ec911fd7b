// SPDX-License-Identifier: Apache-2.0
#include "testbench/sweep/curve.h"

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
  plot.add("vcs 2", traffic(0.3, 0.25, 400, true));
  plot.add("vcs 2", traffic(0.1, 0.1, 20, false));
  plot.add("vcs 2", traffic(0.2, 0.2, 30, true));
  plot.add("vcs 4", traffic(0.1, 0.1, 20, false));
  return plot;
}

TEST(CurvePlot, SaysWhereEachCurveSaturates) {
  EXPECT_THAT(two_curves().saturation(), ElementsAre("vcs 2: saturated from 0.2, accepts 0.25",
                                                     "vcs 4: not saturated at 0.1"));
}

TEST(CurvePlot, SortsByLoadAndMarksTheFirstSaturatedPoint) {
  EXPECT_THAT(two_curves().script(),
              HasSubstr("$curve0 << end_of_curve\n0.1 20 0.1 0 0\n0.2 30 0.2 1 1\n"
                        "0.3 400 0.25 1 0\nend_of_curve\n$curve1"));
}

TEST(CurvePlot, LeavesOutPointsWithoutTraffic) {
  CurvePlot plot("");
  plot.add("", {137, "killed", nullptr});
  plot.add("", {0, "", {{"traffic", nullptr}}});
  plot.add("", {0, "", {{"traffic", {{"offered", 0.1}, {"latency", {{"mean", nullptr}}}}}}});

  EXPECT_TRUE(plot.is_empty());
}

TEST(CurvePlot, GnuplotDrawsEveryCurve) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string script = testing::TempDir() + "/curve." + std::to_string(getpid());
  std::ofstream(script) << two_curves().script();

  const std::string picture = drawn_by_gnuplot(script);

  EXPECT_THAT(picture, HasSubstr("vcs 2: saturated from 0.2, accepts 0.25"));
  EXPECT_THAT(picture, HasSubstr("vcs 4: not saturated at 0.1"));
  EXPECT_THAT(picture, HasSubstr("mean latency (cycles)"));
  std::remove(script.c_str());
}

}  // namespace
}  // namespace allport
