// SPDX-License-Identifier: Apache-2.0
// The options that only `allport sweep` has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace allport {

struct OptionSpec;

struct SweepOptions {
  std::string output;             ///< folder; empty: by the name of the grid
  std::string plot;               ///< empty: curve.svg in the folder, where there is a curve
  std::string plot_x;             ///< key of the plot's axis; empty: the offered load of a pattern
  std::string plot_y;             ///< column of results.csv over plot_x; empty: the usual latency
  std::vector<std::string> zips;  ///< lists of keys that advance together
  bool yes = false;               ///< a large grid is meant
  bool retry_failed = false;
  std::string executor = "local";
  unsigned jobs = 0;  ///< 0: as many as there are cores
  // of slurm; empty or 0: its default
  std::string partition;
  std::string time;
  std::string memory;
  std::uint64_t array_width = 0;
  std::uint64_t points_per_task = 0;
  bool worker = false;  ///< is a task of a job array
};

/// The options of the command, beside those that a grid varies.
const std::vector<OptionSpec>& sweep_option_table();

}  // namespace allport
