// SPDX-License-Identifier: Apache-2.0
// These tests compare contention events with those computed by hand (docs/router.md, section 9).
#include "testbench/observe/monitors/contention_monitor.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/message_bench.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

constexpr std::size_t no_limit = 1000;

struct Report {
  Report(const ContentionMonitor& monitor, std::size_t max_listed = no_limit) {
    monitor.report(0, max_listed, contention, reception);
  }
  Contention contention;
  Contention reception;
};

// Messages between nodes, and the monitor's report on them.
struct ContentionMonitorBench : MessageBench {
  explicit ContentionMonitorBench(std::string_view topology, const FabricConfig& config = {})
      : MessageBench(topology, config) {
    fabric.observe(monitor);
  }
  std::string contention() const { return printed(Report(monitor).contention.list); }
  std::string reception() const { return printed(Report(monitor).reception.list); }

  ContentionMonitor monitor{{log, blueprint.routing}};
};

TEST(ContentionMonitor, CountsTheCyclesOfAHeadThatWaitsForAnotherMessagesChannel) {
  ContentionMonitorBench bench("hypercube:3");
  bench.send(0, 7, bench.message(1, 3));
  bench.send(1, 3, bench.message(1, 3));

  bench.run();

  EXPECT_EQ(bench.contention(), "cycle 1 for 3 at 3.1: 3>1#0 behind 7>1#0\n");
  EXPECT_EQ(bench.reception(), "");
}

TEST(ContentionMonitor, CountsABlockedBranchOfATree) {
  ContentionMonitorBench bench("hypercube:2");
  bench.send(0, 2, bench.message(1, 4));
  bench.send(2, 0, bench.message(0, 3, MessageKind::tree));

  bench.run();

  EXPECT_EQ(bench.contention(), "cycle 2 for 3 at 0.0: 0>all#0 behind 2>1#0\n");
}

// Both messages of node 0 want output 1: the second one queues, without an event.
TEST(ContentionMonitor, RemembersWhenAQueuedMessageBeganToWait) {
  ContentionMonitorBench bench("hypercube:2");
  bench.send(0, 0, bench.message(3, 5, MessageKind::tree));
  bench.send(0, 0, bench.message(2, 1));  // in the next injection channel, for output 1

  bench.run();

  EXPECT_EQ(bench.contention(), "");
  const RouterConfig& config = bench.fabric.config();
  const int input_vc = config.channel_vc(config.external_ports + 1, 0);
  const auto tree = static_cast<MessageId>(0);
  const auto unicast = static_cast<MessageId>(1);
  const Loss loss{node_id(0), 1, unicast, tree};
  EXPECT_EQ(bench.monitor.first_loss(config, loss, input_vc), Cycle{0});
  EXPECT_EQ(bench.monitor.first_loss(config, {node_id(0), 1, tree, unicast}, input_vc),
            std::nullopt);
  EXPECT_EQ(bench.monitor.first_loss(config, loss, input_vc - 1), std::nullopt);
}

TEST(ContentionMonitor, CountsEjectionChannelsApart) {
  ContentionMonitorBench bench("hypercube:2", With().ports(1));
  bench.send(0, 1, bench.message(0, 3));
  bench.send(0, 2, bench.message(0, 3));

  bench.run();

  EXPECT_EQ(bench.contention(), "");
  EXPECT_EQ(bench.reception(), "cycle 1 for 3 at 0.0: 2>0#0 behind 1>0#0\n");
}

TEST(ContentionMonitor, CountsAFlitThatLosesTheChannelToAnotherVirtualChannel) {
  ContentionMonitorBench bench("hypercube:2", With().vcs(2).depth(8));
  bench.send(0, 2, bench.message(1, 3));
  bench.send(1, 0, bench.message(1, 3));

  bench.run();

  // Both heads request VC 0 in cycle 1, and the later one waits. Then they take turns.
  EXPECT_EQ(bench.contention(),
            "cycle 1 for 3 at 0.0: 0>1#0 behind 2>1#0\n"
            "cycle 2 for 2 at 0.0: 2>1#0 behind 0>1#0\n");
}

TEST(ContentionMonitor, CountsNoMessagesOfOneSourceThatQueueInItsRouter) {
  ContentionMonitorBench bench("hypercube:2");
  bench.send(0, 0, bench.message(0, 3, MessageKind::tree));  // injected on port 0, uses 0 and 1
  bench.send(0, 0, bench.message(2, 3));                     // injected on port 1, uses 1

  bench.run();

  EXPECT_EQ(bench.contention(), "");
}

// On long links with one place per VC messages travel side by side, wait for one another's VCs, and
// meet at the only VC of the ejection channel.
TEST(ContentionMonitor, CountsNoMessagesOfOneSenderAnywhereOnTheirCommonWay) {
  ContentionMonitorBench bench("hypercube:4", With().vcs(2).depth(1).link_delay(1));
  for (const std::size_t to : {12, 13, 14, 15, 15, 15, 15}) bench.send(0, 0, bench.message(to, 1));

  bench.run();

  EXPECT_EQ(bench.contention(), "");
  EXPECT_EQ(bench.reception(), "");
}

TEST(ContentionMonitor, CountsMessagesOfTwoSendersOnTheSameChannels) {
  ContentionMonitorBench bench("hypercube:3", With().vcs(2).depth(1).link_delay(1));
  bench.send(0, 0, bench.message(7, 3));
  bench.send(2, 4, bench.message(7, 3));  // comes in where the first one has just passed

  bench.run();

  EXPECT_NE(bench.contention(), "");
  EXPECT_NE(bench.reception(), "");
}

TEST(ContentionMonitor, CountsNoTreeWormBehindAUnicastOfItsRoot) {
  ContentionMonitorBench bench("hypercube:3", With().vcs(2).depth(1).link_delay(1));
  bench.send(0, 0, bench.message(7, 5));  // by 4 and 6, as a branch of the tree
  bench.send(0, 0, bench.message(0, 5, MessageKind::tree));

  bench.run();

  EXPECT_EQ(bench.contention(), "");
  EXPECT_EQ(bench.reception(), "");
}

// One takes the tie of the first ring by 1, the other by 3. At 2, arbiter (1) finds first the one
// that comes by 3, on input 0.
TEST(ContentionMonitor, CountsMessagesOfOneSenderThatMeetAgainAfterATie) {
  ContentionMonitorBench bench("torus:4x4");
  tlm::tlm_generic_payload& other = bench.message(10, 3);
  message_extension(other)->ties = 1;
  bench.send(0, 0, bench.message(6, 3));
  bench.send(0, 0, other);

  bench.run();

  EXPECT_EQ(bench.contention(), "cycle 2 for 3 at 2.2: 0>6#0 behind 0>10#0\n");
}

// The worm goes to 6 by 2, the unicast by 4. At 6, arbiter (1) finds first the one on input 1.
TEST(ContentionMonitor, CountsAMultidestinationWormThatMeetsAUnicastOfItsSenderAgain) {
  ContentionMonitorBench bench("hypercube:3");
  tlm::tlm_generic_payload& worm = bench.message(7, 3, MessageKind::multidestination);
  message_extension(worm)->via = ViaList(nodes({2, 6}));
  message_extension(worm)->order = 1;
  bench.send(0, 0, bench.message(7, 3));
  bench.send(0, 0, worm);

  bench.run();

  EXPECT_EQ(bench.contention(), "cycle 2 for 3 at 6.0: 0>7#1 behind 0>7#0\n");
}

TEST(ContentionMonitor, CountsNoLackOfCredits) {
  ContentionMonitorBench bench("hypercube:3", With().depth(1));
  bench.send(0, 0, bench.message(7, 9));

  bench.run();

  EXPECT_EQ(bench.contention(), "");
}

TEST(ContentionMonitor, AddsUpTheCyclesOfAWaitThroughWhichTheRouterSleeps) {
  ContentionMonitorBench bench("hypercube:3", With().depth(1).link_delay(20));
  bench.send(0, 6, bench.message(1, 3));   // by 2, 0
  bench.send(42, 0, bench.message(1, 1));  // the head of the other arrives in the same cycle

  bench.run();

  // One flit per round trip of 42 cycles: the tail crosses node 0's router in cycle 42 + 2 * 42.
  EXPECT_EQ(bench.contention(), "cycle 42 for 85 at 0.0: 0>1#0 behind 6>1#0\n");
}

TEST(ContentionMonitor, SortsEventsByCycleChannelWaitingAndHolding) {
  ContentionMonitorBench bench("hypercube:3");
  for (const std::size_t from : {3, 5, 6, 7}) bench.send(0, from, bench.message(0, 4));
  bench.run();

  const Contention found = Report(bench.monitor).contention;

  ASSERT_GT(found.events, 1U);
  const auto key = [](const ContentionEvent& event) {
    return std::make_tuple(event.cycle, index(event.channel.node), index(event.channel.port),
                           printed(event.waiting), printed(event.holding));
  };
  for (std::size_t i = 1; i < found.list.size(); ++i) {
    EXPECT_LT(key(found.list[i - 1]), key(found.list[i]));
  }
  Cycle blocked = 0;
  for (const ContentionEvent& event : found.list) blocked += event.cycles;
  EXPECT_EQ(found.blocked_cycles, blocked);
}

TEST(ContentionMonitor, StopsItsListWhereItIsTold) {
  ContentionMonitorBench bench("hypercube:3");
  for (const std::size_t from : {3, 5, 6, 7}) bench.send(0, from, bench.message(0, 4));
  bench.run();
  const std::size_t all = Report(bench.monitor).contention.events;

  const Contention shortened = Report(bench.monitor, 1).contention;

  EXPECT_EQ(shortened.list.size(), 1U);
  EXPECT_EQ(shortened.events, all);
  EXPECT_TRUE(shortened.is_truncated);
  EXPECT_FALSE(Report(bench.monitor, all).contention.is_truncated);
}

TEST(ContentionMonitor, ForgetsOnReset) {
  ContentionMonitorBench bench("hypercube:3");
  bench.send(0, 7, bench.message(1, 3));
  bench.send(1, 3, bench.message(1, 3));
  bench.run();

  bench.monitor.reset();

  EXPECT_EQ(bench.contention(), "");
}

// One router, whose worms A, B, .. come from nodes 0, 1, ..
struct RouterAlone : RouterBench {
  explicit RouterAlone(const FabricConfig& config) : RouterBench("hypercube:2", 3, config) {
    for (std::size_t source = 0; source < 26; ++source) {
      MessageRecord record;
      record.source = node_id(source);
      record.destination = node_id(2);
      log.add(record);
    }
  }
  /// Decides all cycles up to `last`, and reports to the monitor as a fabric does.
  void run(Cycle last) {
    for (Cycle cycle = 0; cycle <= last; ++cycle) {
      RouterBench::run(cycle);
      if (!router.stalled().empty()) monitor.on_stalled(router, cycle, 1);
    }
  }
  std::string contention() const { return printed(Report(monitor).contention.list); }

  MessageLog log;
  ContentionMonitor monitor{{log, blueprint.routing}};
};

TEST(ContentionMonitor, CountsNoFlitThatLosesToItsNeighbourInTheSameInput) {
  RouterAlone bench(With().vcs(2).depth(2));
  bench.put(0, 1, Worm{'A', 2, 4, MessageKind::unicast, 0});  // to output 0
  bench.put(4, 1, Worm{'B', 3, 4, MessageKind::unicast, 1});  // to the processor
  for (const Cycle cycle : {10, 11}) {  // both have a flit and a credit, from one input
    bench.credit(cycle, 0, 0);
    bench.credit(cycle, bench.internal(1), 0);
  }

  bench.run(20);

  EXPECT_EQ(bench.sent(0), "A0/0@1 A1/0@2 A2/0@11 A3/0@13");
  EXPECT_EQ(bench.sent(bench.internal(1)), "B0/0@5 B1/0@6 B2/0@12 B3/0@14");
  EXPECT_EQ(bench.contention(), "");
}

TEST(ContentionMonitor, BlamesTheOwnerOfTheFirstVirtualChannelFromThePointerOn) {
  RouterAlone bench(With().vcs(2));
  const int input = bench.internal(0);
  bench.put(0, input, Worm{'C', 2});                             // its VC 0: the pointer is 1
  bench.put(1, 1, Worm{'A', 2, 9, MessageKind::unicast, 0}[0]);  // owns VC 0 of output 0
  bench.put(2, 1, Worm{'B', 2, 9, MessageKind::unicast, 1}[0]);  // owns VC 1
  bench.put(5, input, Worm{'C', 2});

  bench.run(5);

  EXPECT_EQ(bench.contention(), "cycle 5 for 1 at 3.0: 2>2#0 behind 1>2#0\n");
}

}  // namespace
}  // namespace allport::test
