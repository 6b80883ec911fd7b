// SPDX-License-Identifier: Apache-2.0
// A MeanEstimate is a mean over trials and how far it may be from the true mean: Student's 95 %
// interval (docs/guide/randomness.md).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "testbench/results/results.h"

namespace allport {

struct MeanEstimate {
  double mean = 0;
  /// Half the width of the 95 % confidence interval around `mean`; none for a single value.
  std::optional<double> half_width;
};

/// The t for which a Student variable of `degrees` degrees of freedom, 1 or more, lies in -t .. t
/// with probability 0.95.
double student_t_95(std::size_t degrees);

/// The mean and the interval of a sample of at least one value.
MeanEstimate estimate_mean(const std::vector<double>& sample);

/// The mean completion: over the trials that ended, the mean of the largest latency of each. None
/// for a pattern, for a run without destinations, and if no trial ended.
std::optional<MeanEstimate> mean_completion(const Results& results);

/// The same of the largest latencies counted from Results::last_starts; none without skew.
std::optional<MeanEstimate> mean_after_last_start(const Results& results);

}  // namespace allport
