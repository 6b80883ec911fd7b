// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/step_statistics.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/stop_flag.h"
#include "traffic/patterns/sampling.h"

namespace allport {

namespace {

using RelativeSet = std::vector<std::uint32_t>;

constexpr std::uint64_t uncountable = std::numeric_limits<std::uint64_t>::max();

// The number of subsets of `size` out of `population`; `uncountable` when it does not fit.
std::uint64_t subset_count(std::size_t population, std::size_t size) {
  std::uint64_t count = 1;
  const std::size_t shorter = std::min(size, population - size);
  for (std::size_t i = 0; i < shorter; ++i) {
    if (__builtin_mul_overflow(count, population - i, &count)) return uncountable;
    count /= i + 1;
  }
  return count;
}

// Moves on to the next subset of 1 .. population in lexicographic order; false after the last.
bool next_subset(RelativeSet& set, std::size_t population) {
  std::size_t i = set.size();
  while (i > 0 && set[i - 1] == population - set.size() + i) --i;
  if (i == 0) return false;
  std::iota(set.begin() + static_cast<std::ptrdiff_t>(i) - 1, set.end(), set[i - 1] + 1);
  return true;
}

void require_countable(const StepRequest& request, std::size_t population) {
  std::uint64_t sets = 0;
  for (const std::size_t size : request.sizes) {
    if (__builtin_add_overflow(sets, subset_count(population, size), &sets)) sets = uncountable;
  }
  if (sets <= max_exhaustive_sets) return;
  const std::string count =
      sets == uncountable ? "more than 10^19 destination sets" : std::to_string(sets) + " sets";
  throw std::invalid_argument("exhaustive: " + count + ", but the limit is " +
                              std::to_string(max_exhaustive_sets) +
                              "; choose fewer sizes or a number of trials");
}

// The number of possible destinations.
std::size_t population_of(const StepRequest& request) {
  return (request.members.empty() ? request.routing.topology().node_count()
                                  : request.members.size()) -
         1;
}

// The node `relative` as seen from the source. In a group it stands `relative` places after it.
NodeId absolute(const StepRequest& request, std::uint32_t relative) {
  const std::vector<NodeId>& members = request.members;
  if (members.empty()) return request.routing.topology().absolute(relative, request.source);
  const auto place =
      std::lower_bound(members.begin(), members.end(), request.source) - members.begin();
  return members[(static_cast<std::size_t>(place) + relative) % members.size()];
}

Schedule schedule_of(const StepRequest& request, const Algorithm& algorithm,
                     const Multicast& goal) {
  if (request.planner) return request.planner(algorithm, goal);
  return plan(algorithm, {request.routing, request.internal_ports, goal, request.step_rule});
}

void add_set(StepRow& row, const StepRequest& request, const RelativeSet& set) {
  Multicast goal{request.source, {}};
  for (const std::uint32_t relative : set) {
    goal.destinations.push_back(absolute(request, relative));
  }
  std::sort(goal.destinations.begin(), goal.destinations.end());
  ++row.sets;
  for (std::size_t i = 0; i < request.algorithms.size(); ++i) {
    const StepIndex steps = schedule_of(request, *request.algorithms[i], goal).steps();
    row.step_sums[i] += static_cast<std::uint64_t>(steps);
  }
}

bool is_stopped(const StepRequest& request) {
  return request.stop != nullptr && request.stop->load();
}

// None if the request was stopped before all sets were planned.
std::optional<StepRow> row_of(const StepRequest& request, std::size_t population,
                              std::size_t size) try {
  const Stoppable heeds(request.stop);
  StepRow row{size, 0, std::vector<std::uint64_t>(request.algorithms.size())};
  if (request.trials) {
    DestinationSampler sampler(population, size, request.seed);
    for (std::size_t i = 0; i < *request.trials; ++i) {
      if (is_stopped(request)) return std::nullopt;
      add_set(row, request, sampler.next());
    }
    return row;
  }
  RelativeSet set(size);
  std::iota(set.begin(), set.end(), 1U);
  do {
    if (is_stopped(request)) return std::nullopt;
    add_set(row, request, set);
  } while (next_subset(set, population));
  return row;
} catch (const Stopped&) {
  return std::nullopt;
}

}  // namespace

std::vector<StepRow> step_statistics(const StepRequest& request) {
  const std::size_t population = population_of(request);
  for (const std::size_t size : request.sizes) {
    if (size >= 1 && size <= population) continue;
    throw std::invalid_argument("size " + std::to_string(size) + ": a destination set has 1.." +
                                std::to_string(population) + " nodes on " +
                                request.routing.topology().name());
  }
  if (!request.trials) require_countable(request, population);
  if (request.trials && *request.trials < 1) {
    throw std::invalid_argument("trials 0: the number must be at least 1");
  }
  std::vector<StepRow> rows;
  for (const std::size_t size : request.sizes) {
    std::optional<StepRow> row = row_of(request, population, size);
    if (!row) break;
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace allport
