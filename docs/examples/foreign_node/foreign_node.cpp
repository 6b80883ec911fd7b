// SPDX-License-Identifier: Apache-2.0
// A processor model of one's own on an allport fabric: anything with a TLM-2.0 initiator socket can
// be bound to a network interface. Here node 0 sends one non-blocking and one blocking message to
// the last node, which answers each; the other nodes stay silent. Prints the phases and their
// cycles, then what the message log knows of each message, and the verdicts on contention and
// deadlock; exits with 1 unless both answers came back, the log has the cycles of all and nothing
// is stuck.
// usage: foreign_node [TOPOLOGY [ORDER]], such as torus:4x4, by default hypercube:3; the order of
// routing is by default the topology's own.
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/monitors/fabric_verdicts.h"
#include "tlm/interface/network_interface.h"

using allport::message_extension;

class MyProcessor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<MyProcessor> socket;

  // It talks to `partner`, if there is one.
  MyProcessor(const sc_core::sc_module_name& name, allport::MessagePool& pool,
              std::optional<unsigned> partner)
      : sc_module(name), socket("socket"), pool_(pool), partner_(partner) {
    socket.register_nb_transport_bw(this, &MyProcessor::nb_transport_bw);
    SC_HAS_PROCESS(MyProcessor);
    if (partner_) SC_THREAD(talk);
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
    send(*partner_);
    wait(100, sc_core::SC_NS);
    tlm::tlm_generic_payload& message = message_to(*partner_);
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
  std::optional<unsigned> partner_;
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
bool print(allport::FabricVerdicts& verdicts, const allport::Topology& topology) {
  const allport::Contention contention = verdicts.contention();
  std::cout << "contention: " << contention.events << " events\n";
  for (const allport::ContentionEvent& event : contention.list) {
    std::cout << "  cycle " << event.cycle << ": "
              << allport::output_in_words(topology, event.channel) << ", " << event.cycles
              << " cycles\n";
  }
  const std::optional<allport::Deadlock> deadlock = verdicts.deadlock();
  std::cout << (deadlock ? "deadlock in cycle " + std::to_string(deadlock->cycle) : "no deadlock")
            << "\n";
  return !deadlock;
}

/// Runs the processors on the fabric; returns whether all is as it should be.
bool run(const allport::Routing& routing) {
  allport::Fabric fabric("fabric", allport::router_config(allport::FabricConfig{}, routing),
                         routing, sc_core::sc_time(1, sc_core::SC_NS));
  allport::MessageLog log;
  allport::MessagePool pool;
  std::vector<std::unique_ptr<allport::NetworkInterface>> interfaces;
  std::vector<std::unique_ptr<MyProcessor>> processors;
  const auto nodes = static_cast<unsigned>(routing.topology().node_count());
  for (unsigned i = 0; i < nodes; ++i) {
    const std::string number = std::to_string(i);
    interfaces.push_back(std::make_unique<allport::NetworkInterface>(
        ("interface_" + number).c_str(), fabric, allport::NodeId{i}, log, pool, 4));
    const auto partner = i == 0 ? std::optional<unsigned>(nodes - 1) : std::nullopt;
    processors.push_back(
        std::make_unique<MyProcessor>(("processor_" + number).c_str(), pool, partner));
    processors.back()->socket.bind(interfaces.back()->socket);
  }
  allport::FabricVerdicts verdicts(fabric, log, interfaces);
  sc_core::sc_start();
  const bool is_complete = print(log);
  const bool is_free = print(verdicts, routing.topology());
  return is_complete && is_free && processors.back()->received == 2 &&
         processors.front()->received == 2;
}

/// The routing of the arguments; the order is the topology's own unless one is named.
allport::Routing routing_of(int count, char** words) {
  const auto topology = allport::parse_topology(count > 1 ? words[1] : "hypercube:3");
  if (count < 3) return allport::Routing(topology, allport::Routing::default_order(*topology));
  using Order = allport::RoutingOrder;
  for (const Order order :
       {Order::descending, Order::ascending, Order::adaptive, Order::dimension_ordered}) {
    if (std::string(words[2]) == to_string(order)) return allport::Routing(topology, order);
  }
  throw std::invalid_argument(std::string("routing ") + words[2] + ": there is no such order");
}

int sc_main(int count, char** words) {
  try {  // what leaves sc_main is reported by SystemC's kernel, as an error of its own
    return run(routing_of(count, words)) ? 0 : 1;
  } catch (const std::invalid_argument& error) {  // a topology or an order that cannot be
    std::cerr << error.what() << "\n";
    return 2;
  }
}
