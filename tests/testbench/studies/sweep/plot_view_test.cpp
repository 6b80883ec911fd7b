// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/plot_view.h"

#include <gmock/gmock.h>

namespace allport {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

PlotKey key(const std::string& name, int values) {
  PlotKey made{name, {}};
  for (int i = 0; i < values; ++i) made.values.push_back(std::to_string(i));
  return made;
}

TEST(PlotView, FewCurvesShareAPanel) {
  const PlotView view = settled_view({}, {key("vcs", 2), key("rate", 5), key("ports", 4)}, {});

  EXPECT_EQ(view.x, "rate");
  EXPECT_THAT(view.colour, ElementsAre("vcs", "ports"));
  EXPECT_EQ(view.panel, "");
  EXPECT_THAT(view.best, IsEmpty());
}

TEST(PlotView, OneKeyIsTheColourHoweverManyValuesItHas) {
  const PlotView view = settled_view({}, {key("bytes", 5), key("ts", 40), key("seed", 9)}, {});

  EXPECT_EQ(view.x, "bytes");
  EXPECT_THAT(view.colour, ElementsAre("ts"));
}

// A hundred curves: algorithms have colours, the work has panels or stays, of a choice the best
// counts.
TEST(PlotView, ManyCurvesAreSortedOut) {
  const PlotView view = settled_view(
      {}, {key("vcs", 5), key("algorithm", 4), key("bytes", 9), key("flit_bytes", 3), key("ts", 5)},
      {});

  EXPECT_EQ(view.x, "bytes");
  EXPECT_THAT(view.colour, ElementsAre("algorithm"));
  EXPECT_EQ(view.panel, "ts");
  EXPECT_THAT(view.best, ElementsAre("vcs"));
  EXPECT_THAT(view.fixed, ElementsAre(Pair("flit_bytes", "1")));
}

TEST(PlotView, WhatIsAskedForStays) {
  PlotView wanted;
  wanted.x = "vcs";
  wanted.panel = "algorithm";
  wanted.fixed = {{"ts", "3"}};
  const PlotView view =
      settled_view(wanted, {key("vcs", 5), key("algorithm", 4), key("bytes", 9), key("ts", 5)}, {});

  EXPECT_EQ(view.x, "vcs");
  EXPECT_EQ(view.panel, "algorithm");
  EXPECT_THAT(view.colour, ElementsAre("bytes"));
  EXPECT_THAT(view.fixed, ElementsAre(Pair("ts", "3")));
}

TEST(PlotView, KeysThatAdvanceWithTheAxisAreInNoView) {
  PlotView wanted;
  wanted.x = "flits";
  const PlotView view =
      settled_view(wanted, {key("flits", 3), key("buffer_depth", 3)}, {"flits", "buffer_depth"});

  EXPECT_THAT(view.colour, IsEmpty());
  EXPECT_THAT(view.best, IsEmpty());
}

TEST(PlotView, KnowsWhichNumbersAreBetter) {
  EXPECT_TRUE(is_more_better("bandwidth.bus"));
  EXPECT_TRUE(is_more_better("traffic.accepted"));
  EXPECT_FALSE(is_more_better("latency.max"));
  EXPECT_EQ(bound_column("latency.completion.mean"), "bound.cycles");
  EXPECT_EQ(bound_column("bandwidth.bus"), "");
  EXPECT_EQ(interval_column("latency.completion.mean"), "latency.completion.half_width_95");
  EXPECT_EQ(interval_column("traffic.latency.mean"), "");
}

TEST(PlotView, WritesLengthsAsPeopleDo) {
  EXPECT_EQ(bytes_in_words(64), "64 B");
  EXPECT_EQ(bytes_in_words(4096), "4 KiB");
  EXPECT_EQ(bytes_in_words(3 << 20), "3 MiB");
  EXPECT_EQ(bytes_in_words(1030), "1030 B");
}

}  // namespace
}  // namespace allport
