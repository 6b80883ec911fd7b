// SPDX-License-Identifier: Apache-2.0
// A fabric with message classes whose channels are recorded, cycle by cycle, and the worked case of
// docs/router.md, message classes, which holds whoever the routers are.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/message_bench.h"

namespace allport::test {

/// Records the flits on each channel, at its receiving end, as `A1(0)@2`: the second flit of the
/// message of order 0, on VC 0, in cycle 2; the credits on the wires of each output as `0@3`, and
/// the acknowledgements on those of each input likewise.
class ClassTable final : public FlitObserver, public CycleObserver {
 public:
  explicit ClassTable(MessageBench& bench) : bench_(bench) {
    bench.fabric.observe(*this);
    for (std::size_t node = 0; node < bench.fabric.node_count(); ++node) {
      const RouterConfig& config = bench.fabric.config();
      left_.emplace_back(static_cast<std::size_t>(config.channel_vcs()), config.buffer_depth);
    }
  }

  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override {
    add(injection_[{index(node), port}], flit, on_channel);
  }
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override {
    const RouterConfig& config = bench_.fabric.config();
    --left_[index(node)][output_vc(output, static_cast<int>(index(flit.vc)))];
    const Cycle hop = config.is_external(output) ? config.hop_cycles_at(node, output) : 1;
    add(sent_[{index(node), output}], flit, on_channel - 1 + hop);
  }
  void on_acknowledged(NodeId node, int input, int vc, Cycle on_wire) override {
    note(acks_[{index(node), input}], std::to_string(vc), on_wire);
  }
  void on_cycle(Cycle now) override {
    const RouterConfig& config = bench_.fabric.config();
    for (std::size_t node = 0; node < bench_.fabric.node_count(); ++node) {
      const RouterState& router = bench_.fabric.state(node_id(node));
      for (int output = 0; output < config.ports(); ++output) {
        for (int vc = 0; vc < config.vcs_of(output); ++vc) {
          int& left = left_[node][output_vc(output, vc)];
          const int credits = router.credits(config.channel_vc(output, vc));
          if (credits > left) note(credits_[{node, output}], std::to_string(vc), now);
          left = credits;
        }
      }
    }
  }

  std::string injection(std::size_t node, int port = 0) { return injection_[{node, port}]; }
  std::string channel(std::size_t node, int output) { return sent_[{node, output}]; }
  std::string ejection(std::size_t node, int port = 0) {
    return sent_[{node, bench_.fabric.config().external_ports + port}];
  }
  std::string credits(std::size_t node, int output) { return credits_[{node, output}]; }
  std::string ejection_credits(std::size_t node, int port = 0) {
    return credits_[{node, bench_.fabric.config().external_ports + port}];
  }
  /// Those on the injection channel.
  std::string acks(std::size_t node, int port = 0) {
    return acks_[{node, bench_.fabric.config().external_ports + port}];
  }

 private:
  using Place = std::pair<std::size_t, int>;  // node and port
  struct Row {
    std::string text;
    std::map<MessageId, int> flits;  // of each message so far
    operator std::string() const { return text; }
  };

  std::size_t output_vc(int output, int vc) const {
    return static_cast<std::size_t>(bench_.fabric.config().channel_vc(output, vc));
  }
  void add(Row& row, const Flit& flit, Cycle now) {
    const char letter = static_cast<char>('A' + bench_.log[flit.message].order);
    note(row.text,
         letter + std::to_string(row.flits[flit.message]++) + "(" + std::to_string(index(flit.vc)) +
             ")",
         now);
  }

  MessageBench& bench_;
  std::vector<std::vector<int>> left_;  // by node and output VC: credits after the last decisions
  std::map<Place, Row> injection_;
  std::map<Place, Row> sent_;
  std::map<Place, std::string> credits_;
  std::map<Place, std::string> acks_;
};

/// A bench whose messages are called A, B, .. in the order in which they are planned.
struct ClassBench : MessageBench {
  ClassBench(std::string_view topology, const FabricConfig& config, PortLimits limits = {})
      : MessageBench(topology, config, 4, limits), table(*this) {}
  explicit ClassBench(const Blueprint& plan) : MessageBench(plan), table(*this) {}

  void plan(Cycle cycle, std::size_t from, std::size_t to, int message_class, int flits,
            MessageKind kind = MessageKind::unicast) {
    tlm::tlm_generic_payload& one = message(to, flits, kind);
    message_extension(one)->message_class = static_cast<std::uint8_t>(message_class);
    message_extension(one)->order = planned++;
    send(cycle, from, one);
  }

  ClassTable table;
  int planned = 0;
};

/// Nodes, virtual channels and buffers of the worked case.
inline With three_classes() { return With().vcs(3).classes(3).depth(1); }

/// A, B, C, D and E of the worked case: a port gives its classes their turns flit by flit. A class
/// without a flit or a credit is passed over, and a cycle without a flit, the ninth, leaves the
/// pointer, so that E goes before D.
inline void expect_three_classes(ClassBench& bench) {
  bench.plan(0, 0, 1, 0, 4);
  bench.plan(4, 0, 1, 1, 2);
  bench.plan(0, 0, 1, 2, 3);
  bench.plan(10, 0, 1, 0, 1);
  bench.plan(10, 0, 1, 2, 1);

  bench.run();

  EXPECT_EQ(bench.table.injection(0),
            "A0(0)@0 C0(2)@1 A1(0)@2 C1(2)@3 A2(0)@4 B0(1)@5 C2(2)@6 A3(0)@7 B1(1)@8 E0(2)@10 "
            "D0(0)@11");
  EXPECT_EQ(bench.table.channel(0, 0),
            "A0(0)@1 C0(2)@2 A1(0)@3 C1(2)@4 A2(0)@5 B0(1)@6 C2(2)@7 A3(0)@8 B1(1)@9 E0(2)@11 "
            "D0(0)@12");
  EXPECT_EQ(bench.table.ejection(1),
            "A0(0)@2 C0(2)@3 A1(0)@4 C1(2)@5 A2(0)@6 B0(1)@7 C2(2)@8 A3(0)@9 B1(1)@10 E0(2)@12 "
            "D0(0)@13");
  EXPECT_EQ(bench.table.credits(0, 0), "0@2 2@3 0@4 2@5 0@6 1@7 2@8 0@9 1@10 2@12 0@13");
  EXPECT_EQ(bench.table.ejection_credits(1), "0@3 2@4 0@5 2@6 0@7 1@8 2@9 0@10 1@11 2@13 0@14");
  EXPECT_EQ(bench.received, "0>1#2@8 0>1#0@9 0>1#1@10 0>1#4@12 0>1#3@13");
  EXPECT_TRUE(bench.fabric.is_idle());
}

}  // namespace allport::test
