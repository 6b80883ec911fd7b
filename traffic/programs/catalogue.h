// SPDX-License-Identifier: Apache-2.0
// The catalogue has the programs by name, with what they take: each computes real results, which
// are compared with those of one processor, and becomes a graph of tasks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/programs/host_use.h"
#include "traffic/programs/problem_files.h"
#include "traffic/programs/rank.h"

namespace allport {

/// What a program is given. Sizes that a program does not take are not looked at.
struct ProgramRequest {
  std::string variant;            ///< empty: the first of the program
  std::uint32_t ranks = 16;       ///< a power of two
  std::uint32_t side = 32;        ///< of the image, the maze or the cells
  std::uint32_t mask = 4;         ///< side of the template
  std::uint32_t load = 100;       ///< mean number of items of work of a rank
  std::uint32_t objects = 100;    ///< of the knapsack
  std::uint32_t capacity = 30;    ///< of the knapsack
  std::uint32_t iterations = 10;  ///< of the stencil
  double blocked = 0.3;           ///< share of the maze's cells
  std::uint32_t values = 1;       ///< of the message
  std::uint32_t farthest = 0;     ///< the rank farthest from rank 0 on the fabric; 0: the last one
  double row_us = 0;              ///< of beginning a row of the template at a point
  double work_us = 100;           ///< of g and each f, and of the expansion of a maze's cell
  std::uint64_t seed = 1;
  int item_bytes = 0;  ///< of an item of work in a message; 0: as a value
  HostUse host = HostUse::none;
  ProblemText input;          ///< what the program works on; none: random data
  ProblemText template_file;  ///< none: a random template
  bool wants_output = false;
  bool wants_picture = false;  ///< whether the output of the template is PGM
  ProgramCosts costs;
};

struct ProgramOutcome {
  std::string words;  ///< what was computed, a clause
  bool is_right = false;
  std::uint64_t alone = 0;  ///< cycles in which one processor does the same; 0: it has no such work
  TaskGraph tasks;
  std::string output{};  ///< the results as a file has them, if they were wanted
};

struct CatalogueEntry {
  std::string_view name;
  std::string_view summary;                ///< one line for people
  std::string_view source;                 ///< key of docs/papers.md and place
  std::vector<std::string_view> variants;  ///< empty: there is one only
  std::vector<std::string_view> takes;     ///< the fields of the request, by option
  std::vector<std::string_view> hosts;     ///< what a host may do for it; empty: it has none
  ProgramOutcome (*run)(const ProgramRequest&) = nullptr;
};

/// All programs, in the order of the documentation.
const std::vector<CatalogueEntry>& program_catalogue();

/// The program called `name`; throws std::invalid_argument that offers the nearest name.
const CatalogueEntry& find_program(std::string_view name);

/// The NCUBE/10 of [Ranka88, fig. 5(b)], whose 54 rates are those of (h + 1)(216.6 + 1.217 N)
/// microseconds for N bytes over h hops: a cycle moves a byte over a link, each processor on the
/// way prepares the message anew in 177 cycles, and the last one copies it in as long as a hop.
struct Ncube {
  static constexpr double cycle_us = 1.217;
  static constexpr std::int64_t ts = 177;  ///< cycles; the head adds one
  static constexpr int flit_bytes = 1;
  /// With `value_bytes` of a value, on a machine that may have other times and flits.
  static ProgramCosts costs(int value_bytes, std::int64_t ts = Ncube::ts,
                            double cycle_us = Ncube::cycle_us, int flit_bytes = Ncube::flit_bytes);
};

}  // namespace allport
