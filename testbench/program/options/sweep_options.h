// SPDX-License-Identifier: Apache-2.0
// These are the options that only `allport sweep` has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace allport {

struct OptionSpec;

/// One of `of` parts of a grid, each of which may be computed elsewhere; `number`: 1 .. of.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 0;  ///< 0: there are no shards

  bool is_any() const { return of > 0; }
  bool has(std::uint64_t place) const { return of == 0 || place % of == number - 1; }
};

struct SweepOptions {
  std::string output;  ///< folder; empty: named after the grid
  std::string plot;    ///< empty: curve.svg in the folder, where there is a curve
  std::string plot_x;  ///< key of the plot's axis; empty: the offered load of a pattern
  std::string plot_y;  ///< column of results.csv over plot_x; empty: the default latency
  std::vector<std::string> plot_colour;  ///< keys that tell curves apart; empty: settled_view()
  std::string plot_panel;                ///< key with a panel for each value; empty: likewise
  std::vector<std::string> plot_best;    ///< keys of which the best value counts
  std::map<std::string, std::string> plot_fixed;  ///< keys, and the value at which they stay
  std::string report;                             ///< file of an HTML page; empty: none
  std::vector<std::vector<std::string>> zips;     ///< lists of keys that advance together
  bool yes = false;                               ///< whether a large grid is intended
  bool retry_failed = false;                      ///< whether points that failed are computed again
  std::string executor = "local";
  unsigned jobs = 0;  ///< 0: as many as there are cores
  Shard shard;
  // Options of Slurm; empty or 0: Slurm's own default.
  std::string partition;
  std::string time;
  std::string memory;
  std::uint64_t array_width = 0;
  std::uint64_t points_per_task = 0;
  bool worker = false;  ///< whether this process is a task of a job array
};

/// The options that the command has in addition to those that a grid varies.
const std::vector<OptionSpec>& sweep_option_table();

}  // namespace allport
