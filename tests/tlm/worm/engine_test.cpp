// SPDX-License-Identifier: Apache-2.0
// These tests check what the work of moving worms depends on; tests/properties checks where the
// worms are.
#include "tlm/worm/engine.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

class Receptions final : public WormListener {
 public:
  void on_sent(NodeId, MessageId, Cycle now) override { sent.push_back(now); }
  void on_received(const WormReception& reception) override { all.push_back(reception); }

  std::vector<WormReception> all;
  std::vector<Cycle> sent;
};

struct Send {
  unsigned source;
  unsigned destination;
  int flits;
};

struct EngineBench {
  EngineBench(const std::string& topology, const FabricConfig& config)
      : blueprint(topology, config), engine(blueprint.config, blueprint.routing, heard) {}

  void run(const std::vector<Send>& sends) {
    for (std::size_t i = 0; i < sends.size(); ++i) {
      engine.send({static_cast<MessageId>(i), NodeId{sends[i].source}, NodeId{sends[i].destination},
                   0, sends[i].flits, 0});
    }
    for (Cycle moment = engine.next_moment(); moment != WormCalendar::never;
         moment = engine.next_moment()) {
      engine.pass(moment);
    }
  }

  Blueprint blueprint;
  Receptions heard;
  WormEngine engine;
};

std::uint64_t decisions(const std::string& topology, const FabricConfig& config,
                        const std::vector<Send>& sends) {
  EngineBench bench(topology, config);
  bench.run(sends);
  EXPECT_TRUE(bench.engine.is_idle());
  EXPECT_EQ(bench.heard.all.size(), sends.size());
  return bench.engine.decisions();
}

TEST(WormEngine, DecidesAsOftenForAMillionFlitsAsForAHundred) {
  EXPECT_EQ(decisions("hypercube:8", {}, {{0, 255, 1000000}}),
            decisions("hypercube:8", {}, {{0, 255, 100}}));
}

TEST(WormEngine, DecidesAsOftenForBlockedWormsHoweverLongTheyAre) {
  const auto crowd = [](int flits) {
    return decisions("hypercube:4", {},
                     {{1, 15, flits}, {3, 15, flits}, {5, 15, flits}, {0, 7, flits}});
  };
  EXPECT_EQ(crowd(100000), crowd(1000));
}

// Two worms on the virtual channels of one link; a buffer that cannot stream; and both together;
// and channels narrower than a flit, with one virtual channel and with two.
TEST(WormEngine, LetsWormsThatMoveInStepSleep) {
  FabricConfig shallow;
  shallow.buffer_depth = 1;
  FabricConfig shared;
  shared.vcs = 2;
  FabricConfig distant = shared;
  distant.link_delay = 3;
  FabricConfig narrow;
  narrow.phits = {2, 4, 1, 16};
  FabricConfig narrow_and_shared = narrow;
  narrow_and_shared.vcs = 2;
  narrow_and_shared.phits = {3, 3, 3, 3};
  for (const FabricConfig& config : {shallow, shared, distant, narrow, narrow_and_shared}) {
    const auto pair = [&](int flits) {
      return decisions("hypercube:4", config, {{8, 15, flits}, {12, 15, flits}, {4, 15, flits}});
    };
    EXPECT_LT(pair(200000), pair(2000) + 2000);
  }
}

// All nodes of a 4-cube contribute; with one virtual channel, with several, and a tree alone.
TEST(WormEngine, DecidesAsOftenForLongTreesAndJoinsAsForShortOnes) {
  const auto decisions_of = [](MessageKind kind, int vcs, int flits) {
    FabricConfig config;
    config.vcs = vcs;
    config.combine_delay = 1;
    config.buffer_depth = 8;
    EngineBench bench("hypercube:4", config);
    for (unsigned node = 0; node < 16; ++node) {
      if (kind == MessageKind::tree && node != 5) continue;
      bench.engine.send({MessageId{0}, NodeId{node}, NodeId{5}, 0, flits, 0, 0, kind});
    }
    bench.run({});
    EXPECT_TRUE(bench.engine.is_idle());
    EXPECT_EQ(bench.heard.all.size(), kind == MessageKind::join   ? 1U
                                      : kind == MessageKind::tree ? 15U
                                                                  : 16U);
    return bench.engine.decisions();
  };
  for (const MessageKind kind : {MessageKind::tree, MessageKind::join, MessageKind::join_tree}) {
    for (const int vcs : {1, 2}) {
      EXPECT_EQ(decisions_of(kind, vcs, 1000000), decisions_of(kind, vcs, 100))
          << to_string(kind) << " " << vcs;
    }
  }
}

TEST(WormEngine, TellsOfATailOnTheInjectionChannelInItsCycle) {
  EngineBench bench("hypercube:3", {});
  bench.engine.tell_of_sent(true);

  bench.run({{0, 7, 16}, {1, 2, 1}});

  EXPECT_EQ(bench.heard.sent, (std::vector<Cycle>{0, 15}));
}

TEST(WormEngine, RefusesAMessageThatWouldStartInThePast) {
  EngineBench bench("hypercube:3", {});
  bench.run({{0, 7, 16}});
  ASSERT_EQ(bench.heard.all.back().tail, 3 + 16);
  const auto send = [&](Cycle start) {
    bench.engine.send({MessageId{1}, NodeId{7}, NodeId{0}, 0, 4, start});
  };

  std::string refusal;
  try {
    send(18);
  } catch (const std::invalid_argument& error) {
    refusal = error.what();
  }
  EXPECT_EQ(
      refusal,
      "a message of node 7 cannot start in cycle 18: worms have been moved past it, and it must start in cycle 19 or later");
  EXPECT_TRUE(bench.engine.is_idle()) << "what is refused is not queued";
  EXPECT_TRUE(bench.engine.queued(NodeId{7}, 2).empty());
  send(19);
  bench.run({});
  EXPECT_EQ(bench.heard.all.back().tail, 19 + 3 + 4);
}

TEST(WormEngine, StartsAgainAfterAReset) {
  EngineBench bench("torus:4x4", {});
  bench.run({{0, 5, 40}, {1, 5, 40}, {2, 5, 40}});
  const Cycle last = bench.heard.all.back().tail;
  bench.engine.reset();
  bench.run({{0, 5, 40}, {1, 5, 40}, {2, 5, 40}});

  EXPECT_EQ(bench.heard.all.back().tail, last);
  EXPECT_EQ(bench.engine.flit_hops(), 40U * (2 + 1 + 2));
}

}  // namespace
}  // namespace allport::test
