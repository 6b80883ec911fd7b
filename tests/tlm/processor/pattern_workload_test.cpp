// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/pattern_workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/message_bench.h"
#include "tlm/processor/node.h"

namespace allport::test {
namespace {

constexpr Cycle cycles = 200;

// Nodes of a 2-cube under uniform traffic; node 0 alone sends.
class PatternWorkloadBench : public ProcessorBench<Node> {
 public:
  static constexpr std::uint64_t jitter_seed = 5;

  explicit PatternWorkloadBench(Cycle ts, int flits_long = 0)
      : ProcessorBench("hypercube:2", With().depth(64), 4,
                       [this](const char* name, auto& bench, NodeId node) {
                         return std::make_unique<Node>(name, config_, bench.fabric, workload, node);
                       }),
        workload(config_, pool, MessageBytes::own, 4),
        config_{ts, 0, 4, 3},
        topology_(parse_topology("hypercube:2")),
        traffic_(request(flits_long), *topology_) {}

  void start(Cycle jitter_max = 0) {
    reset();
    workload.reset();
    workload.start(node_id(0), messages(), jitter_seed, jitter_max);
    processors[0]->call(node_id(0));
  }
  void run(Cycle jitter_max = 0) {
    start(jitter_max);
    ProcessorBench::run();
  }
  MessageSource messages() const { return {traffic_, node_id(0)}; }
  std::vector<Start> starts() const {
    std::vector<Start> drawn;
    for (MessageSource source = messages(); const auto start = source.next();) {
      drawn.push_back(*start);
    }
    return drawn;
  }

  PatternWorkload workload;

 private:
  static TrafficRequest request(int flits_long) {
    TrafficRequest request;
    request.rate = 0.2;
    request.flits = 1;
    request.flits_long = flits_long;
    request.long_fraction = 0.5;
    request.cycles = cycles;
    request.seed = 3;
    return request;
  }

  NodeConfig config_;
  std::shared_ptr<const Topology> topology_;
  SyntheticTraffic traffic_;
};

/// When, and on which port, node 0 injected each message.
class Injections final : public FlitObserver {
 public:
  explicit Injections(Fabric& fabric) { fabric.observe(*this); }
  void on_injected(NodeId, int port, const Flit& flit, Cycle on_channel) override {
    by_message[static_cast<std::size_t>(flit.message)] = {port, on_channel};
  }

  struct Injection {
    int port;
    Cycle cycle;
  };
  std::map<std::size_t, Injection> by_message;
};

TEST(PatternWorkload, StartsTheMessagesThatThePatternDrawsInTheirCycles) {
  PatternWorkloadBench bench(0);
  Injections injections(bench.fabric);
  const std::vector<Start> starts = bench.starts();
  ASSERT_GT(starts.size(), 20U);

  bench.run();

  ASSERT_EQ(bench.log.size(), starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const MessageRecord& record = bench.log[static_cast<MessageId>(i)];
    EXPECT_EQ(record.created, starts[i].cycle);
    EXPECT_EQ(record.destination, starts[i].destination);
    EXPECT_EQ(record.order, static_cast<int>(i));
    EXPECT_EQ(injections.by_message[i].cycle, starts[i].cycle);
  }
}

TEST(PatternWorkload, QueuesWhatItCannotPrepareInTime) {
  constexpr Cycle ts = 20;
  PatternWorkloadBench bench(ts);
  Injections injections(bench.fabric);
  const std::vector<Start> starts = bench.starts();

  bench.run();

  ASSERT_EQ(bench.log.size(), starts.size());
  Cycle is_free = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    is_free = std::max(starts[i].cycle, is_free) + ts;
    EXPECT_EQ(injections.by_message[i].cycle, is_free);
  }
  EXPECT_GT(is_free, 2 * cycles);
}

TEST(PatternWorkload, DelaysEachMessageAtItsPortByADrawOfItsOwnGenerator) {
  constexpr Cycle jitter_max = 9;
  PatternWorkloadBench bench(0);
  Injections injections(bench.fabric);
  const std::vector<Start> starts = bench.starts();

  bench.run(jitter_max);

  ASSERT_EQ(bench.log.size(), starts.size());
  SplitMix64 generator(PatternWorkloadBench::jitter_seed);
  std::map<int, Cycle> port_is_free;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto& [port, cycle] = injections.by_message[i];
    const auto jitter = static_cast<Cycle>(generator.next() % (jitter_max + 1));
    EXPECT_EQ(cycle, std::max(starts[i].cycle + jitter, port_is_free[port])) << "message " << i;
    port_is_free[port] = cycle + 1;
  }
}

// Short messages keep the 3 bytes that were requested, long ones fill their flits of 4 bytes.
TEST(PatternWorkload, GivesEachMessageTheBytesOfItsLength) {
  PatternWorkloadBench bench(0, 5);
  const std::vector<Start> starts = bench.starts();

  bench.run();

  ASSERT_EQ(bench.log.size(), starts.size());
  std::map<int, std::uint32_t> bytes;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const MessageRecord& record = bench.log[static_cast<MessageId>(i)];
    EXPECT_EQ(record.flits, starts[i].flits);
    bytes[record.flits] = record.bytes;
  }
  EXPECT_EQ(bytes, (std::map<int, std::uint32_t>{{1, 3}, {5, 20}}));
}

// If nobody touches their bytes, all messages point to the same ones.
TEST(PatternWorkload, SharesItsBytesWhereThatIsWanted) {
  const NodeConfig config{0, 0, 4, 3};
  PatternWorkloadBench bench(0);
  PatternWorkload workload(config, bench.pool, MessageBytes::shared, 4);
  workload.reset();
  workload.start(node_id(0), bench.messages(), PatternWorkloadBench::jitter_seed, 0);

  tlm::tlm_generic_payload& first = workload.take_next(node_id(0), 0);
  tlm::tlm_generic_payload& second = workload.take_next(node_id(0), 0);

  EXPECT_EQ(first.get_data_ptr(), second.get_data_ptr());
  EXPECT_EQ(first.get_data_length(), 3U);
  EXPECT_NE(&first, &second);
}

TEST(PatternWorkload, IsSilentAfterReset) {
  PatternWorkloadBench bench(0);
  bench.start();
  sc_core::sc_start(50, sc_core::SC_NS);
  const std::size_t begun = bench.log.size();
  ASSERT_LT(begun, bench.starts().size());

  bench.reset();
  bench.workload.reset();
  bench.processors[0]->reset();
  bench.ProcessorBench::run();

  EXPECT_EQ(bench.log.size(), begun);
}

}  // namespace
}  // namespace allport::test
