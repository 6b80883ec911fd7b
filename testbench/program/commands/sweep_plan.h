// SPDX-License-Identifier: Apache-2.0
// A SweepPlan leads from a grid of options to points: the name of each, and the command line that
// runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/program/options/grid_file.h"
#include "testbench/studies/sweep/plot_view.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

class SweepPlan {
 public:
  /// Throws std::invalid_argument, one sentence, for a value that its option cannot take, for
  /// options that cannot be combined, and for more points than a grid may have.
  SweepPlan(GridText text, bool is_large_meant);

  std::uint64_t size() const { return grid_.size(); }
  /// Point `index`. Its configuration has every default resolved, so that it has one name however
  /// it was written; a point that cannot be resolved is named after its settings, and fails when it
  /// is run.
  Point point(std::uint64_t index) const;
  /// The names of all points, in order. Throws std::invalid_argument with the sentence of the first
  /// point if none of them can be resolved.
  std::vector<std::string> names() const;

  /// What point `index` runs; none: it cannot be planned. An interrupt is heeded.
  std::optional<RunPlan> run(std::uint64_t index) const;
  /// Whether the grid sets `key`, to one value or several.
  bool sets(std::string_view key) const;
  /// The keys that have several values.
  std::vector<std::string> varied_keys() const;
  /// The values of a point for varied_keys().
  std::vector<std::string> varied_values(std::uint64_t index) const;
  /// The same keys with their values.
  std::vector<PlotKey> plot_keys() const;
  /// Lists of keys with several values that advance together.
  std::vector<std::vector<std::string>> zipped_keys() const;
  /// The single values of the others: `topology torus:8x8, cycles 20000`.
  std::string fixed_in_words() const;

 private:
  /// Those of a point; what is about a router of one's own is left out of the points of ours.
  /// The values of a point, each in its one form.
  std::vector<std::string> values(std::uint64_t index) const;
  Settings settings(std::uint64_t index) const;
  bool is_zipped(std::size_t key) const;
  Point resolved(std::uint64_t index, std::string& problem) const;
  Options with_model(Options options) const;

  std::vector<GridKey> keys_;  // in the order of the grid's keys
  SweepGrid grid_;
  bool has_own_router_ = false;  // among the values of --rtl
  bool has_names_ = false;       // a fabric is a graph, whose nodes have names
  /// Declarations that have been read, by the arguments of Verilator for their sources.
  mutable std::map<std::string, std::shared_ptr<const RouterDeclaration>> declared_;
};

/// The options that a grid may set.
OptionList grid_options();

}  // namespace allport
