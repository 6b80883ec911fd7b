// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/replicated.h"

#include <fmt/format.h>

#include <stdexcept>

#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

// Any functions do: a number is mixed up, and then differently for each rank.
std::int32_t g(std::int32_t x) {
  auto y = static_cast<std::uint32_t>(x);
  for (int i = 0; i < 8; ++i) y = (y ^ y >> 15) * 2246822519U + 374761393U;
  return static_cast<std::int32_t>(y >> 1);
}
std::int32_t f(std::uint32_t rank, std::int32_t y) {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(y) * (2 * rank + 1) + rank) >> 1);
}

}  // namespace

Values composed(std::int32_t x, std::uint32_t ranks) {
  const std::int32_t y = g(x);
  Values result;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) result.push_back(f(rank, y));
  return result;
}

ReplicatedRun run_replicated(std::int32_t x, bool is_recomputed, std::uint32_t ranks,
                             const ProgramCosts& costs, const ReplicatedTimes& times) {
  if (ranks == 0 || (ranks & (ranks - 1)) != 0) {
    throw std::invalid_argument(fmt::format("replicated: {} ranks are not a power of two", ranks));
  }
  ReplicatedRun run{Values(ranks, 0), {}};
  run.tasks = record(ranks, costs, [&](Rank& self) {
    Values y;
    if (is_recomputed || self.rank() == 0) {
      y = {g(x)};
      self.compute(times.g_us);
    }
    if (!is_recomputed) y = expand(self, y, 1);
    run.result[self.rank()] = f(self.rank(), y.front());
    self.compute(times.f_us);
  });
  return run;
}

}  // namespace allport
