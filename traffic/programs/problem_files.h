// SPDX-License-Identifier: Apache-2.0
// These functions read what a program works on from the text of a file, and write what it yields:
// images as PGM, mazes, loads and objects as lines. What is wrong with a text is one sentence,
// std::invalid_argument, with the file, the line where there are lines, and what is allowed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/programs/knapsack.h"
#include "traffic/programs/load_balance.h"
#include "traffic/programs/maze.h"
#include "traffic/programs/template_matching.h"

namespace allport {

/// A file that was read; it has no name if none was given.
struct ProblemText {
  std::string name;
  std::string text;
  explicit operator bool() const { return !name.empty(); }
};

/// What a file may have, and the options too.
struct ProblemLimits {
  static constexpr std::uint32_t side = 1024;  ///< of an image, a template or a maze
  static constexpr std::uint32_t load = 100000;
  static constexpr std::uint32_t objects = 100000;
  static constexpr std::int32_t object = 1000000;  ///< profit or weight
  static constexpr std::uint32_t ranks = 1 << 20;
};

/// A square of grey values.
struct GreyImage {
  std::uint32_t side = 0;
  Values values;
};

/// PGM, plain (P2) or raw (P5), with a greatest value of 1 .. 65535; as wide as high.
GreyImage read_pgm(const ProblemText& file);
/// A plain PGM. Where a value is above 65535, all are divided so that the greatest is 65535, and a
/// comment says by how much.
std::string pgm_text(const GreyImage& image);
/// The values themselves, a line for each row.
std::string rows_text(const GreyImage& image);

/// A line for each row, as many as each has cells: `#` is blocked, `.` and a space are free, `s` is
/// the start and `t` the target.
Maze read_maze(const ProblemText& file);
/// The maze with the cells of the path as `*`, an empty line, and the maze with the labels: `^`,
/// `<`, `v` and `>` point to the cell from which a cell was reached.
std::string maze_text(const Maze& maze, const MazeRun& run);

/// A line for each rank: how many items it has.
LoadBalance read_loads(const ProblemText& file);
std::string loads_text(const std::vector<Values>& loads);

/// A line for each object: its profit and its weight.
Knapsack read_objects(const ProblemText& file, std::uint32_t capacity);
/// A line for each chosen object: its number, 1, 2, .. as in the file, its profit and its weight;
/// first a comment with their sums.
std::string objects_text(const Knapsack& problem, const std::vector<std::size_t>& chosen);

}  // namespace allport
