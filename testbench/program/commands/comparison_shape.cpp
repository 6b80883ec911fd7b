// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/comparison_shape.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/cut_off.h"
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/program/commands/custom_router_run.h"

namespace allport {

ComparisonShape shape_of(const Options& options, const RunPlan& plan) {
  ComparisonShape shape;
  shape.model = to_string(plan.request.model);
  shape.is_model_chosen = !options.is_given("model");
  shape.has_pieces = options.run.message.pieces == 0;
  shape.has_trials = options.run.traffic.trials > 1;
  const NodeRequest& node = options.run.node;
  shape.has_last_start = node.skew > 0 && !node.barrier && !node.barrier_messages;
  shape.has_bandwidth = options.is_given("collective") &&
                        options.run.traffic.collective != Operation::barrier &&
                        !stencil_of(options.run.traffic.collective) && !options.is_given("counts");
  shape.has_explanation = options.is_given("explain");
  if (node.model.is_default()) shape.ts = node.ts;
  shape.clock = clock_of(options.run.node);
  return shape;
}

bool is_sorted(const Options& options) { return options.is_given("collective"); }

std::string left_out(const Comparison& comparison, const Options& options) {
  std::string text;
  if (const auto& own = comparison.plan().request.custom_router) {
    text = fmt::format(
        "router {} in RTL: {} a hop; {}events are as the pins show them\n", own->top,
        cycles_in_words(*own),
        !own->has_our_time() ? "theory, whose model is of one cycle a hop, is not stated; " : "");
  }
  const FabricRequest& fabric = comparison.plan().request.fabric;
  if (!fabric.cut_off.empty()) text += cut_off_in_words(fabric.cut_off, *fabric.whole) + "\n";
  for (const std::string& sentence : comparison.left_out()) text += "left out " + sentence + "\n";
  for (const std::string& sentence : left_out_by_size(options, comparison.plan())) {
    text += "left out " + sentence + "\n";
  }
  for (const Algorithm* algorithm : left_to_routers(options, comparison.plan())) {
    text += fmt::format("left out {}: worms explain unicasts only; --model systemc explains it\n",
                        algorithm->name);
  }
  return text;
}

void require_comparable(const Options& options) {
  if (options.run.model == Model::rtl && !options.run.custom_router) {
    throw std::invalid_argument(
        "--model rtl: compare simulates on systemc or worm; `run --model rtl` takes one algorithm, and --rtl a router of your own");
  }
  if (options.run.explain.message) {
    throw std::invalid_argument(
        "--explain message: algorithms send different messages; compare takes all and slowest:N, `run` takes one message");
  }
  const auto& own = options.of_command<CompareOptions>();
  if (options.run.traffic.collective_rate) {
    for (const char* other : {"explain", "report"}) {
      if (!options.is_given(other)) continue;
      throw std::invalid_argument(fmt::format(
          "--collective-rate and --{} exclude each other: compare shows how algorithms carry a load; `run` explains its messages",
          other));
    }
    if (!own.sizes.empty()) {
      throw std::invalid_argument("--collective-rate and --sizes exclude each other");
    }
  }
  if (own.sizes.empty() && !own.plot.empty()) {
    throw std::invalid_argument("--plot needs --sizes");
  }
  if (own.sizes.empty()) return;
  for (const char* other : {"flits", "bytes", "counts", "explain"}) {
    if (!options.is_given(other)) continue;
    throw std::invalid_argument(fmt::format("--sizes and --{} exclude each other", other));
  }
  if (own.plot.empty()) return;
  if (!has_gnuplot()) {
    throw std::invalid_argument("--plot needs gnuplot, which is not installed");
  }
  for (const std::string& file : {own.plot, own.plot_commands()}) OutputFile{file};
}

void require_counts(const Options& options) {
  const bool is_named = !options.algorithms.empty() && !options.is_given("collective");
  require_counted(options.run, is_named ? options.algorithms.front()->operation
                                        : options.run.traffic.collective);
}

}  // namespace allport
