// SPDX-License-Identifier: Apache-2.0
// These tests check the verdicts on a fabric whose processors are the user's own.
#include "testbench/observe/monitors/fabric_verdicts.h"

#include <gtest/gtest.h>

#include "tests/support/message_bench.h"

namespace allport::test {
namespace {

TEST(FabricVerdicts, NameWhoKeptWhomWaitingAtProcessorsOfAnyType) {
  MessageBench bench("hypercube:3");
  FabricVerdicts verdicts(bench.fabric, bench.log, bench.interfaces);
  bench.send(0, 0, bench.message(3, 16));  // over 2 to 3
  bench.send(0, 6, bench.message(3, 16));  // over 2 to 3
  bench.run();

  const Contention contention = verdicts.contention();
  ASSERT_EQ(contention.events, 1U);
  EXPECT_EQ(contention.list.front().channel.node, node_id(2));
  EXPECT_EQ(contention.list.front().channel.port, port_id(0));
  EXPECT_GT(contention.list.front().cycles, 0);
  EXPECT_EQ(verdicts.reception().events, 0U);
  EXPECT_FALSE(verdicts.deadlock());

  verdicts.reset();
  EXPECT_EQ(verdicts.contention().events, 0U);
}

TEST(FabricVerdicts, NameTheCircleOfADeadlock) {
  MessageBench bench("hypercube:3");
  FabricVerdicts verdicts(bench.fabric, bench.log, bench.interfaces);
  bench.send(0, 0, bench.message(0, 16, MessageKind::tree));
  bench.send(0, 6, bench.message(6, 16, MessageKind::tree));
  bench.run();

  const std::optional<Deadlock> deadlock = verdicts.deadlock();
  ASSERT_TRUE(deadlock);
  EXPECT_EQ(deadlock->stuck_messages, 2U);
  ASSERT_EQ(deadlock->waits.size(), 2U);
  EXPECT_NE(deadlock->waits[0].channel.node, deadlock->waits[1].channel.node);
}

TEST(FabricVerdicts, LeaveTheFabricWhenTheyGo) {
  MessageBench bench("hypercube:3");
  { const FabricVerdicts verdicts(bench.fabric, bench.log, bench.interfaces); }
  bench.send(0, 0, bench.message(3, 16));
  bench.send(0, 6, bench.message(3, 16));
  bench.run();
  EXPECT_NE(bench.received, "");
}

}  // namespace
}  // namespace allport::test
