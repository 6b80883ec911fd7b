// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [Tseng97], reconstructed for squares, with allport's own construction
// for other shapes, over dilated diagonals (dilated_diagonals.h) on any W x H torus. A square uses
// all its columns and rows and takes 2 ceil(log5 n) + 1 steps. Other shapes use at least every
// second column and row, evenly spread, so that one number is a multiple of the other, and take one
// more step for those between them; the selection is the one with the fewest steps whose routes are
// all minimal. It is stepwise contention-free.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Whether `topology` is a two-dimensional torus.
bool is_flat_torus(const Topology& topology);

Schedule plan_tseng(const PlanRequest& request);

}  // namespace allport
