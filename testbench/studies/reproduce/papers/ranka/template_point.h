// SPDX-License-Identifier: Apache-2.0
// Figures 10 and 12 are run times of template matching by `allport program template`, on the
// NCUBE/10, with two constants fitted to figure 10.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "testbench/studies/reproduce/papers/ranka/program_point.h"

namespace allport {

/// A cell of a table of run times.
struct RunTime {
  int processors;
  int image;    ///< n
  int mask;     ///< m
  double told;  ///< seconds, printed
};

/// Microseconds to begin a row of the template, fitted to the cell p = 1, n = 32, m = 4.
constexpr const char* row_us = "17.5";
constexpr bool is_fitted_to(const RunTime& cell) {
  return cell.processors == 1 && cell.image == 32 && cell.mask == 4;
}
/// Bytes of a value in a message, fitted to the growth of the column m = 32 from p = 4 to 64.
constexpr const char* value_bytes = "2";
constexpr const char* fitted_constants =
    "Two constants are fitted: 17.5 microseconds to begin a row of the template, to the cell p = 1, n = 32, m = 4; and 2 bytes a value, to the growth of the column m = 32 from p = 4 to 64. An addition and a multiplication take what figure 5(a) prints, a message what figure 5(b) does; everything else is simulated.";

/// The run times of figure 10.
const std::array<RunTime, 30>& run_times();

/// The dimension of the smallest hypercube that has `processors` nodes; of one processor it is 1.
int dimensions_of(int processors);

/// The run of `version`, with `further` arguments.
Point template_point(const FigureRequest& request, const std::string& model, const char* version,
                     const RunTime& cell, const std::vector<std::string>& further = {});

}  // namespace allport
