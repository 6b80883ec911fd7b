// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/multicast_curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rtl_model/base/powers.h"

namespace allport {

Mean mean_of(const std::vector<double>& samples) {
  const auto count = static_cast<double>(samples.size());
  Mean mean;
  mean.value = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  if (samples.size() < 2) return mean;
  double squares = 0;
  for (const double one : samples) squares += (one - mean.value) * (one - mean.value);
  mean.error = std::sqrt(squares / (count - 1) / count);
  return mean;
}

double MulticastCurves::mean(const std::string& algorithm) const {
  double sum = 0;
  for (const Mean& one : of(algorithm)) sum += one.value;
  return sum / static_cast<double>(sizes_.size());
}

double MulticastCurves::gain(const std::string& algorithm, const std::string& other) const {
  return 100 * (1 - mean(algorithm) / mean(other));
}

double MulticastCurves::mean_gain(const std::string& algorithm, const std::string& other) const {
  double sum = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    sum += 1 - of(algorithm)[i].value / of(other)[i].value;
  }
  return 100 * sum / static_cast<double>(sizes_.size());
}

std::size_t MulticastCurves::sizes_above(const std::string& algorithm,
                                         const std::string& other) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    constexpr double rounding = 1e-9;
    if (of(algorithm)[i].value > of(other)[i].value * (1 + rounding)) ++count;
  }
  return count;
}

std::size_t MulticastCurves::sizes_clearly_below(const std::string& algorithm,
                                                 const std::vector<std::string>& others) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const Mean own = of(algorithm)[i];
    const bool is_clear = std::all_of(others.begin(), others.end(), [&](const std::string& other) {
      const Mean mean = of(other)[i];
      return other == algorithm || mean.value - own.value > 2 * std::hypot(mean.error, own.error);
    });
    if (is_clear) ++count;
  }
  return count;
}

std::vector<double> MulticastCurves::intervals(const std::string& algorithm) const {
  std::vector<double> list;
  const std::vector<Mean>& means = of(algorithm);
  for (std::size_t i = 1; i < means.size(); ++i) {
    list.push_back(std::max(0.0, means[i].value - means[i - 1].value));
  }
  return list;
}

double MulticastCurves::share_of_steepest(const std::string& algorithm, std::size_t stairs) const {
  std::vector<double> list = intervals(algorithm);
  std::sort(list.rbegin(), list.rend());
  const double all = std::accumulate(list.begin(), list.end(), 0.0);
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(stairs, list.size()));
  return all > 0 ? 100 * std::accumulate(list.begin(), end, 0.0) / all : 100;
}

std::size_t MulticastCurves::rises(const std::string& algorithm) const {
  const std::vector<double> list = intervals(algorithm);
  return static_cast<std::size_t>(
      std::count_if(list.begin(), list.end(), [](double one) { return one > 0; }));
}

double MulticastCurves::mean_rise(const std::string& algorithm, bool into_powers_of_two) const {
  const std::vector<Mean>& means = of(algorithm);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 1; i < means.size(); ++i) {
    const bool is_power = is_power_of_two(sizes_[i]);
    if (is_power != into_powers_of_two) continue;
    sum += means[i].value - means[i - 1].value;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

NumberTable MulticastCurves::table(int places, bool has_errors) const {
  std::vector<std::string> columns{"destinations"};
  for (const std::string& one : algorithms_) {
    columns.push_back(one);
    if (has_errors) columns.push_back(one + "_error");
  }
  NumberTable table(columns);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    std::vector<std::string> cells{std::to_string(sizes_[i])};
    for (const std::string& one : algorithms_) {
      cells.push_back(decimal(of(one)[i].value, places));
      if (has_errors) cells.push_back(decimal(of(one)[i].error, places));
    }
    table.add(cells);
  }
  return table;
}

void MulticastCurves::draw(LineChart& chart) const {
  for (const std::string& one : algorithms_) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      points.emplace_back(static_cast<double>(sizes_[i]), of(one)[i].value);
    }
    chart.add(printed_name(one), points);
  }
}

std::string printed_name(const std::string& algorithm) {
  static const std::map<std::string, std::string> names{
      {"ucube", "U-cube"},   {"maxport", "Maxport"},  {"combine", "Combine"},
      {"wsort", "W-sort"},   {"sbt", "SBT"},          {"tree", "pipelined (tree worm)"},
      {"hk", "HK"},          {"dcf", "DCF"},          {"edn", "EDN"},
      {"zblock", "Z_block"}, {"separate", "separate"}};
  const auto name = names.find(algorithm);
  return name == names.end() ? algorithm : name->second;
}

}  // namespace allport
