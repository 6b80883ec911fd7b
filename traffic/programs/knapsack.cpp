// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/knapsack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

// Above the bits of ranks, which are the tags of what is combined.
constexpr std::uint32_t tag_of_host = std::uint32_t{1} << 30;

// Part `rank` of `ranks` of the objects, from the first to before the last.
struct Share {
  std::size_t first;
  std::size_t last;

  Share(std::size_t objects, std::uint32_t rank, std::uint32_t ranks)
      : first(objects * rank / ranks), last(objects * (rank + 1) / ranks) {}
};

Knapsack part_of(const Knapsack& problem, const Share& share) {
  const auto part = [&](const Values& of) {
    return Values(of.begin() + static_cast<std::ptrdiff_t>(share.first),
                  of.begin() + static_cast<std::ptrdiff_t>(share.last));
  };
  return {part(problem.profits), part(problem.weights), problem.capacity};
}

// As the host sends it: the capacity, the profits and the weights.
Values message_of(const Knapsack& part) {
  Values values{static_cast<std::int32_t>(part.capacity)};
  values.insert(values.end(), part.profits.begin(), part.profits.end());
  values.insert(values.end(), part.weights.begin(), part.weights.end());
  return values;
}
Knapsack part_in(const Values& message) {
  const auto middle = message.begin() + 1 + static_cast<std::ptrdiff_t>(message.size() / 2);
  return {Values(message.begin() + 1, middle), Values(middle, message.end()),
          static_cast<std::uint32_t>(message.front())};
}

// Takes object `i` into the best profits.
void take(const Knapsack& problem, std::size_t i, Values& best) {
  const auto weight = static_cast<std::size_t>(problem.weights[i]);
  for (std::size_t room = best.size(); room-- > weight;) {
    best[room] = std::max(best[room], best[room - weight] + problem.profits[i]);
  }
}

Values best_of(const Knapsack& problem) {
  Values best(problem.capacity + 1, 0);
  for (std::size_t i = 0; i < problem.profits.size(); ++i) take(problem, i, best);
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

// The room that the first of two parts has where both together have `room`.
std::size_t room_of_first(const Values& first, const Values& second, std::size_t room) {
  std::size_t best = 0;
  for (std::size_t i = 0; i <= room; ++i) {
    if (first[i] + second[room - i] > first[best] + second[room - best]) best = i;
  }
  return best;
}

// The objects of a part that make the best of `room`.
std::vector<std::size_t> chosen_of(const Knapsack& part, std::size_t room) {
  const std::size_t objects = part.profits.size();
  std::vector<std::vector<bool>> is_better(objects);  // with object i, by room
  Values best(room + 1, 0);
  for (std::size_t i = 0; i < objects; ++i) {
    const Values before = best;
    take(part, i, best);
    for (std::size_t one = 0; one <= room; ++one) is_better[i].push_back(best[one] > before[one]);
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = objects; i-- > 0;) {
    if (!is_better[i][room]) continue;
    chosen.push_back(i);
    room -= static_cast<std::size_t>(part.weights[i]);
  }
  return chosen;
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

Values best_profits(const Knapsack& problem) { return best_of(problem); }

std::vector<std::size_t> chosen_objects(const Knapsack& problem, const KnapsackRun& run) {
  const auto ranks = static_cast<std::uint32_t>(run.parts.size());
  std::vector<std::size_t> room(ranks, 0);
  room.front() = problem.capacity;
  std::vector<std::size_t> chosen;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {  // after the one that has its best profits
    const std::vector<Values>& parts = run.parts[rank];
    for (std::size_t i = parts.size() - 1; i > 0; --i) {
      const std::uint32_t other = rank | 1U << (i - 1);
      const std::size_t own = room_of_first(parts[i - 1], run.parts[other].back(), room[rank]);
      room[other] = room[rank] - own;
      room[rank] = own;
    }
    const Share share(problem.profits.size(), rank, ranks);
    for (const std::size_t one : chosen_of(part_of(problem, share), room[rank])) {
      chosen.push_back(share.first + one);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

KnapsackRun run_knapsack(const Knapsack& problem, std::uint32_t ranks, const ProgramCosts& costs,
                         const KnapsackTimes& times, HostUse host) {
  if (ranks == 0 || (ranks & (ranks - 1)) != 0) {
    throw std::invalid_argument(fmt::format("knapsack: {} ranks are not a power of two", ranks));
  }
  KnapsackRun run;
  run.parts.resize(ranks);
  const auto share_of = [&](std::uint32_t rank) {
    return part_of(problem, Share(problem.profits.size(), rank, ranks));
  };
  const double rooms = static_cast<double>(problem.capacity) + 1;
  const auto at_rank = [&](Rank& self) {
    const Knapsack own = host == HostUse::none ? share_of(self.rank())
                                               : part_in(self.receive(self.host(), tag_of_host));
    std::vector<Values>& parts = run.parts[self.rank()];
    parts.push_back(best_of(own));
    self.compute(static_cast<double>(own.profits.size()) * rooms * times.step_us);
    for (std::uint32_t bit = 1; bit < ranks; bit *= 2) {
      if ((self.rank() & bit) != 0) return self.send(self.rank() ^ bit, parts.back(), bit);
      parts.push_back(combined(parts.back(), self.receive(self.rank() | bit, bit)));
      self.compute(rooms * (rooms + 1) / 2 * times.step_us);
    }
    const bool has_results = host == HostUse::results;
    if (host != HostUse::none) {
      self.send(self.host(), has_results ? parts.back() : Values{1}, tag_of_host);
    }
    if (!has_results) run.best = parts.back();
  };
  const auto at_host = [&](Rank& self) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      self.send(rank, message_of(share_of(rank)), tag_of_host);
    }
    const Values answer = self.receive(0, tag_of_host);
    if (host == HostUse::results) run.best = answer;
  };
  run.tasks = record(ranks, costs, at_rank, host_program(host, at_host));
  return run;
}

}  // namespace allport
