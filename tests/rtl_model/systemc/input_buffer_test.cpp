// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/input_buffer.h"

#include <gtest/gtest.h>

#include "rtl_model/base/split_mix.h"
#include "tests/support/blueprint.h"
#include "tests/support/fatal.h"
#include "tests/support/worm.h"

namespace allport::test {
namespace {

// A ring node: inputs 0 and 1 are external with two VCs each, inputs 2 and 3 internal.
struct InputBufferBench {
  explicit InputBufferBench(const FabricConfig& fabric = With().depth(3))
      : blueprint("ring:4", fabric), buffer("input_buffer", blueprint.config) {}

  int channel_vc(int input, int vc) const { return blueprint.config.channel_vc(input, vc); }

  Blueprint blueprint;
  InputBuffer buffer;
};

TEST(InputBuffer, FallsThroughInTheCycleOfArrival) {
  InputBufferBench bench;

  bench.buffer.accept(1, Worm{'A'}[0], 5);

  EXPECT_EQ(bench.buffer.count(bench.channel_vc(1, 0)), 1);
  EXPECT_EQ(name_of(bench.buffer.front(bench.channel_vc(1, 0))), "A0");
}

TEST(InputBuffer, GivesFlitsBackInOrderHoweverManyPassThrough) {
  InputBufferBench bench;
  const Worm worm{'A', 0, 20};
  const int fifo = bench.channel_vc(2, 0);
  bench.buffer.accept(2, worm[0], 0);

  for (int i = 1; i < worm.flits; ++i) {
    bench.buffer.accept(2, worm[i], i);
    EXPECT_EQ(bench.buffer.front(fifo), worm[i - 1]);
    EXPECT_EQ(bench.buffer.flit(fifo, 1), worm[i]);
    bench.buffer.pop(2, 0);
  }

  EXPECT_EQ(bench.buffer.count(fifo), 1);
}

// Most of a deep buffer is not in the arena.
TEST(InputBuffer, IsAQueueHoweverDeep) {
  for (const int depth : {31, 32, 33, 64, 1000}) {
    InputBufferBench bench(With().depth(depth));
    const Worm worm{'A', 0, 6 * depth};
    const int fifo = bench.channel_vc(2, 0);
    int first = 0;  // of the flits that are in it
    int next = 0;
    SplitMix64 generator(static_cast<std::uint64_t>(depth));
    while (first < worm.flits) {
      const int in = next - first;
      const bool fills = next < worm.flits && in < depth && (in == 0 || generator.next() % 5 < 3);
      if (fills) {
        bench.buffer.accept(2, worm[next], next);
        ++next;
      } else {
        bench.buffer.pop(2, 0);
        ++first;
      }
      ASSERT_EQ(bench.buffer.count(fifo), next - first);
      for (int i = first; i < next; i += 1 + (next - first) / 7) {
        ASSERT_EQ(bench.buffer.flit(fifo, i - first), worm[i]) << depth;
      }
      if (first < next) {
        ASSERT_EQ(bench.buffer.front(fifo), worm[first]) << depth;
      }
    }
    for (int i = 0; i < depth; ++i) bench.buffer.accept(2, worm[i], i);
    EXPECT_NE(fatal_report_of([&] { bench.buffer.accept(2, worm[depth], depth); }), "") << depth;
    bench.buffer.reset();
    EXPECT_EQ(bench.buffer.count(fifo), 0);
  }
}

TEST(InputBuffer, HoldsTheMessagesOfAVcInARow) {
  InputBufferBench bench;
  bench.buffer.accept(0, Worm{'A'}[0], 0);
  bench.buffer.accept(0, Worm{'B'}[0], 1);
  bench.buffer.accept(0, Worm{'C'}[0], 2);

  EXPECT_EQ(name_of(bench.buffer.flit(bench.channel_vc(0, 0), 0)), "A0");
  EXPECT_EQ(name_of(bench.buffer.flit(bench.channel_vc(0, 0), 1)), "B0");
  EXPECT_EQ(name_of(bench.buffer.flit(bench.channel_vc(0, 0), 2)), "C0");
}

TEST(InputBuffer, KeepsVirtualChannelsApart) {
  InputBufferBench bench;

  bench.buffer.accept(0, Worm{'A', 0, 1, MessageKind::unicast, 1}[0], 0);
  bench.buffer.accept(0, Worm{'B', 0, 1, MessageKind::unicast, 0}[0], 1);

  EXPECT_EQ(name_of(bench.buffer.front(bench.channel_vc(0, 1))), "A0");
  EXPECT_EQ(name_of(bench.buffer.front(bench.channel_vc(0, 0))), "B0");
  EXPECT_EQ(bench.buffer.count(bench.channel_vc(1, 0)), 0);
}

TEST(InputBuffer, TellsWhichInputsAndVirtualChannelsAreOccupied) {
  InputBufferBench bench;
  bench.buffer.accept(1, Worm{'A', 0, 1, MessageKind::unicast, 0}[0], 0);
  bench.buffer.accept(1, Worm{'B', 0, 1, MessageKind::unicast, 1}[0], 0);
  bench.buffer.accept(3, Worm{'C'}[0], 0);
  EXPECT_EQ(bench.buffer.occupied_inputs(), 0b1010U);
  EXPECT_EQ(bench.buffer.occupied_vcs(1), 0b11U);

  bench.buffer.pop(1, 1);
  EXPECT_EQ(bench.buffer.occupied_vcs(1), 0b01U);
  EXPECT_EQ(bench.buffer.occupied_inputs(), 0b1010U);

  bench.buffer.pop(1, 0);
  EXPECT_EQ(bench.buffer.occupied_inputs(), 0b1000U);
}

TEST(InputBuffer, ReportsAFlitBeyondItsDepthAsFatal) {
  InputBufferBench bench;
  const Worm worm{'A', 0, 4, MessageKind::unicast, 1};
  EXPECT_EQ(fatal_report_of([&] {
              for (int i = 0; i < 3; ++i) bench.buffer.accept(1, worm[i], i);
            }),
            "");

  EXPECT_EQ(
      fatal_report_of([&] { bench.buffer.accept(1, worm[3], 17); }),
      "/allport/input_buffer: input_buffer: input 1 vc 1: a flit came without a credit in cycle 17 (tail vc 1 message 0)");
}

TEST(InputBuffer, TakesAFlitAgainOnceOneHasLeft) {
  InputBufferBench bench(With().depth(1));
  bench.buffer.accept(0, Worm{'A'}[0], 0);
  bench.buffer.pop(0, 0);

  EXPECT_EQ(fatal_report_of([&] { bench.buffer.accept(0, Worm{'B'}[0], 1); }), "");
}

TEST(InputBuffer, RemembersWhenTheFrontArrivedWhereFlitsAreDelayed) {
  InputBufferBench bench(With().depth(2).replication_delay(1));
  const Worm worm{'A', 0, 5};
  const int fifo = bench.channel_vc(2, 0);
  bench.buffer.accept(2, worm[0], 100);
  for (int i = 1; i < worm.flits; ++i) {
    bench.buffer.accept(2, worm[i], 100 + 3 * i);

    EXPECT_EQ(bench.buffer.front_arrival(fifo), 100 + 3 * (i - 1));

    bench.buffer.pop(2, 0);
  }
}

TEST(InputBuffer, IsEmptyAfterReset) {
  InputBufferBench bench;
  bench.buffer.accept(0, Worm{'A'}[0], 0);
  bench.buffer.accept(2, Worm{'B'}[0], 0);

  bench.buffer.reset();

  EXPECT_EQ(bench.buffer.occupied_inputs(), 0U);
  EXPECT_EQ(bench.buffer.occupied_vcs(0), 0U);
  EXPECT_EQ(bench.buffer.count(bench.channel_vc(0, 0)), 0);
}

}  // namespace
}  // namespace allport::test
