// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [Tseng97], reconstructed for squares, with allport's own construction
// for other shapes, over dilated diagonals (dilated_diagonals.h) on any W x H torus. A square uses
// all its columns and rows and takes 2 ceil(log5 n) + 1 steps. Other shapes use at least every
// second column and row, evenly spread, so that one number is a multiple of the other, and take one
// more step for those between them; the selection is the one with the fewest steps whose routes are
// all minimal. It is stepwise contention-free.
#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "traffic/algorithms/dilated_diagonals.h"
#include "traffic/algorithms/interval_cut.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

// Numbers of selected columns and rows.
struct Choice {
  StepIndex steps;
  int columns;
  int rows;
};

std::vector<int> evenly_spread(int count, int side) {
  std::vector<int> offsets;
  offsets.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    offsets.push_back(static_cast<int>(static_cast<long long>(i) * side / count));
  }
  return offsets;
}

// Fewest steps first, then the most columns and rows.
std::vector<Choice> choices(int width, int height) {
  if (width == height) return {{diagonal_steps(width, height), width, height}};
  std::vector<Choice> list;
  for (int columns = (width + 1) / 2; columns <= width; ++columns) {
    for (int rows = (height + 1) / 2; rows <= height; ++rows) {
      if (columns % rows != 0 && rows % columns != 0) continue;
      const bool has_gaps = columns < width || rows < height;
      list.push_back({diagonal_steps(columns, rows) + (has_gaps ? 1 : 0), columns, rows});
    }
  }
  std::sort(list.begin(), list.end(), [](const Choice& a, const Choice& b) {
    return std::make_tuple(a.steps, -a.columns, -a.rows) <
           std::make_tuple(b.steps, -b.columns, -b.rows);
  });
  return list;
}

bool is_flat_torus(const Topology& topology) {
  return topology.kind() == TopologyKind::torus && topology.dimension_count() == 2;
}

constexpr Fabrics flat_tori{"two-dimensional tori", is_flat_torus};

Schedule plan_tseng(const PlanRequest& request) {
  const std::vector<int>& sides = request.routing.topology().sides();
  for (const Choice& choice : choices(sides[0], sides[1])) {
    DilatedDiagonals diagonals(
        request.routing, request.goal.source,
        {evenly_spread(choice.columns, sides[0]), evenly_spread(choice.rows, sides[1])});
    diagonals.plan();
    if (choice.columns < sides[0] || choice.rows < sides[1]) diagonals.plan_gaps();
    if (diagonals.is_minimal()) return diagonals.take();
  }
  throw std::logic_error("plan_tseng: no selection of " + request.routing.topology().name() +
                         " has minimal routes only");
}

}  // namespace

Rows tseng_rows() {
  return {Row("tseng",
              "broadcast over dilated diagonals; width other than height: this project's reading",
              "Tseng97", flat_tori, plan_tseng)};
}

}  // namespace allport
