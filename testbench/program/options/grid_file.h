// SPDX-License-Identifier: Apache-2.0
// These functions read grids as they are written: a file with the tables of a scenario, in which a
// key may have several values, and the same on the command line (docs/guide/sweeps.md). They throw
// std::invalid_argument, one sentence, that names file, line and column or the option.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/program/options/settings.h"
#include "testbench/studies/sweep/grid.h"

namespace allport {

/// An option with its values.
struct GridKey {
  const OptionSpec* spec;
  ValueList values;
  std::string place;  ///< as in Setting
};

/// Keys whose values advance together.
struct Zip {
  std::vector<std::string> keys;
  std::string place;  ///< `grid.toml:2:8: `, or `--zip: `
};

struct GridText {
  std::vector<GridKey> keys;
  std::vector<Zip> zips;
};

/// The character that separates values on the command line: a comma, or a semicolon where the
/// option itself is a list.
char separator_of(const OptionSpec& spec, std::string_view text);

GridText parse_grid(const std::string& text, const std::string& name, const OptionList& accepted);
GridText read_grid(const std::string& path, const OptionList& accepted);

/// Merges the file and the command line, which wins; the order is that of the option table.
GridText merge_grids(GridText file, const Settings& command_line,
                     const std::vector<std::vector<std::string>>& zips);

/// The axes of the grid: one for each key, but only one for the keys that a zip joins, at the place
/// of the first of them.
SweepGrid make_grid(const GridText& text);

}  // namespace allport
