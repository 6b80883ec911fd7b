// SPDX-License-Identifier: Apache-2.0
// Uniform traffic: nothing is lost, and the second model sees the same.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/simulation/experiment.h"
#include "tests/support/forked.h"
#include "tests/support/reference_fabric.h"

namespace allport::test {
namespace {

struct Load {
  const char* topology;
  double rate;
  int flits;
  Cycle cycles;
};

constexpr Load loads[] = {{"hypercube:4", 0.05, 16, 2000},
                          {"hypercube:4", 0.6, 4, 600},
                          {"torus:5x4", 0.2, 8, 1000},
                          {"mesh:3x3", 0.3, 1, 800},
                          {"ring:6", 0.15, 5, 1000}};

// What does not add up in the results of uniform traffic; empty: nothing.
std::string imbalance(const Load& load) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(load.topology);
    Simulation simulation(Experiment().length(load.flits).times(1, 2), routing, true);
    const Results results = simulation.run_uniform(load.rate, load.cycles);
    if (!results.is_complete()) return fault_of(results);
    if (results.deliveries.size() != results.messages) return "messages are lost";
    if (!simulation.fabric().is_idle()) return "something is left in the fabric";
    std::uint64_t hops = 0;
    for (const Delivery& delivery : results.deliveries) {
      const int distance = routing.distance(delivery.source, delivery.destination);
      hops += static_cast<std::uint64_t>(distance * load.flits);
      if (delivery.tail - delivery.head < load.flits - 1) return "flits are lost";
    }
    return hops == results.flit_hops ? "" : "flits went astray";
  });
}

TEST(UniformTraffic, LosesNothing) {
  for (const Load& load : loads)
    EXPECT_EQ(imbalance(load), "") << load.topology << " " << load.rate;
}

TEST(UniformTraffic, IsTheSameInTheReferenceModel) {
  for (const Load& load : loads) {
    reference::Config config;
    config.topology = load.topology;
    config.flits = load.flits;
    config.seed = 9;
    const auto expected = reference::simulate(config, {load.rate, load.cycles});
    EXPECT_EQ(forked([&] {
                Simulation simulation(Experiment().length(load.flits).with_seed(9),
                                      routing_on(load.topology), true);
                return simulation.run_uniform(load.rate, load.cycles).digest;
              }),
              expected.digest)
        << load.topology << " " << load.rate;
  }
}

TEST(UniformTraffic, OffersAndAcceptsTheRateWhileTheFabricIsNotSaturated) {
  Simulation simulation(Experiment().length(4), routing_on("hypercube:5"), true);

  const Results results = simulation.run_uniform(0.1, 10000);

  ASSERT_TRUE(results.traffic);
  EXPECT_NEAR(results.traffic->offered, 0.1, 0.005);
  EXPECT_NEAR(results.traffic->accepted, results.traffic->offered, 0.002);
  EXPECT_FALSE(results.traffic->saturated);
  EXPECT_GE(results.traffic->latency.mean, 2.5 + 4);  // mean distance (about 2.6) and length
  EXPECT_LE(results.traffic->latency.p50, results.traffic->latency.p95);
  EXPECT_LE(results.traffic->latency.p95, results.traffic->latency.p99);
  EXPECT_LE(results.traffic->latency.p99, results.traffic->latency.max);
}

TEST(UniformTraffic, SaysWhenTheFabricIsSaturated) {
  Simulation simulation(Experiment().on(With().ports(1)).length(4), routing_on("ring:12"), true);

  const Results results = simulation.run_uniform(0.9, 2000);

  ASSERT_TRUE(results.traffic);
  EXPECT_TRUE(results.traffic->saturated);
  EXPECT_LT(results.traffic->accepted, 0.9 * results.traffic->offered);
  EXPECT_EQ(results.deliveries.size(), results.messages);  // and yet all arrive in the end
}

}  // namespace
}  // namespace allport::test
