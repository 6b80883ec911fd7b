// SPDX-License-Identifier: Apache-2.0
// A model of one's own at one node, and allport's traffic at all others: node 0 is a memory, with
// an initiator socket of TLM-2.0, which accesses one word after another and answers each request;
// the other nodes send it requests, and messages to one another, by the pattern `hotspot`. The
// memory hears what arrives by the same calls as the nodes of allport, so that its answers meet
// their traffic in the routers. Prints how many requests came, how long they waited for the memory,
// and the latencies of both kinds; exits with 1 unless each request was answered and nothing is
// stuck.
// usage: own_node [TOPOLOGY [RATE]], such as torus:8x8 0.05; by default mesh:4x4 0.02
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <queue>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/observe/monitors/fabric_verdicts.h"
#include "tlm/interface/network_interface.h"
#include "tlm/processor/node.h"
#include "tlm/processor/pattern_workload.h"

using allport::Cycle;
using allport::message_extension;

constexpr unsigned memory_node = 0;
constexpr Cycle access_cycles = 30;       // of the memory, one request after another
constexpr std::size_t answer_bytes = 64;  // 16 flits of 4 bytes

/// A memory behind a network interface. A request has arrived when its tail has (BEGIN_RESP); the
/// memory has it at once, and answers after its access.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Memory> socket;

  Memory(const sc_core::sc_module_name& name, allport::MessagePool& pool,
         const allport::CycleClock& clock)
      : sc_module(name), socket("socket"), pool_(pool), clock_(clock) {
    socket.register_nb_transport_bw(this, &Memory::nb_transport_bw);
    SC_HAS_PROCESS(Memory);
    SC_THREAD(serve);
  }
  int requests = 0;
  int answers = 0;
  Cycle waited = 0;  // by requests, for those before them

 private:
  struct Request {
    unsigned from = 0;
    Cycle arrival = 0;
  };

  void serve() {
    for (;;) {
      while (requests_.empty()) wait(arrival_);
      const Request request = requests_.front();
      requests_.pop();
      waited += clock_.cycle() - request.arrival;
      wait(access_cycles * clock_.clock_period());
      tlm::tlm_generic_payload& answer = pool_.allocate(answer_bytes);
      answer.set_address(request.from);
      message_extension(answer)->created = clock_.cycle();
      allport::fill_payload(answer, request.from);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_fw(answer, phase, delay) == tlm::TLM_UPDATED) answer.release();
      ++answers;
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {  // an answer has left
      message.release();
      return tlm::TLM_ACCEPTED;
    }
    const auto from = static_cast<unsigned>(index(message_extension(message)->source));
    requests_.push({from, clock_.cycle()});
    ++requests;
    arrival_.notify();
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  allport::MessagePool& pool_;
  const allport::CycleClock& clock_;
  std::queue<Request> requests_;
  sc_core::sc_event arrival_;
};

/// The latencies of the messages of one kind, from their start until their tail is there.
struct Latencies {
  int messages = 0;
  Cycle sum = 0;
  Cycle max = 0;
  void add(const allport::MessageRecord& message) {
    const Cycle latency = message.tail - message.created;
    ++messages;
    sum += latency;
    max = std::max(max, latency);
  }
};

void print(const char* what, const Latencies& latencies) {
  std::cout << what << ": " << latencies.messages << ", latency mean "
            << (latencies.messages > 0 ? latencies.sum / latencies.messages : 0) << ", max "
            << latencies.max << "\n";
}

/// Runs the memory among allport's nodes; returns whether all is as it should be.
bool run(const std::string& topology, double rate) {
  const auto shape = allport::parse_topology(topology);
  const allport::Routing routing(shape, allport::Routing::default_order(*shape));
  allport::Fabric fabric("fabric", allport::router_config(allport::FabricConfig{}, routing),
                         routing, sc_core::sc_time(1, sc_core::SC_NS));
  allport::MessageLog log;
  allport::MessagePool pool;

  // What the other nodes send (docs/guide/traffic.md).
  allport::TrafficRequest request;
  request.pattern = &allport::find_pattern("hotspot");
  request.hotspots = {allport::NodeId{memory_node}};
  request.hotspot_fraction = 0.1;
  request.rate = rate;
  request.flits = 4;
  request.cycles = 20'000;
  const allport::SyntheticTraffic traffic(request, *shape);
  allport::NodeConfig config;
  config.ts = 5;
  config.bytes = 4 * static_cast<std::size_t>(config.flit_bytes);
  const std::size_t nodes = shape->node_count();
  allport::PatternWorkload workload(config, pool, allport::MessageBytes::own, nodes);

  // A network interface for each node, with a node of allport, or the memory, behind it.
  std::vector<std::unique_ptr<allport::NetworkInterface>> interfaces;
  std::vector<std::unique_ptr<allport::Node>> others;
  Memory memory("memory", pool, fabric);
  for (unsigned i = 0; i < nodes; ++i) {
    const std::string number = std::to_string(i);
    interfaces.push_back(std::make_unique<allport::NetworkInterface>(
        ("interface_" + number).c_str(), fabric, allport::NodeId{i}, log, pool, config.flit_bytes));
    if (i == memory_node) {
      memory.socket.bind(interfaces.back()->socket);
      continue;
    }
    const allport::NodeId node{i};
    others.push_back(std::make_unique<allport::Node>(("node_" + number).c_str(), config, fabric,
                                                     workload, node));
    others.back()->socket.bind(interfaces.back()->socket);
    workload.start(node, allport::MessageSource(traffic, node), 1, 0);
    others.back()->call(node);  // it has something to send
  }
  allport::FabricVerdicts verdicts(fabric, log, interfaces);
  sc_core::sc_start();

  Latencies requests, answers, rest;
  bool is_complete = true;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const allport::MessageRecord& message = log[static_cast<allport::MessageId>(i)];
    is_complete = is_complete && message.tail >= 0;
    const bool is_answer = index(message.source) == memory_node;
    (is_answer                                   ? answers
     : index(message.destination) == memory_node ? requests
                                                 : rest)
        .add(message);
  }
  print("requests", requests);
  print("answers", answers);
  print("others", rest);
  std::cout << "waited for the memory: mean "
            << (memory.requests > 0 ? memory.waited / memory.requests : 0) << "\n"
            << "contention: " << verdicts.contention().events << " events\n";
  if (memory.requests == 0) std::cerr << "nothing is asked of the memory: give a higher rate\n";
  return is_complete && !verdicts.deadlock() && memory.requests > 0 &&
         memory.answers == memory.requests && answers.messages == memory.requests;
}

double rate_of(const std::string& word) {
  char* end = nullptr;
  const double rate = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') throw std::invalid_argument("rate '" + word + "': no number");
  return rate;
}

int sc_main(int count, char** words) {
  try {  // what leaves sc_main is reported by SystemC's kernel, as an error of its own
    return run(count > 1 ? words[1] : "mesh:4x4", count > 2 ? rate_of(words[2]) : 0.02) ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
