// SPDX-License-Identifier: Apache-2.0
// What each call of a network does, and the sentence of each wrong one.
#include "testbench/network/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/test_file.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Network, DeliversInTheCyclesOfTheTimingPage) {
  Network network = network_of("topology=hypercube:3");
  const std::uint64_t id = network.send(unicast(0, 7, 16, 42), 5);

  EXPECT_EQ(network.next_event(), 5 + 2);
  const auto& deliveries = network.advance(100);

  ASSERT_EQ(deliveries.size(), 1U);
  EXPECT_EQ(deliveries[0].id, id);
  EXPECT_EQ(told(deliveries[0]), Told(42, 0, 7, 0, 5, 5 + 3 + 1, 5 + 3 + 16));
  EXPECT_EQ(network.now(), 101);
  EXPECT_TRUE(network.is_idle());
  EXPECT_EQ(network.next_event(), Network::never);
}

TEST(Network, CountsBytesInFlitsAndNoneAsOne) {
  Network network = network_of("topology=ring:4 flit_bytes=8");
  for (const std::uint64_t bytes : {0, 1, 8, 9, 64}) {
    NetworkMessage message = unicast(0, 1, 0);
    message.bytes = bytes;
    const Cycle start = network.now();
    network.send(message, start);
    const Cycle flits = std::max<Cycle>(1, (static_cast<Cycle>(bytes) + 7) / 8);
    EXPECT_EQ(network.advance_to_delivery(end_of_case).at(0).tail, start + 1 + flits) << bytes;
    EXPECT_EQ(network.expected(node_id(0), node_id(1), bytes), 1 + flits) << bytes;
  }
}

// The answer's head is on the injection channel in the cycle in which the tail is on the ejection
// channel, as with the processors of the timing page.
TEST(Network, AnAnswerLeavesInTheCycleOfTheReception) {
  Network network = network_of("topology=hypercube:3");
  network.send(unicast(0, 7, 16, 1), 0);

  const Cycle first = network.advance_to_delivery(end_of_case).at(0).tail;
  EXPECT_EQ(first, 19);
  EXPECT_EQ(network.now(), first);
  network.send(unicast(7, 0, 16, 2), network.now());
  const auto& answers = network.advance_to_delivery(end_of_case);

  ASSERT_EQ(answers.size(), 1U);                    // nothing of the first one again
  EXPECT_EQ(network.next_event(), Network::never);  // though credits are on their way
  EXPECT_EQ(told(answers[0]), Told(2, 7, 0, 0, first, first + 4, first + 19));
  EXPECT_THAT(network.advance(end_of_case), IsEmpty());
}

// Three messages end in one cycle: all of them are told of at once, by node and port.
TEST(Network, TellsOfAllReceptionsOfACycleByNodeAndPort) {
  Network network = network_of("topology=hypercube:3");
  network.send(unicast(7, 6, 4, 1), 3);
  network.send(unicast(2, 0, 4, 2), 3);
  network.send(unicast(1, 0, 4, 3), 3);
  network.send(unicast(1, 3, 4, 4), 4);

  std::vector<std::uint64_t> users;
  for (const NetworkDelivery& one : network.advance_to_delivery(end_of_case))
    users.push_back(one.user);

  EXPECT_THAT(users, ElementsAre(3, 2, 1));
  EXPECT_EQ(network.now(), 3 + 1 + 4);
}

TEST(Network, SendsOfOneSourceGoByCycleAndThenByCall) {
  Network network = network_of("topology=ring:4");
  network.send(unicast(0, 1, 3, 1), 50);
  network.send(unicast(0, 1, 3, 2), 10);
  network.send(unicast(0, 1, 3, 3), 50);
  network.advance(49);
  network.send(unicast(0, 1, 3, 4), 50);  // called after those for the same cycle

  std::vector<std::uint64_t> users;
  std::vector<Cycle> injected;
  for (const NetworkDelivery& one : network.advance(end_of_case)) {
    users.push_back(one.user);
    injected.push_back(one.injected);
  }

  EXPECT_THAT(users, ElementsAre(1, 3, 4));
  EXPECT_THAT(injected, ElementsAre(50, 53, 56));
}

TEST(Network, WhatWaitsForItsCycleIsNotInTheWayOfAnother) {
  Network network = network_of("topology=ring:4");
  network.send(unicast(0, 1, 5, 1), 1000);
  network.send(unicast(0, 1, 5, 2), 0);
  EXPECT_EQ(network.advance_to_delivery(end_of_case).at(0).user, 2U);
  EXPECT_FALSE(network.is_idle());
  EXPECT_EQ(network.next_event(), 1000 + 2);
  EXPECT_EQ(network.advance_to_delivery(end_of_case).at(0).tail, 1000 + 1 + 5);
}

TEST(Network, ATreeIsReceivedByAllNodesOfItsGroup) {
  Network network = network_of("topology=hypercube:3");
  network.send(tree(0, 16), 0);
  std::vector<Cycle> tails(8);
  for (const NetworkDelivery& one : network.advance(end_of_case))
    tails[index(one.destination)] = one.tail;
  EXPECT_THAT(tails, ElementsAre(0, 17, 17, 18, 17, 18, 18, 19));
  EXPECT_TRUE(network.is_idle());

  network.send(tree(0, 16, 0b101), end_of_case + 1);
  EXPECT_EQ(network.advance(2 * end_of_case).size(), 3U);
}

// By the tree of s: from a over s to b, over s and t to c and d, and over s, v and u to e.
TEST(Network, ATreeIsReceivedOverSwitches) {
  Network network = network_of("topology=" + switched_graph() + " buffer_depth=8");
  network.send(tree(0, 16), 0);
  std::vector<Cycle> tails(5);
  for (const NetworkDelivery& one : network.advance(end_of_case))
    tails[index(one.destination)] = one.tail;
  EXPECT_THAT(tails, ElementsAre(0, 1 + 3 + 16, 3 + 16, 3 + 16, 1 + 1 + 4 + 2 + 16));
}

TEST(Network, AnIdleOneCostsNothingHoweverFarItIsAdvanced) {
  Network network = network_of("topology=torus:8x8");
  EXPECT_THAT(network.advance(999999999999999999), IsEmpty());
  network.send(unicast(0, 1, 4), 1000000000000000000);
  EXPECT_THAT(network.advance(1000000000000000000), IsEmpty());
  EXPECT_FALSE(network.is_idle());
}

TEST(Network, MovesAsAWhole) {
  Network first = network_of("topology=ring:4");
  first.send(unicast(0, 1, 4, 7), 0);
  Network second = std::move(first);
  EXPECT_EQ(second.advance(end_of_case).at(0).user, 7U);
}

// Two trees of three flits on a 2-cube, with buffers of one flit: docs/router.md and the test of
// the same run, Deadlock.IsReportedAsTheCycleOfWaitsThatItIs.
TEST(NetworkDeadlock, IsTheCircleByName) {
  Network network = network_of("topology=hypercube:2 buffer_depth=1");
  network.send(unicast(1, 0, 1), 0);
  network.advance(9);
  EXPECT_FALSE(network.deadlock());
  const std::uint64_t first = network.send(tree(0, 3), 10);
  const std::uint64_t second = network.send(tree(2, 3), 10);
  EXPECT_FALSE(network.deadlock());
  network.advance(end_of_case);

  const auto deadlock = network.deadlock();

  ASSERT_TRUE(deadlock);
  EXPECT_EQ(deadlock->cycle, 10 + 3 + 2);
  EXPECT_EQ(deadlock->messages, 2U);
  ASSERT_EQ(deadlock->circle.size(), 2U);
  EXPECT_EQ(deadlock->circle[0].message, first);
  EXPECT_EQ(deadlock->circle[0].held_by, second);
  EXPECT_EQ(deadlock->circle[0].words,
            "0 -> all waits for channel 2 -> 3 (dimension 0), held by 2 -> all");
  EXPECT_EQ(deadlock->circle[1].words,
            "2 -> all waits for channel 0 -> 1 (dimension 0), held by 0 -> all");
  EXPECT_FALSE(network.is_idle());
  EXPECT_EQ(network.next_event(), Network::never);
  EXPECT_EQ(sentence_of_call([&] { network.send(unicast(3, 0), network.now()); }),
            "node 3 cannot send: the network is deadlocked");
  EXPECT_THAT(network.advance(2 * end_of_case), IsEmpty());
}

TEST(NetworkDeadlock, IsNoneAsLongAsAnythingWillBeSent) {
  Network network = network_of("topology=hypercube:2 buffer_depth=1");
  network.send(tree(0, 3), 0);
  network.send(tree(2, 3), 0);
  network.send(unicast(1, 3), 500);
  network.advance(100);
  EXPECT_FALSE(network.deadlock());
  network.advance(600);
  EXPECT_TRUE(network.deadlock());
}

TEST(NetworkLimit, SaysNoWhereThereIsNoRoom) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=10");
  EXPECT_EQ(network.limit(), 10);
  EXPECT_TRUE(network.try_send(unicast(0, 1, 6), 0));
  EXPECT_EQ(network.queued(node_id(0)), 6);
  EXPECT_FALSE(network.try_send(unicast(0, 1, 5), 0));
  EXPECT_TRUE(network.try_send(unicast(0, 1, 4), 0));
  EXPECT_EQ(network.queued(node_id(0)), 10);
  EXPECT_EQ(network.queued(node_id(1)), 0);
  EXPECT_EQ(sentence_of_call([&] { network.send(unicast(0, 1, 2), 0); }),
            "flits 2: the queue of node 0 has room for 0 at present; send it in a later cycle");
  network.advance(0);  // one flit of cycle 0
  EXPECT_EQ(network.queued(node_id(0)), 9);
  EXPECT_TRUE(network.try_send(unicast(0, 1, 1), 40));  // what is to come counts
  EXPECT_EQ(network.queued(node_id(0)), 10);
  network.advance(end_of_case);
  EXPECT_EQ(network.queued(node_id(0)), 0);
}

TEST(NetworkLimit, TellsOfRoomInTheFirstCycleInWhichThereIsSome) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=10");
  std::vector<Cycle> calls;
  network.on_space([&](NodeId node, int) {
    EXPECT_EQ(node, node_id(0));
    calls.push_back(network.now());
    EXPECT_EQ(network.queued(node), 5);
    EXPECT_TRUE(network.try_send(unicast(0, 1, 5, 9), network.now()));
  });
  network.send(unicast(0, 1, 10), 0);
  EXPECT_FALSE(network.try_send(unicast(0, 1, 7), 0));
  EXPECT_FALSE(network.try_send(unicast(0, 1, 5), 0));

  const auto& deliveries = network.advance(end_of_case);

  EXPECT_THAT(calls, ElementsAre(5));  // flits went in cycles 0 to 4
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_EQ(deliveries[1].user, 9U);
  EXPECT_EQ(deliveries[1].injected, 10);
}

TEST(NetworkLimit, ACallThatThrowsLeavesTheNetworkUsable) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=10");
  int calls = 0;
  network.on_space([&](NodeId, int) {
    ++calls;
    throw std::runtime_error("the client's own");
  });
  network.send(unicast(0, 1, 10, 1), 0);
  EXPECT_FALSE(network.try_send(unicast(0, 1, 3), 0));
  EXPECT_THROW(network.advance(end_of_case), std::runtime_error);
  EXPECT_EQ(network.now(), 3);
  EXPECT_EQ(network.advance(end_of_case).at(0).tail, 11);
  EXPECT_EQ(calls, 1);
}

TEST(NetworkLimit, ACallMayNotLetCyclesPass) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=10");
  std::string advance;
  std::string on_space;
  network.on_space([&](NodeId, int) {
    advance = sentence_of_call([&] { network.advance(end_of_case); });
    on_space = sentence_of_call([&] { network.on_space(nullptr); });
  });
  network.send(unicast(0, 1, 10), 0);
  EXPECT_FALSE(network.try_send(unicast(0, 1, 3), 0));
  EXPECT_EQ(network.advance(end_of_case).size(), 1U);
  EXPECT_EQ(advance, "a call-back that is told of room may send, but lets no cycles pass");
  EXPECT_EQ(on_space, "a call-back that is told of room may send, but sets no other");
}

class WrongSend : public testing::Test {
 protected:
  std::string sentence(const NetworkMessage& message, Cycle at = 20) {
    Network network = network_of("topology=torus:4x4 queue_limit=2000000000");
    network.send(unicast(1, 2, 3, 7), 9);
    network.advance(14 - 1);
    const std::string text = sentence_of_call([&] { network.send(message, at); });
    EXPECT_EQ(network.now(), 14);  // and nothing else has changed
    EXPECT_TRUE(network.is_idle());
    EXPECT_EQ(network.queued(node_id(1)), 0);
    EXPECT_EQ(network.send(unicast(0, 1), 14), 1U);
    return text;
  }
};

TEST_F(WrongSend, NamesANodeThatDoesNotExist) {
  EXPECT_EQ(sentence(unicast(16, 2)),
            "source 16 is not a node of torus:4x4, which has the nodes 0..15");
  EXPECT_EQ(sentence(unicast(2, 4000000000U)),
            "destination 4000000000 is not a node of torus:4x4, which has the nodes 0..15");
}

TEST_F(WrongSend, NamesANodeThatSendsToItself) {
  EXPECT_EQ(sentence(unicast(5, 5)),
            "destination 5: it is the source, and a node keeps what is for itself");
}

TEST_F(WrongSend, NamesACycleThatIsPastOrBeyondTheEnd) {
  EXPECT_EQ(sentence(unicast(0, 1), 13), "at 13: that cycle is past, and now is cycle 14");
  EXPECT_EQ(sentence(unicast(0, 1), 1000000000000000001),
            "at 1000000000000000001: a run ends by cycle 10^18");
}

TEST_F(WrongSend, NamesALengthThatCannotBe) {
  EXPECT_EQ(sentence(unicast(0, 1, 1000000001)), "flits 1000000001: must be 1..1000000000");
  EXPECT_EQ(sentence(unicast(0, 1, -1)), "flits -1: must be 1..1000000000");
  NetworkMessage message = unicast(0, 1, 0);
  message.bytes = 8000000001;
  EXPECT_EQ(sentence(message), "bytes 8000000001: must be 0..8000000000");
  message.bytes = 4000000004;
  EXPECT_EQ(sentence(message), "flits 1000000001: must be 1..1000000000");
  message.flits = 4;
  EXPECT_EQ(sentence(message),
            "bytes 4000000004 and flits 4: a length is one of them, and the other is 0");
}

TEST(WrongExpected, IsWhatNoMessageCanBe) {
  Network network = network_of("topology=ring:4 flit_bytes=1");
  EXPECT_EQ(network.expected(node_id(0), node_id(1), 1000000000), 1000000001);
  for (const std::uint64_t bytes : {1000000001ULL, 4294967296ULL, 8000000000ULL}) {
    EXPECT_EQ(sentence_of_call([&] { network.expected(node_id(0), node_id(1), bytes); }),
              "flits " + std::to_string(bytes) + ": must be 1..1000000000");
  }
  Network cut = network_of("topology=mesh:3 missing_links=0-1");
  EXPECT_EQ(cut.lookahead(node_id(1), node_id(2)), 2);
  const std::string missing = "unicast 0 -> 2: its route crosses the missing link 0>1";
  EXPECT_THAT(sentence_of_call([&] { cut.lookahead(node_id(0), node_id(2)); }),
              testing::StartsWith(missing));
  EXPECT_THAT(sentence_of_call([&] { cut.expected(node_id(0), node_id(2), 4); }),
              testing::StartsWith(missing));
}

TEST_F(WrongSend, NamesAKindThatNetworksLack) {
  for (const MessageKind kind : {MessageKind::multidestination, MessageKind::label,
                                 MessageKind::join, MessageKind::join_tree}) {
    NetworkMessage message = unicast(0, 1);
    message.kind = kind;
    EXPECT_EQ(sentence(message),
              std::string("kind ") + to_string(kind) +
                  ": a network that is driven carries unicasts, trees, and deposit and path worms");
  }
  EXPECT_THAT(sentence(tree(0, 3, 0b100)), HasSubstr("dimension 2 of free must be one of 0..1"));
  NetworkMessage message = unicast(0, 1);
  message.free = 1;
  EXPECT_EQ(sentence(message), "free dimensions are for trees");
}

TEST(WrongCall, NamesWhatIsWrong) {
  Network network = network_of("topology=ring:4 queue_limit=8");
  network.advance(9);
  EXPECT_EQ(sentence_of_call([&] { network.advance(9); }),
            "advance to 9: that cycle is past, and now is cycle 10");
  EXPECT_EQ(sentence_of_call([&] { network.advance_to_delivery(-1); }),
            "advance to -1: that cycle is past, and now is cycle 10");
  EXPECT_EQ(sentence_of_call([&] { network.advance(1000000000000000001); }),
            "advance to 1000000000000000001: a run ends by cycle 10^18");
  EXPECT_EQ(sentence_of_call([&] { network.queued(node_id(4)); }),
            "node 4 is not a node of ring:4, which has the nodes 0..3");
  EXPECT_EQ(sentence_of_call([&] { network.lookahead(node_id(1), node_id(1)); }),
            "destination 1: it is the source, and a node keeps what is for itself");
  EXPECT_EQ(sentence_of_call([&] { network.expected(node_id(4), node_id(1), 4); }),
            "source 4 is not a node of ring:4, which has the nodes 0..3");
  EXPECT_EQ(sentence_of_call([&] { network.expected(node_id(0), node_id(1), 9000000000); }),
            "bytes 9000000000: must be 0..8000000000");
  EXPECT_EQ(sentence_of_call([&] { network.try_send(unicast(0, 1, 9), 10); }),
            "flits 9: the queue of a node has room for 8");
}

TEST(WrongCall, NamesAMissingLink) {
  Network network = network_of("topology=mesh:3x3 missing_links=0-1");
  EXPECT_EQ(sentence_of_call([&] { network.send(unicast(0, 2), 0); }),
            "unicast 0 -> 2: its route crosses the missing link 0>1; routing table:updown or "
            "table:shortest goes around");
  EXPECT_EQ(sentence_of_call([&] { network.send(tree(4, 3), 0); }),
            "tree of 4: routers take it over all links of its group, and links are missing");
  network.send(unicast(0, 3), 0);
  EXPECT_EQ(network.advance(end_of_case).size(), 1U);
}

TEST(WrongCall, SendsATreeUnderATable) {
  for (const std::string& fabric :
       {"topology=" + switched_graph() + " routing=table:shortest vcs=8",
        std::string("topology=mesh:3x3 routing=table:dimension")}) {
    Network network = network_of(fabric);
    EXPECT_THAT(sentence_of_call([&] { network.send(tree(0, 3), 0); }),
                HasSubstr("is for unicasts and deposits only, and this is a tree message"));
    network.send(unicast(0, 3), 0);
    EXPECT_EQ(network.advance(end_of_case).size(), 1U);
  }
}

TEST(WrongNetwork, IsRefusedInTheSentenceOfARun) {
  const auto sentence = [](const std::string& options) {
    return sentence_of_call([&] { network_of(options); });
  };
  EXPECT_EQ(
      sentence(""),
      "--topology is missing: give hypercube:N, torus:KxK[xK..], mesh:KxK[xK..], ring:K or graph:FILE");
  EXPECT_THAT(sentence("topology=ring:8 vcs=1"), HasSubstr("deadlock"));
  EXPECT_THAT(sentence("topology=torus:4x4 ports=9"), HasSubstr("--ports 9"));
  EXPECT_THAT(sentence("topology=hypercube:3 routing=adaptive model=auto"),
              HasSubstr("model auto: it supports deterministic routing only"));
  EXPECT_EQ(
      sentence("topology=ring:8 model=rtl"),
      "model rtl: a network that is driven runs on worms, or on routers in SystemC; give worm, or auto where worms are exact");
  EXPECT_EQ(
      sentence("topology=ring:8 model=systemc"),
      "model systemc: this network runs on worms, which have the same cycles; `allport network` and, in C++, flit_network() have routers, too");
  NetworkRequest request = read_network_request("topology=ring:8");
  request.queue_limit = 0;
  EXPECT_EQ(sentence_of_call([&] { Network network(request); }),
            "queue limit 0: must be 1..1000000000000");
}

TEST(WrongNetwork, NamesTheOptionThatIsWrong) {
  const auto sentence = [](const std::string& options) {
    return sentence_of_call([&] { read_network_request(options); });
  };
  EXPECT_EQ(sentence("topology=ring:8 vcs=20"), "vcs: '20' is not a whole number in 1..16");
  EXPECT_EQ(sentence("queue-limit=0"),
            "queue_limit: '0' is not a whole number in 1..1000000000000");
  EXPECT_EQ(sentence("topology"), "'topology' is not an option: it is KEY=VALUE, without blanks");
  EXPECT_EQ(sentence("vcs=2 vcs=2"), "vcs: it is given twice");
  EXPECT_THAT(sentence("topology=\"graph:my \"\"net\"\".csv\" vcs=2"),
              HasSubstr("the file my \"net\".csv cannot be read"));
  EXPECT_EQ(sentence("vcs=2 topology=\"ring:8"), "topology: its value in quotes does not end");
  EXPECT_EQ(sentence("topology=\"ring:8\"vcs=2"),
            "topology: behind its value in quotes comes a blank, and not 'vcs=2'");
  EXPECT_THAT(sentence("vc_uses=2"), HasSubstr("unknown option 'vc_uses': did you mean 'vc_use'"));
  EXPECT_THAT(sentence("algorithm=sbt"), HasSubstr("unknown option 'algorithm'"));
}

TEST(NetworkOptions, MayStandInQuotes) {
  const NetworkRequest request = read_network_request("topology=\"ring:8\" vcs=\"2\" ");
  EXPECT_EQ(request.fabric.topology->name(), "ring:8");
  EXPECT_EQ(request.router.vcs, 2);
}

// Whatever their order is.
TEST(NetworkOptions, DrawWhatIsMissingByTheSeed) {
  const auto fabric = [](const std::string& options) {
    const NetworkRequest request = read_network_request(options);
    return request.fabric.topology->name();
  };
  const std::string drawn = fabric("topology=torus:4x4 missing_nodes=random:2:5");
  EXPECT_NE(fabric("topology=torus:4x4 missing_nodes=random:2"), drawn);
  EXPECT_EQ(fabric("missing_nodes=random:2 topology=torus:4x4 seed=5"), drawn);
  EXPECT_EQ(fabric("seed=5 topology=torus:4x4 missing_nodes=random:2"), drawn);

  const auto lookahead = [](const std::string& options) {
    Network network(read_network_request("topology=torus:4x4 routing=table:updown " + options));
    std::vector<Cycle> all;
    for (std::uint32_t node = 1; node < 16; ++node) {
      all.push_back(network.lookahead(node_id(0), node_id(node)));
    }
    return all;
  };
  const std::vector<Cycle> without = lookahead("missing_links=random:6:5");
  EXPECT_NE(lookahead("missing_links=random:6"), without);
  EXPECT_EQ(lookahead("missing_links=random:6 seed=5"), without);
  EXPECT_EQ(lookahead("seed=5 missing_links=random:6"), without);

  for (const char* missing : {"", " missing_nodes=3", " missing_links=random:1:3"}) {
    EXPECT_EQ(sentence_of_call([&] {
                read_network_request(std::string("topology=torus:4x4 seed=5") + missing);
              }),
              "seed: nothing is drawn by it without missing_nodes=random:N or "
              "missing_links=random:N");
  }
}

TEST(NetworkOptions, GiveSingleLinksADelay) {
  const std::string file = test_file("links.csv");
  std::ofstream(file) << "0,1,5\n";
  const std::string fabric = "topology=ring:8 buffer_depth=16";
  Network usual = network_of(fabric);
  Network slow = network_of(fabric + " link_attributes=" + file);
  EXPECT_EQ(slow.expected(node_id(0), node_id(1), 64),
            usual.expected(node_id(0), node_id(1), 64) + 5);
  EXPECT_EQ(slow.expected(node_id(1), node_id(2), 64), usual.expected(node_id(1), node_id(2), 64));
  slow.send(unicast(1, 0), 0);
  usual.send(unicast(1, 0), 0);
  EXPECT_EQ(slow.advance(end_of_case)[0].tail, usual.advance(end_of_case)[0].tail + 5);
}

// With a flit of four bytes in four cycles over one channel, the tail comes 15 * 4 cycles behind
// the head.
TEST(NetworkOptions, GiveSingleLinksAWidth) {
  const std::string file = test_file("links.csv");
  std::ofstream(file) << "0,1,,1\n";
  Network network = network_of("topology=ring:8 link_attributes=" + file);
  network.send(unicast(1, 0, 16), 5);
  network.send(unicast(2, 3, 16), 5);
  const auto& deliveries = network.advance(end_of_case);
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_EQ(told(deliveries[0]), Told(0, 2, 3, 1, 5, 5 + 2, 5 + 2 + 15));
  EXPECT_EQ(told(deliveries[1]), Told(0, 1, 0, 0, 5, 5 + 4 + 1, 5 + 4 + 1 + 15 * 4));
  EXPECT_EQ(network.expected(node_id(1), node_id(0), 64), Cycle{4 + 1 + 15 * 4});
}

TEST(NetworkOptions, AreThoseOfTheCommandLine) {
  const NetworkRequest request = read_network_request(
      "  topology=torus:4x4\tvcs=4 buffer-depth=7 link_delay=1,2 ports=2 vc-use=balanced\n"
      "ties=alternate flit-bytes=16 model=auto queue_limit=33 missing_links=0-1 ");
  EXPECT_EQ(request.fabric.topology->name(), "torus:4x4");
  EXPECT_EQ(request.router.vcs, 4);
  EXPECT_EQ(request.router.buffer_depth, 7);
  EXPECT_THAT(request.router.link_delays, ElementsAre(1, 2));
  EXPECT_EQ(request.fabric.ports, 2);
  EXPECT_EQ(request.router.vc_use, VcUse::balanced);
  EXPECT_EQ(request.ties.rule, TieBreak::Rule::alternate);
  EXPECT_EQ(request.flit_bytes, 16);
  EXPECT_EQ(request.model, Model::automatic);
  EXPECT_EQ(request.queue_limit, 33);
  EXPECT_TRUE(request.fabric.missing);
}

TEST(NetworkThreads, AreToldApartWhereAssertionsAreOn) {
#ifdef NDEBUG
  GTEST_SKIP() << "this build has no assertions";
#endif
  Network network = network_of("topology=ring:4 ports=1 queue_limit=4");
  std::string other;
  network.on_space([&](NodeId, int) {
    std::thread([&] { other = sentence_of_call([&] { network.queued(node_id(0)); }); }).join();
  });
  network.send(unicast(0, 1, 4), 0);
  EXPECT_FALSE(network.try_send(unicast(0, 1, 2), 0));
  network.advance(end_of_case);
  EXPECT_EQ(other, "two threads are in one network at the same time");
}

}  // namespace
}  // namespace allport::test
