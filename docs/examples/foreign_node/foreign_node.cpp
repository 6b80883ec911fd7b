// SPDX-License-Identifier: Apache-2.0
// A processor model of one's own on an allport fabric: anything with a TLM-2.0 initiator socket can
// be bound to a network interface. Here node 0 of a 3-cube sends one non-blocking and one blocking
// message to node 7, which answers each; the other nodes stay silent. Prints the phases and their
// cycles, then what the message log knows of each message, and the verdicts on contention and
// deadlock; exits with 1 unless both answers came back, the log has the cycles of all and nothing
// is stuck.
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/monitors/fabric_verdicts.h"
#include "tlm/interface/network_interface.h"

using allport::message_extension;

class MyProcessor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<MyProcessor> socket;

  MyProcessor(const sc_core::sc_module_name& name, allport::MessagePool& pool, bool is_talking)
      : sc_module(name), socket("socket"), pool_(pool) {
    socket.register_nb_transport_bw(this, &MyProcessor::nb_transport_bw);
    SC_HAS_PROCESS(MyProcessor);
    if (is_talking) SC_THREAD(talk);
  }
  int received = 0;

 private:
  tlm::tlm_generic_payload& message_to(unsigned destination) {
    tlm::tlm_generic_payload& message = pool_.allocate(64);  // 16 flits of 4 bytes
    message.set_address(destination);
    message_extension(message)->preparation = 10;  // ts of this processor
    allport::fill_payload(message, destination);
    return message;
  }
  void send(unsigned destination) {  // non-blocking: END_REQ follows
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(message_to(destination), phase, delay);
  }
  void talk() {
    send(7);
    wait(100, sc_core::SC_NS);
    tlm::tlm_generic_payload& message = message_to(7);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(message, delay);  // returns with the tail on the injection channel
    log("b_transport returned");
    message.release();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      log("END_REQ");
      message.release();
      return tlm::TLM_ACCEPTED;
    }
    log("BEGIN_RESP");
    ++received;
    const auto source = static_cast<unsigned>(index(message_extension(message)->source));
    if (source == 0) send(0);
    phase = tlm::END_RESP;  // this processor has the message at once: tr = 0
    return tlm::TLM_UPDATED;
  }
  void log(const char* what) {
    std::cout << "cycle " << sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS) << ": "
              << name() << " " << what << "\n";
  }
  allport::MessagePool& pool_;
};

/// Prints the cycles of each message; returns whether all have been received.
bool print(const allport::MessageLog& log) {
  bool is_complete = true;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const allport::MessageRecord& message = log[static_cast<allport::MessageId>(i)];
    std::cout << "message " << i << " from " << index(message.source) << " to "
              << index(message.destination) << ": injected " << message.injected << ", head "
              << message.head << ", tail " << message.tail << "\n";
    is_complete = is_complete && message.tail >= 0;
  }
  return is_complete;
}

/// Prints what became of the fabric; returns whether nothing is stuck in it.
bool print(allport::FabricVerdicts& verdicts) {
  const allport::Contention contention = verdicts.contention();
  std::cout << "contention: " << contention.events << " events\n";
  for (const allport::ContentionEvent& event : contention.list) {
    std::cout << "  cycle " << event.cycle << ": node " << index(event.channel.node) << " port "
              << index(event.channel.port) << ", " << event.cycles << " cycles\n";
  }
  const std::optional<allport::Deadlock> deadlock = verdicts.deadlock();
  std::cout << (deadlock ? "deadlock in cycle " + std::to_string(deadlock->cycle) : "no deadlock")
            << "\n";
  return !deadlock;
}

int sc_main(int, char**) {
  const allport::Routing routing(allport::parse_topology("hypercube:3"),
                                 allport::RoutingOrder::descending);
  allport::Fabric fabric("fabric", allport::router_config(allport::FabricConfig{}, routing),
                         routing, sc_core::sc_time(1, sc_core::SC_NS));
  allport::MessageLog log;
  allport::MessagePool pool;
  std::vector<std::unique_ptr<allport::NetworkInterface>> interfaces;
  std::vector<std::unique_ptr<MyProcessor>> processors;
  for (unsigned i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    interfaces.push_back(std::make_unique<allport::NetworkInterface>(
        ("interface_" + number).c_str(), fabric, allport::NodeId{i}, log, pool, 4));
    processors.push_back(
        std::make_unique<MyProcessor>(("processor_" + number).c_str(), pool, i == 0));
    processors.back()->socket.bind(interfaces.back()->socket);
  }
  allport::FabricVerdicts verdicts(fabric, log, interfaces);
  sc_core::sc_start();
  const bool is_complete = print(log);
  const bool is_free = print(verdicts);
  return is_complete && is_free && processors[7]->received == 2 && processors[0]->received == 2 ? 0
                                                                                                : 1;
}
