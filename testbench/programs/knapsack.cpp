// SPDX-License-Identifier: Apache-2.0
#include "testbench/programs/knapsack.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

// The best profits of the objects from `first` to before `last`.
Values best_of(const Knapsack& problem, std::size_t first, std::size_t last) {
  Values best(problem.capacity + 1, 0);
  for (std::size_t i = first; i < last; ++i) {
    const auto weight = static_cast<std::size_t>(problem.weights[i]);
    for (std::size_t room = best.size(); room-- > weight;) {
      best[room] = std::max(best[room], best[room - weight] + problem.profits[i]);
    }
  }
  return best;
}

// The best of two parts: every way to divide the capacity between them.
Values combined(const Values& a, const Values& b) {
  Values best(a.size(), 0);
  for (std::size_t room = 0; room < a.size(); ++room) {
    for (std::size_t i = 0; i <= room; ++i) best[room] = std::max(best[room], a[i] + b[room - i]);
  }
  return best;
}

}  // namespace

Knapsack Knapsack::random(std::uint32_t objects, std::uint32_t capacity, std::uint64_t seed) {
  Knapsack problem{Values(objects), Values(objects), capacity};
  SplitMix64 generator(seed);
  const auto draw = [&] { return static_cast<std::int32_t>(generator.next() % 20) + 1; };
  for (std::size_t i = 0; i < objects; ++i) {
    problem.profits[i] = draw();
    problem.weights[i] = draw();
  }
  return problem;
}

Values best_profits(const Knapsack& problem) { return best_of(problem, 0, problem.profits.size()); }

KnapsackRun run_knapsack(const Knapsack& problem, std::uint32_t ranks, const ProgramCosts& costs,
                         const KnapsackTimes& times) {
  if (ranks == 0 || (ranks & (ranks - 1)) != 0) {
    throw std::invalid_argument(fmt::format("knapsack: {} ranks are not a power of two", ranks));
  }
  KnapsackRun run;
  const std::size_t objects = problem.profits.size();
  const double rooms = static_cast<double>(problem.capacity) + 1;
  run.tasks = record(ranks, costs, [&](Rank& self) {
    const std::size_t first = objects * self.rank() / ranks;
    const std::size_t last = objects * (self.rank() + 1) / ranks;
    Values best = best_of(problem, first, last);
    self.compute(static_cast<double>(last - first) * rooms * times.step_us);
    for (std::uint32_t bit = 1; bit < ranks; bit *= 2) {
      if ((self.rank() & bit) != 0) return self.send(self.rank() ^ bit, best, bit);
      best = combined(best, self.receive(self.rank() | bit, bit));
      self.compute(rooms * (rooms + 1) / 2 * times.step_us);
    }
    run.best = std::move(best);
  });
  return run;
}

}  // namespace allport
