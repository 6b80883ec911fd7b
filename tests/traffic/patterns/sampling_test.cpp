// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/sampling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

// algorithms.md section 3, word by word.
std::vector<std::vector<std::uint32_t>> literal_sets(std::size_t population, std::size_t size,
                                                     std::uint64_t seed, int count) {
  SplitMix64 generator(seed * 1000003 + size);
  std::vector<std::vector<std::uint32_t>> sets;
  for (int trial = 0; trial < count; ++trial) {
    std::vector<std::uint32_t> array;
    for (std::size_t i = 1; i <= population; ++i) array.push_back(static_cast<std::uint32_t>(i));
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t j = i + generator.next() % (population - i);
      std::swap(array[i], array[j]);
    }
    array.resize(size);
    sets.push_back(array);
  }
  return sets;
}

TEST(SplitMix64, DrawsThePublishedSequence) {
  SplitMix64 generator(1234567);

  EXPECT_EQ(generator.next(), 6457827717110365317U);
  EXPECT_EQ(generator.next(), 3203168211198807973U);
  EXPECT_EQ(generator.next(), 9817491932198370423U);
  EXPECT_EQ(generator.next(), 4593380528125082431U);
  EXPECT_EQ(generator.next(), 16408922859458223821U);
}

TEST(DestinationSampler, DrawsTheSetsOfTheSpecification) {
  for (const std::size_t population : {1U, 7U, 63U, 255U}) {
    for (std::size_t size = 1; size <= population; size += 1 + population / 5) {
      for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
        DestinationSampler sampler(population, size, seed);
        for (const auto& expected : literal_sets(population, size, seed, 20)) {
          ASSERT_EQ(sampler.next(), expected) << size << " of " << population << ", seed " << seed;
        }
      }
    }
  }
}

TEST(DestinationSampler, TheWholePopulationIsAPermutation) {
  DestinationSampler sampler(15, 15, 1);

  std::vector<std::uint32_t> set = sampler.next();

  std::sort(set.begin(), set.end());
  EXPECT_THAT(set, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

TEST(DestinationSampler, RefusesSizesOutOfRange) {
  EXPECT_EQ(complaint_of([] { DestinationSampler(15, 16, 1); }),
            "cannot draw 16 destinations: the number must be 1..15");
  EXPECT_EQ(complaint_of([] { DestinationSampler(15, 0, 1); }),
            "cannot draw 0 destinations: the number must be 1..15");
}

}  // namespace
}  // namespace allport
