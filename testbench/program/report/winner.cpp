// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/winner.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

double cycles_of(const ComparedRun& run) {
  const auto completion = run.results.completion();
  return completion ? completion->mean : static_cast<double>(run.results.latency.max);
}

// Trials have the same traffic under all algorithms, so their differences say more than two means.
std::optional<double> interval_of(const ComparedRun& a, const ComparedRun& b) {
  const std::size_t trials = a.results.trials.size();
  if (trials < 2 || b.results.trials.size() != trials) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 0; i < trials; ++i) {
    differences.push_back(static_cast<double>(b.results.trials[i].max) -
                          static_cast<double>(a.results.trials[i].max));
  }
  return estimate_mean(differences).half_width;
}

std::string chance_in_words(double margin, const std::optional<double>& half) {
  if (!half) return "of one run, which has no interval";
  if (*half == 0) return "the same in every trial";
  return margin > *half
             ? fmt::format("larger than the 95 % interval of the difference, \u00b1 {:.2f}", *half)
             : fmt::format(
                   "within the 95 % interval of the difference, \u00b1 {:.2f}: it may be chance",
                   *half);
}

// `114`, or of several trials `111.50`
std::string in_words(const ComparedRun& run) {
  const bool is_mean = run.results.trials.size() > 1;
  return is_mean ? fmt::format("{:.2f}", cycles_of(run)) : fmt::format("{}", cycles_of(run));
}

}  // namespace

std::optional<Winner> winner_of(const std::vector<ComparedRun>& runs) {
  std::vector<const ComparedRun*> order;
  for (const ComparedRun& run : runs) {
    if (run.problem.empty() && run.results.has_latency()) order.push_back(&run);
  }
  if (order.empty()) return std::nullopt;
  std::stable_sort(order.begin(), order.end(), [](const ComparedRun* a, const ComparedRun* b) {
    return cycles_of(*a) < cycles_of(*b);
  });
  const ComparedRun& best = *order.front();
  const bool is_mean = best.results.trials.size() > 1;
  const char* const what = is_mean ? "mean completion" : "largest latency";
  Winner winner{
      row_name(best), "",
      fmt::format("{} has the least {}, {} cycles.", row_name(best), what, in_words(best))};
  if (order.size() == 1) return winner;
  const ComparedRun& next = *order[1];
  winner.next = row_name(next);
  const double margin = cycles_of(next) - cycles_of(best);
  if (margin == 0) {
    winner.sentence = fmt::format("{} and {} both have the least {}, {} cycles.", winner.best,
                                  winner.next, what, in_words(best));
    return winner;
  }
  winner.sentence += fmt::format(
      " The next is {} with {}: a margin of {} cycles ({:.1f} %), {}.", winner.next, in_words(next),
      is_mean ? fmt::format("{:.2f}", margin) : fmt::format("{}", margin),
      100 * margin / cycles_of(next), chance_in_words(margin, interval_of(best, next)));
  return winner;
}

}  // namespace allport
