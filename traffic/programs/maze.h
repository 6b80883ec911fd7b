// SPDX-License-Identifier: Apache-2.0
// This program finds the shortest path in a maze by front waves [Ranka88, section 4.5]. Squares of
// the maze lie on a Gray-code mesh of ranks. Algorithm 1 (figure 17) expands the front wave, sends
// what belongs to neighbours, and labels what it receives; algorithm 2 (figure 18) sends first,
// expands what it has meanwhile, and then what it receives.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/programs/host_use.h"
#include "traffic/programs/rank.h"

namespace allport {

struct Maze {
  std::uint32_t side = 0;     ///< n: n x n cells, row by row
  std::vector<bool> blocked;  ///< by cell
  std::uint32_t start = 0;
  std::uint32_t target = 0;

  /// A share of `blocked` of the cells is blocked; start and target are free.
  static Maze random(std::uint32_t side, double blocked, std::uint64_t seed);
};

/// The length of a shortest path, by one processor's breadth-first search; -1: there is none.
std::int32_t shortest_path(const Maze& maze);

struct MazeTimes {
  double expand_us = 0;  ///< to look at the four neighbours of a cell
  double label_us = 0;   ///< to label a cell that another rank sent
};

/// The four labels of a cell point to the cell from which it was reached.
enum class MazeLabel : std::uint8_t { north, west, south, east, start, none };

struct MazeRun {
  std::int32_t length = -1;  ///< of a shortest path; -1: there is none
  TaskGraph tasks;
  std::vector<MazeLabel> labels;  ///< by cell, when the target was reached
};

/// The cells from the target to the start, by following the labels; empty: there is no path.
std::vector<std::uint32_t> path_of(const Maze& maze, const MazeRun& run);

/// Algorithm 1 or 2 on `ranks` ranks, a power of two. After every wave the ranks agree, by a tree
/// collapse and a tree expansion, whether to go on. A host sends each rank its part of the maze;
/// the length, or the labels of all parts, go back to it. Throws std::invalid_argument, one
/// sentence, where the maze cannot be cut.
MazeRun run_maze(const Maze& maze, int algorithm, std::uint32_t ranks, const ProgramCosts& costs,
                 const MazeTimes& times, HostUse host = HostUse::none);

}  // namespace allport
