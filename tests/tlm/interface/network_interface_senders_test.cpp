// SPDX-License-Identifier: Apache-2.0
// These tests check what a network interface refuses, and how it serves senders that block.
#include "tlm/interface/network_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/fatal.h"
#include "tests/support/message_bench.h"

// Once a process of SystemC has ended, the leak sanitizer takes the process's stack for that of the
// program, and ends at its guard page: it must look for pointers elsewhere.
extern "C" const char* __lsan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_options() { return "use_stacks=0"; }  // NOLINT

namespace allport::test {
namespace {

using testing::HasSubstr;

// ---- Bad messages ----

struct BadMessage {
  const char* what;
  tlm::tlm_response_status status;
  std::function<void(tlm::tlm_generic_payload&)> spoil;
};

const std::vector<BadMessage>& bad_messages() {
  static const std::vector<BadMessage> bad{
      {"a read", tlm::TLM_COMMAND_ERROR_RESPONSE, [](auto& message) { message.set_read(); }},
      {"no bytes", tlm::TLM_BURST_ERROR_RESPONSE,
       [](auto& message) { message.set_data_length(0); }},
      {"no data", tlm::TLM_BURST_ERROR_RESPONSE,
       [](auto& message) { message.set_data_ptr(nullptr); }},
      {"neither read nor write", tlm::TLM_COMMAND_ERROR_RESPONSE,
       [](auto& message) { message.set_command(tlm::TLM_IGNORE_COMMAND); }},
      {"byte enables", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
       [](auto& message) {
         static unsigned char enables[2] = {0xff, 0};
         message.set_byte_enable_ptr(enables);
         message.set_byte_enable_length(2);
       }},
      {"a streaming width below its length", tlm::TLM_BURST_ERROR_RESPONSE,
       [](auto& message) { message.set_streaming_width(message.get_data_length() - 1); }},
      {"more flits than there may be", tlm::TLM_BURST_ERROR_RESPONSE,
       [](auto& message) { message_extension(message)->stands_for = std::uint64_t{1} << 40; }},
      {"a join with a root beyond 32 bits", tlm::TLM_ADDRESS_ERROR_RESPONSE,
       [](auto& message) {
         message_extension(message)->kind = MessageKind::join;
         message.set_address(0x100000001U);
       }},
      {"to itself", tlm::TLM_ADDRESS_ERROR_RESPONSE, [](auto& message) { message.set_address(0); }},
      {"beyond the fabric", tlm::TLM_ADDRESS_ERROR_RESPONSE,
       [](auto& message) { message.set_address(4); }},
      {"beyond 32 bits", tlm::TLM_ADDRESS_ERROR_RESPONSE,
       [](auto& message) { message.set_address(0x100000001U); }},
      {"a tree over a second dimension", tlm::TLM_ADDRESS_ERROR_RESPONSE,
       [](auto& message) {
         message_extension(message)->kind = MessageKind::tree;
         message_extension(message)->group = 2;
       }},
      {"a contribution to a join by another port than 0", tlm::TLM_ADDRESS_ERROR_RESPONSE,
       [](auto& message) {
         message_extension(message)->kind = MessageKind::join;
         message_extension(message)->injection = 1;
       }},
      {"negative preparation", tlm::TLM_GENERIC_ERROR_RESPONSE,
       [](auto& message) { message_extension(message)->preparation = -1; }},
      {"negative jitter", tlm::TLM_GENERIC_ERROR_RESPONSE,
       [](auto& message) { message_extension(message)->jitter = -1; }},
      {"a negative list of addresses", tlm::TLM_GENERIC_ERROR_RESPONSE,
       [](auto& message) { message_extension(message)->address_flits = -1; }},
      {"a list of addresses in a deposit", tlm::TLM_GENERIC_ERROR_RESPONSE, [](auto& message) {
         message_extension(message)->kind = MessageKind::deposit;
         message_extension(message)->address_flits = 1;
       }}};
  return bad;
}

TEST(NetworkInterface, RefusesBadMessagesAtOnceWithTheirErrorResponse) {
  MessageBench bench("ring:4");
  for (const BadMessage& bad : bad_messages()) {
    auto& message = bench.message(1, 2);
    bad.spoil(message);

    EXPECT_EQ(bench.processors[0]->send(message), tlm::TLM_COMPLETED) << bad.what;
    EXPECT_EQ(message.get_response_status(), bad.status) << bad.what;

    message.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.processors[0]->socket->b_transport(message, delay);
    EXPECT_EQ(message.get_response_status(), bad.status) << bad.what;
  }

  bench.run();

  EXPECT_EQ(bench.log.size(), 0U);
  EXPECT_EQ(bench.processors[0]->phases, "");
}

TEST(NetworkInterface, RefusesAMessageWithoutTheExtension) {
  MessageBench bench("ring:4");
  unsigned char bytes[4] = {};
  tlm::tlm_generic_payload message;
  message.set_write();
  message.set_address(1);
  message.set_data_ptr(bytes);
  message.set_data_length(4);

  EXPECT_EQ(bench.processors[0]->send(message), tlm::TLM_COMPLETED);
  EXPECT_EQ(message.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST(NetworkInterface, GivesNoAccessToAMemory) {
  MessageBench bench("ring:4");
  auto& message = bench.message(1, 2);
  tlm::tlm_dmi access;
  access.allow_read_write();

  EXPECT_FALSE(bench.processors[0]->socket->get_direct_mem_ptr(message, access));
  EXPECT_TRUE(access.is_none_allowed());
  EXPECT_EQ(bench.processors[0]->socket->transport_dbg(message), 0U);
}

TEST(NetworkInterface, DeniesTheHintOfDirectAccess) {
  MessageBench bench("ring:4");
  auto& message = bench.message(1, 2);
  message.set_dmi_allowed(true);

  bench.processors[0]->send(message);

  EXPECT_FALSE(message.is_dmi_allowed());
}

TEST(NetworkInterface, IgnoresExtendedPhases) {
  MessageBench bench("ring:4");
  auto& message = bench.message(1, 2);
  tlm::tlm_phase phase(17);
  sc_core::sc_time delay;

  EXPECT_EQ(bench.processors[0]->socket->nb_transport_fw(message, phase, delay), tlm::TLM_ACCEPTED);
  EXPECT_EQ(bench.log.size(), 0U);
}

TEST(NetworkInterface, ReportsTheEndOfWhatIsNoResponseAsFatal) {
  MessageBench bench("hypercube:1");
  auto& message = bench.message(1, 1);
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;

  EXPECT_THAT(
      fatal_report_of([&] { bench.processors[0]->socket->nb_transport_fw(message, phase, delay); }),
      HasSubstr("network_interface_0.socket: END_RESP of a transaction that is no response"));
}

TEST(NetworkInterface, ReportsAPhaseThatDoesNotBelongOnTheForwardPathAsFatal) {
  MessageBench bench("hypercube:1");
  auto& message = bench.message(1, 1);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay;

  EXPECT_THAT(
      fatal_report_of([&] { bench.processors[0]->socket->nb_transport_fw(message, phase, delay); }),
      HasSubstr("network_interface_0.socket: phase END_REQ on the forward path"));
}

// ---- Blocking senders ----

void spawn(Cycle cycle, std::function<void()> action) {
  sc_core::sc_spawn([=] {
    sc_core::wait(static_cast<double>(cycle), sc_core::SC_NS);
    action();
  });
}

TEST(NetworkInterface, ReturnsABlockingCallWithTheTailOnTheInjectionChannel) {
  MessageBench bench("hypercube:3");
  auto& message = bench.message(7, 6);
  message_extension(message)->preparation = 4;
  Cycle returned = -1;
  spawn(10, [&] {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.processors[0]->socket->b_transport(message, delay);
    returned = bench.fabric.cycle();
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  });

  bench.run();

  EXPECT_EQ(returned, 10 + 4 + 6 - 1);
  EXPECT_EQ(message.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.processors[0]->phases, "");  // no END_REQ besides
  EXPECT_EQ(bench.delivered, "0>7#0@" + std::to_string(10 + 4 + 3 + 6));
}

TEST(NetworkInterface, CountsTheAnnotatedDelayOfABlockingCall) {
  MessageBench bench("hypercube:1");
  auto& message = bench.message(1, 2);
  Cycle returned = -1;
  spawn(1, [&] {
    sc_core::sc_time delay(20, sc_core::SC_NS);
    bench.processors[0]->socket->b_transport(message, delay);
    returned = bench.fabric.cycle();
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  });

  bench.run();

  EXPECT_EQ(returned, 1 + 20 + 2 - 1);
}

TEST(NetworkInterface, ServesSeveralBlockingSendersOfANode) {
  MessageBench bench("hypercube:2");
  std::string returned;
  for (const int order : {0, 1, 2}) {
    auto& message = bench.message(order == 2 ? 1 : 2, 4);  // 0 and 1 share port 1
    spawn(order, [&bench, &message, &returned, order] {
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      bench.processors[0]->socket->b_transport(message, delay);
      note(returned, std::to_string(order), bench.fabric.cycle());
    });
  }

  bench.run();

  EXPECT_EQ(returned, "0@3 2@5 1@7");
}

TEST(NetworkInterface, TakesATransactionWithoutAMemoryManagerInABlockingCall) {
  MessageBench bench("hypercube:1");
  unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  tlm::tlm_generic_payload message;
  MessageExtension extension;
  message.set_extension(&extension);
  message.set_write();
  message.set_address(1);
  message.set_data_ptr(bytes);
  message.set_data_length(8);
  std::vector<unsigned char> received;
  bench.processors[1]->on_message = [&](auto& there) { received = bytes_of(there); };
  spawn(0, [&] {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.processors[0]->socket->b_transport(message, delay);
  });

  bench.run();
  message.clear_extension(&extension);

  EXPECT_EQ(received, std::vector<unsigned char>(bytes, bytes + 8));
}

TEST(NetworkInterface, RefusesWhatTheSwitchingModeDoesNotTake) {
  MessageBench bench("hypercube:3", With().switching(Switching::store_and_forward).depth(4));
  auto& longer = bench.message(1, 5);
  EXPECT_EQ(bench.processors[0]->send(longer), tlm::TLM_COMPLETED);
  EXPECT_EQ(longer.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(NetworkInterface, RefusesOtherKindsThanUnicastsForCircuits) {
  MessageBench bench("hypercube:3", With().switching(Switching::circuit));
  auto& deposit = bench.message(7, 2, MessageKind::deposit);
  EXPECT_EQ(bench.processors[0]->send(deposit), tlm::TLM_COMPLETED);
  EXPECT_EQ(deposit.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(NetworkInterface, RefusesAListThatNamesTheSenderOrANodeTwice) {
  MessageBench bench("hypercube:3");
  const auto status = [&](const std::vector<NodeId>& via, MessageKind kind) {
    auto& message = bench.message(6, 2, kind);
    message_extension(message)->via = ViaList(via);
    EXPECT_EQ(bench.processors[0]->send(message), tlm::TLM_COMPLETED);
    return message.get_response_status();
  };
  for (const auto& via : {std::vector<NodeId>{node_id(0)},
                          {node_id(6)},
                          {node_id(1), node_id(2), node_id(1)},
                          {node_id(8)}}) {
    EXPECT_EQ(status(via, MessageKind::multidestination), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  EXPECT_EQ(status({node_id(1)}, MessageKind::unicast), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(NetworkInterface, RefusesLabelMessagesThatDoNotGoByLabels) {
  MessageBench bench("mesh:4x4");
  const auto status = [&](const std::vector<NodeId>& via, TieMask first) {
    auto& message = bench.message(13, 2, MessageKind::label);
    message_extension(message)->via = ViaList(via);
    message_extension(message)->ties = first;
    EXPECT_EQ(bench.processors[6]->send(message), tlm::TLM_COMPLETED);
    return message.get_response_status();
  };
  EXPECT_EQ(status({node_id(8), node_id(5)}, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status({node_id(7)}, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status({node_id(5)}, 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // beyond 5
  EXPECT_EQ(status({}, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);            // there are two dimensions
}

TEST(NetworkInterface, DeliversALabelMessageByTheHopThatItsSenderChose) {
  MessageBench bench("mesh:4x4");
  auto& message = bench.message(14, 4, MessageKind::label);
  message_extension(message)->via = ViaList({node_id(8), node_id(11)});
  message_extension(message)->ties = 1;
  bench.send(0, 6, message);

  bench.run();

  EXPECT_EQ(bench.delivered, "6>8#0@7 6>11#0@10 6>14#0@12");  // 6 5 4 8 9 10 11 15 14
}

TEST(NetworkInterface, DeliversAMultidestinationMessageToItsListInOrder) {
  MessageBench bench("hypercube:3");
  auto& message = bench.message(6, 4, MessageKind::multidestination);
  message_extension(message)->via = ViaList({node_id(1), node_id(5)});
  bench.send(0, 0, message);

  bench.run();

  EXPECT_EQ(bench.delivered, "0>1#0@5 0>5#0@6 0>6#0@8");  // one, one and two hops
}

}  // namespace
}  // namespace allport::test
