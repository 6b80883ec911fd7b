// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/collective_load.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "rtl_model/base/range.h"
#include "rtl_model/base/split_mix.h"
#include "traffic/patterns/geometric_gap.h"
#include "traffic/patterns/sampling.h"

namespace allport {

namespace {

// This number is beyond all trials and patterns, so that no load repeats their draws.
constexpr auto load_trial = static_cast<std::uint64_t>(limits::trials.high) + 1;

void require_sound(const CollectiveLoad& load) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  const bool is_rate = load.rate > 0 && load.rate <= 1;
  if (!is_rate) {
    refuse("a rate of collectives must be more than 0 and at most 1 per node and cycle");
  }
  require_range("cycles", load.cycles, {1, limits::cycles.high});
  require_range("warm-up", load.warmup, {0, load.cycles - 1});
}

// Adds what `node` starts.
void add_starts(const CollectiveLoad& load, NodeId node, std::optional<SetSampler>& sets,
                std::vector<CollectiveStart>& starts) {
  SplitMix64 generator(node_seed(load.seed, load_trial, index(node)));
  const GeometricGap gap(load.rate);
  if (gap.is_never()) return;
  for (Cycle cycle = gap.draw(generator); cycle < load.cycles; cycle += 1 + gap.draw(generator)) {
    CollectiveStart start{cycle, node, {}};
    if (sets) start.drawn = sets->draw(generator);
    starts.push_back(std::move(start));
    if (starts.size() > max_collective_starts) {
      throw std::invalid_argument("the run starts more than " +
                                  std::to_string(max_collective_starts) +
                                  " collectives: choose a lower rate or fewer cycles");
    }
  }
}

}  // namespace

std::vector<CollectiveStart> draw_starts(const CollectiveLoad& load,
                                         const std::vector<NodeId>& sources, std::size_t nodes) {
  require_sound(load);
  std::optional<SetSampler> sets;
  if (load.random) sets.emplace(nodes - 1, *load.random);
  std::vector<CollectiveStart> starts;
  for (const NodeId node : sources) add_starts(load, node, sets, starts);
  std::sort(starts.begin(), starts.end(), [](const CollectiveStart& a, const CollectiveStart& b) {
    return std::tie(a.cycle, a.source) < std::tie(b.cycle, b.source);
  });
  return starts;
}

}  // namespace allport
