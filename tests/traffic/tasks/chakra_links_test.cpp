// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rtl_model/base/split_mix.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Ids = std::vector<std::uint64_t>;

const TraceFile file{"t.0.et", ""};

ChakraNode node(std::uint64_t id, const Ids& data, const Ids& control) {
  execution_trace::Node one;
  one.set_id(id);
  for (const std::uint64_t on : data) one.add_data_after(on);
  for (const std::uint64_t on : control) one.add_control_after(on);
  return {static_cast<std::uint32_t>(id), one};
}

TEST(ChakraLinks, KeepWhatCanBeKept) {
  const ChakraLinks links = link_chakra(
      file, {node(5, {}, {}), node(6, {5}, {5}), node(7, {5}, {6, 6}), node(8, {}, {7, 5})});
  EXPECT_THAT(links.waits, ElementsAre(Pair(1, 0), Pair(2, 0), Pair(2, 1), Pair(3, 0), Pair(3, 2)));
  EXPECT_EQ(links.left_out, 0U);
}

TEST(ChakraLinks, LeaveOutControlOfNodesThatAreNotThere) {
  const ChakraLinks links = link_chakra(file, {node(5, {}, {3}), node(6, {5}, {99, 5})});
  EXPECT_THAT(links.waits, ElementsAre(Pair(1, 0)));
  EXPECT_EQ(links.left_out, 2U);
}

TEST(ChakraLinks, LeaveOutControlInCircles) {
  // 5 calls 6 and has its data; 7 waits for itself; 8, 9 and 10 wait for each other.
  const ChakraLinks links =
      link_chakra(file, {node(5, {6}, {}), node(6, {}, {5}), node(7, {}, {7}), node(8, {}, {9}),
                         node(9, {10}, {7}), node(10, {}, {8, 5})});
  EXPECT_THAT(links.waits, ElementsAre(Pair(0, 1), Pair(4, 2), Pair(4, 5), Pair(5, 0)));
  EXPECT_EQ(links.left_out, 4U);
}

// All data are kept, and of control what is in no circle: then every circle is one of data.
TEST(ChakraLinks, WhatIsKeptHasNoCircleButOfData) {
  const std::uint64_t seed = 20260401;
  SplitMix64 random(seed);
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t count = 1 + random.next() % 12;
    std::vector<ChakraNode> nodes;
    std::size_t named = 0;
    for (std::uint64_t id = 0; id < count; ++id) {
      std::set<std::uint64_t> data;  // of nodes before it, so without circles
      std::set<std::uint64_t> control;
      while (id > 0 && random.next() % 3 == 0) data.insert(random.next() % id);
      while (random.next() % 2 == 0) control.insert(random.next() % (count + 2));
      for (const std::uint64_t one : data) control.erase(one);
      named += data.size() + control.size();
      nodes.push_back(node(id, {data.begin(), data.end()}, {control.begin(), control.end()}));
    }
    const ChakraLinks links = link_chakra(file, nodes);
    EXPECT_EQ(links.waits.size() + links.left_out, named) << "seed " << seed << ", case " << i;
    std::vector<std::uint32_t> open(count);
    for (const auto& [task, on] : links.waits) ++open[task];
    std::size_t done = 0;
    for (bool moves = true; moves;) {
      moves = false;
      for (std::uint32_t one = 0; one < count; ++one) {
        if (open[one] != 0) continue;
        open[one] = UINT32_MAX;
        ++done;
        moves = true;
        for (const auto& [task, on] : links.waits) open[task] -= on == one ? 1 : 0;
      }
    }
    EXPECT_EQ(done, count) << "seed " << seed << ", case " << i;
  }
}

TEST(ChakraLinks, ALongChainIsNoDeepRecursion) {
  std::vector<ChakraNode> nodes;
  constexpr std::uint64_t count = 300000;
  for (std::uint64_t id = 0; id < count; ++id) nodes.push_back(node(id, {}, {(id + 1) % count}));
  EXPECT_EQ(link_chakra(file, nodes).left_out, count);
}

}  // namespace
}  // namespace allport
