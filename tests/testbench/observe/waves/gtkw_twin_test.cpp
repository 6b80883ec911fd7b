// SPDX-License-Identifier: Apache-2.0
// These tests check how GTKWave's save file shows the two models of a router side by side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/testbench/observe/waves/gtkw_reader.h"
#include "tests/testbench/observe/waves/twin_bench.h"

namespace allport::test {
namespace {

using testing::Contains;
using testing::ElementsAre;

GtkwFile save_of(const TwinBench& bench) {
  return GtkwReader(text_of(bench.folder / "run.gtkw")).file;
}

std::size_t place_of(const GtkwFile& save, const std::string& label) {
  const auto at = std::find(save.labels.begin(), save.labels.end(), label);
  EXPECT_NE(at, save.labels.end()) << label;
  return static_cast<std::size_t>(at - save.labels.begin());
}

class GtkwTwinTest : public testing::Test {
 protected:
  void record(const TwinDifference& difference, const FakePair::Fault& fault) {
    bench = std::make_unique<TwinBench>("hypercube:3", std::vector<std::size_t>{3, 5});
    bench->send(40, 7, 2, Worm{'A', 1, 3});
    bench->send(41, 3, 1, Worm{'B', 1, 3});
    if (fault) bench->pairs[0]->differ(difference, fault);
    bench->record();
    save = save_of(*bench);
  }
  static void spoil_data(RouterOutputs& sent) { sent.flits[0].flit.data = 9; }

  std::unique_ptr<TwinBench> bench;
  GtkwFile save;
};

TEST_F(GtkwTwinTest, PutsTheTwinRightBelow) {
  record({44, false, 1}, spoil_data);

  EXPECT_EQ(save.labels[0], "router_3 difference");
  EXPECT_EQ(save.labels[1], "router_3 011 source SystemC");
  EXPECT_EQ(save.signals[0], "rtl.router_3.difference");
  EXPECT_EQ(save.signals[1], "fabric.router_3.flits[7:0]");
  const std::size_t rtl = place_of(save, "router_3 011 source RTL");
  const std::size_t rest = place_of(save, "router_7 111 source");
  ASSERT_EQ(rest, 2 * rtl - 1);
  for (std::size_t i = 1; i < rtl; ++i) {
    EXPECT_EQ(save.signals[i].substr(6), save.signals[i + rtl - 1].substr(3)) << "line by line";
  }
  EXPECT_THAT(save.labels, Contains("output_1 3 -> 1 (dimension 1) RTL"));
}

TEST_F(GtkwTwinTest, NamesOnlySignalsThatTheWaveHas) {
  record({44, false, 1}, spoil_data);

  const std::vector<std::string> names = bench->wave().ranged_names();
  for (const std::string& signal : save.signals) {
    EXPECT_EQ(std::count(names.begin(), names.end(), signal), 1) << signal;
  }
}

TEST_F(GtkwTwinTest, OpensThePortWhereTheTwinsDiffer) {
  record({44, false, 1}, spoil_data);

  for (const char* mark : {"", " RTL"}) {
    const std::size_t input = place_of(save, std::string("input_2 7 -> 3 (dimension 2)") + mark);
    EXPECT_TRUE(save.is_hidden[input + 1]) << save.labels[input + 1];
    const std::size_t output = place_of(save, std::string("output_1 3 -> 1 (dimension 1)") + mark);
    for (std::size_t i = 1; i <= 7; ++i) {  // flit, vc, data; owner, owner_q, credits_q, credit
      EXPECT_FALSE(save.is_hidden[output + i]) << save.labels[output + i];
    }
  }
}

TEST_F(GtkwTwinTest, ShowsThePortWhereTheTwinsDifferEvenIfNoFlitPassedIt) {
  record({43, true, 0}, [](RouterOutputs&) {});

  EXPECT_THAT(save.labels, Contains("input_0 2 -> 3 (dimension 0)"));
  EXPECT_THAT(save.labels, Contains("input_0 2 -> 3 (dimension 0) RTL"));
}

TEST(GtkwTwin, ShowsTheModeAndTheAcknowledgementsInWhichTheTwinsDiffer) {
  TwinBench bench("hypercube:3", {3}, With().switching(Switching::circuit));
  bench.terminals[7]->send(0, 2, Worm{'A', 1, 3}[0]);
  bench.pairs[0]->differ({4, true, 2}, [](RouterOutputs& sent) { sent.acks = {{2, 0}}; });
  bench.record();

  const GtkwFile save = save_of(bench);
  EXPECT_EQ(save.labels[0], "switching");
  for (const char* model : {"fabric", "rtl"}) {
    const std::string port = std::string(model) + ".router_3.input_2";
    const auto ack = std::find(save.signals.begin(), save.signals.end(), port + ".vc_0.ack");
    ASSERT_NE(ack, save.signals.end()) << port;
    EXPECT_FALSE(save.is_hidden[static_cast<std::size_t>(ack - save.signals.begin())]) << port;
  }
  EXPECT_THAT(save.signals, Contains("rtl.router_3.output_1.vc_0.ack"));
  const std::vector<std::string> names = bench.wave().ranged_names();
  for (const std::string& signal : save.signals) EXPECT_THAT(names, Contains(signal));
}

TEST_F(GtkwTwinTest, MarksTheDifferenceWithItsText) {
  record({44, false, 1}, spoil_data);

  EXPECT_THAT(save.markers, ElementsAre(41, 44));
  EXPECT_THAT(save.marker_names, ElementsAre("Btwins differ")) << "the text near it is left out";
}

TEST_F(GtkwTwinTest, MarksNothingWhileTheyAgree) {
  record({}, {});

  EXPECT_THAT(save.markers, ElementsAre(41));
  EXPECT_EQ(save.labels[0], "router_3 difference");
  EXPECT_THAT(save.labels, testing::Not(Contains("router_5 difference"))) << "nothing came there";
}

}  // namespace
}  // namespace allport::test
