// SPDX-License-Identifier: Apache-2.0
// A stencil: in each iteration every cell of a torus becomes the sum of itself and its four
// neighbours, modulo a prime. Squares of the cells lie on a Gray-code mesh of ranks, which exchange
// the edges of their squares with their four neighbours.
#pragma once

#include "testbench/programs/rank.h"

namespace allport {

struct Stencil {
  std::uint32_t side = 0;  ///< n: n x n cells, row by row
  Values cells;            ///< at the beginning, 0 .. 65520
  std::uint32_t iterations = 1;

  static Stencil random(std::uint32_t side, std::uint32_t iterations, std::uint64_t seed);
};

/// The cells at the end, by one processor.
Values iterated(const Stencil& problem);

struct StencilRun {
  Values cells;  ///< at the end, put together from all ranks
  TaskGraph tasks;
};

/// The program on `ranks` ranks, a power of two; a cell takes `cell_us` microseconds. Throws
/// std::invalid_argument, one sentence, where the cells cannot be cut.
StencilRun run_halo(const Stencil& problem, std::uint32_t ranks, const ProgramCosts& costs,
                    double cell_us);

}  // namespace allport
