// SPDX-License-Identifier: Apache-2.0
// What nodes do not take holds messages up: the cycles of that have the cause `reception`, at the
// ejection channel. Random cases are compared with the reference model, which walks on its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "testbench/network/flits/flit_network.h"
#include "testbench/network/network.h"
#include "testbench/network/network_results.h"
#include "testbench/plan/option_values.h"
#include "testbench/results/explanation_json.h"
#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/explained_case.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

constexpr Cycle end_of_taking = 1000000;

// Takes each message `delays[user]` cycles after its reception.
void take_after(Network& network, const std::vector<Cycle>& delays) {
  std::multimap<Cycle, NetworkDelivery> due;
  while (network.now() < end_of_taking) {
    for (; !due.empty() && due.begin()->first == network.now(); due.erase(due.begin())) {
      network.take(due.begin()->second.id, due.begin()->second.destination);
    }
    if (network.is_idle() && due.empty()) break;
    const Cycle to = due.empty() ? end_of_taking : due.begin()->first - 1;
    for (const NetworkDelivery& one : network.advance_to_delivery(to)) {
      due.emplace(one.tail + delays[one.user], one);
    }
  }
}

// Unicasts that each sender has in the order of their cycles, and that are taken late.
DrawnClasses draw_taken(std::uint64_t seed) {
  DrawnClasses drawn = draw_classes(seed);
  SplitMix64 draw(seed + 7);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  reference::Config& config = drawn.config;
  const bool is_small =
      config.mode == reference::Mode::wormhole || config.mode == reference::Mode::circuit;
  if (is_small) config.buffer_depth = 1 + number(4);
  config.reception_limit = std::max(config.buffer_depth, config.flits) + number(4);
  config.explains = true;
  config.counts_from_begin = true;
  std::map<int, reference::Cycle> latest;
  for (reference::Line& line : drawn.lines) {
    reference::Cycle& at = latest[line.u];
    line.at = at = std::max(at, line.at);
    line.take_after = number(4) == 0 ? 0 : number(51);
  }
  return drawn;
}

NetworkRequest request_of(const reference::Config& config) {
  std::string options =
      "topology=" + config.topology + " classes=" + std::to_string(config.classes) +
      " vcs=" + std::to_string(config.vcs) +
      " buffer_depth=" + std::to_string(config.buffer_depth) +
      " link_delay=" + std::to_string(config.link_delay) +
      " reception_limit=" + std::to_string(config.reception_limit) + " explain=true";
  if (config.ports > 0) options += " ports=" + std::to_string(config.ports);
  if (config.route_delay > 0) options += " route_delay=" + std::to_string(config.route_delay);
  if (config.vc_delay > 0) options += " vc_delay=" + std::to_string(config.vc_delay);
  if (config.crossbar_delay > 0) {
    options += " crossbar_delay=" + std::to_string(config.crossbar_delay);
  }
  if (config.is_adaptive) options += " routing=adaptive";
  if (config.is_balanced) options += " vc_use=balanced";
  NetworkRequest request = read_network_request(options);
  request.router.switching = static_cast<Switching>(config.mode);
  return request;
}

// What a network explains of the lines, each taken when its line says.
Explanation explained(Network network, const std::vector<reference::Line>& lines) {
  std::vector<Cycle> delays;
  for (const reference::Line& line : lines) {
    NetworkMessage message = unicast(static_cast<std::size_t>(line.u),
                                     static_cast<std::size_t>(line.v), line.flits, delays.size());
    message.message_class = line.message_class;
    network.send(message, line.at);
    delays.push_back(line.take_after);
  }
  take_after(network, delays);
  EXPECT_TRUE(network.is_idle());
  ExplainRequest all = parse_explained("all");
  all.channels = true;
  const Explanation explanation = *network.explain(all).explanation;
  for (const ChannelUse& use : explanation.channels) {
    EXPECT_EQ(use.used + use.lost + use.no_credit + use.empty + use.idle, use.cycles);
    EXPECT_GE(std::min({use.used, use.lost, use.no_credit, use.empty, use.idle}), 0);
  }
  return explanation;
}

TEST(NetworkTaken, LateHasTheCausesOfASecondWalk) {
  const RandomCases cases(60);
  Cycle held = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnClasses drawn = draw_taken(seed);
    NetworkRequest request = request_of(drawn.config);
    const auto accounts = simulate(drawn.config, as_collective(drawn.lines)).accounts;
    const auto where = [&] {
      return "seed " + std::to_string(seed) + ": " + drawn.config.topology + " mode " +
             std::to_string(static_cast<int>(drawn.config.mode)) + " C " +
             std::to_string(drawn.config.classes) + " B " +
             std::to_string(drawn.config.buffer_depth) + " limit " +
             std::to_string(drawn.config.reception_limit);
    };
    const bool is_for_worms =
        drawn.config.mode == reference::Mode::wormhole && !drawn.config.is_adaptive;
    if (is_for_worms) {
      ASSERT_EQ(compare_accounts(explained(Network(request), drawn.lines), accounts), "")
          << where() << ", worms";
    }
    request.model = Model::systemc;
    const Explanation found = explained(flit_network(request), drawn.lines);
    ASSERT_EQ(compare_accounts(found, accounts), "") << where();
    held += found.causes[Cause::reception];
  }
  EXPECT_GT(held, static_cast<Cycle>(cases.end - cases.first));  // the test has something to see
}

// A and B have two flits and fill the buffer of two; A is taken in cycle 10. B's head would go to
// the ejection channel in cycle 4: what is owed for A comes back from cycle 11 on, flit by flit.
TEST(NetworkTaken, LateHoldsUpWhatComesNext) {
  Network network =
      network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2 explain=true");
  network.send(unicast(0, 1, 2), 0);
  network.send(unicast(0, 1, 2), 0);
  ASSERT_EQ(network.advance(9).size(), 1U);
  const Json early = explained_json(network, parse_explained("all"));
  EXPECT_EQ(early["explanation"]["unfinished"][0]["by_cause"]["reception"], 7);
  network.take(0, node_id(1));
  network.advance(99);
  const Json json = explained_json(network, parse_explained("message:0>1#1"));
  const Json& account = json["explanation"]["messages"][0];
  EXPECT_EQ(account["by_cause"].dump(), R"({"hop":2,"length":1,"port":2,"reception":8})");
  EXPECT_EQ(account["blames"].size(), 1U);  // A at the injection port
}

}  // namespace
}  // namespace allport::test
