// SPDX-License-Identifier: Apache-2.0
// These functions choose the algorithms that a comparison runs, and read the lengths of the message
// over which they are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/program/options/options.h"

namespace allport {

/// The options of `compare` alone.
struct CompareOptions {
  std::vector<std::size_t> sizes;  // lengths of the message in bytes; empty: the default
  std::string plot;                // file of a picture over them; empty: none

  /// Where gnuplot's commands for that picture are kept.
  std::string plot_commands() const { return plot.substr(0, plot.find_last_of('.')) + ".gnuplot"; }
};

/// The algorithms that are named, or else all of the collective that suit the fabric of `plan`, the
/// model, the destinations and the step rule. Throws std::invalid_argument, one sentence, if there
/// is none, or if one is named twice or carries out another collective.
std::vector<const Algorithm*> compared_algorithms(const Options& options, const RunPlan& plan);
/// Those that worms do not carry or do not explain, if they are left out although nobody named
/// others: worms were chosen to explain, or the model is open and routers would take long for a
/// message of this length.
std::vector<const Algorithm*> left_to_routers(const Options& options, const RunPlan& plan);

/// Sentences: which algorithms of that collective are not among those, because they are for fabrics
/// of other sizes.
std::vector<std::string> left_out_by_size(const Options& options, const RunPlan& plan);

/// Ascending lengths in bytes: `8..64MiB`, each twice the one before, or a list such as `64,1KiB`.
/// Throws std::invalid_argument as option_values.h does.
std::vector<std::size_t> parse_sizes(std::string_view text);

}  // namespace allport
