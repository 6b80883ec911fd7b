// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic loses nothing, the second model sees the same, and the measurements are right.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/properties/reference/fabric.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

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

// What does not add up in the results of uniform traffic; empty if everything does.
std::string imbalance(const Load& load) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(load.topology);
    Simulation simulation(Experiment().length(load.flits).times(1, 2).of_patterns(), routing);
    const Results results = simulation.run(test::uniform(load.rate, load.cycles));
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
    const auto expected =
        reference::simulate(config, reference::UniformPattern{load.rate, load.cycles});
    EXPECT_EQ(forked([&] {
                Simulation simulation(Experiment().length(load.flits).with_seed(9).of_patterns(),
                                      routing_on(load.topology));
                return simulation.run(test::uniform(load.rate, load.cycles)).digest;
              }),
              expected.digest)
        << load.topology << " " << load.rate;
  }
}

TEST(UniformTraffic, OffersAndAcceptsTheRateWhileTheFabricIsNotSaturated) {
  Simulation simulation(Experiment().length(4).of_patterns(), routing_on("hypercube:5"));

  const Results results = simulation.run(test::uniform(0.1, 10000));

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
  Simulation simulation(Experiment().on(With().ports(1)).length(4).of_patterns(),
                        routing_on("ring:12"));

  const Results results = simulation.run(test::uniform(0.9, 2000));

  ASSERT_TRUE(results.traffic);
  EXPECT_TRUE(results.traffic->saturated);
  EXPECT_LT(results.traffic->accepted, 0.9 * results.traffic->offered);
  EXPECT_EQ(results.deliveries.size(), results.messages);  // and yet all arrive in the end
}

TrafficRequest request(const char* pattern, double rate, Cycle cycles) {
  TrafficRequest request;
  request.pattern = &find_pattern(pattern);
  request.rate = rate;
  request.cycles = cycles;
  return request;
}

// What does not add up in the results of a pattern with messages of 3 and of 9 flits; empty if
// everything does.
std::string imbalance(const Pattern& pattern, const char* topology) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(topology);
    Simulation simulation(Experiment().length(3).of_patterns(), routing);
    TrafficRequest traffic = request("uniform", 0.3, 300);
    traffic.pattern = &pattern;
    traffic.flits_long = 9;
    traffic.long_fraction = 0.3;
    traffic.hotspots = {node_id(2), node_id(7)};
    traffic.hotspot_fraction = 0.4;
    const Results results = simulation.run(PatternWork{traffic});
    if (!results.is_complete()) return fault_of(results);
    if (results.messages == 0 || results.deliveries.size() != results.messages) return "losses";
    std::uint64_t hops = 0;
    for (const Delivery& one : results.deliveries) {
      const auto partner = pattern.partner;
      if (partner != nullptr && partner(routing.topology(), one.source) != one.destination) {
        return "to a wrong node";
      }
      hops += static_cast<std::uint64_t>(routing.distance(one.source, one.destination));
    }
    return results.flit_hops % 3 == 0 && results.flit_hops > 3 * hops ? "" : "flits went astray";
  });
}

TEST(Patterns, GoWhereTheyShallAndLoseNothing) {
  for (const Pattern& pattern : patterns()) {
    for (const char* name : {"hypercube:4", "torus:4x4", "mesh:3x3", "ring:12"}) {
      const auto topology = parse_topology(name);
      if (pattern.partner != nullptr && !pattern.is_defined_on(*topology)) continue;
      EXPECT_EQ(imbalance(pattern, name), "") << pattern.name << " on " << name;
    }
  }
}

// Each node has a channel of its own to the next one: a message of 16 flits takes 1 + 16 cycles
// from its head on the injection channel, at any load; any further time is the wait at its source.
TEST(Patterns, OfNeighborsOnARingMeetNobody) {
  Simulation simulation(Experiment().of_patterns(), routing_on("ring:8"));

  const Results results = simulation.run(PatternWork{request("neighbor", 0.8, 20000)});

  const TrafficResults& traffic = *results.traffic;
  EXPECT_EQ(traffic.network_latency.p50, 17);
  EXPECT_EQ(traffic.network_latency.max, 17);
  EXPECT_GT(traffic.latency.max, 17);
  EXPECT_FALSE(traffic.saturated);
  EXPECT_NEAR(traffic.channel_load.mean, traffic.accepted / 2, 1e-3);  // of + and - channels
  EXPECT_EQ(index(traffic.channel_load.busiest.port), 0U);
  EXPECT_EQ(results.contention.events, 0U);
}

// Every channel in the + direction is on the way of three nodes, so each node gets at most a third
// of a flit per cycle.
TEST(Patterns, OfTornadoOnARingSaturateAThird) {
  const auto at = [](double rate) {
    return forked([rate] {
      Simulation simulation(Experiment().of_patterns(), routing_on("ring:8"));
      const Results results = simulation.run(PatternWork{request("tornado", rate, 30000)});
      const TrafficResults& traffic = *results.traffic;
      return std::string(traffic.saturated ? "saturated " : "open ") +
             (traffic.accepted < 1 / 3.0 ? "below a third " : "above a third ") +
             (traffic.channel_load.max <= 1 ? "a flit a cycle at most" : "too many flits");
    });
  };

  EXPECT_EQ(at(0.15), "open below a third a flit a cycle at most");
  EXPECT_EQ(at(0.36), "saturated below a third a flit a cycle at most");
}

// The 15 other nodes send 2.25 flits per cycle to the only hotspot, which receives on two channels.
TEST(Patterns, OfAHotspotSaturateItsChannels) {
  const auto hotspot = [](double fraction) {
    return forked([fraction] {
      Simulation simulation(Experiment().of_patterns(), routing_on("ring:16"));
      TrafficRequest traffic = request("hotspot", 0.15, 20000);
      traffic.hotspots = {node_id(5)};
      traffic.hotspot_fraction = fraction;
      return std::string(simulation.run(PatternWork{traffic}).traffic->saturated ? "saturated"
                                                                                 : "open");
    });
  };

  EXPECT_EQ(hotspot(0), "open");
  EXPECT_EQ(hotspot(1), "saturated");
}

TEST(Patterns, AreMeasuredFromTheEndOfTheWarmUpOn) {
  Simulation simulation(Experiment().of_patterns(), routing_on("torus:4x4"));
  TrafficRequest traffic = request("uniform", 0.1, 4000);
  const Results all = simulation.run(PatternWork{traffic});
  traffic.warmup = 3000;

  const Results late = simulation.run(PatternWork{traffic});

  EXPECT_EQ(late.digest, all.digest);
  EXPECT_EQ(late.messages, all.messages);
  EXPECT_EQ(late.traffic->channel_load.cycles, 1000);
  EXPECT_NEAR(late.traffic->offered, 0.1, 0.03);
  EXPECT_NE(late.traffic->latency.mean, all.traffic->latency.mean);
}

}  // namespace
}  // namespace allport::test
