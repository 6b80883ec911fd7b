// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/mean_estimate.h"

#include <cmath>

namespace allport {

namespace {

// The probability that |T| <= t, by the finite sums of [AbramowitzStegun64, 26.7.3 and 26.7.4].
double within(double t, std::size_t degrees) {
  constexpr double two_over_pi = 0.63661977236758134308;
  const auto n = static_cast<double>(degrees);
  const double angle = std::atan(t / std::sqrt(n));
  const double square = n / (n + t * t);  // square of the cosine
  const bool is_odd = degrees % 2 == 1;
  double term = is_odd ? std::sqrt(square) : 1;
  double sum = 0;
  for (std::size_t i = is_odd ? 3 : 2; i <= degrees; i += 2) {
    sum += term;
    term *= square * static_cast<double>(i - 1) / static_cast<double>(i);
  }
  const double product = std::sin(angle) * sum;
  return is_odd ? two_over_pi * (angle + product) : product;
}

}  // namespace

double student_t_95(std::size_t degrees) {
  double low = 1.9;
  double high = 12.8;  // one degree of freedom needs 12.7
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (within(middle, degrees) < 0.95 ? low : high) = middle;
  }
  return high;
}

MeanEstimate estimate_mean(const std::vector<double>& sample) {
  const auto count = static_cast<double>(sample.size());
  double sum = 0;
  for (const double value : sample) sum += value;
  MeanEstimate estimate{sum / count, std::nullopt};
  if (sample.size() < 2) return estimate;
  double squares = 0;
  for (const double value : sample) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.half_width = student_t_95(sample.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return estimate;
}

namespace {

// Of the largest latencies, less `starts` by trial, or 0.
std::optional<MeanEstimate> mean_of(const Results& results, const std::vector<Cycle>& starts) {
  if (results.destinations == 0 || results.load) return std::nullopt;
  std::vector<double> largest;
  for (std::size_t i = 0; i < results.trials.size(); ++i) {
    const Cycle start = starts.empty() ? 0 : starts[i];
    largest.push_back(static_cast<double>(results.trials[i].max - start));
  }
  if (!results.is_complete() && !largest.empty()) largest.pop_back();  // it did not end
  if (largest.empty()) return std::nullopt;
  return estimate_mean(largest);
}

}  // namespace

std::optional<MeanEstimate> Results::completion() const { return mean_of(*this, {}); }

std::optional<MeanEstimate> Results::completion_after_last_start() const {
  return last_starts.empty() ? std::nullopt : mean_of(*this, last_starts);
}

}  // namespace allport
