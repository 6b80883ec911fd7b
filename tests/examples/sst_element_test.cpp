// SPDX-License-Identifier: Apache-2.0
// The plain part of the element of SST (docs/examples/sst_element): a fabric with ports, driven as
// a simulator of events drives it, and the queues of its endpoints. ALLPORT_CASES is the number of
// random workloads (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "docs/examples/sst_element/cycle_times.h"
#include "docs/examples/sst_element/endpoint_queues.h"
#include "docs/examples/sst_element/port_fabric.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

struct DrivenPacket {
  PortFabric::Packet packet;
  Cycle at = 0;  // when it comes to its port
  std::optional<Cycle> entered, received;
  std::size_t entry = 0;  // its place among all that entered
};

bool is_to_itself(const DrivenPacket& one) { return one.packet.source == one.packet.destination; }

std::vector<DrivenPacket> draw_packets(Draw& draw, std::size_t nodes, int classes, int longest) {
  std::vector<DrivenPacket> packets(static_cast<std::size_t>(draw.one_of<int>({1, 10, 100})));
  const int crowd = draw.one_of<int>({2, static_cast<int>(nodes)});
  const auto spread = draw.one_of<int>({1, 50, 400});
  for (std::size_t i = 0; i < packets.size(); ++i) {
    PortFabric::Packet& packet = packets[i].packet;
    packet.source = draw.below(crowd);
    packet.destination = draw.below(static_cast<int>(nodes));
    packet.message_class = draw.below(classes);
    packet.flits = 1 + draw.below(longest);
    packet.number = i;
    packets[i].at = draw.below(spread);
  }
  std::stable_sort(packets.begin(), packets.end(),
                   [](const DrivenPacket& a, const DrivenPacket& b) { return a.at < b.at; });
  for (std::size_t i = 0; i < packets.size(); ++i) packets[i].packet.number = i;
  return packets;
}

// A simulator of events: it comes to the cycles in which packets come, in which destinations take
// what they have received, and to which the fabric asks to be advanced, and to no others.
class EventDriver {
 public:
  EventDriver(const std::string& options, std::vector<DrivenPacket>& packets,
              std::function<Cycle()> takes_after)
      : fabric_(options), packets_(packets), takes_after_(std::move(takes_after)) {}

  void run() {
    for (std::size_t next = 0;;) {
      std::optional<Cycle> cycle = fabric_.next();
      const auto sooner = [&cycle](Cycle other) { cycle = std::min(cycle.value_or(other), other); };
      if (next < packets_.size()) sooner(packets_[next].at);
      if (!takes_.empty()) sooner(takes_.begin()->first);
      if (!cycle) break;
      fabric_.advance_to(*cycle);
      for (; next < packets_.size() && packets_[next].at == *cycle; ++next) {
        fabric_.send(packets_[next].packet);
      }
      for (; !takes_.empty() && takes_.begin()->first == *cycle; takes_.erase(takes_.begin())) {
        fabric_.take(takes_.begin()->second);
      }
      hear(*cycle);
    }
    EXPECT_EQ(fabric_.under_way(), 0U);
  }

 private:
  void hear(Cycle now) {
    for (const PortFabric::News& one : fabric_.news()) {
      DrivenPacket& packet = packets_.at(one.number);
      std::optional<Cycle>& told = one.is_received ? packet.received : packet.entered;
      EXPECT_FALSE(told) << "packet " << one.number << " is told twice";
      EXPECT_LE(one.known, now);
      EXPECT_EQ(one.known, one.cycle + (one.is_received && !is_to_itself(packet)));
      told = one.cycle;
      if (!one.is_received) packet.entry = ++entries_;
      if (one.is_received && takes_after_) takes_.emplace(now + takes_after_(), one.number);
    }
  }

  PortFabric fabric_;
  std::vector<DrivenPacket>& packets_;
  std::function<Cycle()> takes_after_;
  std::multimap<Cycle, std::uint64_t> takes_;
  std::size_t entries_ = 0;
};

// The receptions of a network to which the packets are handed over at once, in the order of their
// entries, each for the cycle in which it entered.
std::vector<Cycle> receptions_of(const std::string& options, std::vector<DrivenPacket> packets) {
  Network network = network_of(options);
  std::vector<Cycle> receptions(packets.size(), -1);
  std::sort(packets.begin(), packets.end(),
            [](const DrivenPacket& a, const DrivenPacket& b) { return a.entry < b.entry; });
  for (const DrivenPacket& one : packets) {
    const PortFabric::Packet& packet = one.packet;
    if (is_to_itself(one)) {
      receptions[packet.number] = one.at;
      continue;
    }
    NetworkMessage message =
        unicast(static_cast<std::size_t>(packet.source),
                static_cast<std::size_t>(packet.destination), packet.flits, packet.number);
    message.message_class = packet.message_class;
    network.send(message, one.entered.value());
  }
  for (const NetworkDelivery& one : network.advance(10'000'000)) receptions[one.user] = one.tail;
  return receptions;
}

TEST(PortFabric, HasTheCyclesOfTheNetwork) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const std::string options = draw_options(draw);
    const bool is_limited = draw.below(2) == 0;
    std::vector<DrivenPacket> packets =
        draw_packets(draw, network_of(options).topology().node_count(), classes_of(options), 8);
    EventDriver(options + (is_limited ? " queue_limit=8" : ""), packets, nullptr).run();
    for (const DrivenPacket& one : packets) {
      ASSERT_TRUE(one.entered && one.received) << one.packet.number;
      if (!is_limited) {
        ASSERT_EQ(one.entered, one.at);
      }
      ASSERT_GE(*one.entered, one.at);
    }
    const std::vector<Cycle> receptions = receptions_of(options, packets);
    for (const DrivenPacket& one : packets) {
      ASSERT_EQ(one.received, receptions[one.packet.number]) << one.packet.number;
    }
  }
}

TEST(PortFabric, LosesNothingUnderBackPressure) {
  const RandomCases cases(150);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const std::string options = draw_options(draw);
    std::vector<DrivenPacket> packets =
        draw_packets(draw, network_of(options).topology().node_count(), classes_of(options), 8);
    const auto laziness = draw.one_of<int>({1, 10, 100});
    EventDriver(options + " queue_limit=8 reception_limit=8", packets, [&] {
      return Cycle{draw.below(laziness)};
    }).run();
    for (const DrivenPacket& one : packets) {
      ASSERT_TRUE(one.entered && one.received) << one.packet.number;
    }
  }
}

PortFabric::Packet packet_of(std::int64_t source, std::int64_t destination, std::int64_t flits,
                             std::uint64_t number = 0) {
  PortFabric::Packet packet;
  packet.source = source;
  packet.destination = destination;
  packet.flits = flits;
  packet.number = number;
  return packet;
}

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

auto entered(std::uint64_t number, Cycle cycle) {
  return AllOf(Field(&PortFabric::News::number, number),
               Field(&PortFabric::News::is_received, false),
               Field(&PortFabric::News::cycle, cycle));
}
auto received(std::uint64_t number, Cycle cycle) {
  return AllOf(Field(&PortFabric::News::number, number),
               Field(&PortFabric::News::is_received, true), Field(&PortFabric::News::cycle, cycle));
}

TEST(PortFabric, LetsWaitWhatHasNoRoomInItsOrder) {
  PortFabric fabric("topology=mesh:2 ports=1 queue_limit=4");
  fabric.advance_to(10);
  fabric.send(packet_of(0, 1, 3, 1));
  fabric.send(packet_of(0, 1, 3, 2));
  fabric.send(packet_of(0, 1, 1, 3));  // there would be room
  EXPECT_THAT(fabric.news(), ElementsAre(entered(1, 10)));
  EXPECT_EQ(fabric.next(), 11);
  fabric.advance_to(12);  // two flits have left
  EXPECT_THAT(fabric.news(), ElementsAre(entered(2, 12)));
  fabric.advance_to(100);
  EXPECT_THAT(fabric.news(),
              ElementsAre(entered(3, 13), received(1, 14), received(2, 17), received(3, 18)));
  EXPECT_EQ(fabric.next(), std::nullopt);
}

TEST(PortFabric, StandsStillUntilWhatIsReceivedIsTaken) {
  PortFabric fabric("topology=mesh:2 ports=1 buffer_depth=2 queue_limit=2 reception_limit=2");
  constexpr std::uint64_t count = 10;
  for (std::uint64_t i = 0; i < count; ++i) fabric.send(packet_of(0, 1, 2, i));
  const auto run = [&fabric] {
    std::vector<std::uint64_t> numbers;
    while (fabric.next()) {
      fabric.advance_to(*fabric.next());
      for (const PortFabric::News& one : fabric.news()) {
        if (one.is_received) numbers.push_back(one.number);
      }
    }
    return numbers;
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    EXPECT_THAT(run(), ElementsAre(i));
    EXPECT_EQ(fabric.under_way(), count - 1 - i);
    fabric.take(i);
    fabric.take(i);  // nothing is held any more
  }
  EXPECT_THAT(run(), IsEmpty());
  EXPECT_EQ(fabric.deadlock(), "");
}

TEST(PortFabric, ReturnsAtOnceWhatANodeSendsToItself) {
  PortFabric fabric("topology=mesh:2 reception_limit=4");
  fabric.advance_to(7);
  fabric.send(packet_of(1, 1, 3, 5));
  EXPECT_EQ(fabric.next(), 7);
  EXPECT_THAT(fabric.news(), ElementsAre(entered(5, 7), received(5, 7)));
  EXPECT_EQ(fabric.under_way(), 0U);
  fabric.take(5);
  EXPECT_EQ(fabric.next(), std::nullopt);
}

TEST(PortFabric, WritesWhatEntersAsASchedule) {
  PortFabric fabric("topology=mesh:3x3 missing_nodes=1 classes=2 queue_limit=4 record=true");
  std::ostringstream lines;
  fabric.write_schedule(lines);
  fabric.advance_to(10);
  fabric.send(packet_of(1, 7, 3, 1));
  fabric.send(packet_of(1, 2, 4, 2));  // waits for room
  fabric.send(packet_of(1, 1, 4, 3));  // does not enter
  PortFabric::Packet reply = packet_of(7, 0, 2, 4);
  reply.message_class = 1;
  fabric.send(reply);
  fabric.advance_to(100);
  EXPECT_EQ(lines.str(), R"({"u":2,"v":8,"step":1,"order":0,"flits":3,"at":10,"class":0})"
                         "\n"
                         R"({"u":8,"v":0,"step":1,"order":0,"flits":2,"at":10,"class":1})"
                         "\n"
                         R"({"u":2,"v":3,"step":1,"order":1,"flits":4,"at":13,"class":0})"
                         "\n");
  EXPECT_THAT(fabric.results(), testing::HasSubstr(R"("messages":3)"));
}

TEST(CycleTimes, AreWhereCyclesBegin) {
  const CycleTimes times(1000);
  EXPECT_EQ(times.cycle_at(2999), 2);
  EXPECT_EQ(times.cycle_at(3000), 3);
  EXPECT_EQ(times.next_at(0), 0);
  EXPECT_EQ(times.next_at(3000), 3);
  EXPECT_EQ(times.next_at(3001), 4);
  EXPECT_EQ(times.until(4, 3001), 999U);
  EXPECT_EQ(times.until(4, 4000), 0U);
  EXPECT_EQ(times.until(4, 4500), 0U);
}

TEST(WrongUseOfPortFabric, IsASentence) {
  EXPECT_EQ(sentence_of_call([] { PortFabric("vcs=2"); }),
            sentence_of_call([] { network_of("vcs=2"); }));
  PortFabric fabric("topology=mesh:2x2 classes=2 vcs=2 queue_limit=16 reception_limit=8");
  EXPECT_EQ(sentence_of_call([&] { fabric.results(); }),
            sentence_of_call([] { network_of("topology=mesh:2x2").results(); }));
  EXPECT_EQ(fabric.node_count(), 4U);
  EXPECT_EQ(fabric.classes(), 2);
  EXPECT_EQ(fabric.flit_bytes(), 4);
  EXPECT_EQ(sentence_of_call([&] { fabric.send(packet_of(4, 0, 1)); }),
            "source 4: mesh:2x2 has the nodes 0..3");
  EXPECT_EQ(sentence_of_call([&] { fabric.send(packet_of(0, -1, 1)); }),
            "destination -1: mesh:2x2 has the nodes 0..3");
  PortFabric::Packet packet = packet_of(0, 1, 1);
  packet.message_class = 2;
  EXPECT_EQ(sentence_of_call([&] { fabric.send(packet); }), "class 2: must be 0..1");
  EXPECT_EQ(sentence_of_call([&] { fabric.send(packet_of(0, 1, 0)); }),
            "a packet of 0 flits: must be 1..8");
  EXPECT_EQ(sentence_of_call([&] { fabric.send(packet_of(0, 1, 9)); }),
            "a packet of 9 flits: must be 1..8");
  fabric.advance_to(5);
  EXPECT_EQ(sentence_of_call([&] { fabric.advance_to(4); }), "cycle 4: cycle 5 has begun");
  EXPECT_EQ(fabric.under_way(), 0U);
  EXPECT_EQ(fabric.next(), std::nullopt);
}

// --- The queues of an endpoint

using Queues = EndpointQueues<std::unique_ptr<int>>;

TEST(EndpointQueues, HaveTheRoomOfEachVirtualNetwork) {
  Queues queues(2);
  queues.open(4, 32);
  EXPECT_TRUE(queues.is_open());
  EXPECT_FALSE(Queues(1).is_open());
  EXPECT_EQ(queues.flits_of(0), 1);
  EXPECT_EQ(queues.flits_of(32), 1);
  EXPECT_EQ(queues.flits_of(33), 2);
  EXPECT_TRUE(queues.send(0, 96));
  EXPECT_FALSE(queues.has_space(0, 33));
  EXPECT_FALSE(queues.send(0, 33));
  EXPECT_TRUE(queues.has_space(0, 32));
  EXPECT_TRUE(queues.send(1, 128));
  EXPECT_FALSE(queues.has_space(1, 0));
  queues.sent(0, 96);
  EXPECT_TRUE(queues.send(0, 128));
  EXPECT_FALSE(queues.has_space(1, 0));
}

TEST(EndpointQueues, KeepTheOrderOfWhatIsReceived) {
  Queues queues(2);
  queues.open(4, 32);
  queues.receive(0, std::make_unique<int>(1));
  queues.receive(1, std::make_unique<int>(2));
  queues.receive(0, std::make_unique<int>(3));
  EXPECT_TRUE(queues.has_received(0));
  EXPECT_EQ(**queues.fetch(0), 1);
  EXPECT_EQ(**queues.fetch(0), 3);
  EXPECT_FALSE(queues.has_received(0));
  EXPECT_EQ(queues.fetch(0), std::nullopt);
  EXPECT_EQ(**queues.fetch(1), 2);
}

TEST(EndpointQueues, GiveNoticeUntilItIsNotWantedAnyMore) {
  Queues queues(2);
  queues.open(4, 32);
  std::string order;
  queues.on_receive([&](int vn) {
    order += "r" + std::to_string(vn);
    EXPECT_TRUE(queues.has_received(vn));
    return order.size() < 4;
  });
  queues.on_send([&](int vn) {
    order += "s" + std::to_string(vn);
    EXPECT_TRUE(queues.has_space(vn, 128));
    return true;
  });
  for (int i = 0; i < 3; ++i) queues.receive(1, nullptr);
  EXPECT_EQ(order, "r1r1");
  queues.send(0, 128);
  queues.sent(0, 128);
  queues.send(1, 128);
  queues.sent(1, 128);
  EXPECT_EQ(order, "r1r1s0s1");
}

TEST(EndpointQueues, TakeANoticeThatIsSetWithinAnother) {
  Queues queues(1);
  queues.open(4, 32);
  std::string order;
  queues.on_receive([&](int) {
    order += 'a';
    queues.on_receive([&](int) {
      order += 'b';
      return true;
    });
    return false;
  });
  for (int i = 0; i < 3; ++i) queues.receive(0, nullptr);
  EXPECT_EQ(order, "abb");
}

TEST(WrongUseOfEndpointQueues, IsASentence) {
  Queues queues(2);
  queues.open(4, 32);
  EXPECT_EQ(sentence_of_call([&] { queues.send(2, 32); }), "virtual network 2: must be 0..1");
  EXPECT_EQ(sentence_of_call([&] { queues.fetch(-1); }), "virtual network -1: must be 0..1");
  EXPECT_EQ(sentence_of_call([&] { queues.has_space(0, 129); }),
            "a packet of 129 bits: the output buffer has room for 4 flits of 32 bits");
}

}  // namespace
}  // namespace allport::test
