// SPDX-License-Identifier: Apache-2.0
// Message classes on the channels, cycle by cycle (docs/router.md, message classes).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/class_bench.h"

namespace allport::test {
namespace {

TEST(MessageClasses, TakeTurnsOnAnInjectionChannel) {
  ClassBench bench("hypercube:1", three_classes());
  expect_three_classes(bench);
}

// Dimension 0 takes two cycles for a flit, dimension 1 has three registers. An output that is busy
// is so for both classes; in cycles 7 to 9 node 1 sends A0, B1 and A1, which came by one input, one
// after another: (2a) chooses one VC of an input, whatever their outputs. Credits of a narrow
// channel are not cut.
TEST(MessageClasses, ShareNarrowAndLongChannels) {
  ClassBench bench("mesh:2x2",
                   With().ports(1).vcs(2).classes(2).depth(2).phits({2, 1}).link_delay({0, 3}));
  bench.plan(0, 0, 3, 0, 4);
  bench.plan(1, 0, 1, 1, 2);
  bench.plan(0, 1, 3, 0, 2);

  bench.run();

  EXPECT_EQ(bench.table.injection(0), "A0(0)@0 B0(1)@1 A1(0)@2 B1(1)@3 A2(0)@4 A3(0)@6");
  EXPECT_EQ(bench.table.injection(1), "C0(0)@0 C1(0)@1");
  EXPECT_EQ(bench.table.channel(0, 0), "A0(0)@2 B0(1)@4 A1(0)@6 B1(1)@8 A2(0)@11 A3(0)@13");
  EXPECT_EQ(bench.table.channel(1, 2), "C0(0)@4 C1(0)@5 A0(0)@12 A1(0)@14 A2(0)@20 A3(0)@22");
  EXPECT_EQ(bench.table.ejection(1), "B0(1)@5 B1(1)@10");
  EXPECT_EQ(bench.table.ejection(3), "C0(0)@5 C1(0)@6 A0(0)@13 A1(0)@15 A2(0)@21 A3(0)@23");
  EXPECT_EQ(bench.table.credits(0, 0), "1@5 0@9 1@10 0@11 0@17 0@19");
  EXPECT_EQ(bench.table.credits(1, 2), "0@8 0@9 0@16 0@18 0@24 0@26");
  EXPECT_EQ(bench.table.ejection_credits(1), "1@6 1@11");
  EXPECT_EQ(bench.table.ejection_credits(3), "0@6 0@7 0@14 0@16 0@22 0@24");
}

// The circuit of a message is acknowledged on the VC of its class, so B's head goes while A waits
// for its own.
TEST(MessageClasses, HaveAcknowledgementsOfTheirOwn) {
  ClassBench bench("hypercube:1", With().vcs(2).classes(2).depth(4).switching(Switching::circuit));
  bench.plan(0, 0, 1, 0, 3);
  bench.plan(0, 0, 1, 1, 3);

  bench.run();

  EXPECT_EQ(bench.table.injection(0), "A0(0)@0 B0(1)@1 A1(0)@6 B1(1)@7 A2(0)@8 B2(1)@9");
  EXPECT_EQ(bench.table.acks(0), "0@5 1@6");
  EXPECT_EQ(bench.table.ejection(1), "A0(0)@2 B0(1)@3 A1(0)@8 B1(1)@9 A2(0)@10 B2(1)@11");
}

// C, of A's class, lacks credits for all of its flits until A's have left; those of B's class are
// not its own.
TEST(MessageClasses, NeedRoomForAWholeMessageInTheirOwnClass) {
  ClassBench bench("hypercube:1",
                   With().vcs(2).classes(2).depth(3).switching(Switching::cut_through));
  bench.plan(0, 0, 1, 0, 3);
  bench.plan(2, 0, 1, 1, 1);
  bench.plan(0, 0, 1, 0, 3);

  bench.run();

  // A's flits leave in cycles 0, 1 and 3; their credits are on the wire in 1, 2 and 4.
  EXPECT_EQ(bench.table.injection(0), "A0(0)@0 A1(0)@1 B0(1)@2 A2(0)@3 C0(0)@5 C1(0)@6 C2(0)@7");
}

// Ports that share what one channel carries take turns as ports; each gives its classes theirs.
TEST(MessageClasses, TakeTurnsAtTheTurnOfTheirPort) {
  ClassBench bench("hypercube:2", With().vcs(2).classes(2).depth(8), {false, true});
  bench.plan(0, 0, 1, 0, 2);
  bench.plan(0, 0, 1, 1, 2);
  bench.plan(0, 0, 2, 0, 2);

  bench.run();

  EXPECT_EQ(bench.table.injection(0, 0), "A0(0)@0 B0(1)@2 A1(0)@4 B1(1)@5");
  EXPECT_EQ(bench.table.injection(0, 1), "C0(0)@1 C1(0)@3");
}

// Two tree worms hold channels that the other needs, for ever, unless their classes differ.
TEST(MessageClasses, KeepTreesApart) {
  ClassBench bench("hypercube:2", With().vcs(2).classes(2).depth(1));
  for (const int second : {0, 1}) {
    bench.received.clear();
    bench.reset();
    bench.plan(bench.fabric.cycle(), 0, 0, 0, 3, MessageKind::tree);
    bench.plan(bench.fabric.cycle(), 2, 2, second, 3, MessageKind::tree);
    bench.run();
    EXPECT_EQ(bench.fabric.is_idle(), second == 1) << bench.received;
  }
}

// A class that there is not, and a join.
TEST(MessageClasses, AreThoseOfTheFabric) {
  ClassBench bench("hypercube:2", With().vcs(2).classes(2));
  const auto answer = [&](int message_class, MessageKind kind) {
    tlm::tlm_generic_payload& one = bench.message(1, 2, kind);
    message_extension(one)->message_class = static_cast<std::uint8_t>(message_class);
    bench.processors[0]->send(one);
    return one.get_response_status();
  };
  bench.reset();

  EXPECT_EQ(answer(1, MessageKind::unicast), tlm::TLM_INCOMPLETE_RESPONSE);  // taken
  EXPECT_EQ(answer(2, MessageKind::unicast), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(answer(0, MessageKind::join), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

}  // namespace
}  // namespace allport::test
