// SPDX-License-Identifier: Apache-2.0
// find_faults() looks for the links whose loss is worst for a run: those that cut nodes off, which
// is a matter of the graph, and those that cost most, for which the run is carried out without
// them. How it is carried out is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/results/results.h"
#include "testbench/studies/faults/link_graph.h"
#include "testbench/studies/whatif/change_search.h"

namespace allport {

struct FaultOptions {
  std::size_t links = 1;        ///< that are missing at a time
  std::size_t budget = 10'000;  ///< sets of links that are tried; of more, so many are drawn
  std::uint64_t seed = 1;       ///< of the draw
  bool must_draw = false;       ///< whether a seed was given that is for nothing else
};

/// A run as it is: what counts of it, and its account.
struct FaultlessRun {
  Goal goal{};
  Account account;
};

/// A run without some links, none of which cuts nodes off.
struct FaultRow {
  LinkSet links;
  TriedChange tried;             ///< the change is their --missing-links
  std::string command{};         ///< the command line that runs it, if the caller knows one
  std::optional<double> cost{};  ///< how much worse it is; none: one of the two has no number
  /// Over several seeds, the cost in the mean; none: nothing is random, or it was not asked.
  std::optional<MeanEstimate> over_seeds{};
  std::vector<std::uint64_t> failed_seeds{};  ///< those in which it has no number

  /// Whether it ended as a run shall.
  bool has_number() const { return tried.account.value && failed_seeds.empty(); }
  /// Whether other seeds might show that it costs nothing.
  bool is_within_chance() const;
};

struct FaultsFound {
  FaultOptions options;
  LinkCut smallest;          ///< a cut with the fewest links of all
  LinkCuts cuts;             ///< those of at most `options.links` links, or of 2 if that is less
  double all_sets = 0;       ///< of so many links
  bool are_drawn = false;    ///< whether not all of them were tried
  std::size_t sets = 0;      ///< tried
  std::size_t cutting = 0;   ///< of these, those that cut nodes off
  bool was_stopped = false;  ///< whether runs of some of them are missing
  std::optional<FaultlessRun> run{};  ///< none: the graph alone was asked about
  std::vector<FaultRow> rows{};       ///< of the others, the worst first

  /// Whether a loss of at most so many links was found that cuts nodes off, or with which the run
  /// does not end.
  bool has_fault() const;
};

/// Most links that may be missing at a time: the command line of a row names all of them.
constexpr std::size_t most_missing_links = 32;
/// How many of the cuts are kept.
constexpr std::size_t most_cuts_kept = 1000;

/// Runs changes of the run, in any order, and returns what became of each, in the order of
/// `changes`; fewer of them, the first ones, if it was stopped.
using RunChanges = std::function<std::vector<TriedChange>(const std::vector<Change>& changes)>;

/// `run`: the run as it is; none: only cuts are looked for. Throws std::invalid_argument, a clause,
/// if the fabric has fewer links, or is in pieces, or if all sets are tried where some must be
/// drawn.
FaultsFound find_faults(const LinkGraph& graph, const FaultOptions& options,
                        const std::optional<FaultlessRun>& run, const RunChanges& run_changes);

/// Sorts the rows: what has no result first, then what costs most, then what may be chance.
void sort_rows(FaultsFound& found);

}  // namespace allport
