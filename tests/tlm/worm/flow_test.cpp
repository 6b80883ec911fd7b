// SPDX-License-Identifier: Apache-2.0
// These tests check when heads and tails of single worms are on their ejection channels
// (docs/timing.md, section 2).
#include <gtest/gtest.h>

#include "tests/support/blueprint.h"
#include "tlm/worm/engine.h"

namespace allport::test {
namespace {

class HeardReceptions final : public WormListener {
 public:
  void on_sent(NodeId, MessageId, Cycle) override {}
  void on_received(const WormReception& reception) override { all.push_back(reception); }
  std::vector<WormReception> all;
};

std::vector<WormReception> receptions(const FabricConfig& config,
                                      const std::vector<WormRequest>& requests) {
  const Blueprint blueprint("hypercube:3", config);
  HeardReceptions heard;
  WormEngine engine(blueprint.config, blueprint.routing, heard);
  for (const WormRequest& request : requests) engine.send(request);
  for (Cycle moment = engine.next_moment(); moment != WormCalendar::never;
       moment = engine.next_moment()) {
    engine.pass(moment);
  }
  EXPECT_TRUE(engine.is_idle());
  return heard.all;
}

constexpr Cycle start = 7;

TEST(WormFlow, StreamsWhereBuffersAreDeepEnough) {
  for (const int d : {0, 1, 3}) {
    for (const int flits : {1, 2, 16, 1000}) {
      const auto heard = receptions(With().link_delay(d).depth(2 + 2 * d),
                                    {{MessageId{0}, NodeId{0}, NodeId{7}, 0, flits, start}});

      ASSERT_EQ(heard.size(), 1U);
      EXPECT_EQ(heard[0].injected, start);
      EXPECT_EQ(heard[0].head, start + 3 * (1 + d) + 1) << "d " << d;
      EXPECT_EQ(heard[0].tail, start + 3 * (1 + d) + flits) << "d " << d << " L " << flits;
    }
  }
}

TEST(WormFlow, MovesABufferOfFlitsPerRoundTripWhereTheyAreNot) {
  for (const int d : {0, 1, 3}) {
    const int round_trip = 2 + 2 * d;
    for (int depth = 1; depth < round_trip; ++depth) {
      for (const int flits : {1, 2, 16, 1000}) {
        const auto heard = receptions(With().link_delay(d).depth(depth),
                                      {{MessageId{0}, NodeId{0}, NodeId{7}, 0, flits, start}});

        ASSERT_EQ(heard.size(), 1U);
        const int behind = (flits - 1) / depth * round_trip + (flits - 1) % depth;
        EXPECT_EQ(heard[0].tail, start + 3 * (1 + d) + 1 + behind)
            << "d " << d << " B " << depth << " L " << flits;
      }
    }
  }
}

// The head of the second worm of a channel comes behind the tail of the first one.
TEST(WormFlow, SendsTheWormsOfAnInjectionChannelOneBehindTheOther) {
  const auto heard = receptions({}, {{MessageId{0}, NodeId{0}, NodeId{7}, 0, 16, start},
                                     {MessageId{1}, NodeId{0}, NodeId{4}, 0, 4, start}});

  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[1].message, MessageId{1});
  EXPECT_EQ(heard[1].injected, start + 16);
  EXPECT_EQ(heard[1].tail, start + 16 + 1 + 4);
}

}  // namespace
}  // namespace allport::test
