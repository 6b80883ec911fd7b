// SPDX-License-Identifier: Apache-2.0
// The figures on programs have these runs: `allport program` on the NCUBE/10 of figure 5.
#pragma once

#include <string>
#include <vector>

#include "testbench/studies/reproduce/figure.h"

namespace allport {

/// `allport program NAME` with `arguments` on the NCUBE/10, a hypercube of `dimensions`.
Point machine_point(const FigureRequest& request, const std::string& model, const std::string& name,
                    int dimensions, std::vector<std::string> arguments);

/// The time from the start of the program until its last task ends.
double microseconds_of(const Json& result);

}  // namespace allport
