// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/synthetic_traffic.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/patterns/literal_gap.h"

namespace allport {
namespace {

/// A request as a chain of calls: Offer("hotspot").of(0.2).length(4).
struct Offer : TrafficRequest {
  explicit Offer(const char* name = "uniform") {
    pattern = &find_pattern(name);
    rate = 0.2;
    flits = 4;
    cycles = 1000;
  }
  Offer& of(double flits_per_node_and_cycle, Cycle over = 1000) {
    rate = flits_per_node_and_cycle;
    cycles = over;
    return *this;
  }
  Offer& length(int number) {
    flits = number;
    return *this;
  }
  Offer& bimodal(int longer, double share) {
    flits_long = longer;
    long_fraction = share;
    return *this;
  }
  Offer& hot(const std::vector<std::size_t>& spots, double share) {
    for (const std::size_t resource : spots) hotspots.push_back(node_id(resource));
    hotspot_fraction = share;
    return *this;
  }
  Offer& seeded(std::uint64_t number) {
    seed = number;
    return *this;
  }
};

std::vector<Start> starts_of(const TrafficRequest& request, const char* topology,
                             std::size_t node) {
  const auto shape = parse_topology(topology);
  const SyntheticTraffic traffic(request, *shape);
  MessageSource source(traffic, node_id(node));
  std::vector<Start> starts;
  while (const auto start = source.next()) starts.push_back(*start);
  return starts;
}

SplitMix64 generator_of(std::uint64_t seed, std::size_t node) {
  return SplitMix64((seed * 1000003 + (1 << 20)) * 1000003 + node);
}

bool is_below(SplitMix64& generator, double probability) {
  return static_cast<double>(generator.next()) / 18446744073709551616.0 < probability;
}

// Compares with the rule, message by message; `destination` and `flits` draw what follows a start.
template <class Destination, class Flits>
void expect_rule(const TrafficRequest& request, double probability, const char* topology,
                 std::size_t node, Destination destination, Flits flits) {
  SplitMix64 generator = generator_of(request.seed, node);
  const std::vector<Start> starts = starts_of(request, topology, node);
  std::size_t found = 0;
  for (Cycle cycle = literal_gap(generator, probability); cycle < request.cycles;
       cycle += 1 + literal_gap(generator, probability)) {
    ASSERT_LT(found, starts.size());
    EXPECT_EQ(starts[found].cycle, cycle);
    EXPECT_EQ(index(starts[found].destination), destination(generator));
    EXPECT_EQ(starts[found].flits, flits(generator));
    ++found;
  }
  EXPECT_GT(found, 0U);
  EXPECT_EQ(found, starts.size());
}

std::size_t uniform(SplitMix64& generator, std::size_t nodes, std::size_t node) {
  const std::size_t drawn = generator.next() % (nodes - 1);
  return drawn < node ? drawn : drawn + 1;
}

TEST(MessageSource, DrawsTheSilenceAndThenTheDestination) {
  for (std::size_t node = 0; node < 16; ++node) {
    expect_rule(
        Offer().of(0.6, 500).seeded(42), 0.6 / 4, "hypercube:4", node,
        [&](SplitMix64& generator) { return uniform(generator, 16, node); },
        [](SplitMix64&) { return 4; });
  }
}

TEST(MessageSource, DrawsNoDestinationForAPermutation) {
  expect_rule(
      Offer("bit-complement").of(0.6), 0.6 / 4, "hypercube:4", 3,
      [](SplitMix64&) { return std::size_t{12}; }, [](SplitMix64&) { return 4; });
}

// Node 5 is a hotspot itself: it draws one of the others, 2 or 9.
TEST(MessageSource, DrawsWhetherAHotspotAndThenWhichOne) {
  expect_rule(
      Offer("hotspot").of(0.8).hot({2, 5, 9}, 0.3), 0.8 / 4, "torus:4x4", 5,
      [](SplitMix64& generator) {
        if (!is_below(generator, 0.3)) return uniform(generator, 16, 5);
        return generator.next() % 2 == 0 ? std::size_t{2} : std::size_t{9};
      },
      [](SplitMix64&) { return 4; });
}

TEST(MessageSource, OfTheOnlyHotspotSendsAsUniform) {
  expect_rule(
      Offer("hotspot").of(0.8).hot({7}, 0.5), 0.8 / 4, "ring:9", 7,
      [](SplitMix64& generator) {
        generator.next();  // whether to a hotspot
        return uniform(generator, 9, 7);
      },
      [](SplitMix64&) { return 4; });
}

// Mean length 4 + 0.25 * (20 - 4) = 8.
TEST(MessageSource, DrawsTheLengthLast) {
  expect_rule(
      Offer().of(0.8).bimodal(20, 0.25), 0.8 / 8, "hypercube:4", 6,
      [](SplitMix64& generator) { return uniform(generator, 16, 6); },
      [](SplitMix64& generator) { return is_below(generator, 0.25) ? 20 : 4; });
}

TEST(MessageSource, NeverSendsToItselfAndReachesEverybodyElse) {
  for (std::size_t node = 0; node < 5; ++node) {
    std::vector<int> counts(5);
    for (const Start& start : starts_of(Offer().of(1).length(1), "ring:5", node)) {
      ++counts[index(start.destination)];
    }
    for (std::size_t other = 0; other < 5; ++other) {
      EXPECT_EQ(counts[other] == 0, other == node);
    }
  }
}

TEST(MessageSource, IsSilentWhereAPermutationLeavesTheNode) {
  EXPECT_TRUE(starts_of(Offer("transpose"), "torus:4x4", 5).empty());
  EXPECT_FALSE(starts_of(Offer("transpose"), "torus:4x4", 1).empty());
}

// Three standard deviations of 100000 draws of probability p: 3 * sqrt(p (1 - p) / 100000).
TEST(MessageSource, KeepsRateSharesAndLengthsOnAverage) {
  constexpr std::uint64_t seed = 9;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const std::vector<Start> starts =
      starts_of(Offer("hotspot").of(1, 400000).bimodal(12, 0.2).hot({3}, 0.4).seeded(seed),
                "hypercube:6", 17);

  double flits = 0;
  double hot = 0;
  double longer = 0;
  for (const Start& start : starts) {
    flits += start.flits;
    hot += start.destination == node_id(3) ? 1 : 0;
    longer += start.flits == 12 ? 1 : 0;
  }
  const auto count = static_cast<double>(starts.size());
  EXPECT_NEAR(count / 400000, 1 / 5.6, 0.002);
  EXPECT_NEAR(flits / 400000, 1, 0.02);
  EXPECT_NEAR(hot / count, 0.4 + 0.6 / 63, 0.006);
  EXPECT_NEAR(longer / count, 0.2, 0.005);
}

TEST(MessageSource, EndsWithTheCycles) {
  EXPECT_TRUE(starts_of(Offer().of(0), "ring:4", 0).empty());
  EXPECT_TRUE(starts_of(Offer().of(1e-300, 1000000000000), "ring:4", 0).empty());
  EXPECT_TRUE(starts_of(Offer().of(1, 0), "ring:4", 0).empty());
  EXPECT_EQ(starts_of(Offer().of(3).length(3), "ring:4", 0).size(), 1000U);
}

TEST(SyntheticTraffic, StartsNothingMoreOnceItIsStopped) {
  const auto shape = parse_topology("ring:4");
  std::atomic<bool> stop{false};
  const SyntheticTraffic traffic(Offer().of(1e-4, 1000000000000), *shape, &stop);
  MessageSource source(traffic, node_id(0));
  EXPECT_TRUE(source.next().has_value());
  EXPECT_FALSE(traffic.is_stopped());

  stop = true;

  EXPECT_TRUE(traffic.is_stopped());
  EXPECT_FALSE(source.next().has_value());
}

TEST(MessageSource, StartsAfterBillionsOfSilentCyclesAsTheRuleSays) {
  expect_rule(
      Offer().of(4e-11, 1000000000000).seeded(5), 1e-11, "ring:4", 0,
      [](SplitMix64& generator) { return uniform(generator, 4, 0); },
      [](SplitMix64&) { return 4; });
}

std::string refusal(const TrafficRequest& request, const char* topology = "ring:4") {
  return complaint_of([&] { SyntheticTraffic(request, *parse_topology(topology)); });
}

TEST(SyntheticTraffic, RefusesRatesAndLengthsOutOfRange) {
  EXPECT_EQ(refusal(Offer().of(4.5)),
            "rate 4.5 must be 0..4 flits per node and cycle, at most one message per cycle");
  EXPECT_EQ(refusal(Offer().of(7).bimodal(8, 0.5)),
            "rate 7 must be 0..6 flits per node and cycle, at most one message per cycle");
  EXPECT_EQ(refusal(Offer().length(0)), "flits 0: must be 1..1000000000");
  EXPECT_EQ(refusal(Offer().bimodal(4, 0.5)),
            "long messages of flits 4 must be more than the 4 of the short ones");
  EXPECT_EQ(refusal(Offer().bimodal(8, 1.5)), "long fraction 1.5 must be 0..1");
  for (const double rate :
       {-0.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(refusal(Offer().of(rate)), "");
  }
}

TEST(SyntheticTraffic, RefusesCyclesBeyondTheLimit) {
  Offer offer;
  offer.cycles = 1'000'000'000'001;
  EXPECT_EQ(refusal(offer), "cycles 1000000000001: must be 0..1000000000000");
}

TEST(SyntheticTraffic, RefusesInvalidHotspots) {
  EXPECT_EQ(refusal(Offer("hotspot")), "there must be at least one hotspot");
  EXPECT_EQ(refusal(Offer("hotspot").hot({4}, 0.1)),
            "hotspot 4 is not a node of ring:4, which has the nodes 0..3");
  EXPECT_EQ(refusal(Offer("hotspot").hot({1, 1}, 0.1)), "hotspot 1 must be named once");
  EXPECT_EQ(refusal(Offer("hotspot").hot({1}, -0.1)), "hotspot fraction -0.1 must be 0..1");
}

TEST(SyntheticTraffic, RefusesAWarmUpThatLeavesNothingToMeasure) {
  Offer offer;
  offer.warmup = 999;
  EXPECT_NO_THROW(SyntheticTraffic(offer, *parse_topology("ring:4")));
  offer.warmup = 1000;
  EXPECT_EQ(refusal(offer), "warm-up 1000 must be 0 or more, and less than the cycles");
}

}  // namespace
}  // namespace allport
