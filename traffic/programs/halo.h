// SPDX-License-Identifier: Apache-2.0
// This program computes a stencil: in each iteration every cell of a torus becomes the sum of
// itself and some neighbours, modulo a prime. Blocks of the cells lie on a Gray-code grid of ranks,
// which exchange the edges of their blocks with the ranks that have the neighbours.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traffic/programs/rank.h"

namespace allport {

/// From which neighbours a cell receives.
enum class StencilShape {
  four,        ///< north, south, west and east of a square: the stencil of five points
  six,         ///< the two of each dimension of a cube: the stencil of seven points
  north_west,  ///< north, west and north-west of a square: N/W/NW
};

struct HaloProblem {
  StencilShape shape = StencilShape::four;
  std::uint32_t side = 0;  ///< n: n x n cells or n x n x n, the last coordinate running fastest
  Values cells;            ///< at the beginning, 0 .. 65520
  std::uint32_t iterations = 1;

  /// Throws std::invalid_argument, one sentence, where these are more than 2^24 cells.
  static HaloProblem random(StencilShape shape, std::uint32_t side, std::uint32_t iterations,
                            std::uint64_t seed);
};

/// The number of dimensions of the torus of cells, 2 or 3.
std::size_t dimensions(StencilShape shape);

/// The cells at the end, by one processor.
Values iterated(const HaloProblem& problem);

struct StencilRun {
  Values cells;  ///< at the end, put together from all ranks
  TaskGraph tasks;
};

/// The program on `ranks` ranks, a power of two; a cell takes `cell_us` microseconds. Throws
/// std::invalid_argument, one sentence, where the cells cannot be cut.
StencilRun run_halo(const HaloProblem& problem, std::uint32_t ranks, const ProgramCosts& costs,
                    double cell_us);

}  // namespace allport
