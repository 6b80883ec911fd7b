// SPDX-License-Identifier: Apache-2.0
// The cost models of point-to-point messages, and their parameters from measured times: exactly
// where the definition says what a parameter is, by least squares where it says nothing but a
// formula. Times are in cycles, sizes in flits (docs/cost-models.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// What was measured of messages of one size between one pair of nodes.
struct CostSample {
  int flits = 0;
  double one_way = 0;    ///< from the start until the receiving processor has it
  double sending = 0;    ///< os: from the start until the head is on the injection channel
  double receiving = 0;  ///< or: from the tail on the ejection channel until the processor has it
  double gap = 0;        ///< g: between two messages of a stream
};

/// A message over so many hops.
struct DistanceSample {
  int hops = 0;
  int flits = 0;
  double one_way = 0;
};

/// What a parameter is counted in; a time is also one in microseconds where a clock is known.
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

struct CostModel {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  std::vector<CostParameter> parameters;
  std::vector<CostFit> fits;

  double largest_residual() const;
  /// 1 - (sum of squared residuals) / (sum of squared deviations from the mean); 1 for a perfect
  /// fit, also of times that are all the same.
  double r_squared() const;
};

/// All that the models are made from: `pair` by size, ascending, at least two sizes.
struct CostSamples {
  std::size_t nodes = 0;
  int hops = 0;  ///< of the pair
  std::vector<CostSample> pair;
  std::vector<DistanceSample> distances;  ///< every size over every distance
};

/// Hockney, LogP, LogGP, pLogP; and the affine model if there is more than one distance.
std::vector<CostModel> fit_cost_models(const CostSamples& samples);

/// The coefficients x that make the squares of `rows` * x - `values` least; rows are as long as
/// there are coefficients, at most 4, and determine them.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& values);

}  // namespace allport
