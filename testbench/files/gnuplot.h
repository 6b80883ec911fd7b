// SPDX-License-Identifier: Apache-2.0
// gnuplot draws pictures (SVG).
#pragma once

#include <string>

namespace allport {

/// Whether gnuplot is installed.
bool has_gnuplot();

/// The picture that gnuplot prints for the commands in the file `script`. Throws
/// std::runtime_error, one sentence, when it prints none.
std::string drawn_by_gnuplot(const std::string& script);

}  // namespace allport
