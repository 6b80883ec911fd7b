// SPDX-License-Identifier: Apache-2.0
// A Background sends the messages of a pattern beside ranks, which carry out tasks or run programs:
// every node sends and takes them over by a processor of its own, so that they meet the messages of
// the ranks in the network and at its ports only. A prepared message goes to its injection port
// when the one before it has left there, so that a message of a rank, which follows what is there
// already, waits for one of them at most, however many there are.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <vector>

#include "tlm/processor/modelled_workload.h"
#include "tlm/processor/pattern_workload.h"
#include "tlm/processor/timekeeper.h"

namespace allport {

/// Drives the ranks and the pattern. When the ranks are over, or can do nothing more, no further
/// message of the pattern starts.
class Background final : public Timekeeper, private ProcessorHands {
 public:
  /// The number of the collective (MessageHeader) that messages of the pattern have; those of ranks
  /// have 0.
  static constexpr int collective = 1;

  /// All references must outlive it. The processors of the pattern follow the plain rule.
  Background(Timekeeper& ranks, PatternWorkload& pattern, const NodeConfig& node,
             const RouterConfig& router, const Routing& routing);

  /// Notes that there is a rank at `node`, or the host, which acts in cycle 0.
  void add_rank(NodeId node) { expect_rank(node, 0); }
  /// The cycle in which the ranks were over; none: they are not.
  std::optional<Cycle> over_at() const {
    return are_over() ? std::optional(last_rank_turn_) : std::nullopt;
  }

  // Timekeeper
  void reset() override;
  void on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool observes_sent() const override { return true; }
  void on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  Cycle act(NodeId node, Cycle now, ProcessorHands& hands) override;

 private:
  struct Held {  // a message of the pattern that waits for its port
    tlm::tlm_generic_payload* message = nullptr;
    Cycle prepared = 0;
  };
  struct Port {
    bool is_busy = false;  // with a message of the pattern
    std::list<Held> queue;
  };
  class PatternHands;

  // The hands of the ranks: what they send is counted.
  void send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) override;
  void have(tlm::tlm_generic_payload& message) override { hands_->have(message); }
  void expect(NodeId node, Cycle cycle) override;

  // Programs go on after their turn, but in its cycle: so this is asked in a later one.
  bool are_over() const { return waiting_ranks_ == 0 && under_way_ == 0; }
  Port& port_of(NodeId node, int port) {
    return ports_[index(node) * static_cast<std::size_t>(router_.internal_ports) +
                  static_cast<std::size_t>(port)];
  }
  void hand_over(NodeId node, Cycle now);
  void set_rank_turn(NodeId node, Cycle cycle);
  void expect_rank(NodeId node, Cycle cycle);

  Timekeeper& ranks_;
  PatternWorkload& pattern_;
  const NodeModel plain_;
  ModelledWorkload messages_;  // of the pattern
  const RouterConfig& router_;
  const Routing& routing_;
  const std::size_t nodes_;
  std::vector<Port> ports_;  // by node and injection port
  ProcessorHands* hands_ = nullptr;
  std::vector<Cycle> rank_turn_;   // by node, then the host: when its rank acts next
  std::size_t waiting_ranks_ = 0;  // ranks that act again of themselves
  std::size_t under_way_ = 0;      // messages of ranks
  Cycle last_rank_turn_ = 0;
  bool has_ended_ = false;  // the pattern
};

}  // namespace allport
