// SPDX-License-Identifier: Apache-2.0
// This header has a fabric with network interfaces and processors of any type, and a script of
// actions by cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/blueprint.h"
#include "tests/support/worm.h"
#include "tlm/interface/limited_interface.h"
#include "tlm/interface/network_interface.h"

namespace allport::test {

/// Performs actions in their cycles, counted from the start of the simulation.
class Script : public sc_core::sc_module {
 public:
  explicit Script(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Script);
    SC_METHOD(act);
  }
  void at(Cycle cycle, std::function<void()> action) {
    plan_.emplace(cycle, std::move(action));
    grown_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void act() {
    const auto now = static_cast<Cycle>(sc_core::sc_time_stamp() / period_);
    while (!plan_.empty() && plan_.begin()->first <= now) {
      const auto action = std::move(plan_.begin()->second);
      plan_.erase(plan_.begin());
      action();
    }
    if (plan_.empty()) {
      next_trigger(grown_);
    } else {
      next_trigger(static_cast<double>(plan_.begin()->first - now) * period_, grown_);
    }
  }

  const sc_core::sc_time period_{1, sc_core::SC_NS};
  std::multimap<Cycle, std::function<void()>> plan_;
  sc_core::sc_event grown_;
};

/// `2>7#0`: the message of order 0 in the program of node 2, at node 7.
inline std::string name_of(const MessageExtension& extension) {
  return std::to_string(index(extension.source)) + ">" + std::to_string(index(extension.receiver)) +
         "#" + std::to_string(extension.order);
}

/// Records the heads on the injection channels as `node.port@cycle`.
class HeadTable final : public FlitObserver {
 public:
  explicit HeadTable(Fabric& fabric) { fabric.observe(*this); }
  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override {
    if (!flit.head) return;
    note(heads, std::to_string(index(node)) + "." + std::to_string(port), on_channel);
  }
  std::string heads;
};

template <class Processor>
class ProcessorBench : public MessageObserver {
 public:
  using Factory =
      std::function<std::unique_ptr<Processor>(const char* name, ProcessorBench&, NodeId)>;

  ProcessorBench(std::string_view topology, const FabricConfig& config, int flit_bytes,
                 const Factory& make, PortLimits limits = {})
      : ProcessorBench(Blueprint(topology, config), flit_bytes, make, limits) {}
  ProcessorBench(const Blueprint& plan, int flit_bytes, const Factory& make, PortLimits limits = {})
      : blueprint(plan),
        fabric("fabric", blueprint.config, blueprint.routing, sc_core::sc_time(1, sc_core::SC_NS)),
        script("script") {
    for (std::size_t i = 0; i < fabric.node_count(); ++i) {
      const std::string number = std::to_string(i);
      const std::string name = "network_interface_" + number;
      if (plan.config.classes > 1 || limits.has_any()) {
        interfaces.push_back(std::make_unique<LimitedInterface>(name.c_str(), fabric, node_id(i),
                                                                log, pool, flit_bytes, limits));
      } else {
        interfaces.push_back(std::make_unique<NetworkInterface>(name.c_str(), fabric, node_id(i),
                                                                log, pool, flit_bytes));
      }
      processors.push_back(make(("processor_" + number).c_str(), *this, node_id(i)));
      processors.back()->socket.bind(interfaces.back()->socket);
      interfaces.back()->observe(*this);
    }
  }

  static bool is_elaborated() { return sc_core::sc_get_status() == sc_core::SC_PAUSED; }
  /// Returns to the state after reset; cycle 0 begins.
  void reset() {
    if (!is_elaborated()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    fabric.reset();
    for (const auto& interface : interfaces) interface->reset();
  }
  /// Runs until nothing is left to do.
  void run() {
    if (!is_elaborated() || sc_core::sc_pending_activity()) sc_core::sc_start();
  }

  void on_delivered(const tlm::tlm_generic_payload&, const MessageExtension& extension) override {
    note(delivered, name_of(extension), fabric.cycle());
  }
  void on_received(const MessageExtension& extension, Cycle now) override {
    note(received, name_of(extension), now);
  }

  const Blueprint blueprint;
  MessageLog log;
  MessagePool pool;
  Fabric fabric;
  Script script;
  std::vector<std::unique_ptr<NetworkInterface>> interfaces;
  std::vector<std::unique_ptr<Processor>> processors;
  std::string delivered;  ///< messages, each with the cycle of its tail on the ejection channel
  std::string received;   ///< messages, each with the cycle in which the processor has it
};

/// Sends on request and records the phases that it is notified of; ends responses `tr` cycles
/// later.
class RecordingProcessor : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;

  RecordingProcessor(const sc_core::sc_module_name& name, const Fabric& clock, Script& script)
      : sc_module(name), socket("socket"), clock_(clock), script_(script) {
    socket.bind(*this);
  }

  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& message,
                          sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    return socket->nb_transport_fw(message, phase, delay);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    note(phases, phase.get_name(), clock_.cycle());
    if (phase == tlm::END_REQ) {
      message.release();
      return tlm::TLM_ACCEPTED;
    }
    on_message(message);
    if (answer == tlm::TLM_UPDATED) phase = tlm::END_RESP;
    if (answer != tlm::TLM_ACCEPTED) return answer;
    message.acquire();
    script_.at(clock_.cycle() + tr, [this, &message] {
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(message, end, delay);
      message.release();
    });
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::string phases;  ///< the phases seen, each with its cycle
  tlm::tlm_sync_enum answer = tlm::TLM_UPDATED;
  Cycle tr = 0;  ///< with answer TLM_ACCEPTED
  std::function<void(tlm::tlm_generic_payload&)> on_message = [](tlm::tlm_generic_payload&) {};

 private:
  const Fabric& clock_;
  Script& script_;
};

/// Nodes that send single messages.
class MessageBench : public ProcessorBench<RecordingProcessor> {
 public:
  explicit MessageBench(std::string_view topology, const FabricConfig& config = {},
                        int flit_bytes = 4, PortLimits limits = {})
      : MessageBench(Blueprint(topology, config), flit_bytes, limits) {}
  explicit MessageBench(const Blueprint& plan, int flit_bytes = 4, PortLimits limits = {})
      : ProcessorBench(
            plan, flit_bytes,
            [](const char* name, auto& bench, NodeId) {
              return std::make_unique<RecordingProcessor>(name, bench.fabric, bench.script);
            },
            limits),
        flit_bytes_(flit_bytes) {}

  /// A message of `flits` flits, to be sent once.
  tlm::tlm_generic_payload& message(std::size_t to, int flits,
                                    MessageKind kind = MessageKind::unicast) {
    tlm::tlm_generic_payload& message =
        pool.allocate(static_cast<std::size_t>(flits * flit_bytes_));
    message.set_address(to);
    message_extension(message)->kind = kind;
    fill_payload(message, messages_++);
    return message;
  }
  /// Node `from` begins to prepare `message` in `cycle`.
  void send(Cycle cycle, std::size_t from, tlm::tlm_generic_payload& message) {
    script.at(cycle, [this, from, &message] { processors[from]->send(message); });
  }

 private:
  int flit_bytes_;
  std::uint64_t messages_ = 0;
};

/// The bytes that `message` carries.
inline std::vector<unsigned char> bytes_of(const tlm::tlm_generic_payload& message) {
  return {message.get_data_ptr(), message.get_data_ptr() + message.get_data_length()};
}

}  // namespace allport::test
