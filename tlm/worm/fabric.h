// SPDX-License-Identifier: Apache-2.0
// The transaction-level fabric: routers, channels and network interfaces as one module that moves
// worms (WormEngine), behind the sockets and phases of tlm/message/message.h. A processor of its
// own binds to socket(node); a module that serves many processors binds to socket(), where the
// extension's `source` says who sends and `receiver` who receives, and END_REQ answers BEGIN_REQ at
// once. Unicast only: any other kind of message gets an error response.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"
#include "rtl_model/systemc/observers.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"
#include "tlm/worm/engine.h"

namespace allport {

class WormFabric : public sc_core::sc_module, public CycleClock, private WormListener {
 public:
  using Socket = tlm_utils::simple_target_socket_tagged<WormFabric>;

  /// `config`: validated; `clock_period` > 0; `flit_bytes`: payload bytes of a flit, 1 .. 8;
  /// `alone`: the nodes whose processors have a socket of their own. All sockets want to be bound.
  WormFabric(const sc_core::sc_module_name& name, const RouterConfig& config,
             const Routing& routing, const sc_core::sc_time& clock_period, MessageLog& log,
             MessagePool& pool, int flit_bytes, const std::vector<NodeId>& alone = {});

  /// The socket of the processor of `node`, one of those alone.
  Socket& socket(NodeId node) { return *sockets_[index(node)]; }
  /// The socket of all other processors; there is none when all are alone.
  Socket& socket() { return *sockets_.back(); }

  const RouterConfig& config() const { return config_; }
  const Routing& routing() const { return routing_; }
  Cycle cycle() const override;
  sc_core::sc_time clock_period() const override { return period_; }

  /// Back to the state after reset; cycle 0 begins now.
  void reset();
  void observe(MessageObserver* observer) { observer_ = observer; }
  void observe(WormContentionListener* observer) { engine_.observe(observer); }
  /// Is called in every cycle in which routers decide something.
  void add(CycleObserver* observer) { cycle_observers_.push_back(observer); }

  WormEngine& engine() { return engine_; }
  const WormEngine& engine() const { return engine_; }
  /// The cycle of the last tail on an ejection channel; -1: none yet.
  Cycle last_reception() const { return last_reception_; }

 private:
  static constexpr int many = -1;  // the tag of socket()

  tlm::tlm_sync_enum nb_transport_fw(int tag, tlm::tlm_generic_payload& message,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(int tag, tlm::tlm_generic_payload& message, sc_core::sc_time& delay);
  tlm::tlm_response_status check(NodeId source, tlm::tlm_generic_payload& message) const;
  MessageId send(NodeId source, tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);
  void end_response(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);
  void add_socket(int tag, const std::string& name);
  tlm::tlm_generic_payload& copy(const tlm::tlm_generic_payload& message);

  void on_sent(NodeId node, MessageId id, Cycle now) override;
  void on_received(const WormReception& reception) override;

  void act();
  bool may_pass(Cycle moment, Cycle now) const;
  void sleep_until(Cycle moment, Cycle now);

  const RouterConfig config_;
  const Routing& routing_;
  const sc_core::sc_time period_;
  sc_core::sc_time reset_time_;
  MessageLog& log_;
  MessagePool& pool_;
  int flit_bytes_;
  WormEngine engine_;
  MessageObserver* observer_ = nullptr;
  std::vector<CycleObserver*> cycle_observers_;

  std::vector<std::unique_ptr<Socket>> sockets_;      // by node, then socket()
  std::vector<tlm::tlm_generic_payload*> under_way_;  // by message: what will be received
  std::vector<tlm::tlm_generic_payload*> requests_;   // by message: to be ended; null: ended
  std::vector<tlm::tlm_generic_payload*> blocking_;   // requests of b_transport under way
  sc_core::sc_event blocking_done_;
  sc_core::sc_event wake_;
  Cycle last_reception_ = -1;
};

}  // namespace allport
