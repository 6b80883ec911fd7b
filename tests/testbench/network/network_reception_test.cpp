// SPDX-License-Identifier: Apache-2.0
// Nodes with reception buffers: when credits come back, who takes what, and the deadlocks of
// clients that take nothing before something has come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

using testing::ElementsAre;

// Head and tail on the ejection channel, and the cycle of the head on the injection channel.
using Passed = std::tuple<Cycle, Cycle, Cycle>;

// Takes each message `delays[user]` cycles after its reception, which may be 0.
std::vector<Passed> taken_after(Network& network, const std::vector<Cycle>& delays) {
  std::vector<Passed> passed(delays.size());
  std::multimap<Cycle, NetworkDelivery> due;
  while (network.now() < end_of_case) {
    for (; !due.empty() && due.begin()->first == network.now(); due.erase(due.begin())) {
      network.take(due.begin()->second.id, due.begin()->second.destination);
    }
    if (network.is_idle() && due.empty()) break;
    const Cycle to = due.empty() ? end_of_case : due.begin()->first - 1;
    for (const NetworkDelivery& one : network.advance_to_delivery(to)) {
      passed[one.user] = {one.injected, one.head, one.tail};
      due.emplace(one.tail + delays[one.user], one);
    }
  }
  return passed;
}

// Two nodes, B = 2 and a limit of 4: A (three flits) is taken in cycle 10, B (three) and C (one) in
// the cycles of their tails. The credit for A's last flit is held back although three flits are in
// the buffer, because another credit is out.
TEST(NetworkReception, HoldsBackTheCreditsOfWhatIsNotTaken) {
  Network network = network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=4");
  network.send(unicast(0, 1, 3, 0), 0);
  network.send(unicast(0, 1, 3, 1), 0);
  network.send(unicast(0, 1, 1, 2), 0);

  EXPECT_THAT(taken_after(network, {6, 0, 0}),
              ElementsAre(Passed{0, 2, 4}, Passed{3, 5, 13}, Passed{6, 14, 14}));
}

TEST(NetworkReception, OfNodesThatTakeAtOnceCostsNothingWhereTheLimitLeavesRoom) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 300000);
    const std::string options = draw_options(draw);
    const std::size_t nodes = read_network_request(options).fabric.topology->node_count();
    const auto messages = draw_unicasts(draw, nodes, classes_of(options), 1 + draw.below(20));
    Network free = network_of(options);
    Network limited = network_of(options + " reception_limit=1000000000");
    for (const TimedMessage& one : messages) {
      free.send(one.message, one.at);
      limited.send(one.message, one.at);
    }
    std::vector<Passed> expected(messages.size());
    for (const NetworkDelivery& one : free.advance(end_of_case)) {
      expected[one.user] = {one.injected, one.head, one.tail};
    }
    std::vector<Cycle> delays(messages.size());
    for (Cycle& delay : delays) delay = draw.below(3);
    ASSERT_EQ(taken_after(limited, delays), expected) << "seed " << seed << ": " << options;
  }
}

TEST(NetworkReception, OfTreesIsTakenByEachNode) {
  Network network = network_of("topology=hypercube:2 buffer_depth=2 reception_limit=2");
  network.send(tree(0, 2), 0);
  network.send(tree(0, 2), 0);
  const std::vector<NetworkDelivery> first = network.advance(50);
  ASSERT_EQ(first.size(), 3U);  // the second one waits for room at each node
  EXPECT_EQ(network.next_event(), Network::never);
  EXPECT_FALSE(network.deadlock());
  for (const NetworkDelivery& one : first) network.take(one.id, one.destination);
  EXPECT_EQ(network.advance(100).size(), 3U);
  EXPECT_TRUE(network.is_idle());
}

TEST(NetworkReception, ThatIsFullMakesNothingMoveAndIsNoDeadlock) {
  Network network = network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2");
  for (int i = 0; i < 10; ++i) network.send(unicast(0, 1, 2), 0);
  const std::vector<NetworkDelivery> first = network.advance(100);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_FALSE(network.is_idle());
  EXPECT_EQ(network.next_event(), Network::never);
  EXPECT_FALSE(network.deadlock());
  network.send(unicast(1, 0, 2), network.now());  // it is no deadlock, so this may be sent
  EXPECT_EQ(network.advance(200).size(), 1U);
  network.take(first.front().id, node_id(1));
  EXPECT_EQ(network.advance(300).size(), 1U);
}

std::string options_of_the_pair(int classes) {
  return "topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2 queue_limit=2 classes=" +
         std::to_string(classes);
}

// Two nodes send requests to each other as soon as there is room in their queues, and take one only
// when its reply has room, too.
// With one class of messages, requests fill the way by which replies would go.
class RequestsAndReplies {
 public:
  explicit RequestsAndReplies(int classes)
      : reply_class_(classes - 1), network_(network_of(options_of_the_pair(classes))) {}

  // Returns the replies received until nothing moves.
  int run(int requests) {
    int replies = 0;
    int sent[2] = {0, 0};
    std::deque<NetworkDelivery> unanswered;
    for (Cycle cycle = 0; cycle < 2000; ++cycle) {
      const auto received = network_.advance(cycle);
      for (const NetworkDelivery& one : received) {
        if (one.user == reply) {
          ++replies;
          network_.take(one.id, one.destination);
        } else {
          unanswered.push_back(one);
        }
      }
      for (std::size_t node = 0; node < 2; ++node) {
        while (sent[node] < requests && try_send(node, request, 0)) ++sent[node];
      }
      answer(unanswered);
      if (!unanswered.empty() && network_.next_event() == Network::never) break;
    }
    return replies;
  }

  // Says of the first `nodes` nodes that they take no request before the last message in their
  // queue has come.
  void say_what_is_awaited(std::size_t nodes) {
    for (std::size_t node = 0; node < nodes; ++node) {
      network_.waits_for(node_id(node), 0, last_[node]);
    }
  }
  Network& network() { return network_; }

 private:
  static constexpr std::uint64_t request = 0;
  static constexpr std::uint64_t reply = 1;

  bool try_send(std::size_t node, std::uint64_t what, int message_class) {
    NetworkMessage message = unicast(node, 1 - node, 2, what);
    message.message_class = message_class;
    const auto id = network_.try_send(message, network_.now());
    if (id) last_[node] = *id;
    return id.has_value();
  }

  void answer(std::deque<NetworkDelivery>& unanswered) {
    for (auto one = unanswered.begin(); one != unanswered.end();) {
      if (try_send(index(one->destination), reply, reply_class_)) {
        network_.take(one->id, one->destination);
        one = unanswered.erase(one);
      } else {
        ++one;
      }
    }
  }

  const int reply_class_;
  Network network_;
  std::uint64_t last_[2] = {0, 0};
};

TEST(ProtocolDeadlock, OfRequestsAndRepliesOfOneClassIsNamed) {
  RequestsAndReplies clients(1);
  EXPECT_LT(clients.run(50), 100);
  EXPECT_FALSE(clients.network().deadlock());  // nobody has said what is awaited
  clients.say_what_is_awaited(2);
  const auto deadlock = clients.network().deadlock();
  ASSERT_TRUE(deadlock);
  std::vector<std::string> words;
  for (const NetworkDeadlock::Wait& wait : deadlock->circle) words.push_back(wait.words);
  EXPECT_THAT(words, testing::Contains(testing::HasSubstr(
                         "ejection channel 0 of node 1, where nothing is taken, held by 1 -> 0")));
}

// What a client has said is no fact: it may send, and take something all the same.
TEST(ProtocolDeadlock, EndsWhereANodeTakesSomethingAllTheSame) {
  Network network = network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2");
  std::uint64_t last[2] = {0, 0};
  for (std::size_t i = 0; i < 8; ++i) last[i % 2] = network.send(unicast(i % 2, 1 - i % 2, 2), 0);
  const std::vector<NetworkDelivery> received = network.advance(100);
  ASSERT_EQ(received.size(), 2U);
  for (std::size_t node = 0; node < 2; ++node) network.waits_for(node_id(node), 0, last[node]);
  ASSERT_TRUE(network.deadlock());
  network.send(unicast(0, 1, 2), network.now());
  EXPECT_TRUE(network.advance(200).empty());
  EXPECT_TRUE(network.deadlock()) << "the message waits behind the others";
  network.take(received.front().id, received.front().destination);
  EXPECT_FALSE(network.deadlock());
  EXPECT_EQ(network.advance(300).size(), 1U);
}

// Node 1 takes nothing before its message to node 2 has been received. When it has, nothing is said
// of node 1 any more, and what it leaves in its buffer is no deadlock.
TEST(ProtocolDeadlock, ANodeHasSaidNothingAnyMoreWhenItsMessageWasReceived) {
  Network network = network_of("topology=mesh:3 buffer_depth=2 reception_limit=2");
  for (int i = 0; i < 4; ++i) network.send(unicast(0, 1, 2), 0);
  const std::uint64_t awaited = network.send(unicast(1, 2, 2), 100);
  network.waits_for(node_id(1), 0, awaited);
  network.advance(200);
  EXPECT_FALSE(network.deadlock());
  EXPECT_EQ(network.next_event(), Network::never);
  EXPECT_FALSE(network.is_idle());
  EXPECT_EQ(sentence_of_call([&] { network.waits_for(node_id(1), 0, awaited); }),
            "message 4: it has been received by all");
}

TEST(ProtocolDeadlock, IsCuredByAClassForReplies) { EXPECT_EQ(RequestsAndReplies(2).run(50), 100); }

// Node 1 may take what it has whenever it likes, so that the messages which wait for it can move,
// and with them what node 0 awaits.
TEST(ProtocolDeadlock, IsNoneWhileANodeMayTakeSomething) {
  RequestsAndReplies clients(1);
  clients.run(50);
  clients.say_what_is_awaited(1);
  EXPECT_FALSE(clients.network().deadlock());
}

// Node 4 takes nothing before the last message is there, whose head waits for a VC of the message
// that node 4 keeps waiting. But the other VC is that of a message to node 7, which may take
// something at any time.
TEST(ProtocolDeadlock, IsNoneWhereAnotherVirtualChannelMayBecomeFree) {
  Network network = network_of("topology=mesh:3x3 ports=1 vcs=2 buffer_depth=2 reception_limit=6");
  network.send(unicast(5, 4, 6), 0);   // it fills node 4
  network.send(unicast(8, 7, 6), 0);   // it fills node 7
  network.send(unicast(1, 4, 6), 50);  // it has VC 0 of channel 1 -> 4
  network.send(unicast(0, 7, 6), 60);  // it has VC 1
  const std::uint64_t last = network.send(unicast(2, 4, 1), 100);
  EXPECT_EQ(network.advance(1000).size(), 2U);
  EXPECT_EQ(network.next_event(), Network::never);
  network.waits_for(node_id(4), 0, last);
  EXPECT_FALSE(network.deadlock());
  network.waits_for(node_id(7), 0, last);
  const auto deadlock = network.deadlock();
  ASSERT_TRUE(deadlock);
  EXPECT_EQ(deadlock->circle.size(), 2U);
}

TEST(WrongTake, IsNamed) {
  Network network = network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=4");
  const std::uint64_t id = network.send(unicast(0, 1, 4), 0);
  const auto take = [&](std::uint64_t message, std::size_t node) {
    return sentence_of_call([&] { network.take(message, node_id(node)); });
  };
  EXPECT_EQ(take(id, 1), "message 0: node 1 has not received it, or has taken it");
  EXPECT_EQ(sentence_of_call([&] { network.waits_for(node_id(1), 1, id); }), "class 1: must be 0");
  EXPECT_EQ(sentence_of_call([&] { network.waits_for(node_id(1), 0, 9); }),
            "message 9: it was not sent");
  network.advance(100);
  EXPECT_EQ(take(id, 0), "message 0: node 0 has not received it, or has taken it");
  EXPECT_EQ(take(id, 1), "nothing was thrown");
  EXPECT_EQ(take(id, 1), "message 0: node 1 has not received it, or has taken it");
  EXPECT_EQ(sentence_of_call([&] { network.waits_for(node_id(1), 0, id); }),
            "message 0: it has been received by all");
  EXPECT_EQ(sentence_of_call([&] { network.send(unicast(0, 1, 5), 200); }),
            "flits 5: the reception buffer of a node has room for 4");
  Network without = network_of("topology=mesh:2");
  without.send(unicast(0, 1), 0);
  without.advance(10);
  EXPECT_EQ(sentence_of_call([&] { without.take(0, node_id(1)); }),
            "take: the network has no reception limit, and every message is taken at once");
  EXPECT_EQ(sentence_of_call([&] { network_of("topology=mesh:2 reception_limit=3"); }),
            "reception limit 3: must be 4..1000000000 flits, those of the buffer of a virtual "
            "channel or more");
}

}  // namespace
}  // namespace allport::test
