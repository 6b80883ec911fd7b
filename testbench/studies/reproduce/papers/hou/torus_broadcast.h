// SPDX-License-Identifier: Apache-2.0
// The figures of [Hou98] on broadcast times have these parts in common: the broadcasts, what the
// paper's analysis says about them, and what was simulated.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "testbench/studies/reproduce/figure.h"

namespace allport {

/// DCF, and the reading of EDN that allport takes for it.
inline constexpr std::array torus_algorithms{"dcf", "edn"};
/// The side of the torus of figures 8 and 9.
constexpr int side_of_figures = 32;
/// ts = tr of figure 9, in cycles.
constexpr int latency_of_figure_9 = 200;

struct TorusBroadcast {
  int side;              ///< side of a square torus
  int software_latency;  ///< ts = tr, in cycles
  int flits;
};

Point broadcast_point(const FigureRequest& request, const std::string& model,
                      const std::string& algorithm, const TorusBroadcast& broadcast,
                      const std::vector<std::string>& options = {});

/// [Hou98, sec. 6.1] with tc = 1 cycle: k phases, and for odd powers of two one step of a Z_block.
Cycle by_analysis(const std::string& algorithm, const TorusBroadcast& broadcast);

struct MeasuredBroadcast {
  Cycle latency = 0;
  std::uint64_t events = 0;  ///< number of contention events
};

/// What the run of `point` measured.
MeasuredBroadcast measured(const Runs& runs, const Point& point);
/// The measurement on the first model of the request.
MeasuredBroadcast measured(const FigureRequest& request, const Runs& runs,
                           const std::string& algorithm, const TorusBroadcast& broadcast);

}  // namespace allport
