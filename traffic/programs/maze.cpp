// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/maze.h"

#include <fmt/format.h>

#include <array>
#include <queue>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

constexpr std::uint32_t tag_of_packets = 1;  // and the three above it, by direction
constexpr std::uint32_t tag_of_votes = 5;
constexpr std::uint32_t tag_of_verdict = 6;
constexpr std::uint32_t tag_of_part = 7;
constexpr std::uint32_t tag_of_answer = 8;
constexpr std::uint32_t directions = 4;  // north, west, south, east
constexpr std::uint32_t nowhere = UINT32_MAX;
constexpr std::int32_t unlabelled = -1;
constexpr std::int32_t votes = 1 << 11;  // more than there are ranks

std::uint32_t opposite(std::uint32_t direction) { return (direction + 2) % directions; }
MazeLabel arrow_to(std::uint32_t direction) { return static_cast<MazeLabel>(direction); }

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

// The cells of a rank's square, row by row.
std::vector<std::uint32_t> cells_of(std::uint32_t rank, GrayMesh mesh, std::uint32_t side) {
  const std::uint32_t height = side / mesh.rows;
  const std::uint32_t width = side / mesh.columns;
  std::vector<std::uint32_t> cells;
  for (std::uint32_t i = 0; i < height; ++i) {
    for (std::uint32_t j = 0; j < width; ++j) {
      cells.push_back((mesh.row(rank) * height + i) * side + mesh.column(rank) * width + j);
    }
  }
  return cells;
}

// As the host sends it: start and target, and which of a rank's `cells` are blocked.
Values message_of(const Maze& maze, const std::vector<std::uint32_t>& cells) {
  Values values{static_cast<std::int32_t>(maze.start), static_cast<std::int32_t>(maze.target)};
  for (const std::uint32_t cell : cells) values.push_back(maze.blocked[cell] ? 1 : 0);
  return values;
}
// A maze of which a rank knows these cells only.
Maze maze_in(const Values& message, std::uint32_t side, const std::vector<std::uint32_t>& cells) {
  Maze maze{side, std::vector<bool>(static_cast<std::size_t>(side) * side, true),
            static_cast<std::uint32_t>(message[0]), static_cast<std::uint32_t>(message[1])};
  for (std::size_t i = 0; i < cells.size(); ++i) maze.blocked[cells[i]] = message[i + 2] != 0;
  return maze;
}

// One rank's share of the search.
class Searcher {
 public:
  Searcher(const Maze& maze, const MazeTimes& times, GrayMesh mesh, Rank& self)
      : maze_(maze),
        times_(times),
        mesh_(mesh),
        self_(self),
        labels_(maze.blocked.size(), unlabelled),
        arrows_(maze.blocked.size(), MazeLabel::none) {
    if (is_mine(maze.start)) label(maze.start, 0, MazeLabel::start);
  }
  MazeLabel arrow(std::uint32_t cell) const { return arrows_[cell]; }

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
  void label(std::uint32_t cell, std::int32_t distance, MazeLabel arrow) {
    if (maze_.blocked[cell] || labels_[cell] != unlabelled) return;
    labels_[cell] = distance;
    arrows_[cell] = arrow;
    next_.push_back(cell);
  }
  // Looks at the neighbours of cells of `distance`.
  void expand(const std::vector<std::uint32_t>& front, std::int32_t distance) {
    for (const std::uint32_t cell : front) {
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const std::uint32_t other = next_to(cell, direction, maze_.side, maze_.side);
        if (other == nowhere) continue;
        if (is_mine(other))
          label(other, distance + 1, arrow_to(opposite(direction)));
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
      for (const std::int32_t cell : cells) {
        label(static_cast<std::uint32_t>(cell), distance, arrow_to(direction));
      }
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
  std::vector<MazeLabel> arrows_;            // by cell
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

std::vector<std::uint32_t> path_of(const Maze& maze, const MazeRun& run) {
  std::vector<std::uint32_t> path;
  if (run.length < 0) return path;
  for (std::uint32_t cell = maze.target;;) {
    path.push_back(cell);
    if (run.labels[cell] == MazeLabel::start) return path;
    cell = next_to(cell, static_cast<std::uint32_t>(run.labels[cell]), maze.side, maze.side);
  }
}

MazeRun run_maze(const Maze& maze, int algorithm, std::uint32_t ranks, const ProgramCosts& costs,
                 const MazeTimes& times, HostUse host) {
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
  run.labels.assign(maze.blocked.size(), MazeLabel::none);
  const bool has_results = host == HostUse::results;
  const auto at_rank = [&](Rank& self) {
    const std::vector<std::uint32_t> cells = cells_of(self.rank(), mesh, maze.side);
    const Maze known = maze_in(
        host == HostUse::none ? message_of(maze, cells) : self.receive(self.host(), tag_of_part),
        maze.side, cells);
    Searcher searcher(known, times, mesh, self);
    const std::int32_t length = searcher.run(algorithm);
    Values labels;
    for (const std::uint32_t cell : cells) {
      if (has_results) labels.push_back(static_cast<std::int32_t>(searcher.arrow(cell)));
      if (!has_results) run.labels[cell] = searcher.arrow(cell);
    }
    if (has_results) self.send(self.host(), labels, tag_of_part);
    if (self.rank() != 0) return;
    if (host == HostUse::none) run.length = length;
    if (host != HostUse::none) self.send(self.host(), {length}, tag_of_answer);
  };
  const auto at_host = [&](Rank& self) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      self.send(rank, message_of(maze, cells_of(rank, mesh, maze.side)), tag_of_part);
    }
    for (std::uint32_t rank = 0; rank < ranks && has_results; ++rank) {
      const std::vector<std::uint32_t> cells = cells_of(rank, mesh, maze.side);
      const Values labels = self.receive(rank, tag_of_part);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        run.labels[cells[i]] = static_cast<MazeLabel>(labels[i]);
      }
    }
    run.length = self.receive(0, tag_of_answer).front();
  };
  run.tasks = record(ranks, costs, at_rank, host_program(host, at_host));
  return run;
}

}  // namespace allport
