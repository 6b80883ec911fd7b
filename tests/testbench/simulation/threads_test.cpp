// SPDX-License-Identifier: Apache-2.0
// A run is the same in any number of parts, however few routers or cores there are: what is
// configured is taken as it is, whatever a plan would make of it.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

// What a run found, and in a last line whether several threads decided cycles.
std::string found(const Results& results) {
  std::ostringstream text;
  text << fault_of(results) << contention_of(results) << results.digest << " " << results.cycles
       << " " << results.flit_hops << " " << results.messages << " " << results.latency.mean;
  for (const Delivery& d : results.deliveries) {
    text << "\n"
         << index(d.source) << " " << index(d.destination) << " " << d.head << " " << d.tail;
  }
  text << (results.threads.together > 0 ? "\ntogether" : "\nalone");
  return text.str();
}

std::string pattern_by(int threads, const std::string& topology, const FabricConfig& fabric,
                       double rate) {
  return forked([&] {
    const Routing routing = routing_on(topology);
    SimulationConfig config =
        Experiment().on(fabric).times(3, 2).length(6).with_jitter(5).of_patterns();
    config.threads = threads;
    Simulation simulation(config, routing);
    return found(simulation.run(test::uniform(rate, 80)));
  });
}

std::string broadcast_by(int threads, const std::string& topology, const std::string& algorithm) {
  return forked([&] {
    const Routing routing = routing_on(topology);
    SimulationConfig config = Experiment().length(24);
    config.threads = threads;
    Simulation simulation(config, routing);
    return found(simulation.run({3, {collective(algorithm, routing, broadcast_from(3, routing))}}));
  });
}

std::string without_last_line(const std::string& text) { return text.substr(0, text.rfind('\n')); }

TEST(ThreadsOfASimulation, AreAsManyAsConfiguredOnSmallFabricsToo) {
  for (const int threads : {2, 3, 7, 256}) {
    const auto expect_same = [&](const auto& run) { EXPECT_EQ(run(threads), run(1)) << threads; };
    expect_same([](int n) { return pattern_by(n, "torus:3x3", With().depth(2), 0.5); });
    expect_same([](int n) { return pattern_by(n, "mesh:5x3", With().link_delay(2), 0.4); });
    expect_same([](int n) { return pattern_by(n, "hypercube:4", With().vcs(2).classes(2), 0.6); });
    expect_same([](int n) { return broadcast_by(n, "hypercube:4", "sbt"); });
    expect_same([](int n) { return broadcast_by(n, "torus:5x4", "separate"); });
  }
}

TEST(ThreadsOfASimulation, DecideCyclesTogetherWhereThereIsEnoughToDo) {
  const std::string torus = pattern_by(1, "torus:16x16", With().vcs(4), 0.4);
  const std::string cube = pattern_by(1, "hypercube:8", With().link_delay(1), 0.5);
  for (const int threads : {2, 5, 7}) {
    const std::string by_many = pattern_by(threads, "torus:16x16", With().vcs(4), 0.4);
    EXPECT_EQ(by_many.substr(by_many.rfind('\n')), "\ntogether") << threads;
    EXPECT_EQ(without_last_line(by_many), without_last_line(torus)) << threads;
    EXPECT_EQ(without_last_line(pattern_by(threads, "hypercube:8", With().link_delay(1), 0.5)),
              without_last_line(cube))
        << threads;
  }
}

}  // namespace
}  // namespace allport::test
