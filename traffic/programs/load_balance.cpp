// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/load_balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/split_mix.h"
#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

std::size_t average(std::size_t mine, std::size_t his) { return (mine + his + 1) / 2; }

std::size_t excess(std::size_t mine, std::size_t his) {
  return mine - std::min(mine, average(mine, his));
}

Values last_items(const Values& load, std::size_t count) {
  return {load.end() - static_cast<std::ptrdiff_t>(count), load.end()};
}

// The neighbour's excess joins the load; one's own leaves it.
void settle(Values& mine, std::size_t his_size, const Values& his_excess) {
  mine.resize(mine.size() - excess(mine.size(), his_size));
  mine.insert(mine.end(), his_excess.begin(), his_excess.end());
}

// Tags below it are bits of ranks, of which there are no more than a message can count.
constexpr std::uint32_t tag_of_load = std::uint32_t{1} << 29;
constexpr std::uint32_t tag_of_end = tag_of_load + 1;

// Tells the host, if there is one, that all ranks have their loads: a tree collapse.
void signal_end(Rank& self, HostUse host) {
  if (host == HostUse::none) return;
  const std::int32_t all = collapse(self, 1, tag_of_end, 0);
  if (self.rank() == 0) self.send(self.host(), {all}, tag_of_end);
}

void exchange_loads(Rank& self, std::uint32_t other, std::uint32_t tag, Values& mine,
                    int item_bytes) {
  self.send(other, mine, tag, item_bytes);
  const Values his = self.receive(other, tag);
  settle(mine, his.size(), last_items(his, excess(his.size(), mine.size())));
}

void exchange_excess(Rank& self, std::uint32_t other, std::uint32_t tag, Values& mine,
                     int item_bytes) {
  self.send(other, {static_cast<std::int32_t>(mine.size())}, tag);
  const auto his = static_cast<std::size_t>(self.receive(other, tag).front());
  const std::size_t given = excess(mine.size(), his);
  if (given > 0) self.send(other, last_items(mine, given), tag, item_bytes);
  const bool is_given = excess(his, mine.size()) > 0;
  settle(mine, his, is_given ? self.receive(other, tag) : Values{});
}

}  // namespace

LoadBalance LoadBalance::random(std::uint32_t ranks, std::uint32_t mean, std::uint64_t seed) {
  LoadBalance problem;
  SplitMix64 generator(seed);
  std::int32_t item = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Values load(generator.next() % (2 * std::uint64_t{mean} + 1));
    for (std::int32_t& one : load) one = item++;
    problem.loads.push_back(std::move(load));
  }
  return problem;
}

std::vector<std::size_t> balanced_sizes(const LoadBalance& problem) {
  std::vector<std::size_t> sizes;
  for (const Values& load : problem.loads) sizes.push_back(load.size());
  for (std::size_t bit = 1; bit < sizes.size(); bit *= 2) {
    const std::vector<std::size_t> before = sizes;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
      const std::size_t his = before[rank ^ bit];
      sizes[rank] += excess(his, before[rank]);
      sizes[rank] -= excess(before[rank], his);
    }
  }
  return sizes;
}

LoadBalanceRun run_load_balance(const LoadBalance& problem, int heuristic,
                                const ProgramCosts& costs, int item_bytes, HostUse host) {
  const std::size_t ranks = problem.loads.size();
  if (ranks == 0 || (ranks & (ranks - 1)) != 0) {
    throw std::invalid_argument(
        fmt::format("load-balance: {} ranks are not a power of two", ranks));
  }
  const bool has_results = host == HostUse::results;
  LoadBalanceRun run{std::vector<Values>(ranks), {}};
  const auto at_rank = [&](Rank& self) {
    Values mine =
        host == HostUse::none ? problem.loads[self.rank()] : self.receive(self.host(), tag_of_load);
    for (std::uint32_t bit = 1; bit < self.size(); bit *= 2) {
      if (heuristic == 1)
        exchange_loads(self, self.rank() ^ bit, bit, mine, item_bytes);
      else
        exchange_excess(self, self.rank() ^ bit, bit, mine, item_bytes);
    }
    if (has_results) {
      self.send(self.host(), mine, tag_of_load, item_bytes);
    } else {
      run.loads[self.rank()] = std::move(mine);
    }
    signal_end(self, host);
  };
  const auto at_host = [&](Rank& self) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      self.send(rank, problem.loads[rank], tag_of_load, item_bytes);
    }
    for (std::uint32_t rank = 0; rank < ranks && has_results; ++rank) {
      run.loads[rank] = self.receive(rank, tag_of_load);
    }
    self.receive(0, tag_of_end);
  };
  run.tasks =
      record(static_cast<std::uint32_t>(ranks), costs, at_rank, host_program(host, at_host));
  return run;
}

}  // namespace allport
