// SPDX-License-Identifier: Apache-2.0
// The files on [Robinson93] have these parts in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/studies/reproduce/figure.h"
#include "testbench/studies/reproduce/multicast_curves.h"
#include "traffic/schedule/schedule.h"

namespace allport {

Figure robinson_3();         ///< trees of one example
Figure robinson_5();         ///< U-cube on one port
Figure robinson_6();         ///< Maxport against U-cube
Figure robinson_8();         ///< U-cube, Maxport, W-sort
Figure robinson_theorems();  ///< lemmas and theorems
Figure robinson_9();         ///< steps, 6-cube
Figure robinson_10();        ///< steps, 10-cube
Figure robinson_11();        ///< average delay, 5-cube
Figure robinson_12();        ///< maximum delay, 5-cube
Figure robinson_startup();   ///< both over the start-up latency
Figure robinson_13();        ///< average delay, 10-cube
Figure robinson_14();        ///< maximum delay, 10-cube

/// ucube, maxport, combine, wsort.
const std::vector<std::string>& robinson_algorithms();
/// The same without ucube.
const std::vector<std::string>& new_algorithms();
/// The claim that the new algorithms smooth U-cube's staircase of `stairs` stairs.
Claim smoothness_claim(const MulticastCurves& curves, std::size_t stairs, const Quotation& source);
/// What the text says about U-cube's average delays on the 5-cube.
void add_ucube_anomaly(Claims& claims, const FigureRequest& request, const MulticastCurves& curves);
/// The least number of doublings that make `nodes` of one: ceil(log2(nodes)).
StepIndex doublings(std::size_t nodes);
/// Twenty numbers of destinations, as evenly spaced as possible; the last is the broadcast.
std::vector<std::size_t> sizes_of_ten_cube();

}  // namespace allport
