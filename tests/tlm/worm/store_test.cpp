// SPDX-License-Identifier: Apache-2.0
// These tests check the numbers of virtual channels in the fabric of worms.
#include "tlm/worm/store.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

// A 3-cube with three virtual channels and three internal ports; channels are named by node, port.
class StoreBench {
 public:
  StoreBench()
      : blueprint_("hypercube:3", With().vcs(3)), store(blueprint_.config, blueprint_.routing) {
    store.reset();
  }

  static std::uint32_t external(std::uint32_t node, std::uint32_t port) { return node * 3 + port; }

 private:
  Blueprint blueprint_;

 public:
  WormStore store;
};

TEST(WormStore, NumbersTheChannelsOfAKindAsTheyAreAskedFor) {
  StoreBench bench;
  WormStore& store = bench.store;

  EXPECT_EQ(store.first_vc(StoreBench::external(7, 2)), store.first_external);
  EXPECT_EQ(store.first_vc(StoreBench::external(0, 0)), store.first_external + 3);
  EXPECT_EQ(store.first_vc(StoreBench::external(7, 2)), store.first_external);
  EXPECT_EQ(store.first_vc(store.injection_channel(5, 1)), store.first_injection);
  EXPECT_EQ(store.first_vc(store.injection_channel(4, 0)), store.first_injection + 1);
  EXPECT_EQ(store.first_vc(store.ejection_channel(5, 1)), store.first_ejection);
  EXPECT_EQ(store.first_vc(StoreBench::external(3, 1)), store.first_external + 6);
  EXPECT_EQ(store.end_of_injections(), store.first_injection + 2);
}

TEST(WormStore, HasRoomForTheChannelsOfAllKinds) {
  StoreBench bench;
  WormStore& store = bench.store;
  WormIndex last = 0;
  for (std::uint32_t channel = 0; channel < store.no_channel(); ++channel) {
    const WormIndex first = store.first_vc(channel);
    EXPECT_GT(first, last);
    last = first + (channel < store.injection_channel(0, 0) ? 2 : 0);
  }
  EXPECT_EQ(last + 1, store.channels.size());
}

TEST(WormStore, ShowsAChannelThatNobodyAskedForAsAfterReset) {
  StoreBench bench;
  WormStore& store = bench.store;
  store.channels[store.first_vc(StoreBench::external(1, 1))].owner = 9;

  EXPECT_EQ(store.channels[store.known_vc(StoreBench::external(1, 1))].owner, 9U);
  for (WormIndex vc = 0; vc < 3; ++vc) {
    EXPECT_EQ(store.channels[store.known_vc(StoreBench::external(2, 1)) + vc].owner, 0U);
  }
}

TEST(WormStore, ForgetsChannelsAndTheirNumbersInAReset) {
  StoreBench bench;
  WormStore& store = bench.store;
  for (const std::uint32_t channel :
       {StoreBench::external(1, 1), store.injection_channel(2, 0), store.ejection_channel(0, 2)}) {
    WormChannel& vc = store.channels[store.first_vc(channel)];
    vc.owner = 5;
    vc.user = 1;
  }

  store.reset();

  for (std::size_t vc = 0; vc < store.channels.size(); ++vc) {
    EXPECT_EQ(store.channels[vc].owner, 0U) << vc;
    EXPECT_EQ(store.channels[vc].user, 0U) << vc;
  }
  EXPECT_EQ(store.known_vc(StoreBench::external(1, 1)), 0U);
  EXPECT_EQ(store.first_vc(StoreBench::external(6, 0)), store.first_external);
  EXPECT_EQ(store.end_of_injections(), store.first_injection);
}

}  // namespace
}  // namespace allport::test
