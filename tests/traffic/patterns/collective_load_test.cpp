// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/collective_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "tests/traffic/patterns/literal_gap.h"

namespace allport {
namespace {

std::vector<NodeId> nodes(std::size_t count) {
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(node_id(i));
  return all;
}

// docs/guide/multicast-load.md, word by word.
std::vector<CollectiveStart> literal_starts(const CollectiveLoad& load, std::size_t count) {
  std::vector<CollectiveStart> starts;
  for (std::size_t node = 0; node < count; ++node) {
    SplitMix64 generator((load.seed * 1000003 + (1U << 20) + 1) * 1000003 + node);
    for (Cycle cycle = literal_gap(generator, load.rate); cycle < load.cycles;
         cycle += 1 + literal_gap(generator, load.rate)) {
      CollectiveStart start{cycle, node_id(node), {}};
      std::vector<std::uint32_t> array;
      for (std::uint32_t i = 1; i < count; ++i) array.push_back(i);
      for (std::size_t i = 0; load.random && i < *load.random; ++i) {
        std::swap(array[i], array[i + generator.next() % (count - 1 - i)]);
        start.drawn.push_back(array[i]);
      }
      starts.push_back(start);
    }
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  return starts;
}

void expect_literal(const CollectiveLoad& load, std::size_t count) {
  const std::vector<CollectiveStart> expected = literal_starts(load, count);
  const std::vector<CollectiveStart> drawn = draw_starts(load, nodes(count), count);
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ(drawn.size(), expected.size());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    EXPECT_EQ(drawn[i].cycle, expected[i].cycle) << i;
    EXPECT_EQ(drawn[i].source, expected[i].source) << i;
    EXPECT_EQ(drawn[i].drawn, expected[i].drawn) << i;
  }
}

TEST(CollectiveLoad, DrawsWhatItsPageSays) {
  expect_literal({0.02, 3, 0, 400, 7}, 9);
  expect_literal({0.05, std::nullopt, 0, 200, 1}, 16);
  expect_literal({1, 1, 0, 20, 3}, 2);
}

TEST(CollectiveLoad, StartsAtTheSourcesAlone) {
  const CollectiveLoad load{0.1, 2, 0, 500, 5};
  const std::vector<CollectiveStart> all = draw_starts(load, nodes(8), 8);
  const std::vector<CollectiveStart> one = draw_starts(load, {node_id(3)}, 8);
  std::vector<Cycle> expected;
  for (const CollectiveStart& start : all) {
    if (start.source == node_id(3)) expected.push_back(start.cycle);
  }
  std::vector<Cycle> found;
  for (const CollectiveStart& start : one) found.push_back(start.cycle);
  EXPECT_EQ(found, expected);
  EXPECT_LT(found.size(), all.size());
}

TEST(CollectiveLoad, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(draw_starts({0, 1, 0, 10, 1}, nodes(4), 4), std::invalid_argument);
  EXPECT_THROW(draw_starts({1.5, 1, 0, 10, 1}, nodes(4), 4), std::invalid_argument);
  EXPECT_THROW(draw_starts({0.5, 4, 0, 10, 1}, nodes(4), 4), std::invalid_argument);
  EXPECT_THROW(draw_starts({0.5, 1, 10, 10, 1}, nodes(4), 4), std::invalid_argument);
  EXPECT_THROW(draw_starts({1, 1, 0, 300000, 1}, nodes(4), 4), std::invalid_argument);
}

}  // namespace
}  // namespace allport
