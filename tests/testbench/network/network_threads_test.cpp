// SPDX-License-Identifier: Apache-2.0
// Many networks in many threads: each is driven by one, and does what it does alone. By night this
// runs under the address sanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "testbench/network/network.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

constexpr std::size_t networks = 64;
constexpr std::size_t threads = 8;

// What a closed loop of its own does to network `number`.
std::vector<Told> driven(std::size_t number) {
  Draw draw(number + 700000);
  const std::string options = draw_options(draw);
  Network network = network_of(options);
  const std::size_t nodes = network.topology().node_count();
  for (const TimedMessage& one : draw_unicasts(draw, nodes, classes_of(options), 40)) {
    network.send(one.message, one.at);
  }
  std::vector<Told> heard;
  std::vector<NetworkMessage> answers;
  while (!network.is_idle()) {
    answers.clear();
    for (const NetworkDelivery& one : network.advance_to_delivery(network.now() + 1000)) {
      heard.push_back(told(one));
      if (one.user >= 1000) continue;
      answers.push_back(unicast(index(one.destination), index(one.source), 3, one.user + 1000));
      answers.back().message_class = one.message_class;
    }
    for (const NetworkMessage& answer : answers) network.send(answer, network.now());
  }
  return heard;
}

TEST(NetworkThreads, DriveNetworksThatDoWhatTheyDoAlone) {
  std::vector<std::vector<Told>> together(networks);
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> all;
  for (std::size_t i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      for (std::size_t at = next++; at < networks; at = next++) together[at] = driven(at);
    });
  }
  for (std::thread& one : all) one.join();
  for (std::size_t at = 0; at < networks; ++at) {
    ASSERT_EQ(together[at], driven(at)) << "network " << at;
    ASSERT_GE(together[at].size(), 80U);
  }
}

// The address sanitizer, under which the tests of a day run by night, looks for leaks at the end.
TEST(NetworkThreads, ManyNetworksAreMadeAndClosed) {
  const RandomCases cases(10000);
  for (std::uint64_t i = cases.first; i < cases.end; ++i) {
    Network network = network_of("topology=mesh:2x2");
    network.send(unicast(0, 3), 0);
    ASSERT_EQ(network.advance(20).size(), 1U);
  }
}

}  // namespace
}  // namespace allport::test
