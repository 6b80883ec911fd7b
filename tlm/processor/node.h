// SPDX-License-Identifier: Apache-2.0
// A processor: one TLM-2.0 initiator socket, a serial preparation of messages (ts each) and
// receptions that end tr cycles after the tail. What it sends is decided by a derived class.
// Event-driven: it costs nothing between its actions.
#pragma once

#include <optional>
#include <systemc>
#include <tlm>

#include "rtl_model/systemc/cycle_clock.h"
#include "tlm/interface/ring_queue.h"
#include "tlm/message/message.h"

namespace allport {

struct NodeConfig {
  Cycle ts = 0;           ///< sender's latency: cycles to prepare a message
  Cycle tr = 0;           ///< receiver's latency: from the tail until the processor has it
  int flit_bytes = 4;     ///< payload bytes of a flit, 1 .. 8
  std::size_t bytes = 4;  ///< payload bytes of a message
};

class Node : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;

  /// `clock`: where cycles are counted.
  Node(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
       MessagePool& pool, NodeId node);

  virtual void reset();

  // tlm_bw_transport_if
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 protected:
  /// The cycle from which the next message may be prepared; none: nothing more to send for now.
  virtual std::optional<Cycle> next_ready() const = 0;
  /// Takes the next message out of the program: a transaction ready for BEGIN_REQ, acquired once.
  virtual tlm::tlm_generic_payload& take_next() = 0;
  /// The processor has `message` (released after the call).
  virtual void on_message(tlm::tlm_generic_payload& message) = 0;

  /// Whether what is sent next depends on what has been received: such a processor chooses when all
  /// receptions of the cycle are over.
  virtual bool heeds_receptions() const { return false; }

  /// To be called when the program has grown: the processor acts in the present cycle.
  void call();

  const NodeConfig& config() const { return config_; }
  Cycle now() const { return clock_.cycle(); }
  MessagePool& pool() { return pool_; }
  NodeId node() const { return node_; }

 private:
  struct Reception {
    Cycle due = 0;
    tlm::tlm_generic_payload* message = nullptr;
  };

  void on_timer();
  void act();
  void receive(tlm::tlm_generic_payload& message);
  void send(tlm::tlm_generic_payload& message);
  void set_timer();

  const NodeConfig& config_;
  const CycleClock& clock_;
  MessagePool& pool_;
  NodeId node_;
  Cycle free_at_ = 0;  // the processor has prepared the message before
  RingQueue<Reception> receptions_;
  sc_core::sc_event timer_;
  bool is_acting_ = false;
  Cycle settled_ = -1;  // the cycle whose receptions are known to be over
};

}  // namespace allport
