// SPDX-License-Identifier: Apache-2.0
// Worms that nobody meets cost nothing on their way, and are where they would be if every one of
// their flits were looked at: receptions, tails on injection channels, and in every cycle what has
// left and what waits. A listener that may not hear late has every worm looked at.
#include "tlm/worm/lone_worms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/blueprint.h"
#include "tests/support/draw.h"
#include "tlm/worm/engine.h"

namespace allport::test {
namespace {

class Heard final : public WormListener {
 public:
  void on_sent(NodeId node, MessageId message, Cycle now) override {
    sent.emplace_back(now, index(node), message);
  }
  void on_received(const WormReception& one) override {
    received.emplace_back(one.tail, one.destination, one.port, one.message, one.injected, one.head);
  }

  std::vector<std::tuple<Cycle, std::size_t, MessageId>> sent;
  std::vector<std::tuple<Cycle, std::uint32_t, int, MessageId, Cycle, Cycle>> received;
};

// What crossed which passage, told in time or late.
class Moves final : public WormMovementListener {
 public:
  explicit Moves(bool may_be_late) : may_be_late_(may_be_late) {}

  bool may_hear_late() const override { return may_be_late_; }
  void on_granted(WormIndex id, const Passage& passage, const Passage*, Cycle) override {
    if (id >= channel_.size()) channel_.resize(id + std::size_t{1});
    channel_[id] = passage.is_first ? std::string("first") : std::to_string(passage.out_channel);
    message_.resize(channel_.size());
    message_[id] = passage.message;
    since_.resize(channel_.size(), -1);
  }
  void on_start(WormIndex id, Cycle now) override { since_[id] = now; }
  void on_stop(WormIndex id, Cycle now) override {
    if (since_[id] >= 0) add(id, since_[id], now);
    since_[id] = -1;
  }
  void on_move(WormIndex id, Cycle now) override { add(id, now, now + 1); }
  void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                Cycle from) override {
    const bool is_running = since_[id] >= 0;
    if (is_running) on_stop(id, from);
    for (Cycle i = 0; i < periods * period; ++i) {
      const Cycle back = period - i % period;
      if ((moves >> (back - 1) & 1U) != 0) on_move(id, from + i);
    }
    if (is_running) since_[id] = from + periods * period;
  }
  std::vector<std::tuple<Cycle, std::string, MessageId>> crossings() const {
    auto sorted = crossings_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

 private:
  void add(WormIndex id, Cycle from, Cycle to) {
    for (Cycle at = from; at < to; ++at) {
      crossings_.emplace_back(at, channel_[id], message_[id]);
    }
  }

  bool may_be_late_;
  std::vector<std::string> channel_;
  std::vector<MessageId> message_;
  std::vector<Cycle> since_;
  std::vector<std::tuple<Cycle, std::string, MessageId>> crossings_;
};

struct Sent {
  Cycle call = 0;
  WormRequest request;
};

struct LoneCase {
  std::string topology;
  FabricConfig config;
  bool tells_of_sent = false;
  std::vector<Sent> sends;
};

// Sends that mostly do not meet, now and then one behind another or on the way that one has just
// left, where its credits may still be missing, and sometimes a tree at the end.
LoneCase drawn_case(std::uint64_t seed) {
  Draw draw(seed);
  LoneCase one;
  one.topology = draw.one_of<std::string>(
      {"hypercube:4", "torus:5x4", "mesh:4x4", "ring:7", "torus:3x3x3", "hypercube:6"});
  one.config.vcs = draw.one_of<int>({1, 2, 3, 4});
  if (one.topology[0] == 't' || one.topology[0] == 'r') {
    one.config.vcs = draw.one_of<int>({2, 4});
  }
  if (one.config.vcs == 4 && draw.below(2) == 0) one.config.classes = 2;
  one.config.buffer_depth = draw.one_of<int>({1, 2, 4, 4, 9});
  one.config.link_delay = draw.one_of<int>({0, 0, 0, 1, 3});
  one.tells_of_sent = one.config.classes == 1 && draw.below(2) == 0;
  const Blueprint blueprint(one.topology, one.config);
  const unsigned nodes = static_cast<unsigned>(blueprint.routing.topology().node_count());
  const int longest = draw.one_of<int>({1, 3, 16, 40});
  const int gap = draw.one_of<int>({1, 4, 16, 64});
  const bool is_again_often = draw.below(3) == 0;
  unsigned source = 0;
  unsigned destination = 1;
  Cycle now = 0;
  const unsigned count = 4 + static_cast<unsigned>(draw.below(60));
  for (unsigned i = 0; i < count; ++i) {
    now += draw.below(gap + 1);
    if (!is_again_often || draw.below(4) == 0) {
      source = static_cast<unsigned>(draw.below(static_cast<int>(nodes)));
      destination = static_cast<unsigned>(draw.below(static_cast<int>(nodes) - 1));
      if (destination >= source) ++destination;
    }
    WormRequest request{static_cast<MessageId>(i), NodeId{source},
                        NodeId{destination},       0,
                        1 + draw.below(longest),   now + draw.one_of<int>({0, 0, 5, 30})};
    request.message_class = draw.below(one.config.classes);
    one.sends.push_back({now, request});
  }
  if (one.config.classes == 1 && draw.below(4) == 0) {
    WormRequest tree{static_cast<MessageId>(count), NodeId{0}, NodeId{0}, 0, 5, now};
    tree.port = 0;
    tree.kind = MessageKind::tree;
    one.sends.push_back({now, tree});
  }
  return one;
}

struct Outcome {
  Heard heard;
  std::vector<std::int64_t> looks;  // what has left and what waits, in drawn cycles
  std::vector<std::tuple<Cycle, std::string, MessageId>> crossings;
  bool is_idle = false;  // a tree among unicasts may end in a deadlock
  std::uint64_t flit_hops = 0;
  std::uint64_t decisions = 0;
};

Outcome run(const LoneCase& one, bool is_looked_at, std::uint64_t seed) {
  const Blueprint blueprint(one.topology, one.config);
  Outcome outcome;
  Moves moves(!is_looked_at);
  WormEngine engine(blueprint.config, blueprint.routing, outcome.heard);
  engine.tell_of_sent(one.tells_of_sent);
  engine.observe(moves);
  Draw draw(seed + 1);
  const Topology& topology = blueprint.routing.topology();
  const auto pass_until = [&](Cycle end) {
    for (Cycle moment = engine.next_moment(); moment < end; moment = engine.next_moment()) {
      engine.pass(moment);
    }
  };
  const auto look = [&](Cycle now) {
    std::vector<std::uint64_t> flits(topology.router_count() * topology.port_count());
    engine.add_crossings(now, flits);
    for (const std::uint64_t count : flits) {
      outcome.looks.push_back(static_cast<std::int64_t>(count));
    }
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
      for (int port = 0; port < blueprint.config.internal_ports; ++port) {
        outcome.looks.push_back(engine.unsent(node_id(node), port, 0, now));
      }
    }
  };
  for (const Sent& sent : one.sends) {
    pass_until(WormCalendar::moment(sent.call, WormPhase::injection));
    engine.send(sent.request);
    if (draw.below(8) == 0) look(sent.call);
  }
  pass_until(WormCalendar::never);
  outcome.is_idle = engine.is_idle();
  outcome.flit_hops = engine.flit_hops();
  outcome.decisions = engine.decisions();
  outcome.crossings = moves.crossings();
  std::sort(outcome.heard.sent.begin(), outcome.heard.sent.end());
  return outcome;
}

TEST(LoneWorms, AreWhereTheyAreIfTheyAreLookedAt) {
  const RandomCases cases(400);
  std::uint64_t fewer = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end && !HasFailure(); ++seed) {
    const LoneCase one = drawn_case(seed);
    const Outcome lone = run(one, false, seed);
    const Outcome looked_at = run(one, true, seed);
    EXPECT_EQ(lone.heard.received, looked_at.heard.received) << seed << " " << one.topology;
    EXPECT_EQ(lone.heard.sent, looked_at.heard.sent) << seed << " " << one.topology;
    EXPECT_EQ(lone.looks, looked_at.looks) << seed << " " << one.topology;
    EXPECT_EQ(lone.crossings, looked_at.crossings) << seed << " " << one.topology;
    EXPECT_EQ(lone.is_idle, looked_at.is_idle) << seed << " " << one.topology;
    EXPECT_TRUE(lone.is_idle || one.sends.back().request.kind == MessageKind::tree) << seed;
    EXPECT_EQ(lone.flit_hops, looked_at.flit_hops) << seed << " " << one.topology;
    fewer += lone.decisions < looked_at.decisions ? 1 : 0;
  }
  EXPECT_GT(fewer, (cases.end - cases.first) / 4) << "nothing is tested where none is lone";
}

TEST(LoneWorms, NeedNoDecision) {
  LoneCase one;
  one.topology = "torus:8x8";
  one.config.vcs = 2;
  one.sends = {{0, {MessageId{0}, NodeId{0}, NodeId{27}, 0, 16, 0}},
               {100, {MessageId{1}, NodeId{0}, NodeId{27}, 0, 16, 100}}};
  EXPECT_EQ(run(one, false, 0).decisions, 0U);
  EXPECT_GT(run(one, true, 0).decisions, 0U);
}

}  // namespace
}  // namespace allport::test
