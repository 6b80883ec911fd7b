// SPDX-License-Identifier: Apache-2.0
// A program that links allport::network alone needs SystemC neither to be compiled nor to be
// linked.
#include "testbench/network/network.h"
#include "testbench/network/network_options.h"
#include "testbench/network/network_results.h"
#include "testbench/plan/option_values.h"

#ifdef IEEE_1666_SYSTEMC
#error "the headers of a network that is driven include SystemC"
#endif

#include <gtest/gtest.h>

namespace allport::test {
namespace {

TEST(NetworkAlone, NeedsNoSystemC) {
  Network network(read_network_request("topology=torus:4x4"));
  NetworkMessage message;
  message.destination = node_id(5);
  message.flits = 3;
  network.send(message, 0);
  EXPECT_EQ(network.advance(100).at(0).tail, 2 + 3);
}

TEST(NetworkAlone, ExplainsWithoutSystemC) {
  Network network(read_network_request("topology=torus:4x4 explain=true"));
  NetworkMessage message;
  message.destination = node_id(5);
  message.flits = 3;
  network.send(message, 0);
  network.advance(100);
  const Json explanation = explained_json(network, {})["explanation"];
  EXPECT_EQ(explanation["receipts"], 0);  // nothing was asked for
  EXPECT_EQ(explained_json(network, parse_explained("all"))["explanation"]["receipts"], 1);
}

}  // namespace
}  // namespace allport::test
