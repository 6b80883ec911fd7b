// SPDX-License-Identifier: Apache-2.0
// These tests check the rule of a processor without kernel or fabric (docs/timing.md, section 4).
#include "tlm/processor/processor_rule.h"

#include <gtest/gtest.h>

#include "tests/tlm/processor/scripted_workload.h"

namespace allport::test {
namespace {

struct ProcessorRuleBench {
  MessagePool pool;
  ScriptedWorkload workload{pool};
  Sender sender;

  Cycle begin_messages(Cycle ts, Cycle now) {
    return sender.begin_messages(workload, node_id(0), ts, now,
                                 [](tlm::tlm_generic_payload& message) { message.release(); });
  }
};

TEST(Sender, BeginsAMessageWhenItHasPreparedTheOneBefore) {
  ProcessorRuleBench bench;
  for (const std::size_t to : {1, 2, 4}) bench.workload.add(0, 0, to);

  EXPECT_EQ(bench.begin_messages(10, 3), 13);
  EXPECT_EQ(bench.begin_messages(10, 12), 13);
  EXPECT_EQ(bench.begin_messages(10, 13), 23);
  EXPECT_EQ(bench.begin_messages(10, 30), never);
  EXPECT_EQ(bench.workload.begun[0], "1@3 2@13 4@30");
}

TEST(Sender, BeginsAllAtOnceWhenPreparationTakesNoTime) {
  ProcessorRuleBench bench;
  for (const std::size_t to : {1, 2, 4}) bench.workload.add(0, 0, to);

  EXPECT_EQ(bench.begin_messages(0, 3), never);
  EXPECT_EQ(bench.workload.begun[0], "1@3 2@3 4@3");
}

TEST(Sender, WaitsForWhatIsNotReady) {
  ProcessorRuleBench bench;
  bench.workload.add(0, 8, 1);

  EXPECT_EQ(bench.sender.next(bench.workload, node_id(0)), 8);
  EXPECT_EQ(bench.begin_messages(5, 7), 8);
  EXPECT_EQ(bench.workload.begun[0], "");
  EXPECT_EQ(bench.begin_messages(5, 8), never);
  bench.workload.add(0, 0, 2);
  EXPECT_EQ(bench.sender.next(bench.workload, node_id(0)), 13);  // busy until then
}

TEST(Receptions, EndInTheirCycles) {
  MessagePool pool;
  Receptions receptions;
  tlm::tlm_generic_payload& first = pool.allocate(4);
  tlm::tlm_generic_payload& second = pool.allocate(4);
  EXPECT_EQ(receptions.next(), never);

  receptions.push(first, 5);
  receptions.push(second, 5);

  EXPECT_EQ(receptions.next(), 5);
  EXPECT_EQ(receptions.take(4), nullptr);
  EXPECT_EQ(receptions.take(5), &first);
  EXPECT_EQ(receptions.take(5), &second);
  EXPECT_EQ(receptions.take(5), nullptr);
}

TEST(Settling, MakesAProcessorWaitOnceInACycleWithoutReceptions) {
  Settling settling;

  EXPECT_TRUE(settling.must_wait(3));
  EXPECT_FALSE(settling.must_wait(3));
  settling.settle(4);
  EXPECT_FALSE(settling.must_wait(4));
  EXPECT_TRUE(settling.must_wait(5));
}

}  // namespace
}  // namespace allport::test
