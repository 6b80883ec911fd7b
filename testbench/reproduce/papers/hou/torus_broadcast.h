// SPDX-License-Identifier: Apache-2.0
// The figures of [Hou98] on broadcast times have these parts in common: the broadcasts, what the
// paper's analysis says about them, and what was simulated.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rtl_model/base/ids.h"
#include "testbench/reproduce/figure.h"

namespace allport {

/// DCF; EDN with exact ties in chosen directions, and with all ties in the + direction.
inline constexpr std::array torus_algorithms{"dcf", "edn", "edn-positive"};
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
                      const std::string& algorithm, const TorusBroadcast& broadcast);

/// [Hou98, sec. 6.1] with tc = 1 cycle: k phases, and for odd powers of two one step of a Z_block.
Cycle by_analysis(const std::string& algorithm, const TorusBroadcast& broadcast);

struct MeasuredBroadcast {
  Cycle latency = 0;
  std::uint64_t events = 0;  ///< number of contention events
};

/// A claim on EDN, whose messages the text does not give: allport's EDN is made to fit the text's
/// analysis, so that whatever is `measured` with it, or computed by that analysis, tests nothing.
Claim claim_on_edn(std::string text, std::string source, std::string measured,
                   const std::string& remark = "");

/// The measurement on the first model of the request.
MeasuredBroadcast measured(const FigureRequest& request, const Runs& runs,
                           const std::string& algorithm, const TorusBroadcast& broadcast);

}  // namespace allport
