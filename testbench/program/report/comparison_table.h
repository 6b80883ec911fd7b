// SPDX-License-Identifier: Apache-2.0
// This makes the tables of `allport compare`, as text and as JSON: algorithms beside each other,
// and the same over several lengths of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/plan/clock.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/results/results.h"
#include "testbench/results/text_table.h"
#include "testbench/studies/sweep/chart.h"

namespace allport {

/// The run of one algorithm.
struct ComparedRun {
  const Algorithm* algorithm = nullptr;
  /// Parts of each block, where there are runs of the algorithm with several numbers of them; 0:
  /// there are not.
  std::size_t parts = 0;
  std::optional<Cycle> theory;  ///< none where channels are narrower than a flit
  std::optional<LowerBound> bound;
  std::optional<BusiestLink> busiest_link;
  std::optional<Bandwidth> bandwidth;
  std::int64_t longest = 0;          ///< flits of its longest message
  std::vector<PiecesChoice> pieces;  ///< chosen by --pieces best
  Results results;
  std::string problem;                         ///< empty, or why the run is not complete
  std::shared_ptr<const Topology> topology{};  ///< of its nodes
};

/// What all runs of a comparison have in common, as far as its tables show it.
struct ComparisonShape {
  const char* model = "";
  bool is_model_chosen = false;  ///< whether --model auto chose it
  bool has_pieces = false;
  bool has_trials = false;
  bool has_last_start = false;  ///< whether nodes start at random, and when the last one did
  bool has_bandwidth = false;
  bool has_explanation = false;
  Cycle ts = 0;  ///< start-up of a message; 0 under a node model, which may prepare several at once
  std::optional<Clock> clock;
};

/// Whether its algorithm needs routers that do more than route unicasts, and the column that says
/// so.
bool has_needs(const ComparedRun& run);
TableColumn<ComparedRun> needs_column();

/// The runs of a comparison on one of several fabrics, as they pass from its process to that of the
/// table: of each run its cells, and its entry in the JSON.
Json fabric_rows(const std::vector<ComparedRun>& runs, const ComparisonShape& shape,
                 const Topology& topology);
/// The table of all fabrics, whose rows are those of `rows`. Of `shape` the model does not count.
std::string fabrics_table(const std::vector<Json>& rows, const ComparisonShape& shape);

std::string comparison_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape);
/// An object for each run.
std::vector<Json> comparison_json(const std::vector<ComparedRun>& runs,
                                  const ComparisonShape& shape);

/// All runs with one length of the message.
struct ComparedSize {
  std::size_t bytes = 0;
  std::vector<ComparedRun> runs;  ///< in the order of the algorithms

  /// The run with the least largest latency, the first of several; null: none is complete.
  const ComparedRun* fastest() const;
};

/// Where the fastest algorithm changes.
struct Crossover {
  std::string shorter;  ///< the row that is the fastest up to `below` bytes
  std::string longer;   ///< and that from `above` bytes on
  std::size_t below = 0;
  std::size_t above = 0;
};

/// What a row is called: `ring-allreduce`, or `ring-allreduce, 2 parts`.
std::string row_name(const ComparedRun& run);

/// `4 KiB`, `10 B`
std::string size_in_words(std::size_t bytes);

std::string sizes_table(const std::vector<ComparedSize>& sizes, const ComparisonShape& shape);
/// What comes below that table: a line for each of `crossovers`, and the model.
std::string crossover_lines(const std::vector<Crossover>& crossovers, const ComparisonShape& shape);
Json sizes_json(const std::vector<ComparedSize>& sizes, const std::vector<Crossover>& crossovers,
                const ComparisonShape& shape);
/// Largest latencies and bus bandwidths over the length, with the bound and marks where the fastest
/// changes.
Chart sizes_chart(const std::vector<ComparedSize>& sizes, const std::vector<Crossover>& crossovers,
                  const std::string& title, const ComparisonShape& shape);

}  // namespace allport
