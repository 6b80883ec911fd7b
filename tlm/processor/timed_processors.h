// SPDX-License-Identifier: Apache-2.0
// TimedProcessors has the processors of all nodes that a Timekeeper drives, in one module for
// either machine: with a socket for each node, or one socket for all, where the extension's
// `source` and `receiver` tell them apart; and the host, a node beyond the last one, which has no
// socket. Those that are due in a cycle act in the order of their nodes, when all tails of the
// cycle have come.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <queue>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"
#include "tlm/processor/processor_rule.h"
#include "tlm/processor/timekeeper.h"

namespace allport {

class TimedProcessors final : public sc_core::sc_module,
                              public tlm::tlm_bw_transport_if<>,
                              private ProcessorHands {
 public:
  using Socket = tlm::tlm_initiator_socket<>;

  /// `clock` counts cycles; `sockets`: a socket for each of `nodes` nodes, or one for all. All
  /// references must outlive it.
  TimedProcessors(const sc_core::sc_module_name& name, const CycleClock& clock, Timekeeper& keeper,
                  std::size_t nodes, std::size_t sockets);

  /// The socket of `node`, or the one of all nodes.
  Socket& socket(NodeId node = {}) { return *sockets_[sockets_.size() == 1 ? 0 : index(node)]; }
  void reset();
  /// Makes `node` act in the present cycle.
  void call(NodeId node) { expect(node, clock_.cycle()); }

  // tlm_bw_transport_if
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  struct Turn {
    Cycle cycle = 0;
    NodeId node{};
    bool operator>(const Turn& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };

  void send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) override;
  void have(tlm::tlm_generic_payload& message) override;
  void on_timer();
  void act();
  void expect(NodeId node, Cycle cycle) override;
  void set_timer();

  const CycleClock& clock_;
  Timekeeper& keeper_;
  std::vector<std::unique_ptr<Socket>> sockets_;
  std::vector<Cycle> turn_at_;  // by node, then the host: its next turn; never if it has none
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  Cycle timer_at_ = never;
  Settling settling_;
  sc_core::sc_event timer_;
};

}  // namespace allport
