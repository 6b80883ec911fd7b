// SPDX-License-Identifier: Apache-2.0
// A sweep produces tables, a picture, and a few lines for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/program/commands/sweep_plan.h"
#include "testbench/studies/sweep/result_store.h"

namespace allport {

struct SweepSummary {
  std::uint64_t missing = 0;  ///< points without a result, because the sweep was interrupted
  std::uint64_t failed = 0;   ///< points whose run failed
  std::string first_failure;  ///< its varied values and its error
  std::vector<std::string> saturation;  ///< where each latency-throughput curve saturates
  std::size_t curves = 0;               ///< number of curves in the picture; 0: there is no picture
  std::string left_out;  ///< points that the picture leaves out, in words; empty: none
};

class SweepPage;

/// The key over which the curve of `plan` is drawn if no other is asked for, and the column that is
/// drawn over another one.
const char* default_axis(const SweepPlan& plan);
const char* default_column(const SweepPlan& plan);

/// What a sweep draws: `x` is a varied key, `y` a column of results.csv. Without x it draws the
/// latency-throughput curve, if the rate of a pattern or of
/// collectives is varied.
struct PictureRequest {
  std::string x;
  std::string y;  ///< empty: the mean completion, or for a pattern the mean latency
};

/// Writes results.csv and results.jsonl of the points `names` that have a result into the folder of
/// `store` and, where there is something to draw, the commands for gnuplot, curve.gnuplot. Throws
/// std::runtime_error, one sentence, when they cannot be written or a point's file is damaged.
/// Adds the points to `page`, too, unless it is null.
SweepSummary write_tables(const SweepPlan& plan, const std::vector<std::string>& names,
                          const ResultStore& store, const PictureRequest& wanted,
                          SweepPage* page = nullptr);

/// The lines of the report about the picture in the file `path`: how it is laid out, which points
/// it leaves out, and where the first of its curves saturate.
std::string picture_in_words(const SweepSummary& summary, const std::string& path);

/// Lets gnuplot draw the picture of write_tables() into the file `path`.
void draw_curve(const ResultStore& store, const std::string& path);

/// `rate 0.1, seed 2`.
std::string in_words(const std::vector<std::string>& keys, const std::vector<std::string>& values);

}  // namespace allport
