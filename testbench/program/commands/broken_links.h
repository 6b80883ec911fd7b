// SPDX-License-Identifier: Apache-2.0
// The links whose loss is worst for a run: `check --faults` and `whatif --broken`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rtl_model/base/range.h"
#include "rtl_model/base/stop_flag.h"
#include "testbench/program/commands/whatif_runs.h"
#include "testbench/program/report/fault_report.h"

namespace allport {

/// What the search is asked for, beside the run.
struct BrokenLinks {
  FaultOptions search;
  std::optional<Goal> goal{};  ///< none: the usual one
  std::size_t seeds = 1;       ///< over how many the worst rows of a random run are judged
  unsigned jobs = 0;
};

constexpr Range broken_links{1, most_missing_links};
constexpr Range fault_budgets{1, 10'000};

/// Looks for the worst links of the fabric of `settings`; `option` is that of the search, for what
/// is wrong. Throws std::invalid_argument, one sentence.
FaultReport worst_links(const Settings& settings, const BrokenLinks& wanted,
                        std::string_view option);
/// The same for a run, which is carried out without each set of links.
FaultReport worst_links(const WhatifTarget& target, const BrokenLinks& wanted,
                        std::string_view option, StopFlag stop);

}  // namespace allport
