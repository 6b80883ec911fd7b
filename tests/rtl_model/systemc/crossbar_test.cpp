// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/crossbar.h"

#include <gtest/gtest.h>

#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

struct CrossbarBench {
  Blueprint blueprint{"ring:4", With().vcs(4)};
  Crossbar crossbar{"crossbar", blueprint.config};
  RecordingChannels channels;
};

TEST(Crossbar, ChangesNothingInAFlitButItsVirtualChannel) {
  CrossbarBench bench;
  const Flit head = Worm{'A', 3, 2, MessageKind::deposit, 1, 0b1}[0];

  bench.crossbar.traverse(head, 1, 2, bench.channels);

  ASSERT_EQ(bench.channels.sent.size(), 1U);
  EXPECT_EQ(bench.channels.sent.front().output, 1);
  Flit expected = head;
  expected.vc = vc_id(2);
  EXPECT_EQ(bench.channels.sent.front().flit, expected);
}

TEST(Crossbar, SendsAReplicatedFlitToEachBranchOnItsOwnVirtualChannel) {
  CrossbarBench bench;

  bench.crossbar.traverse(Worm{'A'}[0], 0, 3, bench.channels);
  bench.crossbar.traverse(Worm{'A'}[0], 2, 0, bench.channels);

  ASSERT_EQ(bench.channels.sent.size(), 2U);
  EXPECT_EQ(name_of(bench.channels.sent[0].flit, true), "A0/3");
  EXPECT_EQ(name_of(bench.channels.sent[1].flit, true), "A0/0");
}

TEST(Crossbar, NamesTheDriverOfAnOutputForOneCycle) {
  CrossbarBench bench;
  bench.crossbar.traverse(Worm{'C'}[0], 1, 0, bench.channels);
  EXPECT_EQ(bench.crossbar.driver(1), MessageId{2});
  EXPECT_EQ(bench.crossbar.driver(0), no_message);

  bench.crossbar.disconnect();
  EXPECT_EQ(bench.crossbar.driver(1), no_message);
}

TEST(Crossbar, KeepsANarrowOutputBusyUntilTheLastPhitHasGone) {
  Blueprint blueprint("torus:4x4", With().phits({3, 1}));
  Crossbar crossbar("crossbar", blueprint.config);
  RecordingChannels channels;
  const int ejection = blueprint.config.external_ports;
  for (const int output : {1, 2, ejection}) {
    crossbar.traverse(Worm{'C'}[0], output, 0, channels);
  }
  crossbar.occupy(10);

  for (const Cycle now : {11, 12}) {
    crossbar.disconnect();
    crossbar.keep_busy(now);
    EXPECT_EQ(crossbar.busy(), PortMask{0b10}) << now;
    EXPECT_EQ(crossbar.driver(1), MessageId{2}) << now;
    EXPECT_EQ(crossbar.driver(2), no_message) << now;
    crossbar.occupy(now);
  }
  crossbar.disconnect();
  crossbar.keep_busy(13);
  EXPECT_EQ(crossbar.busy(), 0U);
  EXPECT_EQ(crossbar.driver(1), no_message);
}

// In the cycles 10 and 11; nobody drives it then, also where a phit of an earlier flit would.
TEST(Crossbar, KeepsAnOutputBusyWithAReplayForNoMessage) {
  FabricConfig fabric = With().phits({3, 1});
  fabric.retry = true;
  const Blueprint blueprint("torus:4x4", fabric);
  Crossbar crossbar("crossbar", blueprint.config);
  RecordingChannels channels;
  crossbar.traverse(Worm{'C'}[0], 1, 0, channels);
  crossbar.occupy(9);

  crossbar.repeat(1, 12);
  EXPECT_EQ(crossbar.driver(1), MessageId{2}) << "in the cycle evaluated last";
  for (const Cycle now : {10, 11}) {
    crossbar.disconnect();
    crossbar.keep_busy(now);
    EXPECT_EQ(crossbar.busy(), 0b10U) << now;
    EXPECT_EQ(crossbar.driver(1), no_message) << now;
    crossbar.occupy(now);
  }
  crossbar.disconnect();
  crossbar.keep_busy(12);
  EXPECT_EQ(crossbar.busy(), 0U);
}

}  // namespace
}  // namespace allport::test
