// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/bench_case.h"

#include <fmt/format.h>

#include <array>

#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

struct BenchLoad {
  double rate;
  int cycles;  // cycles that take about a second or less
};

struct BenchFabric {
  const char* name;
  const char* topology;
  std::array<BenchLoad, 3> loads;
  BenchLoad long_load;  // load with messages of 1024 flits
  bool has_rtl;         // whether RTL runs, at the two larger loads with 16 flits
};

constexpr std::array fabrics{BenchFabric{"6-cube",
                                         "hypercube:6",
                                         {{{0.001, 500'000}, {0.05, 100'000}, {0.2, 50'000}}},
                                         {0.2, 100'000},
                                         true},
                             BenchFabric{"8x8 torus",
                                         "torus:8x8",
                                         {{{0.001, 500'000}, {0.05, 100'000}, {0.2, 50'000}}},
                                         {0.2, 100'000},
                                         true},
                             BenchFabric{"32x32 torus",
                                         "torus:32x32",
                                         {{{0.001, 50'000}, {0.05, 5'000}, {0.2, 1'000}}},
                                         {0.05, 10'000},
                                         false},
                             BenchFabric{"10-cube",
                                         "hypercube:10",
                                         {{{0.001, 50'000}, {0.05, 10'000}, {0.2, 5'000}}},
                                         {0.2, 5'000},
                                         false}};

BenchCase uniform_case(const BenchFabric& fabric, const BenchLoad& load, int flits, bool has_rtl) {
  BenchCase one{fmt::format("{} uniform {} L{}", fabric.name, load.rate, flits), {}, has_rtl};
  one.run.fabric.topology = parse_topology(fabric.topology);
  one.run.traffic.pattern = "uniform";
  one.run.traffic.rate = load.rate;
  one.run.traffic.cycles = load.cycles;
  one.run.message.flits = flits;
  return one;
}

// The routes that are built in, from a table.
BenchCase table_case(const char* name, const BenchFabric& fabric, const BenchLoad& load) {
  BenchCase one = uniform_case(fabric, load, 16, false);
  one.name = name;
  one.run.fabric.routing = RoutingOrder::table;
  one.run.fabric.table = TableChoice{"dimension"};
  return one;
}

BenchCase collective_case(const char* name, const char* topology, const char* algorithm) {
  BenchCase one{name, {}, false};
  one.run.fabric.topology = parse_topology(topology);
  one.run.traffic.algorithm = &find_algorithm(algorithm);
  one.run.message.flits = 1024;
  return one;
}

std::vector<BenchCase> make_cases() {
  std::vector<BenchCase> cases;
  for (const BenchFabric& fabric : fabrics) {
    for (const int flits : {16, 64}) {
      for (const BenchLoad& load : fabric.loads) {
        const bool is_light = &load == &fabric.loads.front();
        const bool has_rtl = fabric.has_rtl && !is_light && flits == 16;
        cases.push_back(uniform_case(fabric, load, flits, has_rtl));
      }
    }
    cases.push_back(uniform_case(fabric, fabric.long_load, 1024, false));
  }
  cases.push_back(collective_case("32x32 torus dcf L1024", "torus:32x32", "dcf"));
  cases.push_back(collective_case("10-cube wsort to 512 L1024", "hypercube:10", "wsort"));
  cases.back().run.traffic.destinations.random = 512;
  cases.push_back(
      table_case("8x8 torus by table uniform 0.2 L16", fabrics[1], fabrics[1].loads.back()));
  cases.push_back(uniform_case(fabrics[1], fabrics[1].loads[1], 1, false));
  cases.back().name = "8x8 torus uniform 0.05 single flits";
  return cases;
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases = make_cases();
  return cases;
}

RunPlan plan_case(const BenchCase& one, Cycle cycles) {
  RunRequest run = one.run;
  if (cycles > 0) run.traffic.cycles = cycles;
  return plan(run);
}

}  // namespace allport
