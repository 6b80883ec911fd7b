// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/axis_plot.h"

#include <gmock/gmock.h>

namespace allport {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

PointResult latency(double cycles) {
  return {0, "", {{"latency", {{"max", cycles}, {"by_destination", {{"1", 4}}}}}}};
}

std::vector<double> xs(const ChartCurve& curve) {
  std::vector<double> list;
  for (const ChartPoint& point : curve.points) list.push_back(point.x);
  return list;
}

TEST(NumberIn, FollowsThePathOfAColumn) {
  const Json result{{"steps", 3}, {"traffic", {{"saturated", true}, {"digest", "ff"}}}};

  EXPECT_EQ(number_in(result, "steps"), 3);
  EXPECT_EQ(number_in(result, "traffic.saturated"), 1);
  EXPECT_EQ(number_in(result, "traffic.digest"), std::nullopt);
  EXPECT_EQ(number_in(result, "traffic.latency.mean"), std::nullopt);
  EXPECT_EQ(number_in(result, "steps.mean"), std::nullopt);
  EXPECT_EQ(number_in(nullptr, "steps"), std::nullopt);
}

TEST(AxisPlot, NumbersAreSortedAndJoined) {
  AxisPlot plot("ts", "latency.max", "");
  plot.add("", "30", latency(3));
  plot.add("", "10", latency(1));
  const Chart chart = plot.chart();

  EXPECT_TRUE(chart.joins_points);
  EXPECT_THAT(xs(chart.curves.at(0)), ElementsAre(10, 30));
  EXPECT_THAT(chart.tics, ElementsAre(Pair(10, "10"), Pair(30, "30")));
  EXPECT_EQ(chart.x_label, "ts");
}

TEST(AxisPlot, NumbersBehindOneWordAreNumbers) {
  AxisPlot plot("topology", "latency.max", "");
  plot.add("", "hypercube:10", latency(1));
  plot.add("", "hypercube:8", latency(1));
  EXPECT_THAT(xs(plot.chart().curves.at(0)), ElementsAre(8, 10));
  EXPECT_EQ(plot.chart().x_label, "topology hypercube:..");

  plot.add("", "ring:9", latency(1));
  EXPECT_FALSE(plot.chart().joins_points);
  EXPECT_THAT(plot.chart().tics,
              ElementsAre(Pair(0, "hypercube:10"), Pair(1, "hypercube:8"), Pair(2, "ring:9")));
}

TEST(AxisPlot, NamesStandInTheOrderOfTheGridAndTheirCurvesBesideEachOther) {
  AxisPlot plot("ports", "latency.max", "");
  for (const char* ports : {"2", "1", "all"}) {
    plot.add("a", ports, latency(1));
    plot.add("b", ports, latency(1));
  }
  const Chart chart = plot.chart();

  EXPECT_THAT(chart.tics, ElementsAre(Pair(0, "2"), Pair(1, "1"), Pair(2, "all")));
  EXPECT_LT(chart.curves.at(0).points.at(1).x, 1);
  EXPECT_GT(chart.curves.at(1).points.at(1).x, 1);
}

TEST(AxisPlot, LengthsThatMultiplyAreLogarithmicAndEvenOnesAreNot) {
  AxisPlot plot("flits", "latency.max", "");
  for (const char* flits : {"16", "64", "256"}) plot.add("", flits, latency(1));
  EXPECT_TRUE(plot.chart().is_x_logarithmic);

  AxisPlot even("rate", "latency.max", "");
  for (int i = 10; i <= 300; i += 10)
    even.add("", "0." + std::to_string(1000 + i).substr(1), latency(i));
  EXPECT_FALSE(even.chart().is_x_logarithmic);
  EXPECT_THAT(even.chart().tics, IsEmpty());  // too many to name each
}

TEST(AxisPlot, SeedsFold) {
  AxisPlot plot("ts", "latency.max", "");
  for (const double cycles : {10, 30}) plot.add("", "5", latency(cycles));
  const Chart chart = plot.chart();

  EXPECT_TRUE(chart.has_bands);
  EXPECT_THAT(chart.notes,
              ElementsAre("mean over the seeds (2 at most), with its 95 % interval as a band"));
  ASSERT_EQ(chart.curves.at(0).points.size(), 1U);
  const Fold& fold = chart.curves[0].points[0].y.at(0);
  EXPECT_DOUBLE_EQ(fold.mean, 20);
  EXPECT_NEAR(fold.half, 12.7062 * 10, 1e-2);
}

TEST(AxisPlot, LengthsAreWrittenAsPeopleDo) {
  AxisPlot plot("bytes", "latency.max", "");
  for (const char* bytes : {"64", "1024", "1048576"}) plot.add("", bytes, latency(1));
  EXPECT_TRUE(plot.chart().is_x_logarithmic);
  EXPECT_THAT(plot.chart().tics,
              ElementsAre(Pair(64, "64 B"), Pair(1024, "1 KiB"), Pair(1048576, "1 MiB")));
}

TEST(AxisPlot, ManyLengthsHaveTicsAsFarAsThereIsRoom) {
  AxisPlot plot("bytes", "latency.max", "");
  for (int i = 3; i < 27; ++i) plot.add("", std::to_string(1 << i), latency(1));
  const auto tics = plot.chart().tics;
  EXPECT_EQ(tics.size(), 12U);
  EXPECT_EQ(tics.at(1).second, "32 B");
}

// a is ahead by 10 at 20, and behind by 30 at 60.
TEST(AxisPlot, MarksWhereTheBestChanges) {
  AxisPlot plot("ts", "latency.max", "");
  plot.add("a", "20", latency(10));
  plot.add("b", "20", latency(20));
  plot.add("a", "60", latency(70));
  plot.add("b", "60", latency(40));
  const Chart chart = plot.chart();

  ASSERT_EQ(chart.groups.at(0).marks.size(), 1U);
  EXPECT_DOUBLE_EQ(chart.groups[0].marks[0], 30);
  EXPECT_THAT(chart.notes, ElementsAre("the least: a up to 20, b from 60 on"));
}

TEST(AxisPlot, OfABandwidthTheMostIsTheBest) {
  AxisPlot plot("ts", "bandwidth.bus", "");
  const auto point = [](double bus) -> PointResult {
    return {0, "", {{"bandwidth", {{"bus", bus}}}}};
  };
  plot.add("a", "1", point(2), {"", "vcs 2"});
  plot.add("a", "1", point(3), {"", "vcs 4"});
  plot.add("b", "1", point(2.5));
  const Chart chart = plot.chart();

  EXPECT_DOUBLE_EQ(chart.curves.at(0).points.at(0).y.at(0).mean, 3);
  EXPECT_THAT(chart.notes, ElementsAre("the most: a"));
}

TEST(AxisPlot, HasTheLowerBoundAndTheIntervalOfARun) {
  AxisPlot plot("ts", "latency.completion.mean", "");
  const auto point = [](double bound) -> PointResult {
    return {0,
            "",
            {{"latency", {{"completion", {{"mean", 30}, {"half_width_95", 2}}}}},
             {"bound", {{"cycles", bound}}}}};
  };
  plot.add("a", "1", point(20), {"vcs 2", ""});
  plot.add("b", "1", point(18), {"vcs 2", ""});
  plot.add("a", "1", point(25), {"vcs 4", ""});
  const Chart chart = plot.chart();

  EXPECT_TRUE(chart.has_bands);
  EXPECT_EQ(chart.curves.at(0).points.at(0).y.at(0).half, 2);
  ASSERT_EQ(chart.groups.size(), 2U);
  EXPECT_EQ(chart.groups[0].title, "vcs 2");
  EXPECT_THAT(chart.groups[0].bound, ElementsAre(Pair(1, 18)));
  EXPECT_THAT(chart.groups[1].bound, ElementsAre(Pair(1, 25)));
  EXPECT_EQ(chart.curves.at(2).group, 1U);
}

TEST(AxisPlot, APointWithoutANumberKeepsItsPlace) {
  AxisPlot plot("algorithm", "latency.max", "");
  EXPECT_FALSE(plot.add("", "ucube", {0, "", {{"latency", {{"max", nullptr}}}}}));
  EXPECT_TRUE(plot.is_empty());
  EXPECT_TRUE(plot.add("", "wsort", latency(4)));

  EXPECT_THAT(xs(plot.chart().curves.at(0)), ElementsAre(1));
}

TEST(AxisPlot, APointThatFailedIsNotDrawnWhateverItsNumbersAre) {
  AxisPlot plot("algorithm", "latency.max", "");
  EXPECT_FALSE(plot.add("", "ucube", {3, "deadlock in cycle 9", {{"latency", {{"max", 0}}}}}));
  EXPECT_TRUE(plot.is_empty());
}

}  // namespace
}  // namespace allport
