// SPDX-License-Identifier: Apache-2.0
// Many processors in one module, for fabrics whose nodes are too many for a module each: each
// behaves as a Node (serial preparation of messages, ts each; receptions that end tr cycles after
// the tail). They share one socket, where the extension's `source` and `receiver` tell them apart.
// What they send is decided by a derived class.
#pragma once

#include <functional>
#include <queue>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"
#include "tlm/interface/ring_queue.h"
#include "tlm/message/message.h"
#include "tlm/processor/node.h"

namespace allport {

class ProcessorBank : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;

  /// `clock`: where cycles are counted; `nodes`: how many processors, node 0 first.
  ProcessorBank(const sc_core::sc_module_name& name, const NodeConfig& config,
                const CycleClock& clock, MessagePool& pool, std::size_t nodes);

  virtual void reset();

  // tlm_bw_transport_if
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 protected:
  static constexpr Cycle never = INT64_MAX;

  /// The cycle from which the next message of `node` may be prepared; never: nothing to send now.
  virtual Cycle next_ready(std::uint32_t node) const = 0;
  /// Takes the next message of `node` out of its program: a transaction acquired once, complete but
  /// for its source and preparation.
  virtual tlm::tlm_generic_payload& take_next(std::uint32_t node) = 0;
  /// The processor of `node` has `message` (released after the call).
  virtual void on_message(std::uint32_t node, tlm::tlm_generic_payload& message) = 0;

  /// As in a Node: what is sent next is chosen when all receptions of the cycle are over.
  virtual bool heeds_receptions() const { return false; }

  /// To be called when the program of `node` has grown: it acts in the present cycle.
  void call(std::uint32_t node);

  const NodeConfig& config() const { return config_; }
  Cycle now() const { return clock_.cycle(); }
  MessagePool& pool() { return pool_; }
  std::size_t nodes() const { return free_at_.size(); }

 private:
  struct Reception {
    Cycle due = 0;
    tlm::tlm_generic_payload* message = nullptr;
  };
  struct Turn {  // a processor acts
    Cycle cycle = 0;
    std::uint32_t node = 0;
    bool operator>(const Turn& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };

  void on_timer();
  void act_all();
  void act(std::uint32_t node);
  void receive(tlm::tlm_generic_payload& message);
  void send(std::uint32_t node, tlm::tlm_generic_payload& message);
  void set_timer();

  const NodeConfig& config_;
  const CycleClock& clock_;
  MessagePool& pool_;
  std::vector<Cycle> free_at_;       // the processor has prepared the message before
  std::vector<Cycle> turn_at_;       // the turn it waits for; never: none
  RingQueue<Reception> receptions_;  // by due cycle: tr is the same for all
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  sc_core::sc_event timer_;
  Cycle timer_at_ = never;
  Cycle settled_ = -1;  // the cycle whose receptions are known to be over
};

}  // namespace allport
