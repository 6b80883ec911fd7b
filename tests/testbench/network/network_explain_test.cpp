// SPDX-License-Identifier: Apache-2.0
// A network explains latencies as `allport explain` does: those of random messages, however calls
// cut time, have the explanation of a run of the same messages as a schedule with times, on worms
// and on routers. Before all is received, the accounts of what has been received are those that it
// has in the end, and those of the messages under way account for all their cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_results.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/explanation_json.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport::test {
namespace {

// The options of a small network that explains.
std::string draw_explained(Draw& draw) { return draw_options(draw) + " explain=true"; }

// Sends the messages in an order of their own, each at some time before its cycle, and cuts time.
void drive(Network& network, std::vector<TimedMessage> messages, Draw& draw) {
  std::size_t next = 0;
  const auto is_later = [](const TimedMessage& a, const TimedMessage& b) { return a.at < b.at; };
  while (next < messages.size() || !network.is_idle()) {
    while (next < messages.size() && draw.below(3) == 0) {
      network.send(messages[next].message, messages[next].at);
      ++next;
    }
    Cycle to = network.now() + draw.one_of<int>({0, 1, 7, 40, 300});
    if (next < messages.size()) {
      const auto first = std::min_element(messages.begin() + static_cast<std::ptrdiff_t>(next),
                                          messages.end(), is_later);
      to = std::min(to, first->at - 1);
    }
    if (to < network.now()) continue;
    if (draw.below(2) == 0) {
      network.advance(to);
    } else {
      network.advance_to_delivery(to);
    }
  }
}

Explanation of_run(const std::string& options, const std::vector<TimedMessage>& messages,
                   Model model, const ExplainRequest& asked) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = model;
  request.explain = asked;
  const std::size_t nodes = network.fabric.topology->node_count();
  std::vector<int> orders(nodes);
  std::vector<TimedUnicast> schedule;
  for (const TimedMessage& one : by_time(messages)) {
    TimedUnicast timed;
    timed.unicast.u = one.message.source;
    timed.unicast.v = one.message.destination;
    timed.unicast.order = orders[index(one.message.source)]++;
    timed.flits = static_cast<int>(one.message.flits);
    timed.at = one.at;
    timed.message_class = static_cast<std::uint8_t>(one.message.message_class);
    schedule.push_back(timed);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(schedule, "schedule", 1, network.flit_bytes, nodes));
  const Results results = simulate(plan(request));
  EXPECT_TRUE(results.is_complete());
  return *results.explanation;
}

// All that it says, with what the channels did; why there is no lower bound differs.
std::string words_of(const Explanation& explanation, const Topology& topology) {
  Json json = explanation_json(explanation, topology);
  EXPECT_NE(json["no_bound"], "");
  json.erase("no_bound");
  json["tied"] = explanation.tied;
  Json channels = Json::array();
  for (const ChannelUse& one : explanation.channels) {
    channels.push_back({to_string(one.resource.kind), index(one.resource.node), one.resource.port,
                        one.from, one.cycles, one.used, one.lost, one.no_credit, one.empty,
                        one.idle, one.flits, one.messages, one.most_waiting});
  }
  json["channels"] = std::move(channels);
  return json.dump(1);
}

TEST(NetworkExplain, IsThatOfARunOfTheSameSchedule) {
  const RandomCases cases(60);
  Cycle contended = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1500000);
    const std::string options = draw_explained(draw);
    Network network = network_of(options);
    const auto messages = draw_unicasts(draw, network.topology().node_count(), classes_of(options),
                                        1 + draw.below(30));
    drive(network, messages, draw);
    ExplainRequest asked =
        parse_explained(draw.one_of<std::string>({"all", "all", "slowest:1", "slowest:5"}));
    asked.channels = true;
    asked.every = draw.one_of<int>({0, 0, 25});
    const Explanation found = *network.explain(asked).explanation;
    const std::string words = words_of(found, network.topology());
    ASSERT_EQ(words, words_of(of_run(options, messages, Model::worm, asked), network.topology()))
        << "seed " << seed << ": " << options;
    ASSERT_EQ(words, words_of(of_run(options, messages, Model::systemc, asked), network.topology()))
        << "seed " << seed << ": " << options;
    contended += found.causes.contended;
  }
  EXPECT_GT(contended,
            static_cast<Cycle>(cases.end - cases.first));  // the test has something to see
}

using Key = std::tuple<NodeId, NodeId, int>;

std::map<Key, std::string> accounts_of(const Json& explanation) {
  std::map<Key, std::string> accounts;
  for (const Json& one : explanation["messages"]) {
    accounts[{node_id(one["source"].get<std::size_t>()),
              node_id(one["destination"].get<std::size_t>()), one["order"].get<int>()}] =
        one.dump();
  }
  return accounts;
}

// Whatever is under way, in step or not: the network is asked between any two calls.
TEST(NetworkExplain, OfMessagesSoFarIsTheBeginningOfWhatItIsInTheEnd) {
  const RandomCases cases(60);
  std::size_t unfinished = 0;
  std::size_t late = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1600000);
    const std::string options = draw_explained(draw);
    Network network = network_of(options);
    const std::size_t nodes = network.topology().node_count();
    const auto messages =
        by_time(draw_unicasts(draw, nodes, classes_of(options), 1 + draw.below(24)));
    for (const TimedMessage& one : messages) network.send(one.message, one.at);
    Network to_the_end = network.copy();
    to_the_end.advance(100000000);
    const ExplainRequest all = parse_explained("all");
    const auto in_the_end = accounts_of(explained_json(to_the_end, all)["explanation"]);
    ASSERT_EQ(in_the_end.size(), messages.size());
    std::size_t received = 0;
    while (!network.is_idle()) {
      const Cycle to = network.now() + draw.one_of<int>({0, 1, 7, 40, 200});
      const bool stops = draw.below(2) == 0;
      received += (stops ? network.advance_to_delivery(to) : network.advance(to)).size();
      const Results results = network.explain(all);
      const Explanation& found = *results.explanation;
      ASSERT_EQ(found.receipts, received);
      for (const auto& [key, words] : accounts_of(explanation_json(found, network.topology()))) {
        ASSERT_EQ(words, in_the_end.at(key))
            << "seed " << seed << ", cycle " << network.now() << ": " << options;
      }
      std::size_t begun = 0;  // those of which a flit has been injected
      for (const UnfinishedMessage& one : found.unfinished) {
        ASSERT_EQ(one.causes.total(), network.now() - one.created)
            << "seed " << seed << ", cycle " << network.now() << ": " << options << ", "
            << name_in_words(one.name);
        ASSERT_EQ(one.until, network.now());
        ++begun;
        if (one.resource.kind == Resource::Kind::ejection) ++late;
      }
      std::int64_t waiting = 0;
      for (std::size_t node = 0; node < nodes; ++node) {
        for (int one = 0; one < classes_of(options); ++one) {
          waiting += network.queued(node_id(node), one);
        }
      }
      if (waiting == 0) {
        ASSERT_EQ(received + begun, messages.size()) << "seed " << seed;
      }
      unfinished += begun;
    }
  }
  EXPECT_GT(unfinished, cases.end - cases.first);
  EXPECT_GT(late, 0U);
}

// What is asked changes nothing, and a copy explains what its original does.
TEST(NetworkExplain, OfACopyIsThatOfItsOriginal) {
  const RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1700000);
    const std::string options = draw_explained(draw);
    Network network = network_of(options);
    Network unasked = network_of(options);
    for (const TimedMessage& one : draw_unicasts(draw, network.topology().node_count(),
                                                 classes_of(options), 1 + draw.below(24))) {
      network.send(one.message, one.at);
      unasked.send(one.message, one.at);
    }
    const Cycle cut = draw.one_of<int>({0, 3, 20, 150, 600});
    network.advance(cut);
    unasked.advance(cut);
    Network copy = network.copy();
    ASSERT_EQ(explained_text(network, "all"), explained_text(copy, "all")) << "seed " << seed;
    for (Network* one : {&network, &copy, &unasked}) one->advance(100000000);
    ASSERT_EQ(explained_text(network, "all"), explained_text(unasked, "all"))
        << "seed " << seed << ": " << options;
    ASSERT_EQ(explained_text(copy, "all"), explained_text(unasked, "all"))
        << "seed " << seed << ": " << options;
  }
}

// 0 -> 3 meets 1 -> 3 of eight flits at channel 1 -> 2: it waits there in cycles 1 to 7.
TEST(NetworkExplain, GivesEveryCycleItsCause) {
  Network network = network_of("topology=mesh:4 explain=true");
  network.send(unicast(0, 3, 8), 0);
  network.send(unicast(1, 3, 8), 0);
  network.advance(4);
  const Json early = explained_json(network, parse_explained("all"));
  EXPECT_EQ(early["explanation"]["receipts"], 0);
  EXPECT_EQ(early["explanation"]["unfinished"][0]["message"].dump(), R"({"u":0,"v":3,"order":0})");
  network.advance(99);
  const Json json = explained_json(network, parse_explained("message:0>3#0"));
  const Json& explanation = json["explanation"];
  EXPECT_EQ(json["messages"], 2);
  EXPECT_EQ(explanation["receipts"], 2);
  ASSERT_EQ(explanation["messages"].size(), 1U);
  EXPECT_EQ(explanation["messages"][0]["by_cause"].dump(), R"({"hop":4,"length":7,"channel":7})");
  EXPECT_EQ(explanation["messages"][0]["blames"].dump(),
            R"([{"cause":"channel","blamed":{"u":1,"v":3,"order":0},"cycles":7}])");
  EXPECT_EQ(explanation["path"].size(), 0U);
  EXPECT_EQ(explained_text(network, "message:0>3#0"), json.dump());
}

// Both have their credits in every cycle, and take turns on the injection channel.
TEST(NetworkExplain, KnowsTheTurnsOfMessageClasses) {
  Network network = network_of("topology=mesh:2 classes=2 explain=true");
  NetworkMessage reply = unicast(0, 1, 3);
  reply.message_class = 1;
  network.send(unicast(0, 1, 3), 0);
  network.send(reply, 0);
  network.advance(99);
  const Json json = explained_json(network, parse_explained("all"));
  const Json& messages = json["explanation"]["messages"];
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0]["by_cause"].dump(), R"({"hop":2,"length":2,"switch":2})");
  EXPECT_EQ(messages[0]["blames"].dump(),
            R"([{"cause":"switch","blamed":{"u":0,"v":1,"order":1},"cycles":2}])");
  EXPECT_EQ(messages[1]["by_cause"].dump(), R"({"hop":2,"length":2,"switch":3})");
  EXPECT_EQ(json["explanation"]["roots"].dump(),
            R"([{"cause":"switch","place":{"kind":"injection","node":0,"port":0},"cycles":5}])");
}

// Before cycle 1 there is nothing to explain.
TEST(NetworkExplain, OfNothingIsEmpty) {
  Network network = network_of("topology=ring:4 explain=true");
  ExplainRequest all = parse_explained("all");
  all.channels = true;
  EXPECT_EQ(network.explain(all).explanation->receipts, 0U);
  EXPECT_TRUE(network.explain(all).explanation->channels.empty());
  network.send(unicast(0, 1), 0);
  EXPECT_TRUE(network.explain(all).explanation->unfinished.empty());
  network.advance(0);
  EXPECT_EQ(network.explain(all).explanation->unfinished.size(), 1U);
  EXPECT_EQ(network.results().messages, 1U);
}

TEST(NetworkExplain, IsRefusedInSentences) {
  const Network without = network_of("topology=mesh:4 record=true");
  EXPECT_EQ(sentence_of_call([&] { without.explain(parse_explained("all")); }),
            "explain: the network keeps no movement of its flits; it does where explain is true");
  Network network = network_of("topology=mesh:4 explain=true");
  EXPECT_EQ(sentence_of_call([&] { explained_text(network, "message:0>3#0"); }),
            "message:0>3#0: no message was received");
  EXPECT_THAT(sentence_of_call([&] { explained_text(network, "most"); }),
              testing::HasSubstr("'most' must be all, slowest:N, or a message"));
  network.send(unicast(0, 2), 0);
  network.advance(20);
  EXPECT_EQ(sentence_of_call([&] { explained_text(network, "message:0>3#0"); }),
            "message:0>3#0: no such message was received; the nearest is 0>2#0");
  EXPECT_EQ(
      sentence_of_call([&] { network.send(tree(0, 1), 50); }),
      "kind tree: worms explain the latencies of unicasts only, and the network explains, as a timeline needs it; open it without, or on routers");
}

}  // namespace
}  // namespace allport::test
