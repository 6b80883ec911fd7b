// SPDX-License-Identifier: Apache-2.0
// Machines made slow in one known way: the explanation names just that, with the right share.
#include <gtest/gtest.h>

#include "tests/testbench/explain/explained.h"

namespace allport::test {
namespace {

FabricConfig one_port() {
  FabricConfig fabric;
  fabric.internal_ports = 1;
  return fabric;
}

// Three neighbours send 8 flits each to a node with one ejection channel: the second waits for 8
// cycles and the third for 16.
TEST(KnownCauses, ASlowEjectorIsTheRootOfAllWaiting) {
  const Case slow{"hypercube:3",
                  Experiment().on(one_port()).length(8),
                  {1, 2, 4},
                  {message(1, 0), message(2, 0), message(4, 0)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(messages_of(slow, as_worms),
              "1>0#0 9 = hop 2, length 7\n"
              "2>0#0 17 = hop 2, length 7, channel 8 (contended 8)\n"
              "4>0#0 25 = hop 2, length 7, channel 16 (contended 16)\n");
    EXPECT_EQ(roots_of(slow, as_worms), "channel 0:ejection0 24\n");
  }
}

// 7>1 and 3>1 both need the output 1 of node 3.
TEST(KnownCauses, AHotOutputIsTheRootOfAllWaiting) {
  const Case hot{"hypercube:3", Experiment().length(8), {3, 7}, {message(7, 1), message(3, 1)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(messages_of(hot, as_worms),
              "3>1#0 9 = hop 2, length 7\n"
              "7>1#0 17 = hop 3, length 7, channel 7 (contended 7)\n");
    EXPECT_EQ(roots_of(hot, as_worms), "channel 3:out1 7\n");
  }
}

// A sender with one port and no time to prepare: message i waits for i times 8 cycles. If it takes
// 8 cycles to prepare a message, the port is always free, and they wait for the processor instead.
TEST(KnownCauses, AnInjectionPortLimitsWhereTsIsBelowTheLength) {
  const std::vector<Unicast> three{message(0, 1), message(0, 2, 1), message(0, 4, 2)};
  for (const bool as_worms : {false, true}) {
    const Case limited{"hypercube:3", Experiment().on(one_port()).length(8), {0}, three};
    EXPECT_EQ(messages_of(limited, as_worms),
              "0>1#0 9 = hop 2, length 7\n"
              "0>2#1 17 = hop 2, length 7, port 8 (contended 8)\n"
              "0>4#2 25 = hop 2, length 7, port 16 (contended 16)\n");
    EXPECT_EQ(roots_of(limited, as_worms), "port 0:injection0 24\n");
    const Case prepared{
        "hypercube:3", Experiment().on(one_port()).length(8).times(8, 0), {0}, three};
    EXPECT_EQ(messages_of(prepared, as_worms),
              "0>1#0 17 = ts 8, hop 2, length 7\n"
              "0>2#1 25 = ts 8, hop 2, length 7, processor 8 (contended 8)\n"
              "0>4#2 33 = ts 8, hop 2, length 7, processor 16 (contended 16)\n");
    EXPECT_EQ(roots_of(prepared, as_worms), "processor 0:processor0 24\n");
  }
}

// On a ring of 8 the channel 7 -> 0 closes the ring: 7>2 owns its upper VC, and 6>1 waits for that
// although the lower one is free.
TEST(KnownCauses, AWraparoundChannelIsWaitedForByItsClass) {
  const Case wrapped{"ring:8", Experiment().length(8), {6, 7}, {message(6, 1), message(7, 2)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(messages_of(wrapped, as_worms),
              "7>2#0 11 = hop 4, length 7\n"
              "6>1#0 18 = hop 4, length 7, channel 7 (contended 7)\n");
    EXPECT_EQ(roots_of(wrapped, as_worms), "channel 7:out0.1 7\n");
  }
}

}  // namespace
}  // namespace allport::test
