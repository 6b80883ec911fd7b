// SPDX-License-Identifier: Apache-2.0
// The cost models of point-to-point messages get their parameters from measured times: exact where
// the definition says what a parameter is, by least squares where it only gives a formula. Times
// are in cycles, sizes in flits (docs/guide/cost-models.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// The measurements of messages of one size between one pair of nodes.
struct CostSample {
  int flits = 0;
  double one_way = 0;  ///< time from the start until the receiving processor has it
  double sending = 0;  ///< os: time from the start until the head is on the injection channel
  double receiving =
      0;           ///< or: time from the tail on the ejection channel until the processor has it
  double gap = 0;  ///< g: time between two messages of a stream
};

/// A message over a given number of hops.
struct DistanceSample {
  int hops = 0;
  int flits = 0;
  double one_way = 0;
};

/// The unit of a parameter; a time is also given in microseconds if a clock is known.
enum class CostUnit { cycles, cycles_per_flit, cycles_per_hop, number };

struct CostParameter {
  std::string name;
  double value = 0;
  CostUnit unit = CostUnit::cycles;
  std::string meaning;
};

/// One measured time beside the model's.
struct CostFit {
  int hops = 0;
  int flits = 0;
  double measured = 0;
  double predicted = 0;
  double residual() const { return measured - predicted; }
};

/// The times that a model is fitted to: those of the pair; those for which its sender, or its
/// receiver, is busy; or those over every distance.
enum class CostTimes { pair, sender, receiver, distances };

struct CostModel {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  std::vector<CostParameter> parameters;
  std::vector<CostFit> fits;
  CostTimes times = CostTimes::pair;

  double largest_residual() const;
  /// 1 - (sum of squared residuals) / (sum of squared deviations from the mean); 1 for a perfect
  /// fit, even if all times are the same.
  double r_squared() const;
};

/// All measurements for the models: `pair` by size, ascending, with at least two sizes.
struct CostSamples {
  std::size_t nodes = 0;
  int hops = 0;  ///< distance of the pair in hops
  std::vector<CostSample> pair;
  std::vector<DistanceSample> distances;  ///< every size over every distance
};

/// Hockney, LogP, LogGP, pLogP; the affine model of the sender and of the receiver; and cut-through
/// if there is more than one distance.
std::vector<CostModel> fit_cost_models(const CostSamples& samples);

/// The coefficients x that minimise the squares of `rows` * x - `values`; each row has one entry
/// per coefficient, at most 4, and the rows determine them.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& values);

}  // namespace allport
