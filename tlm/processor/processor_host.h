// SPDX-License-Identifier: Apache-2.0
// A ProcessorHost is a module with one TLM-2.0 initiator socket and one timer. It carries the
// phases of tlm/message/message.h and lets processors act when they are due; it is event-driven, so
// that it costs nothing between their actions. A Node is the host of one processor, a Bank of many.
#pragma once

#include <systemc>
#include <tlm>

#include "rtl_model/systemc/cycle_clock.h"
#include "tlm/processor/processor_rule.h"

namespace allport {

class ProcessorHost : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;

  virtual void reset();
  /// Must be called when the workload of `node` has grown: its processor acts in the present cycle.
  virtual void call(NodeId node) = 0;

  // tlm_bw_transport_if
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 protected:
  /// `clock` counts cycles. All references must outlive the host.
  ProcessorHost(const sc_core::sc_module_name& name, const NodeConfig& config,
                const CycleClock& clock, Workload& workload);

  /// Does what is due in the present cycle and sets the timer for what comes next.
  virtual void act() = 0;
  /// Sets the timer for what comes next, after a reception has been added.
  virtual void set_timer() = 0;

  Cycle now() const { return clock_.cycle(); }
  const Workload& workload() const { return workload_; }
  bool depends_on_receptions() const { return workload_.depends_on_receptions(); }
  Receptions& receptions() { return receptions_; }
  sc_core::sc_event& timer() { return timer_; }
  /// Hands `message`, whose reception is over, to its processor, and returns its node.
  NodeId receive(tlm::tlm_generic_payload& message);
  /// Calls Sender::begin_messages in the present cycle.
  Cycle begin_messages(Sender& sender, NodeId node);
  /// Makes the timer ring in `cycle` and not before.
  void ring_in(Cycle cycle);

 private:
  void on_timer();
  void send(NodeId node, tlm::tlm_generic_payload& message);

  const NodeConfig& config_;
  const CycleClock& clock_;
  Workload& workload_;
  Receptions receptions_;
  Settling settling_;
  sc_core::sc_event timer_;
};

}  // namespace allport
