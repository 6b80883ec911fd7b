// SPDX-License-Identifier: Apache-2.0
// These tests check messages that wait in injection queues when a deadlock is found.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/observe/monitors/deadlocks.h"

namespace allport::test {
namespace {

// Two trees among unicasts of the same nodes, the last of which is still whole at its processor.
Schedule trees_and_unicasts() {
  const auto message = [](std::size_t u, std::size_t v, int order) {
    Unicast unicast;
    unicast.u = node_id(u);
    unicast.v = node_id(v);
    unicast.order = order;
    if (order == 0) unicast.kind = MessageKind::tree;
    return unicast;
  };
  return {{message(0, 0, 0), message(6, 0, 0), message(0, 1, 1), message(0, 3, 2), message(0, 7, 3),
           message(6, 4, 1)}};
}

/// One line per entry of a queue: `0>1#1 at 0.3: buffer, behind 0>all#0, since 8`.
std::string printed_queues(const Deadlock& deadlock) {
  std::ostringstream text;
  for (const WaitingFlit& flit : deadlock.flits) {
    if (!flit.is_queued) continue;
    text << printed(flit.message) << " at " << index(flit.input.node) << "."
         << index(flit.input.port) << ":";
    for (const WaitEdge& edge : flit.waits) {
      text << " " << edge.waits_for << ", behind " << printed(edge.held_by) << ", since "
           << edge.since;
    }
    text << "\n";
  }
  return text.str();
}

TEST(Deadlock, HoldsWhatIsInAnInjectionQueue) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  for (const int ports : {1, 3}) {
    const std::string queues = forked([&] {
      const Routing routing = routing_on(cube(3));
      Simulation simulation(Experiment().on(With().ports(ports)).length(16), routing);
      const Results results = simulation.run({{planned}});
      if (!results.deadlock) return std::string("no deadlock");
      const std::string fault = fault_of_graph(*results.deadlock);
      if (!fault.empty()) return fault;
      return std::to_string(results.deadlock->stuck_messages) + " messages\n" +
             printed_queues(*results.deadlock);
    });
    EXPECT_EQ(queues, ports == 1 ? "6 messages\n"
                                   "0>all#0 at 0.3: credit, behind 0>all#0, since 8\n"
                                   "0>1#1 at 0.3: buffer, behind 0>all#0, since 8\n"
                                   "0>3#2 at 0.3: buffer, behind 0>1#1, since 8\n"
                                   "0>7#3 at 0.3: buffer, behind 0>3#2, since 8\n"
                                   "6>all#0 at 6.3: credit, behind 6>all#0, since 8\n"
                                   "6>4#1 at 6.3: buffer, behind 6>all#0, since 8\n"
                                 : "6 messages\n"
                                   "0>all#0 at 0.3: credit, behind 0>all#0, since 8\n"
                                   "0>1#1 at 0.3: buffer, behind 0>all#0, since 8\n"
                                   "0>3#2 at 0.4: credit, behind 0>3#2, since 8\n"
                                   "0>7#3 at 0.5: credit, behind 0>7#3, since 8\n"
                                   "6>all#0 at 6.3: credit, behind 6>all#0, since 8\n"
                                   "6>4#1 at 6.4: credit, behind 6>4#1, since 8\n");
  }
}

// Prepared one after another, the unicasts come after everything stands still: each waits from the
// cycle in which it is prepared.
TEST(Deadlock, DatesTheWaitInAQueueByThePreparationOfTheMessage) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().on(With().ports(1)).length(16).times(100, 0), routing);

  const Results results = simulation.run({{planned}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.deadlock->cycle, 100 + 9);
  EXPECT_EQ(printed_queues(*results.deadlock),
            "0>all#0 at 0.3: credit, behind 0>all#0, since 108\n"
            "0>1#1 at 0.3: buffer, behind 0>all#0, since 200\n"
            "0>3#2 at 0.3: buffer, behind 0>1#1, since 300\n"
            "0>7#3 at 0.3: buffer, behind 0>3#2, since 400\n"
            "6>all#0 at 6.3: credit, behind 6>all#0, since 108\n"
            "6>4#1 at 6.3: buffer, behind 6>all#0, since 200\n");
}

// With three ports 0>3 and 0>7 have channels of their own, and want what their source's tree has
// owned since the cycle in which all three heads were there.
TEST(Deadlock, DatesTheWaitForAMessageOfTheSameSource) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().length(16), routing);

  const Results results = simulation.run({{planned}});

  ASSERT_TRUE(results.deadlock);
  int queued = 0;
  for (const WaitingFlit& flit : results.deadlock->flits) {
    if (!flit.message.v || flit.is_queued) continue;
    ++queued;
    ASSERT_EQ(flit.waits.size(), 1U);
    EXPECT_EQ(flit.waits[0].waits_for, "vc");
    EXPECT_EQ(flit.waits[0].since, 0) << printed(flit.message);
  }
  EXPECT_EQ(queued, 3);
}

}  // namespace
}  // namespace allport::test
