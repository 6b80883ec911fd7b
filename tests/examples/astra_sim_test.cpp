// SPDX-License-Identifier: Apache-2.0
// The network of a simulator of training (docs/examples/astra_sim) without the simulator: what is
// matched with what and when, the order of what is due at one time, and what is read from files and
// command lines. ALLPORT_CASES is the number of random workloads (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "docs/examples/astra_sim/frontend_options.h"
#include "docs/examples/astra_sim/matched_network.h"
#include "docs/examples/astra_sim/network_scenario.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/test_file.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

using Time = MatchedNetwork::Time;
using Message = MatchedNetwork::Message;

std::string scenario_of(const std::string& topology, const std::string& clock = "1") {
  return "[fabric]\ntopology = \"" + topology + "\"\n[node]\nclock = " + clock + "\n";
}

MatchedNetwork matched(const std::string& scenario) { return {scenario, "net.toml"}; }

// Functions as a simulator hands them over; they live as long as this.
class Calls {
 public:
  MatchedNetwork::Call operator()(std::function<void()> call) {
    all_.push_back(std::move(call));
    return {[](void* argument) { (*static_cast<std::function<void()>*>(argument))(); },
            &all_.back()};
  }

 private:
  std::deque<std::function<void()>> all_;
};

void run(MatchedNetwork& network) {
  while (network.proceed()) {
  }
}

// --- Random workloads beside the network by itself

struct DrawnMessage {
  Message message;
  Time sent = 0, received = 0;  // when the simulator calls
};

struct Clock {
  std::string ghz;
  Time cycle;  // [fs]
};

std::vector<DrawnMessage> draw_messages(Draw& draw, int nodes) {
  std::vector<DrawnMessage> messages(static_cast<std::size_t>(draw.one_of<int>({1, 5, 40, 120})));
  const auto few =
      draw.one_of<int>({2, std::min(3, nodes), nodes});  // so that many have the same four
  const auto spread = draw.one_of<int>({1, 100, 2000});
  const auto time = [&] { return Time{draw.below(spread)} * draw.one_of<Time>({500000, 1000000}); };
  for (DrawnMessage& one : messages) {
    one.message.source = draw.below(few);
    one.message.destination = draw.below(few);
    one.message.tag = draw.below(2);
    one.message.bytes = draw.one_of<std::uint64_t>({0, 1, 64, 64, 1000});
    one.sent = time();
    one.received = time();
  }
  return messages;
}

// The places of `times` in the order of (time, place).
std::vector<std::size_t> in_order(const std::vector<DrawnMessage>& messages,
                                  Time DrawnMessage::*time) {
  std::vector<std::size_t> places(messages.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return messages[a].*time < messages[b].*time;
  });
  return places;
}

// When each message is received, by the network alone, to which all are handed over at once.
std::vector<Time> arrivals_of(const std::vector<DrawnMessage>& messages,
                              const std::string& scenario, Time cycle) {
  std::vector<Time> arrivals(messages.size());
  Network network(read_network_scenario(scenario, "net.toml").network);
  for (const std::size_t i : in_order(messages, &DrawnMessage::sent)) {
    const DrawnMessage& one = messages[i];
    arrivals[i] = one.sent;
    if (one.message.source == one.message.destination) continue;
    NetworkMessage message;
    message.source = node_id(static_cast<std::size_t>(one.message.source));
    message.destination = node_id(static_cast<std::size_t>(one.message.destination));
    message.bytes = one.message.bytes;
    message.user = i;
    network.send(message, (one.sent + cycle - 1) / cycle);
  }
  for (const NetworkDelivery& one : network.advance(100'000'000)) {
    arrivals[one.user] = one.tail * cycle;
  }
  return arrivals;
}

using Four = std::tuple<int, int, int, std::uint64_t>;

Four four_of(const Message& one) { return {one.source, one.destination, one.tag, one.bytes}; }

// The message that each receive takes: the n-th of its four.
std::vector<std::size_t> taken_by_receives(const std::vector<DrawnMessage>& messages) {
  std::map<Four, std::vector<std::size_t>> sends;
  for (const std::size_t i : in_order(messages, &DrawnMessage::sent)) {
    sends[four_of(messages[i].message)].push_back(i);
  }
  std::map<Four, std::size_t> count;
  std::vector<std::size_t> taken(messages.size());
  for (const std::size_t i : in_order(messages, &DrawnMessage::received)) {
    const Four four = four_of(messages[i].message);
    taken[i] = sends[four].at(count[four]++);
  }
  return taken;
}

TEST(MatchedNetwork, MatchesRandomSendsAndReceivesInTheCyclesOfTheNetwork) {
  const RandomCases cases(200);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const auto topology =
        draw.one_of<std::string>({"mesh:2", "ring:5", "torus:4x4", "hypercube:4", "mesh:3x4"});
    const auto clock =
        draw.one_of<Clock>({{"1.0", 1000000}, {"2", 500000}, {"0.75", 1333333}, {"1.4", 714286}});
    const std::string scenario = scenario_of(topology, clock.ghz);
    MatchedNetwork network = matched(scenario);
    const std::vector<DrawnMessage> messages =
        draw_messages(draw, static_cast<int>(network.node_count()));
    static constexpr Time never = -1;
    std::vector<Time> sent(messages.size(), never), received(messages.size(), never);
    Calls calls;
    const auto heard = [&](std::vector<Time>& times, std::size_t i) {
      return calls([&network, &times, i] {
        EXPECT_EQ(times[i], never);  // it is called once
        times[i] = network.now();
      });
    };
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const DrawnMessage& one = messages[i];
      network.schedule(one.sent,
                       calls([&, i] { network.send(messages[i].message, heard(sent, i)); }));
      network.schedule(one.received,
                       calls([&, i] { network.receive(messages[i].message, heard(received, i)); }));
    }
    run(network);
    const std::vector<Time> arrivals = arrivals_of(messages, scenario, clock.cycle);
    ASSERT_EQ(sent, arrivals);
    const std::vector<std::size_t> taken = taken_by_receives(messages);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      ASSERT_EQ(received[i], std::max(messages[i].received, arrivals[taken[i]])) << i;
    }
    ASSERT_EQ(network.unmatched(), std::nullopt);
    ASSERT_EQ(network.messages(), messages.size());
  }
}

// --- The order of what is due at one time

TEST(MatchedNetwork, CallsEventsOfATimeInTheOrderOfScheduling) {
  MatchedNetwork network = matched(scenario_of("mesh:2"));
  Calls calls;
  std::string order;
  const auto letter = [&](char one) { return calls([&order, one] { order += one; }); };
  network.schedule(2000, letter('d'));
  network.schedule(1000, calls([&] {
                     order += 'a';
                     network.schedule(0, letter('c'));
                     network.schedule(1000, letter('e'));
                   }));
  network.schedule(1000, letter('b'));
  run(network);
  EXPECT_EQ(order, "abcde");
  EXPECT_EQ(network.now(), 2000);
  EXPECT_FALSE(network.proceed());
}

TEST(MatchedNetwork, CallsEventsBeforeReceptionsOfTheSameTimeAndWhatTheseScheduleAfter) {
  const std::string scenario = scenario_of("mesh:3x3");
  const Cycle cycles = Network(read_network_scenario(scenario, "net.toml").network)
                           .expected(node_id(0), node_id(1), 64);
  MatchedNetwork network = matched(scenario);
  Calls calls;
  std::string order;
  const auto letter = [&](char one) { return calls([&order, one] { order += one; }); };
  const Time at = cycles * MatchedNetwork::nanosecond;
  network.send({0, 1, 7, 64}, calls([&] {
                 order += 'b';
                 EXPECT_EQ(network.now(), at);
                 network.schedule(0, letter('f'));
                 network.send({1, 0, 7, 64}, letter('g'));  // it leaves in this cycle
               }));
  network.receive({0, 1, 7, 64}, letter('c'));
  network.send({8, 7, 7, 64}, letter('d'));
  network.receive({8, 7, 7, 64}, letter('e'));
  network.schedule(at, letter('a'));
  network.schedule(2 * at, calls([&] {
                     order += "-";
                     EXPECT_EQ(network.messages(), 2U);
                   }));
  run(network);
  EXPECT_EQ(order, "abcdef-g");
  EXPECT_EQ(network.now(), 2 * at);
}

TEST(MatchedNetwork, SendsBetweenTwoCyclesInTheNextOne) {
  MatchedNetwork network = matched(scenario_of("mesh:2"));
  Calls calls;
  Time early = 0, late = 0;
  network.send({0, 1, 0, 4}, calls([&] { early = network.now(); }));
  network.schedule(100'000'000, calls([] {}));
  network.schedule(100'000'001, calls([&] {
                     network.send({0, 1, 0, 4}, calls([&] { late = network.now(); }));
                   }));
  run(network);
  EXPECT_EQ(late, 101'000'000 + early);
}

// What makes a collective of rings as fast as over links of latency 1 + d and this bandwidth alone:
// a message between neighbours takes the time of its link, whatever else is sent between others.
TEST(MatchedNetwork, SendsToAllNeighboursAtTheRateOfTheirLinks) {
  for (const auto& [topology, sides] : {std::pair<std::string, std::vector<int>>{"ring:8", {8}},
                                        {"torus:4x4", {4, 4}},
                                        {"torus:2x4x3", {2, 4, 3}}}) {
    SCOPED_TRACE(topology);
    MatchedNetwork network = matched("[fabric]\ntopology = \"" + topology +
                                     "\"\n[router]\nlink_delay = 2\nbuffer_depth = 6\n"
                                     "[message]\nflit_bytes = 32\n[node]\nclock = 2\n");
    ASSERT_EQ(network.sides(), sides);
    Calls calls;
    std::vector<Time> arrivals;
    std::uint64_t sent = 0;
    int stride = 1;
    for (const int side : sides) {
      for (int node = 0; node < static_cast<int>(network.node_count()); ++node) {
        const int place = node / stride % side;
        std::set<int> neighbours;  // with a side of 2 there is one
        for (const int step : {1, side - 1}) {
          neighbours.insert(node + ((place + step) % side - place) * stride);
        }
        for (const int neighbour : neighbours) {
          const Message message{node, neighbour, 0, 320};
          network.receive(message, calls([&] { arrivals.push_back(network.now()); }));
          network.send(message, calls([] {}));
          ++sent;
        }
      }
      stride *= side;
    }
    run(network);
    EXPECT_EQ(network.messages(), sent);
    // A hop of 3 cycles and 10 flits, half a nanosecond each.
    EXPECT_THAT(arrivals, testing::SizeIs(sent));
    EXPECT_THAT(arrivals, testing::Each(13 * MatchedNetwork::nanosecond / 2));
  }
}

// --- What is matched with what

TEST(MatchedNetwork, TellsAReceiveThatComesLateAtOnceButNotWithinItsCall) {
  MatchedNetwork network = matched(scenario_of("mesh:2"));
  Calls calls;
  std::string order;
  network.send({0, 1, 0, 4}, calls([&] { order += 's'; }));
  network.schedule(1'000'000'000, calls([&] {
                     network.receive({0, 1, 0, 4}, calls([&] {
                                       order += 'r';
                                       EXPECT_EQ(network.now(), 1'000'000'000);
                                     }));
                     order += 'e';
                   }));
  run(network);
  EXPECT_EQ(order, "ser");
}

TEST(MatchedNetwork, TakesAReceiveThatTheSenderCallsForWhenItHears) {
  MatchedNetwork network = matched(scenario_of("mesh:2"));
  Calls calls;
  int receptions = 0;
  network.send({0, 1, 0, 4}, calls([&] {
                 network.receive({0, 1, 0, 4}, calls([&] { ++receptions; }));
               }));
  run(network);
  EXPECT_EQ(receptions, 1);
}

TEST(MatchedNetwork, KeepsWhatANodeSendsToItself) {
  MatchedNetwork network = matched(scenario_of("mesh:2"));
  Calls calls;
  std::string order;
  network.receive({1, 1, 3, 1000}, calls([&] { order += 'r'; }));
  network.send({1, 1, 3, 1000}, calls([&] { order += 's'; }));
  EXPECT_EQ(order, "");
  run(network);
  EXPECT_EQ(order, "sr");
  EXPECT_EQ(network.now(), 0);
  EXPECT_EQ(network.bytes(), 1000U);
}

TEST(MatchedNetwork, NamesWhatIsNotMatched) {
  MatchedNetwork network = matched(scenario_of("mesh:4"));
  Calls calls;
  const auto nothing = [&] { return calls([] {}); };
  network.send({0, 1, 5, 64}, nothing());
  run(network);
  EXPECT_EQ(network.unmatched(),
            "rank 0 has sent 64 bytes with tag 5 to rank 1, which receives no more of them");
  network.receive({0, 1, 5, 65}, nothing());
  run(network);
  EXPECT_EQ(network.unmatched(),
            "rank 1 waits for 65 bytes with tag 5 of rank 0, which has sent no more of them");
  network.send({0, 1, 5, 65}, nothing());
  network.receive({0, 1, 5, 64}, nothing());
  run(network);
  EXPECT_EQ(network.unmatched(), std::nullopt);
}

// --- Wrong use

TEST(WrongUseOfMatchedNetwork, IsASentence) {
  MatchedNetwork network = matched(scenario_of("mesh:2x2"));
  Calls calls;
  const auto nothing = [&] { return calls([] {}); };
  EXPECT_EQ(sentence_of_call([&] {
              network.send({0, 4, 0, 4}, nothing());
            }),
            "destination 4: mesh:2x2 has the nodes 0..3");
  EXPECT_EQ(sentence_of_call([&] {
              network.receive({-1, 0, 0, 4}, nothing());
            }),
            "source -1: mesh:2x2 has the nodes 0..3");
  EXPECT_EQ(sentence_of_call([&] {
              network.send({0, 1, 0, 9'000'000'000}, nothing());
            }),
            sentence_of_call([] {
              NetworkMessage message = unicast(0, 1, 0);
              message.bytes = 9'000'000'000;
              network_of("topology=mesh:2x2").send(message, 0);
            }));
  EXPECT_EQ(sentence_of_call([&] { network.schedule(-1, nothing()); }),
            "an event -1 fs from now: must be 0..9000000000000000000");
  EXPECT_EQ(sentence_of_call([&] { network.bandwidth(2); }), "dimension 2: mesh:2x2 has 2");
  EXPECT_FALSE(network.proceed());
  EXPECT_EQ(network.unmatched(), std::nullopt);
  network.schedule(MatchedNetwork::last, calls([&] {
                     EXPECT_EQ(sentence_of_call([&] { network.schedule(1, nothing()); }),
                               "an event 1 fs from now: must be 0..0");
                   }));
  EXPECT_TRUE(network.proceed());
}

TEST(WrongUseOfMatchedNetwork, EndsWithTime) {
  MatchedNetwork network = matched(scenario_of("mesh:2", "0.000001"));
  Calls calls;
  network.send({0, 1, 0, 40'000'000}, calls([] {}));  // ten million flits
  try {
    network.proceed();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "time ends 9000000000000000000 fs after it begins, with messages under way: 1");
  }
}

TEST(MatchedNetwork, CountsNanosecondsInFemtoseconds) {
  EXPECT_EQ(MatchedNetwork::from_nanoseconds(0), 0);
  EXPECT_EQ(MatchedNetwork::from_nanoseconds(1.4285714L), 1428571);
  EXPECT_EQ(MatchedNetwork::in_nanoseconds(1'500'000), 1.5L);
  for (const long double wrong : {-1.0L, 9.1e12L, std::numeric_limits<long double>::quiet_NaN()}) {
    EXPECT_EQ(sentence_of_call([&] { MatchedNetwork::from_nanoseconds(wrong); }),
              "a time of " + std::to_string(wrong) + " ns: must be 0..9000000000000");
  }
}

// --- Scenarios

TEST(NetworkScenario, IsThatOfARun) {
  const NetworkScenario scenario = read_network_scenario(
      "[fabric]\ntopology = \"torus:4x2\"\nports = 1\n[router]\nvcs = 4\nlink_width = [16, 8]\n"
      "[message]\nflit_bytes = 32\n[node]\nclock = 1.5\n[traffic]\nties = \"negative\"\n",
      "net.toml");
  EXPECT_EQ(scenario.network.fabric.topology->name(), "torus:4x2");
  EXPECT_EQ(scenario.network.fabric.ports, 1);
  EXPECT_EQ(scenario.network.router.vcs, 4);
  EXPECT_EQ(scenario.network.flit_bytes, 32);
  EXPECT_EQ(scenario.clock_ghz, 1.5);
}

TEST(NetworkScenario, SaysWhatAChannelCarries) {
  const std::string wide = "[message]\nflit_bytes = 32\n" + scenario_of("torus:4x2", "1.5");
  const MatchedNetwork network = matched(wide);
  EXPECT_EQ(network.bandwidth(1), 48);
  EXPECT_THAT(network.sides(), testing::ElementsAre(4, 2));
  EXPECT_EQ(network.node_count(), 8U);
  const MatchedNetwork narrow = matched(wide + "[router]\nlink_width = [16, 7]\n");
  EXPECT_EQ(narrow.bandwidth(0), 24);
  EXPECT_EQ(narrow.bandwidth(1), 9.6);  // a flit of 32 bytes in five cycles
}

TEST(WrongNetworkScenario, IsASentence) {
  const auto said = [](const std::string& text) {
    return sentence_of_call([&] { read_network_scenario(text, "net.toml"); });
  };
  EXPECT_EQ(said("[fabric\n"),
            "net.toml:1:8: expected a table such as [traffic], alone on its line");
  EXPECT_EQ(said("[fabrik]\ntopology = \"ring:4\"\n"),
            "net.toml:1:2: unknown table 'fabrik': did you mean 'fabric'?");
  EXPECT_EQ(said("fabric = 4\n"), "net.toml:1:1: must be a table, as in [fabric]");
  EXPECT_EQ(said("[fabric]\ntopolgy = \"ring:4\"\n"),
            "net.toml:2:1: unknown key 'topolgy': did you mean 'topology'?");
  EXPECT_EQ(said("[fabric]\nvcs = 2\n"), "net.toml:2:1: vcs belongs to the table [router]");
  EXPECT_THAT(said("[traffic]\npattern = \"uniform\"\n"),
              testing::StartsWith("net.toml:2:1: unknown key 'pattern': "));
  EXPECT_EQ(said("[router]\nvcs = 20\n"), "net.toml:2:1: vcs: '20' is not a whole number in 1..16");
  EXPECT_EQ(said("[router]\nvcs = 2.0\n"),
            "net.toml:2:1: vcs: '2.0' is not a whole number in 1..16");
  EXPECT_EQ(said("[router]\nvcs = 1979-05-27\n"),
            "net.toml:2:1: vcs: expected a word, a number, true, false or a list of them");
  EXPECT_THAT(said("[node]\nclock = 0.0000001\n"),
              testing::StartsWith("net.toml:2:1: clock: '1e-07' "));
  EXPECT_EQ(said("[router]\nclasses = 2\n"),
            "net.toml: classes 2: must be 1, because the simulator has no message classes");
  EXPECT_EQ(sentence_of_call([] { matched("[router]\nvcs = 2\n"); }),
            sentence_of_call([] { network_of("vcs=2"); }));
}

// --- The command line

const std::vector<std::string> needed{
    "--workload-configuration=w",      "--system-configuration",  "s",
    "--remote-memory-configuration=m", "--network-configuration", "n"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), needed.begin(), needed.end());
  return more;
}

TEST(FrontendOptions, AreThoseOfTheOtherFrontends) {
  const FrontendOptions least = read_frontend_options(needed);
  EXPECT_EQ(least.workload + least.system + least.memory + least.network, "wsmn");
  EXPECT_EQ(least.communicators + least.logging + least.log_folder, "emptyemptylog");
  EXPECT_EQ(least.queues_per_dimension, 1);
  EXPECT_FALSE(least.has_rendezvous);
  const FrontendOptions all = read_frontend_options(
      with({"--comm-group-configuration=g", "--logging-configuration=l", "--logging-folder=f",
            "--num-queues-per-dim=3", "--comm-scale=0.5", "--injection-scale", "2",
            "--rendezvous-protocol=true"}));
  EXPECT_EQ(all.communicators + all.logging + all.log_folder, "glf");
  EXPECT_EQ(all.queues_per_dimension, 3);
  EXPECT_EQ(all.communication_scale, 0.5);
  EXPECT_EQ(all.injection_scale, 2);
  EXPECT_TRUE(all.has_rendezvous);
  EXPECT_THAT(frontend_help(), testing::HasSubstr("  --network-configuration=.. "));
}

TEST(WrongFrontendOptions, AreASentence) {
  const auto said = [](const std::vector<std::string>& arguments) {
    return sentence_of_call([&] { read_frontend_options(arguments); });
  };
  EXPECT_EQ(said({}), "--workload-configuration: it is missing");
  EXPECT_EQ(said({needed.begin(), needed.begin() + 4}), "--network-configuration: it is missing");
  EXPECT_EQ(said(with({"net.toml"})), "'net.toml' is not an option: it is --NAME=VALUE");
  EXPECT_EQ(said(with({"--comm-scael=2"})),
            "unknown option 'comm-scael': did you mean 'comm-scale'?");
  EXPECT_EQ(said(with({"--system-configuration=t"})), "--system-configuration: it is given twice");
  EXPECT_EQ(said(with({"--comm-scale"})), "--comm-scale: it has no value");
  EXPECT_EQ(said(with({"--num-queues-per-dim=0"})),
            "--num-queues-per-dim: '0' is not a whole number in 1..1000000");
  EXPECT_EQ(sentence_of_call([] { text_of_file("scenario", "missing.toml"); }),
            "the scenario missing.toml cannot be read: No such file or directory");
  const std::string file = test_file("network.toml");
  std::ofstream(file) << "text";
  EXPECT_EQ(text_of_file("scenario", file), "text");
}

}  // namespace
}  // namespace allport::test
