// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/halo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "rtl_model/base/split_mix.h"
#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::int32_t prime = 65521;

using Place = std::vector<std::uint32_t>;  // by dimension
using Offset = std::vector<int>;           // by dimension, -1, 0 or 1

// Where the neighbours of a cell are.
const std::vector<Offset>& offsets(StencilShape shape) {
  static const std::vector<Offset> four{{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  static const std::vector<Offset> six{{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                       {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
  static const std::vector<Offset> north_west{{-1, 0}, {0, -1}, {-1, -1}};
  switch (shape) {
    case StencilShape::six:
      return six;
    case StencilShape::north_west:
      return north_west;
    case StencilShape::four:
      break;
  }
  return four;
}

// All places from `first` to `last`, both included, the last coordinate running fastest.
template <typename Visit>
void for_each_place(const Place& first, const Place& last, Visit visit) {
  Place place = first;
  while (true) {
    visit(place);
    std::size_t d = place.size();
    while (d > 0 && place[d - 1] == last[d - 1]) {
      place[d - 1] = first[d - 1];
      --d;
    }
    if (d == 0) return;
    ++place[d - 1];
  }
}

// A block of cells with an edge of one cell around it: the cells are at 1 .. extent.
class Block {
 public:
  explicit Block(Place extents) : extents_(std::move(extents)) {
    std::size_t cells = 1;
    for (const std::uint32_t extent : extents_) cells *= extent + 2;
    cells_.assign(cells, 0);
  }

  std::int32_t& at(const Place& place) { return cells_[index(place)]; }

  // What a block reads that has this one at `offset`: the cells of the side that it touches.
  Values sent(const Offset& offset) {
    Values values;
    const auto [first, last] = layer(offset, false);
    for_each_place(first, last, [&](const Place& place) { values.push_back(at(place)); });
    return values;
  }
  // Puts what the block at `offset` sent into the edge there.
  void receive(const Offset& offset, const Values& values) {
    std::size_t i = 0;
    const auto [first, last] = layer(offset, true);
    for_each_place(first, last, [&](const Place& place) { at(place) = values.at(i++); });
  }
  void step(const std::vector<Offset>& neighbours) {
    std::vector<std::ptrdiff_t> distances;
    for (const Offset& offset : neighbours) {
      std::ptrdiff_t distance = 0;
      for (std::size_t d = 0; d < offset.size(); ++d) {
        distance = distance * static_cast<std::ptrdiff_t>(extents_[d] + 2) + offset[d];
      }
      distances.push_back(distance);
    }
    Values next = cells_;
    for_each_place(Place(extents_.size(), 1), extents_, [&](const Place& place) {
      const std::size_t centre = index(place);
      std::int32_t sum = cells_[centre];
      for (const std::ptrdiff_t distance : distances) {
        sum += cells_[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(centre) + distance)];
      }
      next[centre] = sum % prime;
    });
    cells_.swap(next);
  }

 private:
  std::size_t index(const Place& place) const {
    std::size_t index = 0;
    for (std::size_t d = 0; d < place.size(); ++d) index = index * (extents_[d] + 2) + place[d];
    return index;
  }
  // The first and the last place of a layer of one cell: of the edge towards `offset`, or of the
  // cells that lie in such an edge of the block on the other side.
  std::pair<Place, Place> layer(const Offset& offset, bool is_edge) const {
    Place first(extents_.size(), 1);
    Place last = extents_;
    for (std::size_t d = 0; d < offset.size(); ++d) {
      if (offset[d] < 0) first[d] = last[d] = is_edge ? 0 : extents_[d];
      if (offset[d] > 0) first[d] = last[d] = is_edge ? extents_[d] + 1 : 1;
    }
    return {first, last};
  }

  Place extents_;
  Values cells_;
};

// The place at `offset` from `place` on a torus of `extents`.
Place moved(const Place& place, const Offset& offset, const Place& extents, int times) {
  Place there(place.size());
  for (std::size_t d = 0; d < place.size(); ++d) {
    const int extent = static_cast<int>(extents[d]);
    there[d] = static_cast<std::uint32_t>(
        (static_cast<int>(place[d]) + times * offset[d] + extent) % extent);
  }
  return there;
}

// Every rank sends all edges, then receives all; where a block is its own neighbour, no message
// goes.
void exchange(Rank& self, Block& block, const std::vector<Offset>& neighbours,
              const GrayGrid& grid) {
  const Place own = grid.place(self.rank());
  std::vector<Values> sent;
  for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
    sent.push_back(block.sent(neighbours[i]));
    const std::uint32_t to = grid.rank(moved(own, neighbours[i], grid.extents, -1));
    if (to != self.rank()) self.send(to, sent.back(), i);
  }
  for (std::uint32_t i = 0; i < neighbours.size(); ++i) {
    const std::uint32_t from = grid.rank(moved(own, neighbours[i], grid.extents, 1));
    block.receive(neighbours[i], from == self.rank() ? sent[i] : self.receive(from, i));
  }
}

}  // namespace

std::size_t dimensions(StencilShape shape) { return offsets(shape).front().size(); }

HaloProblem HaloProblem::random(StencilShape shape, std::uint32_t side, std::uint32_t iterations,
                                std::uint64_t seed) {
  constexpr std::size_t most = std::size_t{1} << 24;
  std::size_t cells = 1;
  for (std::size_t d = 0; d < dimensions(shape); ++d) cells *= side;
  if (cells > most) {
    throw std::invalid_argument(fmt::format(
        "halo: a cube of side {} has {} cells, which is more than {}", side, cells, most));
  }
  HaloProblem problem{shape, side, Values(cells), iterations};
  SplitMix64 generator(seed);
  for (std::int32_t& one : problem.cells) one = static_cast<std::int32_t>(generator.next() % prime);
  return problem;
}

Values iterated(const HaloProblem& problem) {
  const std::size_t dimension_count = dimensions(problem.shape);
  const Place extents(dimension_count, problem.side);
  const auto index = [&](const Place& place) {
    std::size_t sum = 0;
    for (const std::uint32_t one : place) sum = sum * problem.side + one;
    return sum;
  };
  Values cells = problem.cells;
  for (std::uint32_t step = 0; step < problem.iterations; ++step) {
    const Values old = cells;
    for_each_place(Place(dimension_count, 0), Place(dimension_count, problem.side - 1),
                   [&](const Place& place) {
                     std::int32_t sum = old[index(place)];
                     for (const Offset& offset : offsets(problem.shape)) {
                       sum += old[index(moved(place, offset, extents, 1))];
                     }
                     cells[index(place)] = sum % prime;
                   });
  }
  return cells;
}

StencilRun run_halo(const HaloProblem& problem, std::uint32_t ranks, const ProgramCosts& costs,
                    double cell_us) {
  const std::vector<Offset>& neighbours = offsets(problem.shape);
  const GrayGrid grid = GrayGrid::of(ranks, dimensions(problem.shape));
  if (grid.size() != ranks) {
    throw std::invalid_argument(fmt::format("halo: {} ranks are not a power of two", ranks));
  }
  Place extents;
  double cells = 1;
  for (const std::uint32_t parts : grid.extents) {
    if (problem.side == 0 || problem.side % parts != 0) {
      throw std::invalid_argument(fmt::format("halo: side {} cannot be cut into {} equal parts",
                                              problem.side, fmt::join(grid.extents, " x ")));
    }
    extents.push_back(problem.side / parts);
    cells *= extents.back();
  }
  const bool forwards = costs.forwards && problem.shape == StencilShape::north_west &&
                        grid.extents.front() > 1 && grid.extents.back() > 1;
  if (forwards && problem.iterations > Rank::most_forwarded) {
    throw std::invalid_argument(fmt::format(
        "halo: in each of {} iterations a rank sends a message to north-west that another one forwards, and a rank sends {} of them at most; take fewer iterations, or --forward network",
        problem.iterations, Rank::most_forwarded));
  }
  StencilRun run{Values(problem.cells.size(), 0), {}};
  run.tasks = record(ranks, costs, [&](Rank& self) {
    const Place own = grid.place(self.rank());
    const auto cell = [&](const Place& place) {  // of the whole torus
      std::size_t index = 0;
      for (std::size_t d = 0; d < place.size(); ++d) {
        index = index * problem.side + std::size_t{own[d]} * extents[d] + place[d] - 1;
      }
      return index;
    };
    const Place first(extents.size(), 1);
    Block block(extents);
    for_each_place(first, extents,
                   [&](const Place& at) { block.at(at) = problem.cells[cell(at)]; });
    for (std::uint32_t step = 0; step < problem.iterations; ++step) {
      exchange(self, block, neighbours, grid);
      block.step(neighbours);
      self.compute(cells * cell_us);
    }
    for_each_place(first, extents, [&](const Place& at) { run.cells[cell(at)] = block.at(at); });
  });
  return run;
}

}  // namespace allport
