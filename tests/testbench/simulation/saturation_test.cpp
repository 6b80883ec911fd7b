// SPDX-License-Identifier: Apache-2.0
// What a run says of saturation (docs/guide/traffic.md) is what a run of twenty times its length
// says, but for loads at the very border. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases
// (scripts/nightly).
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

RunRequest drawn_load(std::uint64_t seed) {
  SplitMix64 draw(seed);
  const auto number = [&](std::uint64_t below) { return draw.next() % below; };
  const char* const shapes[] = {"torus:4x4", "ring:8", "mesh:4x4", "hypercube:4", "torus:8x8"};
  const char* const patterns[] = {"uniform", "uniform", "hotspot", "neighbor"};
  const double rates[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
  RunRequest request;
  request.model = Model::worm;
  request.fabric.topology = parse_topology(shapes[number(std::size(shapes))]);
  if (number(3) == 0) request.fabric.ports = 1;
  request.message.flits = 1 << 2 * number(4);
  request.node.ts = number(2) == 0 ? 0 : (number(2) == 0 ? 100 : 1000);
  const bool is_cube = request.fabric.topology->port_count() == 4 && number(2) == 0;
  request.traffic.pattern = is_cube ? "uniform" : patterns[number(std::size(patterns))];
  if (request.traffic.pattern == "neighbor") {
    request.fabric.topology = parse_topology(shapes[number(3)]);
  }
  const double below = 0.01 * static_cast<double>(number(30));
  request.traffic.rate = rates[number(std::size(rates))] * (1 - below);
  if (seed % 4 == 0) {  // an empty network that fills, for a long time
    request.node.ts = 1000;
    request.traffic.pattern = "uniform";
    request.traffic.rate = 0.0005 * request.message.flits;
  }
  request.traffic.cycles = 300 + static_cast<Cycle>(number(3)) * 900;
  if (number(4) == 0) request.traffic.warmup = 100;
  request.traffic.seed = seed;
  return request;
}

TrafficResults of_length(RunRequest request, Cycle cycles) {
  request.traffic.cycles = cycles;
  return *simulate(plan(request)).traffic;
}

bool tells(const TrafficResults& traffic) { return traffic.telling_cycles == 0; }

TEST(Saturation, IsWhatALongRunSaysAndARunThatIsTooShortNamesOneThatTells) {
  const RandomCases cases(24);
  std::uint64_t wrong = 0;
  std::uint64_t untold = 0;
  std::uint64_t saturated = 0;
  std::uint64_t too_short = 0;
  std::string which;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const RunRequest request = drawn_load(seed);
    const Cycle cycles = request.traffic.cycles;
    const TrafficResults brief = of_length(request, cycles);
    const TrafficResults lasting = of_length(request, 20 * cycles);
    if (lasting.saturated) ++saturated;
    if (!tells(brief)) {
      ++too_short;
      if (!tells(of_length(request, brief.telling_cycles))) ++untold;
    } else if (tells(lasting) && brief.saturated != lasting.saturated) {
      ++wrong;
      which += " " + std::to_string(seed);
    }
  }
  const std::uint64_t count = cases.end - cases.first;
  EXPECT_LE(wrong, 1 + count / 50) << "seeds" << which;
  // Growth that goes on, but more slowly than before, lies between the two cases of the page.
  EXPECT_LE(untold, 1 + too_short / 20);
  EXPECT_GT(saturated, count / 5);
  if (count >= 200) {
    EXPECT_GT(too_short, 0U);
  }
}

}  // namespace
}  // namespace allport::test
