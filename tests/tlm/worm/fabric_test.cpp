// SPDX-License-Identifier: Apache-2.0
// A user's own processor cannot distinguish the fabric of worms from that of routers.
#include "tlm/worm/fabric.h"
#include "tlm/interface/injection_port.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/support/blueprint.h"
#include "tests/support/forked.h"
#include "tlm/interface/network_interface.h"
#include "tlm/processor/bank.h"

namespace allport::test {
namespace {

/// Sends blocking and non-blocking messages, answers every third message that it receives and
/// records what it hears. One that joins first contributes to a join-tree; node 2 sends a tree in
/// the end.
class TalkingProcessor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TalkingProcessor> socket;

  TalkingProcessor(const sc_core::sc_module_name& name, MessagePool& pool, unsigned node,
                   std::ostream& out, bool joins)
      : sc_module(name), socket("socket"), pool_(pool), node_(node), out_(out), joins_(joins) {
    socket.register_nb_transport_bw(this, &TalkingProcessor::nb_transport_bw);
    SC_HAS_PROCESS(TalkingProcessor);
    SC_THREAD(talk);
  }

 private:
  tlm::tlm_generic_payload& message_to(unsigned destination, unsigned bytes) {
    tlm::tlm_generic_payload& message = pool_.allocate(bytes);
    message.set_address(destination);
    message_extension(message)->preparation = node_;
    fill_payload(message, node_ * 1000 + destination);
    return message;
  }
  void send(unsigned destination, unsigned bytes, MessageKind kind = MessageKind::unicast) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_generic_payload& message = message_to(destination, bytes);
    message_extension(message)->kind = kind;
    if (socket->nb_transport_fw(message, phase, delay) == tlm::TLM_COMPLETED) note("refused", 0);
  }
  void talk() {
    if (joins_) send(5, 60, MessageKind::join_tree);
    for (unsigned i = 1; i < 6; ++i) {
      send((node_ + i) % 8 == node_ ? 0 : (node_ + i) % 8, 40 + 8 * i);
      tlm::tlm_generic_payload& message = message_to((node_ + 3) % 8, 100);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(message, delay);
      note("sent", 0);
      message.release();
      wait(node_ + 1.0, sc_core::SC_NS);
    }
    if (joins_ && node_ == 2) send(0, 76, MessageKind::tree);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      note("END_REQ", message.get_data_length());
      message.release();
      return tlm::TLM_ACCEPTED;
    }
    note("BEGIN_RESP", payload_checksum(message.get_data_ptr(), message.get_data_length()));
    const auto source = static_cast<unsigned>(index(message_extension(message)->source));
    if (++received_ % 3 == 0) send(source, 4);
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void note(const char* what, std::uint64_t value) {
    out_ << sc_core::sc_time_stamp().value() / 1000 << " " << node_ << " " << what << " " << value
         << "\n";
  }

  MessagePool& pool_;
  unsigned node_;
  std::ostream& out_;
  bool joins_;
  int received_ = 0;
};

// What eight such processors hear on a 3-cube, in order of time.
std::string conversation(bool on_worms, bool joins) {
  const Blueprint blueprint("hypercube:3", With().join_vcs(joins ? 2 : 0));
  const Routing& routing = blueprint.routing;
  const RouterConfig& config = blueprint.config;
  const sc_core::sc_time period(1, sc_core::SC_NS);
  MessageLog log;
  MessagePool pool;
  std::vector<std::ostringstream> heard(8);
  std::vector<std::unique_ptr<TalkingProcessor>> processors;
  std::vector<std::unique_ptr<NetworkInterface>> interfaces;
  std::unique_ptr<Fabric> fabric;
  std::unique_ptr<WormFabric> worms;
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < 8; ++i) all.push_back(node_id(i));
  if (on_worms) {
    worms = std::make_unique<WormFabric>("fabric", config, routing, period, log, pool, 4, all);
  } else {
    fabric = std::make_unique<Fabric>("fabric", config, routing, period);
  }
  for (unsigned i = 0; i < 8; ++i) {
    const std::string number = std::to_string(i);
    processors.push_back(std::make_unique<TalkingProcessor>(("processor_" + number).c_str(), pool,
                                                            i, heard[i], joins));
    if (on_worms) {
      processors.back()->socket.bind(worms->socket(all[i]));
    } else {
      interfaces.push_back(std::make_unique<NetworkInterface>(("interface_" + number).c_str(),
                                                              *fabric, all[i], log, pool, 4));
      processors.back()->socket.bind(interfaces.back()->socket);
    }
  }
  sc_core::sc_start();
  std::string text;
  for (const std::ostringstream& one : heard) text += one.str();
  std::multiset<std::string> logged;  // messages of one cycle may have other numbers
  for (std::size_t i = 0; i < log.size(); ++i) {
    const MessageRecord& record = log[static_cast<MessageId>(i)];
    logged.insert("logged " + std::to_string(index(record.source)) + ">" +
                  std::to_string(index(record.destination)) + " " +
                  std::to_string(record.injected) + " " + std::to_string(record.head) + " " +
                  std::to_string(record.tail) + "\n");
  }
  for (const std::string& line : logged) text += line;
  return text;
}

TEST(WormFabric, IsNotToldFromTheFabricOfRoutersByItsProcessors) {
  for (const bool joins : {false, true}) {
    const std::string expected = forked([=] { return conversation(false, joins); });

    EXPECT_NE(expected.find("END_REQ"), std::string::npos);
    EXPECT_NE(expected.find("logged 7>"), std::string::npos);
    EXPECT_EQ(expected.find("logged 5>5") != std::string::npos, joins);
    EXPECT_EQ(expected.find(" -1"), std::string::npos);
    EXPECT_EQ(forked([=] { return conversation(true, joins); }), expected);
  }
}

class Silent : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;
  explicit Silent(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

TEST(WormFabric, RefusesWhatItCannotMoveExactly) {
  const Blueprint blueprint("hypercube:3");
  const Routing& routing = blueprint.routing;
  const RouterConfig& config = blueprint.config;
  MessageLog log;
  MessagePool pool;
  WormFabric fabric("fabric", config, routing, sc_core::sc_time(1, sc_core::SC_NS), log, pool, 4);
  Silent processors("processors");
  processors.socket.bind(fabric.socket());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto answer = [&](MessageKind kind, unsigned source, unsigned destination, bool is_full) {
    tlm::tlm_generic_payload& message = pool.allocate(is_full ? 4 : 0);
    message.set_address(destination);
    message_extension(message)->kind = kind;
    message_extension(message)->source = NodeId{source};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    processors.socket->nb_transport_fw(message, phase, delay);
    return message.get_response_status();
  };

  const auto spoilt = [&](const std::function<void(tlm::tlm_generic_payload&)>& spoil) {
    tlm::tlm_generic_payload& message = pool.allocate(8);
    message.set_address(7);
    message_extension(message)->source = NodeId{0};
    spoil(message);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(processors.socket->nb_transport_fw(message, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_FALSE(message.is_dmi_allowed());
    return message.get_response_status();
  };
  unsigned char enables[1] = {0xff};

  EXPECT_EQ(spoilt([&](auto& one) { one.set_byte_enable_ptr(enables); }),
            tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { one.set_streaming_width(4); }), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { one.set_read(); }), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { one.set_command(tlm::TLM_IGNORE_COMMAND); }),
            tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { one.set_data_ptr(nullptr); }), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { message_extension(one)->stands_for = std::uint64_t{1} << 40; }),
            tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) { one.set_address(0x100000001U); }),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) {
              message_extension(one)->kind = MessageKind::join;
              one.set_address(0x100000000U);
            }),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::label, 0, 1, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::deposit, 0, 0, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(spoilt([](auto& one) {
              message_extension(one)->kind = MessageKind::multidestination;
              message_extension(one)->via = ViaList({node_id(3), node_id(3)});
            }),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::unicast, 0, 0, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::unicast, 0, 8, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::unicast, 8, 0, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::unicast, 0, 7, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::join, 0, 8, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(answer(MessageKind::join, 8, 0, true), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(log.size(), 0U);
}

/// A 3-cube of worms, whose processors are outside the kernel.
class OutsideBench {
 public:
  OutsideBench() {
    processors_.socket.bind(fabric.socket());
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void send(unsigned source, unsigned destination, unsigned flits) {
    tlm::tlm_generic_payload& message = pool_.allocate(4 * flits);
    message.set_address(destination);
    message_extension(message)->source = NodeId{source};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    processors_.socket->nb_transport_fw(message, phase, delay);
  }
  /// Why node 7 may not send in the present cycle; empty: it does.
  std::string refusal() {
    try {
      send(7, 0, 4);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }
  Cycle tail(unsigned message) const { return log[MessageId{message}].tail; }

 private:
  const Blueprint blueprint_{"hypercube:3"};
  MessagePool pool_;

 public:
  MessageLog log;
  WormFabric fabric{"fabric",
                    blueprint_.config,
                    blueprint_.routing,
                    sc_core::sc_time(1, sc_core::SC_NS),
                    log,
                    pool_,
                    4};

 private:
  Silent processors_{"processors"};
};

TEST(WormFabric, TakesAMessageBetweenTwoStartsOfTheKernel) {
  OutsideBench bench;
  bench.send(0, 7, 600);
  sc_core::sc_start(20, sc_core::SC_NS);
  bench.send(7, 0, 4);
  sc_core::sc_start();

  EXPECT_EQ(bench.tail(0), 3 + 600);
  EXPECT_EQ(bench.tail(1), 20 + 3 + 4);
}

TEST(WormFabric, RefusesAMessageBeforeTheHorizonOnceWormsHaveGoneAhead) {
  OutsideBench bench;
  bench.fabric.set_horizon(400);
  bench.send(0, 7, 300);
  sc_core::sc_start(20, sc_core::SC_NS);

  EXPECT_EQ(
      bench.refusal(),
      "a message of node 7 cannot start in cycle 20: worms have been moved past it, and it must start in cycle 300 or later");
  EXPECT_EQ(bench.log.size(), 1U) << "what is refused leaves nothing behind";
  sc_core::sc_start(283, sc_core::SC_NS);
  EXPECT_EQ(bench.refusal(), "");
  sc_core::sc_start();
  EXPECT_EQ(bench.tail(0), 303);
  EXPECT_EQ(bench.tail(1), 303 + 3 + 4);

  bench.fabric.reset();  // and the promise is over
  bench.log.clear();
  bench.send(0, 7, 300);
  sc_core::sc_start(20, sc_core::SC_NS);
  EXPECT_EQ(bench.refusal(), "");
}

TEST(WormFabric, GoesAheadOfTimeUpToTheHorizonOnly) {
  OutsideBench bench;
  bench.fabric.set_horizon(20);
  bench.send(0, 7, 600);
  sc_core::sc_start(20, sc_core::SC_NS);
  EXPECT_EQ(bench.refusal(), "");
  bench.fabric.set_horizon(WormCalendar::never);
  sc_core::sc_start();

  EXPECT_EQ(bench.tail(1), 20 + 3 + 4);
}

// Cycles begin where they did, although the fabric was called within one.
TEST(WormFabric, ReceivesAtTheBeginningOfACycleAfterAMessageWithinOne) {
  OutsideBench bench;
  bench.send(0, 7, 4);
  sc_core::sc_start(5.5, sc_core::SC_NS);
  bench.send(7, 0, 4);
  sc_core::sc_start(1.25, sc_core::SC_NS);
  EXPECT_EQ(bench.tail(0), -1);
  sc_core::sc_start(0.5, sc_core::SC_NS);
  EXPECT_EQ(bench.tail(0), 7);
  sc_core::sc_start();
  EXPECT_EQ(bench.tail(1), 5 + 3 + 4);
}

TEST(JoinPortFault, NamesTheNodeAndThePort) {
  const Blueprint blueprint("hypercube:3");
  MessagePool pool;
  tlm::tlm_generic_payload& message = pool.allocate(4);
  MessageExtension& extension = *message_extension(message);
  extension.kind = MessageKind::join;
  const auto fault = [&](int port) {
    extension.injection = port;
    return join_port_fault(message, node_id(5), blueprint.config, blueprint.routing);
  };

  EXPECT_EQ(
      fault(2),
      "node 5: contributions to joins are injected on port 0, and this one is to go by port 2");
  EXPECT_EQ(fault(0) + fault(3) + fault(-1), "") << "port 3 is port 0, modulo their number";
}

}  // namespace
}  // namespace allport::test
