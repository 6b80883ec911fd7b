// SPDX-License-Identifier: Apache-2.0
// A sweep produces tables, a picture, and a few lines for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/program/commands/sweep_plan.h"
#include "testbench/program/options/sweep_options.h"
#include "testbench/studies/sweep/plot_view.h"
#include "testbench/studies/sweep/result_store.h"

namespace allport {

struct SweepSummary {
  std::uint64_t missing = 0;  ///< points without a result, because the sweep was interrupted
  std::uint64_t failed = 0;   ///< points whose run failed
  std::string first_failure;  ///< its varied values and its error
  std::vector<std::string> saturation;  ///< where each latency-throughput curve saturates
  std::size_t curves = 0;               ///< number of curves in the picture; 0: there is no picture
  std::string chosen;                   ///< which points the picture shows, in words; empty: all
  std::string left_out;  ///< points that the picture leaves out, in words; empty: none
  std::vector<std::string> problems{};  ///< why tables were not written; empty: they were
};

class PointsPage;

/// The view with which the picture and the page of `plan` begin, as far as the options say it and
/// completed. Without an axis the picture is the latency-throughput curve, if the rate of a pattern
/// or of collectives is varied, and its column is empty.
PlotView picture_view(const SweepPlan& plan, const SweepOptions& options);
/// The same of the page, which always has an axis and a column.
PlotView page_view(const SweepPlan& plan, const SweepOptions& options);
/// Throws std::invalid_argument, one sentence, unless all keys and values of the view that the
/// options ask for are those of `plan`.
void require_view(const SweepPlan& plan, const SweepOptions& options);

/// Writes results.csv and results.jsonl of the points `names` that have a result into the folder of
/// `store` and, where there is something to draw, the commands for gnuplot, curve.gnuplot. What of
/// them cannot be written is told in the summary. Throws std::runtime_error, one sentence, when a
/// point's file is damaged. Adds the points to `page`, too, unless it is null.
SweepSummary write_tables(const SweepPlan& plan, const std::vector<std::string>& names,
                          const ResultStore& store, const PlotView& view,
                          PointsPage* page = nullptr);

/// The lines of the report about the picture in the file `path`: how it is laid out, which points
/// it leaves out, and where the first of its curves saturate.
std::string picture_in_words(const SweepSummary& summary, const std::string& path);

/// Lets gnuplot draw the picture of write_tables() into the file `path`.
void draw_curve(const ResultStore& store, const std::string& path);

/// `rate 0.1, seed 2`.
std::string in_words(const std::vector<std::string>& keys, const std::vector<std::string>& values);

}  // namespace allport
