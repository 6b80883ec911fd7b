// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/message_barrier.h"

#include <gtest/gtest.h>

#include <string>

namespace allport {
namespace {

// Two collectives from node 0 among two nodes; node 1 receives the first.
class MessageBarrierBench {
 public:
  MessageBarrierBench() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const std::vector<NodeId> source{node_id(0)};
    barrier.arm(
        {source, source}, {{false, true}, {false, true}},
        [this](std::size_t number, NodeId node) {
          events += "enter " + std::to_string(number) + "." + std::to_string(index(node)) + "; ";
        },
        [this](std::size_t number) { events += "start " + std::to_string(number) + "; "; });
    settle();
  }
  static void settle() {
    while (sc_core::sc_pending_activity()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  MessageBarrier barrier{"barrier"};
  std::string events;
};

TEST(MessageBarrier, LetsNodesInWhenTheyHaveWhatTheyReceive) {
  MessageBarrierBench bench;
  EXPECT_EQ(bench.events, "enter 0.0; ");

  bench.barrier.complete(0, node_id(1));
  bench.settle();

  EXPECT_EQ(bench.events, "enter 0.0; enter 0.1; ");
}

TEST(MessageBarrier, StartsTheNextCollectiveWhenItsSourceIsReleased) {
  MessageBarrierBench bench;
  bench.barrier.complete(0, node_id(1));
  bench.settle();

  bench.barrier.release(0, node_id(1));
  bench.settle();
  EXPECT_EQ(bench.events, "enter 0.0; enter 0.1; ");
  bench.barrier.release(0, node_id(0));
  bench.settle();

  EXPECT_EQ(bench.events, "enter 0.0; enter 0.1; start 1; ");
  EXPECT_EQ(bench.barrier.finding(), "");
}

// All others have sent their messages to enter, and the last node has received them before it
// enters itself.
TEST(MessageBarrier, KeepsAReleaseUntilTheNodeHasEntered) {
  MessageBarrierBench bench;

  bench.barrier.release(0, node_id(1));
  bench.settle();
  EXPECT_EQ(bench.barrier.finding(), "");
  bench.barrier.complete(0, node_id(1));
  bench.settle();
  bench.barrier.release(0, node_id(0));
  bench.settle();

  EXPECT_EQ(bench.events, "enter 0.0; enter 0.1; start 1; ");
  EXPECT_EQ(bench.barrier.finding(), "");
}

TEST(MessageBarrier, SeesANodeLeaveBeforeAllHaveEntered) {
  MessageBarrierBench bench;

  bench.barrier.release(0, node_id(0));

  EXPECT_EQ(bench.barrier.finding(), "node 0 leaves barrier 0 when 1 of 2 nodes have entered it");
}

}  // namespace
}  // namespace allport
