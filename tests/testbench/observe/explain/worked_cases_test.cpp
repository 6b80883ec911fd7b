// SPDX-License-Identifier: Apache-2.0
// These are the worked cases of docs/explain.md: small machines whose decomposition was found by
// hand.
#include <gtest/gtest.h>

#include "tests/testbench/observe/explain/explained.h"

namespace allport::test {
namespace {

TEST(WorkedCases, SmallBuffersTurnAround) {
  EXPECT_EQ(messages_of({"hypercube:1", Experiment().on(depth(1)).length(4), {0}, {message(0, 1)}}),
            "0>1#0 8 = hop 2, length 3, turnaround 3\n");
  FabricConfig delayed = depth(2);
  delayed.link_delay = 1;
  EXPECT_EQ(messages_of({"hypercube:1", Experiment().on(delayed).length(4), {0}, {message(0, 1)}}),
            "0>1#0 8 = hop 3, length 3, turnaround 2\n");
}

TEST(WorkedCases, SwitchingModes) {
  FabricConfig stored = depth(4);
  stored.switching = Switching::store_and_forward;
  EXPECT_EQ(messages_of({"hypercube:2", Experiment().on(stored).length(4), {0}, {message(0, 3)}}),
            "0>3#0 15 = hop 3, length 12\n");
  FabricConfig circuit;
  circuit.switching = Switching::circuit;
  EXPECT_EQ(messages_of({"hypercube:1", Experiment().on(circuit).length(3), {0}, {message(0, 1)}}),
            "0>1#0 9 = hop 4, length 1, ack 4\n");
  FabricConfig through = depth(4);
  through.switching = Switching::cut_through;
  EXPECT_EQ(messages_of({"hypercube:1",
                         Experiment().on(through).length(4),
                         {0},
                         {message(0, 1), message(0, 1, 1)}}),
            "0>1#0 5 = hop 2, length 3\n"
            "0>1#1 10 = hop 2, length 3, port 4, mode 1 (contended 4)\n");
  EXPECT_EQ(messages_of({"hypercube:2",
                         Experiment().on(circuit).length(4),
                         {0, 2},
                         {message(2, 1), message(0, 1)}}),
            "0>1#0 10 = hop 4, length 2, ack 4\n"
            "2>1#0 21 = hop 6, length 2, channel 8, ack 5 (contended 8)\n");
}

TEST(WorkedCases, HeadsThatMeet) {
  EXPECT_EQ(
      messages_of({"hypercube:3", Experiment().length(3), {7, 3}, {message(7, 1), message(3, 1)}}),
      "3>1#0 4 = hop 2, length 2\n"
      "7>1#0 7 = hop 3, length 2, channel 2 (contended 2)\n");
  for (const int buffer_depth : {2, 4}) {
    FabricConfig one_port = depth(buffer_depth);
    one_port.internal_ports = 1;
    EXPECT_EQ(messages_of({"hypercube:3",
                           Experiment().on(one_port).length(16),
                           {1, 6},
                           {message(1, 0), message(6, 0)}}),
              "1>0#0 17 = hop 2, length 15\n"
              "6>0#0 33 = hop 3, length 15, channel 15 (contended 15)\n");
  }
}

TEST(WorkedCases, WormsThatBranch) {
  FabricConfig delayed;
  delayed.replication_delay = 1;
  EXPECT_EQ(
      messages_of(
          {"hypercube:3", Experiment().on(delayed).length(8), {0, 4}, {tree(0), message(4, 6)}}),
      "4>6#0 9 = hop 2, length 7\n"
      "0>1#0 14 = hop 2, length 7, replication 1, branch 4 (contended 4)\n"
      "0>2#0 15 = hop 2, length 7, replication 2, branch 4 (contended 4)\n"
      "0>3#0 16 = hop 3, length 7, replication 2, branch 4 (contended 4)\n"
      "0>4#0 16 = hop 2, length 7, replication 2, branch 5 (contended 5)\n"
      "0>5#0 17 = hop 3, length 7, replication 2, branch 5 (contended 5)\n"
      "0>6#0 18 = hop 3, length 7, replication 3, channel 5 (contended 5)\n"
      "0>7#0 19 = hop 4, length 7, replication 3, channel 5 (contended 5)\n");
}

TEST(WorkedCases, Roots) {
  FabricConfig one_port;
  one_port.internal_ports = 1;
  const Case jam{"hypercube:4",
                 Experiment().on(one_port).length(16),
                 {4, 6, 14},
                 {message(4, 0), message(6, 0), message(14, 1)}};
  const Case queue{"hypercube:3",
                   Experiment().on(one_port).length(16),
                   {1, 2},
                   {message(1, 0), message(2, 0), message(2, 3, 1)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(messages_of(jam, as_worms),
              "4>0#0 17 = hop 2, length 15\n"
              "6>0#0 33 = hop 3, length 15, channel 15 (contended 15)\n"
              "14>1#0 50 = hop 5, length 15, behind 4, channel 26 (contended 30)\n");
    EXPECT_EQ(roots_of(jam, as_worms),  // 15 cycles of 6>0 at the ejection channel of 0 too
              "channel 0:ejection0 26\n"
              "channel 6:out2 15\n"
              "behind 2:out1 2\n"
              "behind 0:ejection0 2\n");
    EXPECT_EQ(messages_of(queue, as_worms),
              "1>0#0 17 = hop 2, length 15\n"
              "2>0#0 33 = hop 2, length 15, channel 16 (contended 16)\n"
              "2>3#1 47 = hop 2, length 15, port 28, behind 2 (contended 30)\n");
    EXPECT_EQ(roots_of(queue, as_worms),  // 16 cycles of 2>0 too
              "channel 0:ejection0 28\n"
              "port 2:injection0 16\n"
              "behind 2:out1 2\n");
  }
}

TEST(WorkedCases, CriticalPath) {
  FabricConfig one_port;
  one_port.internal_ports = 1;
  const Case relayed{"hypercube:3",
                     Experiment().on(one_port).length(5).times(3, 2),
                     {0},
                     {message(0, 4), message(0, 2, 1), message(2, 3, 0, 3)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(path_of(relayed, as_worms),
              "0>2#1: tr 2, ts 3, hop 2, length 4, port 2, processor 3 (contended 5)\n"
              "2>3#0: tr 2, ts 3, hop 2, length 4 (contended 0)\n");
  }
}

TEST(WorkedCases, FlitsThatShareAChannelBlameEachOther) {
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(
        messages_of({"torus:4x2", Experiment().length(6), {2, 1}, {message(2, 0), message(1, 3)}},
                    as_worms),
        "1>3#0 13 = hop 3, length 5, switch 5 (contended 5)\n"
        "2>0#0 13 = hop 3, length 5, switch 5 (contended 5)\n");
  }
}

}  // namespace
}  // namespace allport::test
