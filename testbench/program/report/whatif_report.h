// SPDX-License-Identifier: Apache-2.0
// What `allport whatif` found, as words, as JSON and as a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/results/json.h"
#include "testbench/results/results.h"
#include "testbench/studies/whatif/change_search.h"

namespace allport {

/// A change that was tried, and what speaks for it.
struct WhatifRow {
  TriedChange tried;
  std::string command;            ///< the command line that runs it
  std::optional<double> saved{};  ///< how much better it is; none: one of the two has no number
  /// Over several seeds, what is saved in the mean; none: nothing is random, or it was not asked.
  std::optional<MeanEstimate> over_seeds{};
  std::vector<std::uint64_t> failed_seeds{};  ///< those in which it has no number, as by a deadlock

  /// Whether other seeds might show the opposite.
  bool is_within_chance() const;
};

struct WhatifFound {
  std::string command;  ///< the command line of the run as it is
  Goal goal{};
  Account start;
  std::vector<WhatifRow> rows;  ///< the best first; those that were refused at the end
  SearchOptions search;
  std::size_t seeds = 1;  ///< over how many the best rows were run
  std::size_t runs = 0;   ///< all that were carried out
  std::size_t left = 0;   ///< suggestions beyond the budget
  bool was_stopped = false;
};

/// Cycles without decimals where they have none; of a load there are four.
std::string in_unit(double value, Goal goal);
/// What is saved or lost with the first seed, and its mean over several: `51 (73 +- 29)`.
std::string over_seeds_text(double value, const std::optional<MeanEstimate>& over_seeds, Goal goal);
/// The number, or null.
Json number_json(const std::optional<double>& value);

/// Whether the change of `row` is better than the run as it is, as far as that was judged.
bool is_better(const WhatifRow& row, const WhatifFound& found);
/// Sorts the rows: what is better first, then what may be chance, what is not, what has no number,
/// and what was refused.
void sort_rows(WhatifFound& found);

std::string whatif_report(const WhatifFound& found);
Json whatif_json(const WhatifFound& found);
/// `command`: that of whatif itself.
std::string whatif_page(const WhatifFound& found, const std::string& command);

}  // namespace allport
