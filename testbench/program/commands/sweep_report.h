// SPDX-License-Identifier: Apache-2.0
// What a sweep leaves behind when all its points are done: the tables, the curve, and a few lines
// for people.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/commands/sweep_plan.h"
#include "testbench/sweep/result_store.h"

namespace allport {

struct SweepSummary {
  std::uint64_t failed = 0;
  std::string first_failure;            ///< its varied values and its error
  std::vector<std::string> saturation;  ///< for each curve: where it saturates
  bool has_curve = false;
};

/// Writes results.csv and results.jsonl into the folder of `store` and, where the rate of a pattern
/// is varied, the commands for gnuplot, curve.gnuplot. Throws std::runtime_error, one sentence,
/// when they cannot be written or a point's file is damaged.
SweepSummary write_tables(const SweepPlan& plan, const ResultStore& store);

/// Lets gnuplot draw the curve of write_tables() into the file `path`.
void draw_curve(const ResultStore& store, const std::string& path);

/// `rate 0.1, seed 2`.
std::string in_words(const std::vector<std::string>& keys, const std::vector<std::string>& values);

}  // namespace allport
