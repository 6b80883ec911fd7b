// SPDX-License-Identifier: Apache-2.0
// These functions estimate a mean from a sample: with Student's 95 % interval
// (docs/guide/randomness.md).
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/results/results.h"

namespace allport {

/// The t for which a Student variable of `degrees` degrees of freedom, 1 or more, lies in -t .. t
/// with probability 0.95.
double student_t_95(std::size_t degrees);

/// The mean and the interval of a sample of at least one value.
MeanEstimate estimate_mean(const std::vector<double>& sample);

}  // namespace allport
