// SPDX-License-Identifier: Apache-2.0
// MulticastCurves shows multicast algorithms over the number of destinations: one mean over random
// sets for each algorithm and size, with its spread, and the questions that such curves can answer.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/number_table.h"

namespace allport {

/// A mean over random sets.
struct Mean {
  double value = 0;
  double error = 0;  ///< standard error; 0 if there is one set, or it is not known
};
/// The mean of `samples`, at least one number.
Mean mean_of(const std::vector<double>& samples);

class MulticastCurves {
 public:
  MulticastCurves(std::vector<std::string> algorithms, std::vector<std::size_t> sizes)
      : algorithms_(std::move(algorithms)), sizes_(std::move(sizes)) {}

  /// The means in the order of the sizes.
  void add(const std::string& algorithm, Mean mean) { means_[algorithm].push_back(mean); }

  const std::vector<std::size_t>& sizes() const { return sizes_; }
  const std::vector<Mean>& of(const std::string& algorithm) const { return means_.at(algorithm); }
  /// The mean over all sizes.
  double mean(const std::string& algorithm) const;
  /// How much smaller the sum over all sizes is than that of `other`, in percent.
  double gain(const std::string& algorithm, const std::string& other) const;
  /// The mean over the sizes of how much smaller each is than that of `other`, in percent.
  double mean_gain(const std::string& algorithm, const std::string& other) const;
  /// By how much the mean over all sizes is smaller than that of `other`.
  double lead(const std::string& algorithm, const std::string& other) const {
    return mean(other) - mean(algorithm);
  }
  /// The number of sizes at which `algorithm` is above `other`.
  std::size_t sizes_above(const std::string& algorithm, const std::string& other) const;
  /// The number of sizes at which `algorithm` is below each of `others` by more than two standard
  /// errors of the difference.
  std::size_t sizes_clearly_below(const std::string& algorithm,
                                  const std::vector<std::string>& others) const;
  /// The share of all rises that falls on the `stairs` steepest intervals, in percent: 100 for a
  /// staircase with `stairs` stairs.
  double share_of_steepest(const std::string& algorithm, std::size_t stairs) const;
  /// The number of intervals from one size to the next in which the curve rises.
  std::size_t rises(const std::string& algorithm) const;
  /// The mean rise into sizes that are powers of two, from 2 on, or into the others.
  double mean_rise(const std::string& algorithm, bool into_powers_of_two) const;

  /// A column for each algorithm and, with `has_errors`, its standard error.
  NumberTable table(int places, bool has_errors) const;
  void draw(LineChart& chart) const;

 private:
  std::vector<double> intervals(const std::string& algorithm) const;  // rises, 0 for a fall

  std::vector<std::string> algorithms_;
  std::vector<std::size_t> sizes_;
  std::map<std::string, std::vector<Mean>> means_;
};

/// Name of an algorithm as the papers write it: U-cube, Maxport, Combine, W-sort.
std::string printed_name(const std::string& algorithm);

}  // namespace allport
