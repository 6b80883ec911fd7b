// SPDX-License-Identifier: Apache-2.0
#include "testbench/bench/bench_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/program/options/settings.h"

namespace allport {

namespace {

struct BenchLoad {
  const char* rate;
  int cycles;  // so that the case takes about a second or less
};

struct BenchFabric {
  const char* name;
  const char* topology;
  std::array<BenchLoad, 3> loads;
  BenchLoad long_load;  // with messages of 1024 flits
  bool has_rtl;         // at the two larger loads, with 16 flits
};

constexpr std::array fabrics{BenchFabric{"6-cube",
                                         "hypercube:6",
                                         {{{"0.001", 500'000}, {"0.05", 100'000}, {"0.2", 50'000}}},
                                         {"0.2", 100'000},
                                         true},
                             BenchFabric{"8x8 torus",
                                         "torus:8x8",
                                         {{{"0.001", 500'000}, {"0.05", 100'000}, {"0.2", 50'000}}},
                                         {"0.2", 100'000},
                                         true},
                             BenchFabric{"32x32 torus",
                                         "torus:32x32",
                                         {{{"0.001", 50'000}, {"0.05", 5'000}, {"0.2", 1'000}}},
                                         {"0.05", 10'000},
                                         false},
                             BenchFabric{"10-cube",
                                         "hypercube:10",
                                         {{{"0.001", 50'000}, {"0.05", 10'000}, {"0.2", 5'000}}},
                                         {"0.2", 5'000},
                                         false}};

BenchCase uniform_case(const BenchFabric& fabric, const BenchLoad& load, const char* flits,
                       bool has_rtl) {
  return {fmt::format("{} uniform {} L{}", fabric.name, load.rate, flits),
          {{"topology", fabric.topology},
           {"pattern", "uniform"},
           {"rate", load.rate},
           {"cycles", std::to_string(load.cycles)},
           {"flits", flits}},
          has_rtl};
}

std::vector<BenchCase> make_cases() {
  std::vector<BenchCase> cases;
  for (const BenchFabric& fabric : fabrics) {
    for (const char* flits : {"16", "64"}) {
      for (const BenchLoad& load : fabric.loads) {
        const bool is_light = &load == &fabric.loads.front();
        const bool is_short = std::string_view(flits) == "16";
        cases.push_back(uniform_case(fabric, load, flits, fabric.has_rtl && !is_light && is_short));
      }
    }
    cases.push_back(uniform_case(fabric, fabric.long_load, "1024", false));
  }
  cases.push_back({"32x32 torus dcf L1024",
                   {{"topology", "torus:32x32"}, {"algorithm", "dcf"}, {"flits", "1024"}}});
  cases.push_back({"10-cube wsort to 512 L1024",
                   {{"topology", "hypercube:10"},
                    {"algorithm", "wsort"},
                    {"destinations", "random:512"},
                    {"flits", "1024"}}});
  return cases;
}

}  // namespace

bool BenchCase::is_pattern() const {
  return std::any_of(options.begin(), options.end(),
                     [](const auto& option) { return option.first == "pattern"; });
}

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases = make_cases();
  return cases;
}

RunPlan plan_case(const BenchCase& one, Cycle cycles) {
  Settings settings;
  for (const auto& [key, text] : one.options) {
    settings.push_back({options_named({key}).front(), text, ""});
  }
  Options options = merge({}, settings);
  if (cycles > 0) options.run.traffic.cycles = cycles;
  return allport::plan(options.run);
}

}  // namespace allport
