// SPDX-License-Identifier: Apache-2.0
// These tests check what MSCCL programs mean: each type of step, the order of sends, and each
// fault, refuted by GPU, thread block and step.
#include "traffic/msccl/from_msccl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/msccl/programs.h"
#include "traffic/proof/block_check.h"

namespace allport {
namespace {

using testing::HasSubstr;

// `u>v step blocks`, with `+` where it adds, each message in the order of the schedule.
std::string lines(const Schedule& schedule) {
  std::string text;
  for (const Unicast& one : schedule.unicasts) {
    if (!text.empty()) text += "; ";
    text += std::to_string(index(one.u)) + ">" + std::to_string(index(one.v)) + " " +
            std::to_string(one.step) + (one.adds ? " +" : "");
    for (const BlockId block : one.blocks) text += " " + std::to_string(block);
  }
  return text;
}

std::string program_lines(const std::string& xml, std::size_t root = 0) {
  const Read read = read_program(xml, root);
  return read.faults.ok() ? lines(read.schedule) : "refuted: " + read.faults.first.front();
}

const std::vector<Blocks> swap_chunks{{{1, 1, {"s o0 o0 1", "r o1 o1 1"}}},
                                      {{0, 0, {"s o1 o1 1", "r o0 o0 1"}}}};

TEST(FromMsccl, SendsAndReceives) {
  EXPECT_EQ(program_lines(program_xml("allgather", 2, true, swap_chunks)), "0>1 1 0; 1>0 1 1");
}

TEST(FromMsccl, OutOfPlaceTheOwnChunkIsCopied) {
  const std::vector<Blocks> gpus{{{1, 1, {"s i0 o0 1", "r o1 o1 1"}}, {-1, -1, {"cpy i0 o0 1"}}},
                                 {{0, 0, {"s i0 o1 1", "r o0 o0 1"}}, {-1, -1, {"cpy i0 o1 1"}}}};
  EXPECT_EQ(program_lines(program_xml("allgather", 2, false, gpus)), "0>1 1 0; 1>0 1 1");

  std::vector<Blocks> without = gpus;
  without[1].pop_back();
  EXPECT_EQ(fault_of(program_xml("allgather", 2, false, without)),
            "gpu 1: no step writes o[1], which must be block 1 in the end and holds nothing");
}

TEST(FromMsccl, ReceivesCopiesAndSends) {
  const std::vector<Blocks> ring{{{1, 2, {"s o0 o0 1", "rcs o2 o2 1", "r o1 o1 1"}}},
                                 {{2, 0, {"s o1 o1 1", "rcs o0 o0 1", "r o2 o2 1"}}},
                                 {{0, 1, {"s o2 o2 1", "rcs o1 o1 1", "r o0 o0 1"}}}};
  const Routing routing = routing_on("ring:3");
  const Schedule ours = planned("ring-allgather", routing, broadcast(routing.topology(), {}));

  EXPECT_EQ(program_lines(program_xml("allgather", 3, true, ring)), lines(ours));
}

// 0 -> 1 -> 2 and back: each type with a reduction.
TEST(FromMsccl, Reduces) {
  const std::vector<Blocks> gpus{{{1, 1, {"s i0 i0 1", "r i0 i0 1"}}},
                                 {{2, 0, {"rrs i0 i0 1"}}, {0, 2, {"rcs i0 i0 1 @0.0"}}},
                                 {{1, 1, {"rrcs i0 i0 1"}}}};
  std::vector<Blocks> signalled = gpus;
  signalled[1][0].steps[0] += " !";

  EXPECT_EQ(program_lines(program_xml("allreduce", 1, true, signalled)),
            "0>1 1 + 0; 1>2 2 + 0; 2>1 3 0; 1>0 4 0");
  EXPECT_THAT(fault_of(program_xml("allreduce", 1, true, gpus)),
              HasSubstr("gpu 1, tb 1, step 0: it depends on tb 0, step 0, which does not signal"));
}

TEST(FromMsccl, AddsLaterWhatItKeepsInScratch) {
  const std::vector<Blocks> gpus{
      {{1, 1, {"s i0 i0 1", "r s0 s0 1 !"}}, {-1, -1, {"re s0 i0 1 @0.1"}}},
      {{0, 0, {"s i0 i0 1", "r s0 s0 1 !"}}, {-1, -1, {"re s0 i0 1 @0.1"}}}};

  EXPECT_EQ(program_lines(program_xml("allreduce", 1, true, gpus, 1)), "0>1 1 + 0; 1>0 1 + 0");
}

TEST(FromMsccl, FollowsBlocksThroughScratch) {
  const std::vector<Blocks> gpus{
      {{1, 1, {"cpy i1 s1 1", "s s1 s1 1", "r s0 s0 1", "cpy s0 o1 1"}}, {-1, -1, {"cpy i0 o0 1"}}},
      {{0, 0, {"s i0 i0 1", "r o0 o0 1"}}, {-1, -1, {"cpy i1 o1 1"}}}};

  EXPECT_EQ(program_lines(program_xml("alltoall", 2, false, gpus, 2)), "0>1 1 1; 1>0 1 2");
}

TEST(FromMsccl, PutsTheSmallerBufferIntoTheLarger) {
  const std::vector<Blocks> gpus{{{1, 1, {"s i1 i1 1", "rrc i0 o0 1"}}},
                                 {{0, 0, {"s i0 i0 1", "rrc i1 o0 1"}}}};
  EXPECT_EQ(program_lines(program_xml("reduce_scatter", 2, true, gpus)), "0>1 1 + 1; 1>0 1 + 0");
  EXPECT_EQ(program_lines(program_xml("reducescatter", 2, true, gpus)), "0>1 1 + 1; 1>0 1 + 0");
}

TEST(FromMsccl, KnowsRoots) {
  const std::vector<Blocks> down{{{1, -1, {"s i0 i0 2"}}}, {{-1, 0, {"r o0 o0 2"}}}};
  const std::vector<Blocks> sums{{{-1, 1, {"rrc i0 i0 2"}}}, {{0, -1, {"s i0 i0 2"}}}};

  EXPECT_EQ(program_lines(program_xml("broadcast", 2, true, down)), "0>1 1 0 1");
  EXPECT_EQ(program_lines(program_xml("reduce", 2, true, sums)), "1>0 1 + 0 1");
  EXPECT_EQ(possible_roots(program_of(program_xml("broadcast", 2, true, down))), nodes({0}));
  EXPECT_EQ(possible_roots(program_of(program_xml("reduce", 2, true, sums))), nodes({0}));
  EXPECT_TRUE(possible_roots(program_of(program_xml("allgather", 2, true, swap_chunks))).empty());
}

TEST(FromMsccl, AMessageInOnePieceIsWhole) {
  const std::vector<Blocks> down{{{1, -1, {"s i0 i0 1"}}}, {{-1, 0, {"r o0 o0 1"}}}};

  EXPECT_EQ(program_lines(program_xml("broadcast", 1, true, down)), "0>1 1");
}

// Both are ready at once, so that the thread blocks decide; the second of a block comes later.
TEST(FromMsccl, SendsFirstWhatIsReadyFirst) {
  const std::vector<Blocks> gpus{{{2, -1, {"s i0 i0 1", "s i1 i1 1"}}, {1, -1, {"s i0 i0 2"}}},
                                 {{-1, 0, {"r o0 o0 2"}}},
                                 {{-1, 0, {"r o0 o0 1", "r o1 o1 1"}}}};
  const Read read = read_program(program_xml("broadcast", 2, true, gpus));

  EXPECT_EQ(lines(read.schedule), "0>2 1 0; 0>1 1 0 1; 0>2 2 1");
}

TEST(FromMsccl, RefutesAReceiveTooFew) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[1][0].steps.pop_back();
  EXPECT_EQ(
      fault_of(program_xml("allgather", 2, true, gpus)),
      "gpu 0, tb 0, step 0: it is number 1 to send to gpu 1 on channel 0, which receives 0 times there");
  gpus = swap_chunks;
  gpus[1][0].channel = 3;
  EXPECT_THAT(fault_of(program_xml("allgather", 2, true, gpus)),
              HasSubstr("gpu 0, tb 0, step 0: it is number 1 to send to gpu 1 on channel 0"));
}

TEST(FromMsccl, RefutesDifferentCounts) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].steps[0] = "s o0 o0 2";
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, gpus)),
            "gpu 0, tb 0, step 0: it sends 2 chunks, but gpu 1, tb 0, step 1 receives 1");
}

TEST(FromMsccl, RefutesAChunkThatIsSentBeforeItIsThere) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].steps[0] = "s o1 o1 1";
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, gpus)),
            "gpu 0, tb 0, step 0: it reads o[1], which holds nothing yet");
}

TEST(FromMsccl, RefutesAMissingStep) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].steps.erase(gpus[0][0].steps.begin());
  gpus[1][0].steps.pop_back();
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, gpus)),
            "gpu 1: no step writes o[0], which must be block 0 in the end and holds nothing");
}

TEST(FromMsccl, RefutesAWrongPlace) {
  std::vector<Blocks> gpus{{{1, 1, {"s i0 i0 1", "r o1 o1 1"}}, {-1, -1, {"cpy i0 o0 1"}}},
                           {{0, 0, {"s i0 i0 1", "r o1 o1 1"}}, {-1, -1, {"cpy i0 o0 1"}}}};
  EXPECT_EQ(
      fault_of(program_xml("allgather", 2, false, gpus)),
      "gpu 1, tb 1, step 0: it is the last to write o[0], which must be block 0 in the end and holds block 1");
}

TEST(FromMsccl, RefutesReadsAndWritesWithoutAnOrder) {
  // Another thread block sends the sum on without waiting for it, or puts the total in its place.
  const std::vector<Blocks> early{{{-1, 1, {"rrc i0 i0 1"}}, {1, -1, {"s i0 i0 1"}}},
                                  {{0, -1, {"s i0 i0 1 !"}}, {-1, 0, {"r i0 i0 1 @0.0"}}}};
  EXPECT_THAT(
      fault_of(program_xml("allreduce", 1, true, early)),
      HasSubstr(
          "gpu 0, tb 0, step 0: it overwrites i[0], which gpu 0, tb 1, step 0 reads, and nothing makes it wait for that"));

  const std::vector<Blocks> over{{{1, -1, {"s i0 i0 1"}}, {-1, 1, {"rrc i0 i0 1"}}},
                                 {{0, -1, {"s i0 i0 1"}}, {-1, 0, {"rrc i0 i0 1"}}}};
  EXPECT_THAT(
      fault_of(program_xml("allreduce", 1, true, over)),
      HasSubstr("gpu 0, tb 1, step 0: it overwrites i[0], which gpu 0, tb 0, step 0 reads"));
}

// What a message that was answered contained has been read, whichever thread block gets the answer.
TEST(FromMsccl, KnowsTheOrderThatMessagesMake) {
  const std::vector<Blocks> gpus{{{1, -1, {"s i0 i0 1"}}, {-1, 1, {"r i0 i0 1"}}},
                                 {{0, 0, {"rrcs i0 i0 1"}}}};
  EXPECT_EQ(program_lines(program_xml("allreduce", 1, true, gpus)), "0>1 1 + 0; 1>0 2 0");
}

TEST(FromMsccl, RefutesWaitsInACircle) {
  std::vector<Blocks> gpus = swap_chunks;
  for (Blocks& blocks : gpus) std::swap(blocks[0].steps[0], blocks[0].steps[1]);
  EXPECT_EQ(
      fault_of(program_xml("allgather", 2, true, gpus)),
      "gpu 0, tb 0, step 0: it waits in a circle for gpu 1, tb 0, step 1, that for gpu 1, tb 0, step 0, that for gpu 0, tb 0, step 1");

  gpus = swap_chunks;
  gpus[0].push_back({-1, -1, {"nop i0 o0 0 @0.0 !"}});
  gpus[0][0].steps[0] = "s o0 o0 1 @1.0 !";
  EXPECT_THAT(fault_of(program_xml("allgather", 2, true, gpus)), HasSubstr("waits in a circle"));
}

TEST(FromMsccl, RefutesDependenciesOnWhatIsNotThere) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].steps[0] = "s o0 o0 1 @4.0";
  EXPECT_THAT(fault_of(program_xml("allgather", 2, true, gpus)),
              HasSubstr("gpu 0, tb 0, step 0: it depends on tb 4, step 0, which is not there"));
}

TEST(FromMsccl, RefutesPlacesBeyondTheBuffer) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].steps[1] = "r o2 o2 1";
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, gpus)),
            "gpu 0, tb 0, step 1: it writes o[2], but the buffer ends at o[1]");
  gpus[0][0].steps[1] = "r s0 s0 1";
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, gpus)),
            "gpu 0, tb 0, step 1: it writes s[0], but the buffer has no chunks");
}

TEST(FromMsccl, RefutesPeersThatTheThreadBlockHasNot) {
  std::vector<Blocks> gpus = swap_chunks;
  gpus[0][0].send = -1;
  EXPECT_THAT(fault_of(program_xml("allgather", 2, true, gpus)),
              HasSubstr("gpu 0, tb 0, step 0: it sends, but its thread block has no peer"));
  gpus = swap_chunks;
  gpus[0][0].steps.pop_back();
  gpus[0].push_back({1, 1, {"r o1 o1 1", "s o0 o0 1"}});
  EXPECT_THAT(
      fault_of(program_xml("allgather", 2, true, gpus)),
      HasSubstr(
          "gpu 0, tb 1, step 1: it sends to the same peer on the same channel as tb 0; one thread block must do so alone"));
}

TEST(FromMsccl, RefutesWrongSums) {
  const std::vector<Blocks> twice{{{1, 1, {"s i0 i0 1", "rrc i0 i0 1"}}},
                                  {{0, 0, {"rrcs i0 i0 1"}}}};
  EXPECT_EQ(fault_of(program_xml("allreduce", 1, true, twice)),
            "gpu 0, tb 0, step 1: it adds the contribution of gpu 0 to block 0 twice");
  const std::vector<Blocks> apart{{{1, 1, {"s i0 i0 1", "rrc i1 i1 1"}}},
                                  {{0, 0, {"s i0 i0 1", "rrc i0 i0 1"}}}};
  EXPECT_EQ(fault_of(program_xml("allreduce", 2, true, apart)),
            "gpu 0, tb 0, step 1: it adds chunks of blocks 0 and 1");
  std::vector<Blocks> moved = swap_chunks;
  moved[0][0].steps[1] = "rrc o0 o0 1";
  EXPECT_EQ(fault_of(program_xml("allgather", 2, true, moved)),
            "gpu 0, tb 0, step 1: it reduces, but the blocks of allgather are not sums");
  const std::vector<Blocks> partial{{{1, -1, {"s i0 i0 1"}}}, {{-1, 0, {"rrc i0 i0 1"}}}};
  EXPECT_EQ(
      fault_of(program_xml("allreduce", 1, true, partial)),
      "gpu 0: no step writes o[0], which must be the sum of block 0 in the end and holds 1 of 2 contributions");
}

// GPU 1 hands on the contribution of GPU 0 alone while it keeps its own: two sums of one block.
TEST(FromMsccl, RefusesTwoSumsOfOneBlockAtOneGpu) {
  const std::vector<Blocks> gpus{{{1, -1, {"s i0 i0 1"}}},
                                 {{2, 0, {"r s0 s0 1", "s s0 s0 1", "s i0 i0 1"}}},
                                 {{-1, 1, {"rrc i0 i0 1", "rrc i0 i0 1"}}}};

  EXPECT_THAT(complaint_of([&] { read_program(program_xml("reduce", 1, true, gpus, 1), 2); }),
              HasSubstr("gpu 1, tb 0, step 0: a schedule has one sum of block 0 at each node"));
}

TEST(FromMsccl, RefusesABlockTwiceInAMessage) {
  const std::vector<Blocks> gpus{{{1, -1, {"cpy i0 s0 1", "cpy i0 s1 1", "s s0 s0 2"}}},
                                 {{-1, 0, {"r s0 s0 2", "cpy s0 o0 1"}}}};

  EXPECT_THAT(complaint_of([&] { read_program(program_xml("broadcast", 1, true, gpus, 2)); }),
              HasSubstr("gpu 0, tb 0, step 2: it sends block 0 twice"));
}

}  // namespace
}  // namespace allport
