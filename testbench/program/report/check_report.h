// SPDX-License-Identifier: Apache-2.0
// The checks of a schedule by their names, and what they say in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/block_levels.h"
#include "testbench/program/terminal/style.h"
#include "testbench/results/json.h"
#include "traffic/algorithms/cube_chain.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

struct NamedCheck {
  std::string_view name;
  std::string_view meaning;  ///< what holds if it holds
  bool (*holds)(const ScheduleReport&);
  bool (*is_judged)(const ScheduleReport&);
  /// What it found in words of its own, or pairs of messages; null: the circle of a deadlock.
  const Finding* (*finding)(const ScheduleReport&);
};

/// All checks, in the order in which they are told.
const std::vector<NamedCheck>& named_checks();

/// Whether all of the `required` checks hold; empty: all checks.
bool holds(const ScheduleReport& report, const std::vector<std::string>& required);
/// Throws std::invalid_argument if one of the `required` checks does not judge such messages.
void require_judged(const ScheduleReport& report, const std::vector<std::string>& required);

/// What was proved by symmetry, and by which.
std::string in_words(const SymmetryProof& symmetry);
/// `0 -> 11 (step 1) and 4 -> 10 (step 2) may meet on channel 8 -> 10 (dimension 1)`
std::string in_words(const PairViolation& pair, const Schedule& messages, const Topology& topology);
/// For each wait of a circle: `0 -> all may wait for channel 5 -> 9 (+y), held by 6 -> all`.
std::vector<std::string> circle_in_words(const std::vector<WormWait>& circle,
                                         const Schedule& messages, const Topology& topology);

/// A line for each check that judges, and for a check that fails the first of what it found.
/// `required`: names of the checks that must hold; empty: all.
std::string check_report(const ScheduleReport& report, const Schedule& messages,
                         const Topology& topology, const std::vector<std::string>& required,
                         const Style& style);

/// The line of a chain: whether it is cube-ordered, and if not, what shows it.
std::string chain_report(const std::optional<ChainBreak>& broken, const std::vector<NodeId>& chain,
                         const Routing& routing, const Style& style);
/// The same for scripts: `cube_ordered`.
Json chain_json(const std::optional<ChainBreak>& broken, const std::vector<NodeId>& chain,
                const Routing& routing);

/// The line of a level of a block: its steps, whether it is stepwise free and free altogether, what
/// else fails, and the first thing that shows it for each check that is `required`; empty: all.
std::string level_report(const BlockLevel& level, const std::vector<std::string>& required,
                         const Style& style);
/// The same for scripts.
Json level_json(const BlockLevel& level);

/// The line of a schedule file that is a program, and what makes no sense in it.
std::string program_report(const Finding& faults, const Style& style);

}  // namespace allport
