// SPDX-License-Identifier: Apache-2.0
// A MovementWalk is a second walk back over the latencies of unicasts, trees and joins, by what the
// wires showed: it is notified of every flit that is put on a channel, and knows which cycles are
// movement, delays and the order of flits. All other cycles are waits to it. It shares nothing with
// testbench/observe/explain.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rtl_model/systemc/observers.h"
#include "testbench/simulation/simulation.h"

namespace allport::test {

class MovementWalk final : public FlitObserver {
 public:
  /// All references must outlive it.
  MovementWalk(const Simulation& simulation, const SimulationConfig& config, const Routing& routing)
      : simulation_(simulation), config_(config), routing_(routing) {}

  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override;
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;

  /// What the message of `receiver` took: the node at which the walk ends, and the cycles by cause
  /// in words, from its ejection to that of its head's injection.
  std::string walk(MessageId message, NodeId receiver) const;

 private:
  /// The flits of a message that come to a router on their way to the root of a join, or from the
  /// sender of any other message or the root of a tree.
  struct Stop {
    MessageId message = no_message;
    NodeId node{};
    bool is_gathering = false;
    auto key() const { return std::tie(message, node, is_gathering); }
    friend bool operator<(const Stop& a, const Stop& b) { return a.key() < b.key(); }
  };
  using Cycles = std::vector<Cycle>;  // by flit
  struct Flow {
    std::map<int, Cycles> arrivals;    // by input, in the order of ties: the local one is -1
    std::map<int, Cycles> departures;  // by output
    Cycle arrived(int flit) const;
    Cycle left(int flit) const;
    int last_input(int flit) const;
  };
  struct Place {
    Stop stop;
    int flit = 0;
    Cycle now = 0;
  };

  bool is_at_root(MessageId message, NodeId node) const;
  bool is_gathering(MessageId message, NodeId node, int output) const;
  Cycle link_delay(Channel channel) const;
  Cycle combine_delay(const Flow& flow, const Stop& stop) const;
  Cycle replication_delay(const Flow& flow, const Stop& stop) const;
  bool step(Place& place, std::map<std::string, Cycle>& causes) const;

  const Simulation& simulation_;
  const SimulationConfig& config_;
  const Routing& routing_;
  std::map<Stop, Flow> flows_;
};

}  // namespace allport::test
