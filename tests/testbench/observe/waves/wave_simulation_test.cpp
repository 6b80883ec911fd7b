// SPDX-License-Identifier: Apache-2.0
// Waves of whole simulations change nothing, and agree with what the monitors have found.
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "rtl_model/topology/routing.h"
#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/simulation/simulation.h"
#include "tests/support/forked.h"
#include "tests/support/uniform.h"
#include "tests/testbench/observe/waves/wave_bench.h"
#include "traffic/algorithms/algorithms.h"

namespace allport::test {
namespace {

/// One run: uniform traffic at `rate`, or else a broadcast by `algorithm` from each of `sources`.
struct Experiment {
  std::string topology;
  double rate = 0;
  std::string algorithm;
  std::vector<std::size_t> sources;
  FabricConfig fabric;
  double error_rate = 0;
};

std::ostream& operator<<(std::ostream& out, const Experiment& experiment) {
  const std::string what = experiment.rate > 0 ? "uniform" : experiment.algorithm;
  return out << what << " on " << experiment.topology;
}

PlannedCollective planned(const Experiment& run, const Routing& routing, std::size_t source) {
  const Algorithm& algorithm = find_algorithm(run.algorithm);
  const Multicast goal = broadcast(routing.topology(), node_id(source));
  const int ports = static_cast<int>(routing.topology().port_count());
  return {
      {goal.source}, goal.destinations, plan(algorithm, {routing, ports, goal}), algorithm.kind};
}

Results simulate(const Experiment& run, Simulation& simulation, const Routing& routing) {
  if (run.rate > 0) return simulation.run(test::uniform(run.rate, 150));
  std::vector<PlannedCollective> trial;
  for (const std::size_t source : run.sources) trial.push_back(planned(run, routing, source));
  return simulation.run({trial});
}

Routing routing_of(const Experiment& run) {
  const auto topology = parse_topology(run.topology);
  return Routing(topology, Routing::default_order(*topology));
}

SimulationConfig config_of(const Experiment& run) {
  SimulationConfig config;
  config.fabric = run.fabric;
  config.errors.rate = run.error_rate;
  if (run.rate > 0) config.processors = processors_for<PatternWork>;
  return config;
}

std::string digest(const Experiment& run, const std::string& wave) {
  return forked([&] {
    const Routing routing = routing_of(run);
    Simulation simulation(config_of(run), routing);
    std::optional<WaveRecorder> recorder;
    WaveOptions options;
    options.path = wave;
    if (!wave.empty()) {
      recorder.emplace(simulation.fabric(), options,
                       [&](MessageId id) { return simulation.message_name(id); });
    }
    const Results results = simulate(run, simulation, routing);
    if (recorder) finish_wave(*recorder, results);
    return results.digest + " in " + std::to_string(results.cycles);
  });
}

const Experiment uniform_torus{"torus:4x4", 0.5, "", {}, {}};
const Experiment dcf_torus{"torus:8x8", 0, "dcf", {0}, {}};

TEST(WaveSimulation, IsTheSameWithWavesAndWithout) {
  TemporaryFolder folder;
  for (const Experiment& run : {uniform_torus, dcf_torus}) {
    const std::string without = digest(run, "");
    EXPECT_EQ(without.find("crashed"), std::string::npos) << without;
    EXPECT_EQ(digest(run, folder / "w.vcd"), without);
    EXPECT_EQ(digest(run, folder / "w.fst"), without);
  }
}

TEST(WaveSimulation, RecordsTheSameAsVcdAndAsFst) {
  if (!VcdReader::can_read_fst()) GTEST_SKIP() << "fst2vcd is not installed";
  TemporaryFolder folder;
  digest(uniform_torus, folder / "w.vcd");
  digest(uniform_torus, folder / "w.fst");

  const VcdReader vcd = VcdReader::from_file(folder / "w.vcd");
  const VcdReader fst = VcdReader::from_fst(folder / "w.fst");
  ASSERT_EQ(vcd.ranged_names(), fst.ranged_names());
  for (const std::string& name : vcd.names()) EXPECT_EQ(vcd.changes(name), fst.changes(name));
  EXPECT_EQ(vcd.last(), fst.last());
}

class WaveContention : public testing::TestWithParam<Experiment> {};

using Channels = std::map<std::pair<std::string, std::uint64_t>, Cycle>;

/// Lost cycles by channel, as the wave shows them up to cycle `last`.
Channels lost_in(const VcdReader& wave, const std::string& kind, Cycle last) {
  Channels lost;
  for (const std::string& name : wave.names()) {
    const std::size_t at = name.find("." + kind);
    const std::string ending = ".contention";
    if (at == std::string::npos || name.substr(name.size() - ending.size()) != ending) continue;
    const std::uint64_t port = std::stoull(name.substr(at + 1 + kind.size()));
    for (Cycle cycle = 0; cycle <= last; ++cycle) {
      const auto pairs = static_cast<Cycle>(wave.at(name, cycle).value());
      if (pairs > 0) lost[{name.substr(0, at), port}] += pairs;
    }
  }
  return lost;
}

Channels lost_in(const Contention& contention) {
  Channels lost;
  for (const ContentionEvent& event : contention.list) {
    const std::string router = "fabric.router_" + std::to_string(index(event.channel.node));
    lost[{router, index(event.channel.port)}] += event.cycles;
  }
  return lost;
}

TEST_P(WaveContention, IsThatOfTheContentionMonitor) {
  TemporaryFolder folder;
  const Routing routing = routing_of(GetParam());
  Simulation simulation(config_of(GetParam()), routing);
  WaveOptions options;
  options.path = folder / "w.vcd";
  WaveRecorder recorder(
      simulation.fabric(), options, [&](MessageId id) { return simulation.message_name(id); },
      [&](const Loss& loss) { return simulation.is_contention(loss); });

  const Results results = simulate(GetParam(), simulation, routing);
  finish_wave(recorder, results);

  const VcdReader wave = VcdReader::from_file(folder / "w.vcd");
  ASSERT_GT(results.contention.events, 5U);
  const Cycle last = results.deadlock ? results.deadlock->cycle : wave.last();
  EXPECT_EQ(lost_in(wave, "output_", last), lost_in(results.contention));
  EXPECT_EQ(lost_in(wave, "ejection_", last), lost_in(results.reception));
}

Experiment uniform(const std::string& topology, FabricConfig fabric) {
  return {topology, 0.7, "", {}, fabric};
}

FabricConfig fabric(int ports, int vcs, int depth, int link_delay) {
  FabricConfig config;
  config.internal_ports = ports;
  config.vcs = vcs;
  config.buffer_depth = depth;
  config.link_delay = link_delay;
  return config;
}

// A nack comes while phits of a later flit keep the output busy.
Experiment erring(int phits) {
  Experiment run = uniform("torus:4x4", fabric(0, 4, 8, 0));
  run.fabric.phits = {phits, 1};
  run.fabric.retry = true;
  run.error_rate = 0.1;
  return run;
}

INSTANTIATE_TEST_SUITE_P(
    Runs, WaveContention,
    testing::Values(
        uniform("hypercube:4", fabric(0, 0, 4, 0)), uniform("hypercube:4", fabric(1, 2, 2, 0)),
        uniform("torus:4x4", fabric(0, 4, 1, 0)), uniform("torus:4x4", fabric(2, 2, 3, 2)),
        uniform("mesh:4x4", fabric(1, 3, 4, 1)), erring(2), erring(3),
        Experiment{"hypercube:4", 0, "tree", {0, 13, 7}, fabric(0, 0, 1, 0)},  // a deadlock
        Experiment{"torus:8x8", 0, "dcf", {0, 5, 27}, fabric(0, 0, 4, 0)}));

}  // namespace
}  // namespace allport::test
