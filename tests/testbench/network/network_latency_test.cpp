// SPDX-License-Identifier: Apache-2.0
// What a network expects of a lone message is what becomes of it, between all pairs of nodes.
#include <gtest/gtest.h>

#include <string>

#include "testbench/network/network.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

void expect_all_pairs(const std::string& options) {
  Network network = network_of(options);
  const std::size_t nodes = network.topology().node_count();
  for (std::size_t i = 0; i < nodes * nodes; ++i) {
    const std::size_t source = i / nodes;
    const std::size_t destination = i % nodes;
    if (source == destination) continue;
    for (const std::int64_t flits : {1, 2, 3, 8, 29}) {
      network.advance(network.now() + 50);  // until the credits of the one before are back
      const Cycle start = network.now();
      network.send(unicast(source, destination, flits), start);
      const auto& deliveries = network.advance_to_delivery(start + 100000);
      ASSERT_EQ(deliveries.size(), 1U);
      const auto bytes = static_cast<std::uint64_t>(4 * flits);
      ASSERT_EQ(deliveries[0].head - start,
                network.lookahead(node_id(source), node_id(destination)))
          << options << ": " << source << " to " << destination;
      ASSERT_EQ(deliveries[0].tail - start,
                network.expected(node_id(source), node_id(destination), bytes))
          << options << ": " << source << " to " << destination << ", " << flits << " flits";
    }
  }
}

TEST(NetworkLatency, IsTheExpectedOneBetweenAllPairs) {
  for (const char* shape : {"hypercube:3", "torus:4x3", "mesh:3x3", "ring:5", "torus:2x3x2"}) {
    for (const int depth : {1, 2, 3, 4, 9}) {
      for (const int delay : {0, 1, 3}) {
        expect_all_pairs(std::string("topology=") + shape + " buffer_depth=" +
                         std::to_string(depth) + " link_delay=" + std::to_string(delay));
      }
    }
  }
}

TEST(NetworkLatency, IsTheExpectedOneWhereDimensionsDiffer) {
  for (const int depth : {1, 2, 5, 30}) {
    const std::string options = " buffer_depth=" + std::to_string(depth);
    expect_all_pairs("topology=torus:4x3 link_delay=0,7" + options);
    expect_all_pairs("topology=mesh:3x2x2 link_delay=5,0,2 ports=1" + options);
    expect_all_pairs("topology=hypercube:3 link_delay=1,0,4 routing=ascending" + options);
    expect_all_pairs("topology=mesh:3x2x2 link_delay=5,0,2 route_delay=2 crossbar_delay=1" +
                     options);
    expect_all_pairs("topology=hypercube:3 link_delay=0,2,6 route_delay=1 vc_delay=4" + options);
  }
}

}  // namespace
}  // namespace allport::test
