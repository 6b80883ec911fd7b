// SPDX-License-Identifier: Apache-2.0
// These machines are made slow in one known way: the explanation names just that, with the right
// share.
#include <gtest/gtest.h>

#include "tests/testbench/observe/explain/explained.h"

namespace allport::test {
namespace {

FabricConfig one_port() {
  FabricConfig fabric;
  fabric.internal_ports = 1;
  return fabric;
}

// What is wrong with the causes of a message of `flits` flits over `h` channels.
std::string fault_of_alone(const Case& one, const FabricConfig& fabric, Cycle h, Cycle flits) {
  return forked([&] {
    const Results results = results_of(one, false);
    const MessageAccount& account = results.explanation->messages.at(0);
    const CauseSum& causes = account.causes;
    const Cycle d = fabric.link_delay;
    const bool is_circuit = fabric.switching == Switching::circuit && flits > 1;
    const bool is_stored = fabric.switching == Switching::store_and_forward;
    const Cycle hop = h * (1 + d) + 1;
    const Cycle length = is_circuit ? flits - 2 : is_stored ? (h + 2) * (flits - 1) : flits - 1;
    const Cycle ack = is_circuit ? h * (1 + d) + 3 : 0;
    const Cycle known = 3 + 2 + (is_circuit ? 2 * hop : hop) + length + ack;
    const bool is_full = fabric.buffer_depth >= 2 + 2 * d;
    std::string text;
    if (causes[Cause::hop] != (is_circuit ? 2 * hop : hop)) text += " hop";
    if (causes[Cause::length] != length) text += " length";
    if (causes[Cause::ack] != ack) text += " ack";
    if (causes.contended != 0) text += " contended";
    if (is_full && causes[Cause::turnaround] != 0) text += " turnaround at full rate";
    const Cycle price = causes[Cause::turnaround] + causes[Cause::mode];
    if (causes.total() != known + price) text += " another cause";
    if (causes.total() != account.has - account.created) text += " sum";
    return text.empty() ? text : text + ": " + printed(causes);
  });
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

// Two messages of node 0 follow one another into the buffer of node 1. The output belongs to 1>3
// when the first comes, so it waits for a cycle, and the second stands behind it for that cycle;
// then 1>2 wins the output.
TEST(KnownCauses, AMessageWaitsBehindAnotherInABuffer) {
  const Case behind{"mesh:4",
                    Experiment().on(one_port()).length(2),
                    {0, 1},
                    {message(0, 3), message(0, 2, 1), message(1, 3), message(1, 2, 1)}};
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(messages_of(behind, as_worms),
              "1>3#0 4 = hop 3, length 1\n"
              "0>3#0 6 = hop 4, length 1, channel 1 (contended 1)\n"
              "1>2#1 7 = hop 2, length 1, port 2, channel 2 (contended 4)\n"
              "0>2#1 9 = hop 3, length 1, port 2, behind 1, channel 2 (contended 5)\n");
    EXPECT_EQ(roots_of(behind, as_worms),
              "channel 1:out0 5\nport 0:injection0 2\nport 1:injection0 2\nbehind 1:out0 1\n");
  }
}

// A message that is alone has what the formulas of docs/explain.md say, in every mode, at full rate
// and below; nobody is blamed.
TEST(KnownCauses, AMessageAloneHasTheCyclesOfTheFormulas) {
  for (const Switching switching : {Switching::wormhole, Switching::circuit, Switching::cut_through,
                                    Switching::store_and_forward}) {
    for (const int depth : {1, 2, 3, 4, 7}) {
      for (const int d : {0, 1}) {
        for (const int flits : {1, 2, 5}) {
          if (buffers_messages(switching) && flits > depth) continue;
          for (const std::size_t h : {std::size_t{1}, std::size_t{3}}) {
            FabricConfig fabric;
            fabric.buffer_depth = depth;
            fabric.link_delay = d;
            fabric.switching = switching;
            const Case alone{
                "mesh:5", Experiment().on(fabric).length(flits).times(3, 2), {0}, {message(0, h)}};
            EXPECT_EQ(fault_of_alone(alone, fabric, static_cast<Cycle>(h), flits), "")
                << to_string(switching) << " B " << depth << " d " << d << " L " << flits << " h "
                << h;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace allport::test
