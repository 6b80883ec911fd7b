// SPDX-License-Identifier: Apache-2.0
// A WormFabric is the transaction-level fabric: routers, channels and network interfaces as one
// module that moves worms (WormEngine), behind MessagePorts. A processor in a module of its own
// binds to socket(node); a module that serves many processors binds to socket(), the shared port,
// where the extension's `source` names the sender and `receiver` the receiver. It carries unicasts,
// trees and joins: any other kind of message gets an error response.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/systemc/cycle_clock.h"
#include "rtl_model/systemc/observers.h"
#include "tlm/interface/message_port.h"
#include "tlm/worm/engine.h"

namespace allport {

class WormFabric : public sc_core::sc_module, public CycleClock, private WormListener {
 public:
  using Socket = tlm::tlm_target_socket<>;

  /// `config`: validated; `clock_period` > 0; `flit_bytes`: payload bytes of a flit, 1 .. 64;
  /// `alone`: the nodes whose processors have a socket of their own. All sockets must be bound.
  /// With several message classes no processor has one, because it would hear of the tail on its
  /// injection channel within the cycle in which the classes take turns; else it is a
  /// std::invalid_argument. `reception_limit`: flits of the reception buffer of each class on an
  /// ejection channel, which messages fill until take(); 0: nodes take every message at once.
  WormFabric(const sc_core::sc_module_name& name, const RouterConfig& config,
             const Routing& routing, const sc_core::sc_time& clock_period, MessageLog& log,
             MessagePool& pool, int flit_bytes, const std::vector<NodeId>& alone = {},
             std::int64_t reception_limit = 0);
  ~WormFabric() override;

  /// The socket of the processor of `node`, one of `alone`.
  Socket& socket(NodeId node);
  /// The socket of all other processors; it does not exist if all nodes are in `alone`.
  Socket& socket();

  const RouterConfig& config() const { return config_; }
  const Routing& routing() const { return routing_; }
  /// `node` takes a message of `flits` flits in the present cycle, which it has received by
  /// ejection channel `port`. Only processes that events of the kernel resume do so.
  void take(NodeId node, int port, int message_class, std::int64_t flits);
  /// Returns to the state after reset; cycle 0 begins now.
  void reset();
  /// Promises that until cycle `horizon` begins, counted from the last reset, nobody sends but
  /// processes that events of the kernel resume. Where no event is pending worms are then moved
  /// ahead of time, up to the horizon; WormCalendar::never: the kernel runs until nothing is left
  /// to do. Without a promise, as after reset, they are moved in their time, so that messages may
  /// be handed over in any cycle, between two calls of sc_start() too. A message in a cycle that
  /// worms have been moved past is a std::invalid_argument.
  void set_horizon(Cycle horizon) { horizon_ = horizon; }
  void observe(MessageObserver& observer);
  void observe(WormContentionListener& observer) { engine_.observe(observer); }
  /// Calls `observer` in every cycle in which routers decide something.
  void observe(CycleObserver& observer) { cycle_observers_.push_back(&observer); }

  /// From now on the requests of the shared port, too, end with the tail on the injection channel;
  /// a std::invalid_argument with several message classes.
  void tell_of_sent();

  /// From now on nobody looks at the bytes that joins yield: nothing is combined, and receivers get
  /// those of one contribution.
  void skip_payloads() { skips_payloads_ = true; }

  /// Passes no more moments once `stop` is set: the run is about to be paused.
  void stop_when(StopFlag stop) { stop_ = stop; }

  WormEngine& engine() { return engine_; }
  const WormEngine& engine() const { return engine_; }
  /// The cycle of the last tail on an ejection channel; -1: there was none yet.
  Cycle last_reception() const { return last_reception_; }

 private:
  class Port;

  void on_sent(NodeId node, MessageId id, Cycle now) override;
  void on_received(const WormReception& reception) override;

  void keep_contribution(tlm::tlm_generic_payload& message);
  tlm::tlm_generic_payload& original(MessageId id);
  tlm::tlm_generic_payload& copy_for_receiver(MessageId id);

  void act();
  void inject_at_once();
  bool may_pass(Cycle moment, Cycle now, std::optional<Cycle>& activity) const;
  bool is_silent(WormPhase phase) const;
  bool waits_for_all(WormPhase phase) const;
  Cycle next_activity(Cycle now) const;
  void require_one_class() const;
  void sleep_until(Cycle moment, Cycle now);

  const RouterConfig config_;
  const Routing& routing_;
  MessageLog& log_;
  MessagePool& pool_;
  WormEngine engine_;
  std::vector<CycleObserver*> cycle_observers_;
  StopFlag stop_ = nullptr;

  std::vector<std::unique_ptr<Port>> ports_;          // by node, then the shared one
  std::vector<tlm::tlm_generic_payload*> under_way_;  // by message: the transaction to be received
  std::vector<tlm::tlm_generic_payload*>
      requests_;  // by message: the request to be ended; null: it has ended
  std::map<std::pair<MessageId, NodeId>, tlm::tlm_generic_payload*>
      contributions_;                            // the requests of joins that are to be ended
  std::map<MessageId, std::size_t> join_bytes_;  // of the first contribution
  bool skips_payloads_ = false;
  bool is_ending_request_ = false;                    // within a moment of the engine
  std::vector<tlm::tlm_generic_payload*> originals_;  // whose bytes receivers share, until reset
  sc_core::sc_event wake_;
  Cycle horizon_ = 0;  // the first cycle in which anybody may send
  Cycle last_reception_ = -1;
};

}  // namespace allport
