// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/schedule_workload.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/forked.h"
#include "tests/support/message_bench.h"
#include "tlm/processor/node.h"

namespace allport::test {
namespace {

// Nodes of a 3-cube that run collectives of messages of three flits.
class ScheduleWorkloadBench : public ProcessorBench<Node> {
 public:
  explicit ScheduleWorkloadBench(Cycle ts = 0, Cycle tr = 0, std::size_t collectives = 1,
                                 MessageBytes bytes = MessageBytes::own)
      : ProcessorBench("hypercube:3", {}, 4,
                       [this](const char* name, auto& bench, NodeId node) {
                         return std::make_unique<Node>(name, config_, bench.fabric, workload, node);
                       }),
        plans(8, collectives),
        workload(pool, bytes),
        config_{ts, tr, 4, 12} {}

  PlannedSend& plan(std::size_t from, std::size_t to, std::size_t collective = 0) {
    const auto order = static_cast<int>(plans.sends(node_id(from), collective).size());
    const auto number = static_cast<int>(collective);
    return plans.add(node_id(from), {{MessageKind::unicast, 0, {}, order, number}, node_id(to)});
  }
  /// Node 0 is the source of all collectives.
  void run() {
    reset();
    for (const auto& node : processors) node->reset();
    workload.reset();
    workload.load(plans);
    for (std::size_t i = 0; i < plans.collectives(); ++i) {
      tlm::tlm_generic_payload& payload = pool.allocate(12);
      fill_payload(payload, i);
      workload.start(node_id(0), static_cast<int>(i), payload, 0);
      processors[0]->call(node_id(0));
      payload.release();
    }
    ProcessorBench::run();
  }

  /// Each of `starts` in its cycle.
  void run(const std::vector<ScheduleWorkload::TimedStart>& starts) {
    reset();
    for (const auto& node : processors) node->reset();
    workload.reset();
    workload.load(plans);
    workload.arm(starts, [this](NodeId, int collective) -> tlm::tlm_generic_payload& {
      tlm::tlm_generic_payload& payload = pool.allocate(12);
      fill_payload(payload, static_cast<std::uint64_t>(collective));
      return payload;
    });
    for (std::size_t i = 0; i < processors.size(); ++i) processors[i]->call(node_id(i));
    ProcessorBench::run();
  }

  ProgramTable plans;
  ScheduleWorkload workload;

 private:
  NodeConfig config_;
};

TEST(ScheduleWorkload, SendsItsProgramInOrder) {
  ScheduleWorkloadBench bench(10);
  HeadTable table(bench.fabric);
  for (const std::size_t to : {2, 1, 4}) bench.plan(0, to);

  bench.run();

  EXPECT_EQ(table.heads, "0.1@10 0.0@20 0.2@30");
  EXPECT_EQ(bench.received, "0>2#0@14 0>1#1@24 0>4#2@34");
}

TEST(ScheduleWorkload, StartsACollectiveInItsCycle) {
  ScheduleWorkloadBench bench(10, 0, 2);
  HeadTable table(bench.fabric);
  bench.plan(0, 2, 0);
  bench.plan(0, 1, 1);
  bench.plan(7, 5, 1);

  bench.run({{20, node_id(0), 0}, {25, node_id(0), 1}, {26, node_id(7), 1}});

  EXPECT_EQ(table.heads, "0.1@30 7.1@36 0.0@40");               // node 0 is busy until cycle 30
  EXPECT_EQ(bench.log[static_cast<MessageId>(2)].created, 25);  // its latency counts from its start
}

// Node 4 has the message of collective 0 in cycle 14.
TEST(ScheduleWorkload, AStartComesBeforeWhatIsReceivedInItsCycle) {
  for (const auto& [start, heads] :
       {std::pair{14, "0.2@10 4.0@24 4.1@34"}, std::pair{15, "0.2@10 4.1@24 4.0@34"}}) {
    EXPECT_EQ(forked([&, start = start] {
                ScheduleWorkloadBench bench(10, 0, 2);
                HeadTable table(bench.fabric);
                bench.plan(0, 4, 0);
                bench.plan(4, 6, 0);
                bench.plan(4, 5, 1);
                bench.run({{0, node_id(0), 0}, {start, node_id(4), 1}});
                return table.heads;
              }),
              heads);
  }
}

TEST(ScheduleWorkload, RelaysTsAfterItHasTheMessage) {
  ScheduleWorkloadBench bench(10, 5);
  HeadTable table(bench.fabric);
  bench.plan(0, 4);
  bench.plan(4, 6);

  bench.run();

  EXPECT_EQ(bench.received, "0>4#0@19 4>6#0@38");
  EXPECT_EQ(table.heads, "0.2@10 4.1@29");
}

TEST(ScheduleWorkload, RelaysInTheCycleOfReceptionWhenTsAndTrAreZero) {
  ScheduleWorkloadBench bench;
  HeadTable table(bench.fabric);
  bench.plan(0, 4);
  bench.plan(4, 6);
  bench.plan(6, 7);

  bench.run();

  EXPECT_EQ(bench.delivered, "0>4#0@4 4>6#0@8 6>7#0@12");
  EXPECT_EQ(table.heads, "0.2@0 4.1@4 6.0@8");
}

TEST(ScheduleWorkload, RunsItsProgramForTheFirstCopyOnly) {
  ScheduleWorkloadBench bench;
  bench.plan(0, 4);
  bench.plan(0, 4);
  bench.plan(4, 6);

  bench.run();

  EXPECT_EQ(bench.delivered, "0>4#0@4 0>4#1@7 4>6#0@8");
}

TEST(ScheduleWorkload, StartsAProgramWithTheMessageOfItsCollective) {
  ScheduleWorkloadBench bench(0, 0, 2);
  bench.plan(0, 1, 0);
  bench.plan(0, 4, 1);
  bench.plan(4, 6, 0);  // 4 never gets the message of collective 0
  bench.plan(4, 5, 1);

  bench.run();

  EXPECT_EQ(bench.log.size(), 3U);
  EXPECT_EQ(bench.received.substr(bench.received.size() - 7), "4>5#0@8");
}

TEST(ScheduleWorkload, PreparesTheProgramsOfSeveralCollectivesOneAfterAnother) {
  ScheduleWorkloadBench bench(10, 0, 2);
  HeadTable table(bench.fabric);
  bench.plan(0, 1, 0);
  bench.plan(0, 2, 0);
  bench.plan(0, 4, 1);

  bench.run();

  EXPECT_EQ(table.heads, "0.0@10 0.1@20 0.2@30");
}

TEST(ScheduleWorkload, DelaysAMessageAtItsPortByItsJitter) {
  ScheduleWorkloadBench bench(10);
  HeadTable table(bench.fabric);
  bench.plan(0, 1).jitter = 25;
  bench.plan(0, 2);

  bench.run();

  EXPECT_EQ(table.heads, "0.1@20 0.0@35");  // the processor is not held up
}

TEST(ScheduleWorkload, PassesOnTheBytesItReceived) {
  ScheduleWorkloadBench bench(0, 0, 2);
  for (const std::size_t collective : {0, 1}) {
    bench.plan(0, 4, collective);
    bench.plan(4, 6, collective);
    bench.plan(6, 7, collective);
  }

  bench.run();

  ASSERT_EQ(bench.log.size(), 6U);
  std::vector<std::uint64_t> sums(2);
  for (std::size_t i = 0; i < 6; ++i) {
    const MessageRecord& record = bench.log[static_cast<MessageId>(i)];
    auto& sum = sums[static_cast<std::size_t>(record.collective)];
    if (sum == 0) sum = record.checksum;
    EXPECT_EQ(record.checksum, sum);
  }
  EXPECT_NE(sums[0], sums[1]);
}

TEST(ScheduleWorkload, SendsTheSameWhereItsMessagesShareTheirBytes) {
  const auto received = [](MessageBytes bytes) {
    ScheduleWorkloadBench bench(3, 2, 2, bytes);
    for (const std::size_t collective : {0, 1}) {
      bench.plan(0, 4, collective);
      bench.plan(4, 6, collective);
    }

    bench.run();

    const std::uint64_t sum = bench.log[MessageId{0}].checksum;
    const bool is_passed_on = bench.log[MessageId{2}].checksum == sum;
    return bench.received + (is_passed_on ? " with the bytes of the source" : "");
  };

  const std::string expected = forked([&] { return received(MessageBytes::own); });
  EXPECT_NE(expected.find("4>6#0@"), std::string::npos);
  EXPECT_NE(expected.find("with the bytes of the source"), std::string::npos);
  EXPECT_EQ(forked([&] { return received(MessageBytes::shared); }), expected);
}

TEST(ScheduleWorkload, RunsAgainAfterReset) {
  ScheduleWorkloadBench bench(3, 2);
  bench.plan(0, 4);
  bench.plan(4, 6);
  bench.run();
  const std::string first = bench.received;

  bench.received.clear();
  bench.run();

  EXPECT_EQ(bench.received, first);
}

}  // namespace
}  // namespace allport::test
