// SPDX-License-Identifier: Apache-2.0
// A DrawnRun is a random case of routing by tables: unicasts, prepared at random cycles, on a
// random graph or on a regular fabric. It is asked of the models under test by a RunRequest, and of
// the reference model by its Config.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/plan/run_request.h"
#include "tests/properties/reference/fabric.h"

namespace allport::test {

struct DrawnRun {
  reference::Config config;  // without a table where the models make it by a rule
  std::vector<reference::Line> lines;
  RunRequest request;  // without the lines
};

/// Links have widths of their own in half of the cases, and switching is not wormhole in some of
/// these; in the others all links are as wide as a flit.
DrawnRun draw_graph_run(std::uint64_t seed);

/// On a hypercube, mesh, ring or torus by the table of the routes that are built in.
DrawnRun draw_regular_run(std::uint64_t seed);

/// Whether worms can carry it: switching is wormhole, and every link is as wide as a flit.
bool is_for_worms(const DrawnRun& drawn);

/// The request with the lines as tasks: a send and a receive for each.
RunRequest with_lines(const DrawnRun& drawn);

/// The configuration with the rows of the table that `request` leads to.
reference::Config with_rows(const reference::Config& config, const RunRequest& request);

std::string in_words(const DrawnRun& drawn);

}  // namespace allport::test
