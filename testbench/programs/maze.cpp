// SPDX-License-Identifier: Apache-2.0
#include "testbench/programs/maze.h"

#include <fmt/format.h>

#include <array>
#include <queue>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "testbench/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::uint32_t tag_of_packets = 1;  // and the three above it, by direction
constexpr std::uint32_t tag_of_votes = 5;
constexpr std::uint32_t tag_of_verdict = 6;
constexpr std::uint32_t directions = 4;  // north, west, south, east
constexpr std::uint32_t nowhere = UINT32_MAX;
constexpr std::int32_t unlabelled = -1;
constexpr std::int32_t votes = 1 << 11;  // more than there are ranks

std::uint32_t opposite(std::uint32_t direction) { return (direction + 2) % directions; }

// The cell or rank next to `place` in a grid of `columns`, counted row by row; nowhere beyond its
// edge.
std::uint32_t next_to(std::uint32_t place, std::uint32_t direction, std::uint32_t rows,
                      std::uint32_t columns) {
  const std::uint32_t row = place / columns;
  const std::uint32_t column = place % columns;
  switch (direction) {
    case 0:
      return row == 0 ? nowhere : place - columns;
    case 1:
      return column == 0 ? nowhere : place - 1;
    case 2:
      return row == rows - 1 ? nowhere : place + columns;
    default:
      return column == columns - 1 ? nowhere : place + 1;
  }
}

// One rank's share of the search.
class Searcher {
 public:
  Searcher(const Maze& maze, const MazeTimes& times, GrayMesh mesh, Rank& self)
      : maze_(maze),
        times_(times),
        mesh_(mesh),
        self_(self),
        labels_(maze.blocked.size(), unlabelled) {
    if (is_mine(maze.start)) label(maze.start, 0);
  }

  // The length of a shortest path; -1: there is none.
  std::int32_t run(int algorithm) {
    for (std::int32_t distance = 0;; ++distance) {
      const std::vector<std::uint32_t> front = std::move(next_);
      next_.clear();
      if (algorithm == 1) {
        expand(front, distance);
        send_requests();
        const std::vector<std::uint32_t> labelled = label_received(distance + 1);
        next_.insert(next_.end(), labelled.begin(), labelled.end());
      } else {
        send_requests();
        expand(front, distance);
        expand(label_received(distance), distance);
      }
      const std::int32_t verdict = agreed();
      if (verdict / votes > 0) return verdict / votes - 1;
      if (verdict == 0) return -1;
    }
  }

 private:
  std::uint32_t square_row() const { return mesh_.row(self_.rank()); }
  std::uint32_t square_column() const { return mesh_.column(self_.rank()); }
  bool is_mine(std::uint32_t cell) const {
    return cell / maze_.side / (maze_.side / mesh_.rows) == square_row() &&
           cell % maze_.side / (maze_.side / mesh_.columns) == square_column();
  }
  bool label(std::uint32_t cell, std::int32_t distance) {
    if (maze_.blocked[cell] || labels_[cell] != unlabelled) return false;
    labels_[cell] = distance;
    next_.push_back(cell);
    return true;
  }
  // Looks at the neighbours of cells of `distance`.
  void expand(const std::vector<std::uint32_t>& front, std::int32_t distance) {
    for (const std::uint32_t cell : front) {
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const std::uint32_t other = next_to(cell, direction, maze_.side, maze_.side);
        if (other == nowhere) continue;
        if (is_mine(other))
          label(other, distance + 1);
        else
          requests_.at(direction).push_back(static_cast<std::int32_t>(other));
      }
    }
    self_.compute(static_cast<double>(front.size()) * times_.expand_us);
  }
  std::uint32_t rank_in(std::uint32_t direction) const {
    const std::uint32_t place = square_row() * mesh_.columns + square_column();
    const std::uint32_t other = next_to(place, direction, mesh_.rows, mesh_.columns);
    return other == nowhere ? nowhere : mesh_.rank(other / mesh_.columns, other % mesh_.columns);
  }
  // A neighbour without a request gets an empty packet: it waits for one.
  void send_requests() {
    for (std::uint32_t direction = 0; direction < directions; ++direction) {
      const std::uint32_t to = rank_in(direction);
      if (to != nowhere) self_.send(to, requests_.at(direction), tag_of_packets + direction);
      requests_.at(direction).clear();
    }
  }
  // Labels what neighbours ask for; the cells that are new.
  std::vector<std::uint32_t> label_received(std::int32_t distance) {
    const std::vector<std::uint32_t> before = next_;
    next_.clear();
    for (std::uint32_t direction = 0; direction < directions; ++direction) {
      const std::uint32_t from = rank_in(direction);
      if (from == nowhere) continue;
      const Values cells = self_.receive(from, tag_of_packets + opposite(direction));
      for (const std::int32_t cell : cells) label(static_cast<std::uint32_t>(cell), distance);
      self_.compute(static_cast<double>(cells.size()) * times_.label_us);
    }
    std::vector<std::uint32_t> fresh = next_;
    next_ = before;
    return fresh;
  }
  // What all ranks say: how many are not done, and, once the target is labelled, its distance + 1
  // in `votes`.
  std::int32_t agreed() {
    bool is_working = !next_.empty();
    for (const Values& one : requests_) is_working = is_working || !one.empty();
    std::int32_t vote = is_working ? 1 : 0;
    if (labels_[maze_.target] != unlabelled) vote += (labels_[maze_.target] + 1) * votes;
    vote = collapse(self_, vote, tag_of_votes, 0);
    return ::allport::expand(self_, {vote}, tag_of_verdict).front();
  }

  const Maze& maze_;
  const MazeTimes& times_;
  GrayMesh mesh_;
  Rank& self_;
  std::vector<std::int32_t> labels_;         // by cell: its distance
  std::vector<std::uint32_t> next_;          // cells of the next front
  std::array<Values, directions> requests_;  // cells of neighbours, to be sent
};

}  // namespace

Maze Maze::random(std::uint32_t side, double blocked, std::uint64_t seed) {
  const std::size_t cells = static_cast<std::size_t>(side) * side;
  if (cells == 0) throw std::invalid_argument("maze: a side of 0 has no cells");
  Maze maze;
  maze.side = side;
  SplitMix64 generator(seed);
  for (std::size_t i = 0; i < cells; ++i) {
    maze.blocked.push_back(static_cast<double>(generator.next() >> 11) * 0x1p-53 < blocked);
  }
  maze.start = static_cast<std::uint32_t>(generator.next() % cells);
  maze.target = static_cast<std::uint32_t>(generator.next() % cells);
  maze.blocked[maze.start] = false;
  maze.blocked[maze.target] = false;
  return maze;
}

std::int32_t shortest_path(const Maze& maze) {
  std::vector<std::int32_t> labels(maze.blocked.size(), unlabelled);
  std::queue<std::uint32_t> queue;
  labels[maze.start] = 0;
  queue.push(maze.start);
  for (; !queue.empty(); queue.pop()) {
    const std::uint32_t cell = queue.front();
    for (std::uint32_t direction = 0; direction < directions; ++direction) {
      const std::uint32_t other = next_to(cell, direction, maze.side, maze.side);
      if (other == nowhere || maze.blocked[other] || labels[other] != unlabelled) continue;
      labels[other] = labels[cell] + 1;
      queue.push(other);
    }
  }
  return labels[maze.target];
}

MazeRun run_maze(const Maze& maze, int algorithm, std::uint32_t ranks, const ProgramCosts& costs,
                 const MazeTimes& times) {
  const GrayMesh mesh = GrayMesh::of(ranks);
  if (ranks == 0 || mesh.rows * mesh.columns != ranks || ranks >= votes) {
    throw std::invalid_argument(
        fmt::format("maze: {} ranks are not a power of two up to {}", ranks, votes / 2));
  }
  if (maze.side == 0 || maze.side % mesh.columns != 0) {
    throw std::invalid_argument(fmt::format("maze: side {} cannot be cut into {} x {} equal parts",
                                            maze.side, mesh.rows, mesh.columns));
  }
  MazeRun run;
  run.tasks = record(ranks, costs, [&](Rank& self) {
    const std::int32_t length = Searcher(maze, times, mesh, self).run(algorithm);
    if (self.rank() == 0) run.length = length;
  });
  return run;
}

}  // namespace allport
