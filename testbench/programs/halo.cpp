// SPDX-License-Identifier: Apache-2.0
#include "testbench/programs/halo.h"

#include <fmt/format.h>

#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "testbench/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::int32_t prime = 65521;

// A square of cells with an edge of one cell around it.
class Square {
 public:
  Square(std::uint32_t height, std::uint32_t width)
      : height_(height), width_(width), cells_((height + 2) * (width + 2), 0) {}

  std::int32_t& at(std::uint32_t row, std::uint32_t column) {
    return cells_[row * (width_ + 2) + column];
  }
  /// Row or column `place` of the square and its edge, 0 .. height + 1 or width + 1.
  Values line(bool is_row, std::uint32_t place) {
    Values values;
    for (std::uint32_t i = 1; i <= (is_row ? width_ : height_); ++i) {
      values.push_back(is_row ? at(place, i) : at(i, place));
    }
    return values;
  }
  void set_line(bool is_row, std::uint32_t place, const Values& values) {
    for (std::uint32_t i = 1; i <= values.size(); ++i) {
      (is_row ? at(place, i) : at(i, place)) = values[i - 1];
    }
  }
  void step() {
    Square next(height_, width_);
    for (std::uint32_t i = 1; i <= height_; ++i) {
      for (std::uint32_t j = 1; j <= width_; ++j) {
        next.at(i, j) =
            (at(i, j) + at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)) % prime;
      }
    }
    cells_.swap(next.cells_);
  }

 private:
  std::uint32_t height_;
  std::uint32_t width_;
  Values cells_;
};

// Sends the two edges of a direction to the neighbours there and receives theirs; with one rank in
// that direction the square is its own neighbour.
void exchange(Rank& self, Square& square, bool is_row, std::uint32_t extent, std::uint32_t before,
              std::uint32_t behind, std::uint32_t tag) {
  if (before == self.rank()) {
    square.set_line(is_row, extent + 1, square.line(is_row, 1));
    square.set_line(is_row, 0, square.line(is_row, extent));
    return;
  }
  self.send(before, square.line(is_row, 1), tag);
  self.send(behind, square.line(is_row, extent), tag + 1);
  square.set_line(is_row, extent + 1, self.receive(behind, tag));
  square.set_line(is_row, 0, self.receive(before, tag + 1));
}

}  // namespace

Stencil Stencil::random(std::uint32_t side, std::uint32_t iterations, std::uint64_t seed) {
  Stencil problem{side, Values(static_cast<std::size_t>(side) * side), iterations};
  SplitMix64 generator(seed);
  for (std::int32_t& one : problem.cells) one = static_cast<std::int32_t>(generator.next() % prime);
  return problem;
}

Values iterated(const Stencil& problem) {
  const std::uint32_t n = problem.side;
  Values cells = problem.cells;
  for (std::uint32_t step = 0; step < problem.iterations; ++step) {
    const Values old = cells;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        cells[i * n + j] =
            (old[i * n + j] + old[(i + n - 1) % n * n + j] + old[(i + 1) % n * n + j] +
             old[i * n + (j + n - 1) % n] + old[i * n + (j + 1) % n]) %
            prime;
      }
    }
  }
  return cells;
}

StencilRun run_halo(const Stencil& problem, std::uint32_t ranks, const ProgramCosts& costs,
                    double cell_us) {
  const GrayMesh mesh = GrayMesh::of(ranks);
  if (ranks == 0 || mesh.rows * mesh.columns != ranks) {
    throw std::invalid_argument(fmt::format("halo: {} ranks are not a power of two", ranks));
  }
  if (problem.side == 0 || problem.side % mesh.columns != 0) {
    throw std::invalid_argument(fmt::format("halo: side {} cannot be cut into {} x {} equal parts",
                                            problem.side, mesh.rows, mesh.columns));
  }
  const std::uint32_t height = problem.side / mesh.rows;
  const std::uint32_t width = problem.side / mesh.columns;
  StencilRun run{Values(problem.cells.size(), 0), {}};
  run.tasks = record(ranks, costs, [&](Rank& self) {
    const std::uint32_t row = mesh.row(self.rank());
    const std::uint32_t column = mesh.column(self.rank());
    const auto cell = [&](std::uint32_t i, std::uint32_t j) {
      return (row * height + i - 1) * problem.side + column * width + j - 1;
    };
    Square square(height, width);
    for (std::uint32_t i = 1; i <= height; ++i) {
      for (std::uint32_t j = 1; j <= width; ++j) square.at(i, j) = problem.cells[cell(i, j)];
    }
    for (std::uint32_t step = 0; step < problem.iterations; ++step) {
      exchange(self, square, true, height, mesh.rank(row + mesh.rows - 1, column),
               mesh.rank(row + 1, column), 1);
      exchange(self, square, false, width, mesh.rank(row, column + mesh.columns - 1),
               mesh.rank(row, column + 1), 3);
      square.step();
      self.compute(static_cast<double>(height) * width * cell_us);
    }
    for (std::uint32_t i = 1; i <= height; ++i) {
      for (std::uint32_t j = 1; j <= width; ++j) run.cells[cell(i, j)] = square.at(i, j);
    }
  });
  return run;
}

}  // namespace allport
