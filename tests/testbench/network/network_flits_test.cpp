// SPDX-License-Identifier: Apache-2.0
// A network of routers does what one of worms does: a client that draws its sends, answers, takes
// and cuts of time hears the same of both, call by call, and both have the same results and
// explanations in between. Where there are no worms, its deliveries are those of a run, and those
// of lone messages are the expected ones.
#include "testbench/network/flits/flit_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_results.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport::test {
namespace {

Network routers_of(const std::string& options) {
  return flit_network(read_network_request(options + " model=systemc"));
}

// A client whose every decision is drawn. What it hears is a list of lines.
class DrawnClient {
 public:
  DrawnClient(Network network, Draw draw, std::string options)
      : network_(std::move(network)),
        draw_(draw),
        options_(std::move(options)),
        classes_(classes_of(options_)),
        takes_(options_.find("reception_limit") != std::string::npos),
        has_limit_(options_.find("queue_limit") != std::string::npos),
        may_have_trees_(options_.find("graph:") == std::string::npos &&
                        options_.find("explain") == std::string::npos) {}

  std::vector<std::string> run() {
    network_.on_space([this](NodeId node, int message_class) {
      hear("space " + std::to_string(index(node)) + " " + std::to_string(message_class));
      if (draw_.below(2) != 0) return;
      has_sent_within_ = true;
      send();
    });
    const int calls = 5 + draw_.below(60);
    for (int i = 0; i < calls; ++i) {
      for (int j = draw_.below(4); j > 0; --j) send();
      take_some(3);
      advance();
      for (std::size_t node = 0; node < network_.topology().node_count(); ++node) {
        const int one = draw_.below(classes_);
        hear("queued " + std::to_string(network_.queued(node_id(node), one)));
      }
    }
    while (!network_.is_idle() && !(network_.next_event() == Network::never && is_deadlocked())) {
      take_some(1);
      advance();
    }
    tell();
    return heard_;
  }
  bool is_deadlocked() const { return network_.deadlock().has_value(); }

 private:
  void hear(const std::string& line) { heard_.push_back(line); }

  void send() {
    const auto nodes = static_cast<int>(network_.topology().node_count());
    const auto source = static_cast<std::size_t>(draw_.below(nodes));
    const auto other = static_cast<std::size_t>(1 + draw_.below(nodes - 1));
    const std::size_t destination = (source + other) % static_cast<std::size_t>(nodes);
    NetworkMessage message = unicast(source, destination, draw_.one_of<int>({1, 1, 2, 5, 9, 30}));
    if (may_have_trees_ && draw_.below(12) == 0) message = tree(source, message.flits);
    if (may_have_trees_ && draw_.below(12) == 0) message.kind = MessageKind::deposit;
    if (may_have_trees_ && draw_.below(60) == 0) message.kind = MessageKind::path;
    message.message_class = draw_.below(classes_);
    const Cycle at = network_.now() + draw_.one_of<int>({0, 0, 0, 1, 5, 60});
    try {
      const auto id =
          has_limit_ ? network_.try_send(message, at) : std::optional(network_.send(message, at));
      hear(id ? "sent " + std::to_string(*id) : "no room");
    } catch (const std::invalid_argument& error) {
      hear(error.what());
    }
  }

  // One in `of` of what is there to be taken.
  void take_some(int of) {
    std::vector<NetworkDelivery> left;
    for (const NetworkDelivery& one : untaken_) {
      if (draw_.below(of) == 0) {
        network_.take(one.id, one.destination);
      } else {
        left.push_back(one);
      }
    }
    untaken_ = left;
  }

  void advance() {
    const Cycle to = network_.now() + draw_.one_of<int>({0, 0, 1, 2, 7, 30, 200});
    const bool stops = draw_.below(2) == 0;
    const Cycle event = network_.next_event();
    has_sent_within_ = false;
    const auto& deliveries = stops ? network_.advance_to_delivery(to) : network_.advance(to);
    for (const NetworkDelivery& one : deliveries) {
      if (!has_sent_within_) {  // unless more is sent
        EXPECT_GE(one.tail, event);
      }
      const auto words = testing::PrintToString(told(one));
      hear(std::to_string(one.id) + " class " + std::to_string(one.message_class) + " " + words);
      if (takes_) untaken_.push_back(one);
    }
    hear("now " + std::to_string(network_.now()) + (network_.is_idle() ? " idle" : ""));
    if (draw_.below(4) == 0) tell();
  }

  void tell() {
    const bool explains = options_.find("explain") != std::string::npos;
    Json json =
        explains ? explained_json(network_, parse_explained("all")) : results_json(network_);
    json.erase("model");
    hear(json.dump(1));
  }

  Network network_;
  Draw draw_;
  const std::string options_;
  const int classes_;
  const bool takes_;
  const bool has_limit_;
  const bool may_have_trees_;
  bool has_sent_within_ = false;  // where there was room, while cycles passed
  std::vector<NetworkDelivery> untaken_;
  std::vector<std::string> heard_;
};

std::string draw_recorded(Draw& draw) {
  std::string options = draw_options(draw);
  const bool explains = draw.below(3) == 0;
  options += explains ? " explain=true" : " record=true";
  if (draw.below(3) == 0) {
    options += " route_delay=" + std::to_string(draw.below(3));
    options += " vc_delay=" + std::to_string(draw.below(3));
    options += " crossbar_delay=" + std::to_string(draw.below(4));
  }
  if (draw.below(4) == 0) {
    options +=
        " switching=" + draw.one_of<std::string>({"cut-through", "store-and-forward", "circuit"});
  }
  if (draw.below(3) == 0) options += " queue_limit=40";
  if (draw.below(3) == 0) options += " reception_limit=40";
  return options;
}

TEST(NetworkFlits, DoWhatWormsDoCallByCall) {
  const RandomCases cases(150);
  std::size_t deadlocks = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1900000);
    const std::string options = draw_recorded(draw);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options);
    DrawnClient of_worms(network_of(options), draw, options);
    DrawnClient of_flits(routers_of(options), draw, options);
    const std::vector<std::string> worms = of_worms.run();
    const std::vector<std::string> flits = of_flits.run();
    ASSERT_EQ(of_worms.is_deadlocked(), of_flits.is_deadlocked()) << "seed " << seed;
    if (of_worms.is_deadlocked()) {  // of trees: the one may know of it some cycles earlier
      ++deadlocks;
      continue;
    }
    for (std::size_t i = 0; i < std::min(worms.size(), flits.size()); ++i) {
      ASSERT_EQ(worms[i], flits[i]) << "seed " << seed << ", line " << i << ": " << options;
    }
    ASSERT_EQ(worms.size(), flits.size()) << "seed " << seed << ": " << options;
  }
  EXPECT_LT(deadlocks, (cases.end - cases.first) / 10);  // the test has something to compare
}

// Options of a network of which there are no worms.
std::string draw_without_worms(Draw& draw) {
  const auto shape = draw.one_of<std::string>({"hypercube:3", "mesh:3x4", "torus:4x3", "ring:5"});
  const bool is_cube = shape[0] == 'h';
  std::string options = "topology=" + shape;
  if (is_cube && draw.below(2) == 0) {
    options += " routing=adaptive vcs=" + std::to_string(2 + draw.below(2));
    options += " buffer_depth=" + std::to_string(1 + draw.below(9));
  } else {
    options +=
        " switching=" + draw.one_of<std::string>({"cut-through", "store-and-forward", "circuit"});
    options += " buffer_depth=" + std::to_string(16 + draw.below(4));
  }
  if (draw.below(3) == 0) options += " link_width=" + std::to_string(1 + draw.below(3));
  options += " link_delay=" + std::to_string(draw.one_of<int>({0, 0, 1, 3}));
  if (draw.below(2) == 0) options += " ports=1";
  return options;
}

std::vector<Told> of_run(const std::string& options, const std::vector<TimedMessage>& messages) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = Model::systemc;
  const std::size_t nodes = network.fabric.topology->node_count();
  std::vector<int> orders(nodes);
  std::vector<std::vector<std::uint64_t>> users(nodes);
  std::vector<TimedUnicast> schedule;
  for (const TimedMessage& one : by_time(messages)) {
    TimedUnicast timed;
    timed.unicast.u = one.message.source;
    timed.unicast.v = one.message.destination;
    timed.unicast.order = orders[index(one.message.source)]++;
    timed.flits = static_cast<int>(one.message.flits);
    timed.at = one.at;
    users[index(one.message.source)].push_back(one.message.user);
    schedule.push_back(timed);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(schedule, "schedule", 1, network.flit_bytes, nodes));
  const Results results = simulate(plan(request));
  EXPECT_TRUE(results.is_complete());
  std::vector<Told> list;
  for (const Delivery& one : results.deliveries) {
    const std::uint64_t user = users[index(one.source)].at(static_cast<std::size_t>(one.message));
    list.emplace_back(user, index(one.source), index(one.destination), 0, 0, one.head, one.tail);
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(NetworkFlits, DeliverWhatARunDoesWhereThereAreNoWorms) {
  const RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2000000);
    const std::string options = draw_without_worms(draw);
    Network network = routers_of(options + " explain=true");
    auto messages = draw_unicasts(draw, network.topology().node_count(), 1, 1 + draw.below(30));
    for (TimedMessage& one : messages)
      one.message.flits = std::min<std::int64_t>(one.message.flits, 16);
    for (const TimedMessage& one : by_time(messages)) network.send(one.message, one.at);
    std::vector<Told> heard;
    while (!network.is_idle()) {
      for (const NetworkDelivery& one : network.advance(network.now() + draw.below(40))) {
        heard.push_back(told(one));
        std::get<3>(heard.back()) = 0;
        std::get<4>(heard.back()) = 0;
      }
    }
    std::sort(heard.begin(), heard.end());
    ASSERT_EQ(heard, of_run(options, messages)) << "seed " << seed << ": " << options;
    const Results results = network.explain(parse_explained("all"));
    EXPECT_EQ(results.explanation->receipts, messages.size());
    Cycle cycles = 0;
    for (const MessageAccount& one : results.explanation->messages) cycles += one.has - one.created;
    EXPECT_EQ(results.explanation->causes.total(), cycles) << "seed " << seed << ": " << options;
  }
}

TEST(NetworkFlits, ExpectWhatLoneMessagesTake) {
  for (const std::string mode :
       {"wormhole buffer_depth=3", "cut-through buffer_depth=9", "store-and-forward buffer_depth=9",
        "circuit buffer_depth=1", "circuit buffer_depth=3", "circuit buffer_depth=20",
        "wormhole buffer_depth=3 link_width=2", "store-and-forward buffer_depth=9 link_width=1",
        "circuit buffer_depth=2 link_width=2"}) {
    for (const char* shape :
         {"mesh:3x2", "ring:5 link_delay=2", "mesh:3x2 route_delay=2 vc_delay=1 crossbar_delay=1",
          "ring:5 link_delay=2 route_delay=4 vc_delay=4"}) {
      const std::string options = std::string("topology=") + shape + " switching=" + mode;
      Network network = routers_of(options);
      const std::size_t nodes = network.topology().node_count();
      for (std::size_t i = 1; i < nodes; ++i) {
        for (const std::int64_t flits : {1, 2, 3, 9}) {
          network.advance(network.now() + 100);
          const Cycle start = network.now();
          network.send(unicast(0, i, flits), start);
          const auto& deliveries = network.advance_to_delivery(start + 100000);
          ASSERT_EQ(deliveries.size(), 1U);
          ASSERT_EQ(deliveries[0].tail - start,
                    network.expected(node_id(0), node_id(i), static_cast<std::uint64_t>(4 * flits)))
              << options << ": to " << i << ", " << flits << " flits";
          ASSERT_GE(deliveries[0].head - start, network.lookahead(node_id(0), node_id(i)));
        }
      }
    }
  }
}

// Node 2 takes nothing before the last message is there, whose head, at node 0, wants a channel to
// node 2 and finds both of its VCs taken by messages which node 2 keeps waiting. But the adaptive
// VC to node 1 is that of a message which node 1 may take at any time. With two flits that message
// has left node 0, and its VC only lacks credits.
TEST(NetworkFlits, HaveNoDeadlockWhereAnAdaptiveChannelMayBecomeFree) {
  for (const int length : {4, 2}) {
    SCOPED_TRACE(length);
    Network network =
        routers_of("topology=hypercube:3 routing=adaptive vcs=2 buffer_depth=2 reception_limit=6");
    network.send(unicast(0, 2, 6), 0);        // it fills node 2
    network.send(unicast(0, 1, 6), 0);        // it fills node 1
    network.send(unicast(0, 2, 4), 50);       // it has VC 1 of channel 0 -> 2
    network.send(unicast(4, 2, 4), 60);       // it has VC 0
    network.send(unicast(0, 1, length), 70);  // it has VC 1 of channel 0 -> 1
    const std::uint64_t last = network.send(unicast(4, 3, 1), 100);
    const std::vector<NetworkDelivery> received = network.advance(1000);
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(network.next_event(), Network::never);
    network.waits_for(node_id(2), 0, last);
    EXPECT_FALSE(network.deadlock());

    network.waits_for(node_id(1), 0, last);
    EXPECT_TRUE(network.deadlock());

    const bool is_first = received.front().destination == node_id(1);
    const NetworkDelivery& in_the_way = is_first ? received.front() : received.back();
    network.take(in_the_way.id, in_the_way.destination);
    EXPECT_EQ(network.advance(2000).size(), 2U) << "the message to node 1 and the last one";
    EXPECT_FALSE(network.deadlock());
  }
}

TEST(NetworkFlits, NameTheDeadlocksThatWormsDo) {
  std::vector<std::string> words;
  for (const bool has_routers : {false, true}) {
    const std::string tight = "topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2";
    Network network = has_routers ? routers_of(tight) : network_of(tight);
    for (int i = 0; i < 4; ++i) {
      network.send(unicast(0, 1, 2), 0);
      network.send(unicast(1, 0, 2), 0);
    }
    network.advance(100);
    EXPECT_FALSE(network.deadlock());
    EXPECT_EQ(network.next_event(), Network::never);
    network.waits_for(node_id(0), 0, 6);
    network.waits_for(node_id(1), 0, 7);
    const auto deadlock = network.deadlock();
    ASSERT_TRUE(deadlock);
    std::string all = std::to_string(deadlock->cycle);
    for (const NetworkDeadlock::Wait& one : deadlock->circle) all += "\n" + one.words;
    words.push_back(all);
  }
  EXPECT_EQ(words[0], words[1]);
  const std::string trees = "topology=hypercube:2 buffer_depth=1 record=true";
  Network worms = network_of(trees);
  Network routers = routers_of(trees);
  for (Network* one : {&worms, &routers}) {
    one->send(tree(0, 12), 0);
    one->send(tree(2, 12), 0);
    one->advance(50);
    ASSERT_TRUE(one->deadlock());
    EXPECT_EQ(sentence_of_call([&] { one->send(unicast(0, 1), 60); }),
              "node 0 cannot send: the network is deadlocked");
  }
  Json told = results_json(routers);
  EXPECT_EQ(results_json(routers), told);  // asking changes nothing
  told["model"] = "worm";
  EXPECT_EQ(told.dump(1), results_json(worms).dump(1));
}

// Who waits for whom, where and since when, of trees that block one another while nobody takes
// what has come.
TEST(NetworkFlits, WaitInTheCyclesInWhichWormsDo) {
  const RandomCases cases(150);
  int deadlocks = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 1700000);
    const int limit = draw.one_of<int>({4, 6, 10});
    std::string options =
        "topology=" + draw.one_of<std::string>({"mesh:3x2x2", "mesh:3x3", "hypercube:3"});
    options += " ports=" + std::to_string(1 + draw.below(2));
    options += " replication_delay=" + std::to_string(draw.one_of<int>({0, 1, 3}));
    options += " buffer_depth=" + std::to_string(draw.one_of<int>({1, 2, 4}));
    options += " reception_limit=" + std::to_string(limit) + " record=true";
    Network worms = network_of(options);
    Network routers = routers_of(options);
    const auto nodes = static_cast<int>(worms.topology().node_count());
    for (int i = 2 + draw.below(7); i > 0; --i) {
      const auto source = static_cast<std::size_t>(draw.below(nodes));
      const auto other = static_cast<std::size_t>(1 + draw.below(nodes - 1));
      const int flits = 1 + draw.below(limit);
      const NetworkMessage message =
          draw.below(4) > 0
              ? tree(source, flits)
              : unicast(source, (source + other) % static_cast<std::size_t>(nodes), flits);
      const Cycle at = draw.below(6);
      for (Network* one : {&worms, &routers}) one->send(message, at);
    }
    for (Network* one : {&worms, &routers}) one->advance(300);
    Json told = results_json(routers);
    told["model"] = "worm";
    ASSERT_EQ(told.dump(1), results_json(worms).dump(1)) << "seed " << seed << ": " << options;
    if (worms.deadlock()) ++deadlocks;
  }
  EXPECT_GT(deadlocks, static_cast<int>(cases.end - cases.first) / 10);
}

// Worms that leave a copy at every node on their way: a lone one, cycle by cycle.
TEST(NetworkFlits, CarryDepositAndPathWorms) {
  Network network = routers_of("topology=mesh:4 explain=true");
  NetworkMessage deposit = unicast(0, 3, 5, 7);
  deposit.kind = MessageKind::deposit;
  network.send(deposit, 10);
  std::vector<NetworkDelivery> received = network.advance(100);
  ASSERT_EQ(received.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto hops = static_cast<Cycle>(i + 1);
    EXPECT_EQ(index(received[i].destination), i + 1);
    EXPECT_EQ(received[i].head, 10 + hops + 1);
    EXPECT_EQ(received[i].tail, received[i].head + 4);
    EXPECT_EQ(received[i].user, 7U);
  }
  EXPECT_TRUE(network.is_idle());
  EXPECT_EQ(network.results().flit_hops, 15U);
  EXPECT_EQ(network.explain(parse_explained("all")).explanation->receipts, 3U);
  EXPECT_EQ(sentence_of_call([&] {
              deposit.free = 1;
              network.send(deposit, 200);
            }),
            "free dimensions are for trees");
  Network cube = routers_of("topology=hypercube:3 record=true");
  NetworkMessage path = unicast(0, 0, 4);
  path.kind = MessageKind::path;
  cube.send(path, 0);
  received = cube.advance(100);
  ASSERT_EQ(received.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(index(received[i].destination), (i + 1) ^ (i + 1) >> 1U);  // the Gray code
    EXPECT_EQ(received[i].tail, static_cast<Cycle>(i) + 2 + 3);
  }
  EXPECT_TRUE(cube.is_idle());
  EXPECT_EQ(cube.results().flit_hops, 28U);
  EXPECT_THAT(sentence_of_call([&] { network.send(path, 200); }), testing::HasSubstr("path"));
  Network without = routers_of("topology=mesh:4 missing_links=1-2");
  deposit.free = 0;
  EXPECT_EQ(sentence_of_call([&] { without.send(deposit, 0); }),
            "deposit 0 -> 3: its route crosses the missing link 1>2; routing table:updown or "
            "table:shortest goes around");
  NetworkMessage join = unicast(0, 3, 5);
  join.kind = MessageKind::join;
  EXPECT_EQ(
      sentence_of_call([&] { network.send(join, 200); }),
      "kind join: a network that is driven carries unicasts, trees, and deposit and path worms");
}

// Several stand beside each other in a process, whose kernel never runs.
TEST(NetworkFlits, AreIndependent) {
  Network first = routers_of("topology=ring:5");
  first.send(unicast(0, 1, 3), 10);
  EXPECT_EQ(first.advance(100).size(), 1U);
  {
    Network gone = routers_of("topology=mesh:3");
    gone.send(unicast(0, 2, 30), 0);
    gone.advance(5);
  }
  Network second = routers_of("topology=ring:5");
  second.send(unicast(0, 1, 3), 10);
  const NetworkDelivery late =
      first.send(unicast(0, 1, 3), 110) == 1 ? first.advance(200).at(0) : NetworkDelivery{};
  EXPECT_EQ(late.tail - 100, second.advance(100).at(0).tail);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

std::vector<std::string> names_of_modules() {
  std::vector<std::string> names;
  for (const sc_core::sc_object* one : sc_core::sc_get_top_level_objects()) {
    names.emplace_back(one->name());
  }
  return names;
}

// SystemC keeps every name for good, some kilobytes for a network.
TEST(NetworkFlits, HaveTheNamesOfThoseThatAreGone) {
  std::optional<Network> first = routers_of("topology=mesh:2x2");
  const Network second = routers_of("topology=mesh:2x2");
  const std::vector<std::string> names = names_of_modules();
  EXPECT_EQ(names.size(), 2U);
  first.reset();
  EXPECT_EQ(names_of_modules(), std::vector<std::string>{names[1]});
  const Network third = routers_of("topology=mesh:2x2");
  EXPECT_THAT(names_of_modules(), testing::UnorderedElementsAreArray(names));
}

// The address sanitizer looks for leaks at the end.
TEST(NetworkFlits, AreMadeAndClosedInAnyNumber) {
  const RandomCases cases(10000);
  for (std::uint64_t i = cases.first; i < cases.end; ++i) {
    Network network = routers_of("topology=mesh:2x2");
    network.send(unicast(0, 3), 0);
    ASSERT_EQ(network.advance(20).size(), 1U);
  }
}

TEST(NetworkFlits, AreRefusedInSentences) {
  const auto sentence = [](const std::string& options) {
    return sentence_of_call([&] { flit_network(read_network_request(options)); });
  };
  EXPECT_EQ(sentence("topology=mesh:3"),
            "model worm: this network runs on routers in SystemC; give systemc");
  EXPECT_EQ(sentence("topology=mesh:3 model=rtl"),
            "model rtl: this network runs on routers in SystemC; give systemc");
  const Network network = routers_of("topology=mesh:3");
  EXPECT_EQ(
      sentence_of_call([&] { network.copy(); }),
      "model systemc: a network of routers is not copied; one of worms is, and has the same cycles");
  Network modes = routers_of("topology=mesh:3 switching=cut-through buffer_depth=4");
  EXPECT_EQ(sentence_of_call([&] { modes.send(unicast(0, 1, 5), 0); }), "flits 5: must be 1..4");
  Network wormhole = routers_of("topology=mesh:3");
  EXPECT_EQ(sentence_of_call([&] { wormhole.send(unicast(0, 1, 1000001), 0); }),
            "flits 1000001: must be 1..1000000");
}

TEST(NetworkFlitsDeathTest, AreNotMadeOnceTheKernelHasStarted) {
  testing::FLAGS_gtest_death_test_style = "fast";
  EXPECT_EXIT(
      {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        std::fputs(sentence_of_call([] { routers_of("topology=mesh:3"); }).c_str(), stderr);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0),
      "model systemc: SystemC's kernel has started, and no routers can be made any more");
}

}  // namespace
}  // namespace allport::test
