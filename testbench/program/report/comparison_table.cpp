// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rtl_model/base/words.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

std::size_t name_width(const std::vector<ComparedRun>& runs) {
  std::size_t width = 10;
  for (const ComparedRun& run : runs) width = std::max(width, row_name(run).size());
  return width;
}

std::size_t column_width(const ComparedRun& run) {
  return std::max<std::size_t>(row_name(run).size(), 12);
}

const char* bandwidth_unit(const ComparisonShape& shape) { return shape.clock ? "GB/s" : "B/cy"; }

double in_unit(double bytes_per_cycle, const ComparisonShape& shape) {
  return shape.clock ? shape.clock->gigabytes_per_second(bytes_per_cycle) : bytes_per_cycle;
}

std::string header(std::size_t width, const ComparisonShape& shape) {
  std::string text = fmt::format(
      "{:<{}}{} {:>6} {:>12} {:>12} {:>8}{} {:>14} {:>8}", "algorithm", width,
      shape.has_pieces ? fmt::format(" {:>7}", "pieces") : "", "steps", "theory", "max", "of bound",
      (shape.has_trials ? fmt::format(" {:>14} {:>10}", "completion", "+- 95 %") : "") +
          (shape.has_last_start ? fmt::format(" {:>12}", "after start") : ""),
      "mean", "events");
  if (shape.has_bandwidth) {
    const std::string unit = bandwidth_unit(shape);
    text += fmt::format(" {:>10} {:>10}", "alg " + unit, "bus " + unit);
  }
  if (shape.clock) text += fmt::format(" {:>12} {:>12}", "max us", "mean us");
  return text + "\n";
}

// An algorithm that was interrupted may have one trial, or none.
std::string completion_cells(const Results& results) {
  const std::optional<MeanEstimate> completion = results.completion();
  const bool has_width = completion && completion->half_width;
  return fmt::format(" {:>14} {:>10}", completion ? fmt::format("{:.2f}", completion->mean) : "-",
                     has_width ? fmt::format("{:.2f}", *completion->half_width) : "-");
}

std::string last_start_cell(const Results& results) {
  const std::optional<MeanEstimate> after = results.completion_after_last_start();
  return fmt::format(" {:>12}", after ? fmt::format("{:.2f}", after->mean) : "-");
}

std::string bandwidth_cells(const ComparedRun& run, const ComparisonShape& shape) {
  const auto cell = [&](double Bandwidth::*one) {
    return run.bandwidth ? fmt::format("{:.4g}", in_unit((*run.bandwidth).*one, shape)) : "-";
  };
  return fmt::format(" {:>10} {:>10}", cell(&Bandwidth::algorithm), cell(&Bandwidth::bus));
}

std::string line(const ComparedRun& run, std::size_t width, const ComparisonShape& shape) {
  const Results& results = run.results;
  const LatencySummary& latency = results.latency;
  std::string text = fmt::format("{:<{}}", row_name(run), width);
  if (shape.has_pieces) text += fmt::format(" {:>7}", pieces_in_words(run.pieces));
  const auto known = [&](const std::string& number) {
    return results.has_latency() ? number : "-";
  };
  const bool has_bound = run.bound && results.has_latency();
  text += fmt::format(" {:>6} {:>12} {:>12} {:>8}", results.steps,
                      run.theory ? std::to_string(*run.theory) : "-",
                      known(std::to_string(latency.max)),
                      has_bound ? fmt::format("{:.3f}", efficiency(*run.bound, latency.max)) : "-");
  if (shape.has_trials) text += completion_cells(results);
  if (shape.has_last_start) text += last_start_cell(results);
  text += fmt::format(" {:>14} {:>8}", known(fmt::format("{:.2f}", latency.mean)),
                      results.contention.events);
  if (shape.has_bandwidth) text += bandwidth_cells(run, shape);
  if (shape.clock) {
    const double longest = shape.clock->microseconds(static_cast<double>(latency.max));
    text += fmt::format(" {:>12} {:>12}", known(fmt::format("{:.4f}", longest)),
                        known(fmt::format("{:.4f}", shape.clock->microseconds(latency.mean))));
  }
  return text + (run.problem.empty() ? "" : "  " + run.problem) + "\n";
}

// Where a start-up takes longer than any message, a processor is never ahead of its ports.
std::string what_decides(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::int64_t longest = 0;
  for (const ComparedRun& run : runs) longest = std::max(longest, run.longest);
  if (longest == 0 || shape.ts < longest) return "";
  return fmt::format("ports never limit: a start-up takes {} cycles, the longest message {}\n",
                     shape.ts, counted(longest, "flit"));
}

std::string model_line(const ComparisonShape& shape) {
  return shape.is_model_chosen ? fmt::format("model {}\n", shape.model) : "";
}

Json microseconds_json(const ComparedRun& run, const Clock& clock) {
  const LatencySummary& latency = run.results.latency;
  Json json{{"theory", nullptr},
            {"mean", clock.microseconds(latency.mean)},
            {"max", clock.microseconds(static_cast<double>(latency.max))}};
  if (run.theory) json["theory"] = clock.microseconds(static_cast<double>(*run.theory));
  if (const auto completion = run.results.completion()) {
    json["completion"] = clock.microseconds(completion->mean);
  }
  return json;
}

Json run_entry(const ComparedRun& run, const ComparisonShape& shape) {
  const bool is_known = run.results.has_latency();
  Json entry{{"algorithm", run.algorithm->name},
             {"model", shape.model},
             {"steps", run.results.steps},
             {"theory", run.theory ? Json(*run.theory) : Json()},
             {"mean", is_known ? Json(run.results.latency.mean) : Json()},
             {"max", is_known ? Json(run.results.latency.max) : Json()},
             {"bound", run.bound ? Json(run.bound->cycles) : Json()},
             {"bandwidth", bandwidth_json(run.bandwidth, shape.clock)},
             {"events", run.results.contention.events},
             {"completion", completion_json(run.results)}};
  if (!run.results.last_starts.empty()) {
    entry["completion_after_last_start"] = estimate_json(run.results.completion_after_last_start());
  }
  if (run.parts > 0) entry["parts"] = run.parts;
  if (!run.pieces.empty()) entry["pieces"] = pieces_json(run.pieces);
  if (shape.clock && is_known) entry["microseconds"] = microseconds_json(run, *shape.clock);
  if (shape.has_explanation) entry["explanation"] = explanation_json(*run.results.explanation);
  if (!run.problem.empty()) entry["error"] = run.problem;
  return entry;
}

}  // namespace

std::string row_name(const ComparedRun& run) {
  const std::string name(run.algorithm->name);
  return run.parts == 0 ? name : name + ", " + counted(run.parts, "part");
}

std::string comparison_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  const std::size_t width = name_width(runs);
  std::string text = header(width, shape);
  for (const ComparedRun& run : runs) text += line(run, width, shape);
  return text + what_decides(runs, shape) + model_line(shape);
}

std::vector<Json> comparison_json(const std::vector<ComparedRun>& runs,
                                  const ComparisonShape& shape) {
  std::vector<Json> entries;
  entries.reserve(runs.size());
  for (const ComparedRun& run : runs) entries.push_back(run_entry(run, shape));
  return entries;
}

const ComparedRun* ComparedSize::fastest() const {
  const ComparedRun* best = nullptr;
  for (const ComparedRun& run : runs) {
    if (!run.problem.empty() || !run.results.has_latency()) continue;
    if (best == nullptr || run.results.latency.max < best->results.latency.max) best = &run;
  }
  return best;
}

std::string size_in_words(std::size_t bytes) {
  constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit < 3 && bytes % 1024 == 0 && bytes > 0; ++unit) bytes /= 1024;
  return fmt::format("{} {}", bytes, units[unit]);
}

std::string sizes_table(const std::vector<ComparedSize>& sizes, const ComparisonShape& shape) {
  if (sizes.empty()) return "";
  const std::vector<ComparedRun>& columns = sizes.front().runs;
  const std::size_t width = name_width(columns);
  std::string text = fmt::format("{:>10}  {:<{}} {:>12} {:>8} {:>10}", "size", "fastest", width,
                                 "max", "of bound", std::string("bus ") + bandwidth_unit(shape));
  for (const ComparedRun& run : columns) {
    text += fmt::format(" {:>{}}", row_name(run), column_width(run));
  }
  text += "\n";
  for (const ComparedSize& size : sizes) {
    const ComparedRun* best = size.fastest();
    text += fmt::format("{:>10}  ", size_in_words(size.bytes));
    text += fmt::format("{:<{}}", best == nullptr ? "-" : row_name(*best), width);
    const bool has_bound = best != nullptr && best->bound;
    const bool has_bandwidth = best != nullptr && best->bandwidth;
    text += fmt::format(
        " {:>12} {:>8} {:>10}", best == nullptr ? "-" : std::to_string(best->results.latency.max),
        has_bound ? fmt::format("{:.3f}", efficiency(*best->bound, best->results.latency.max))
                  : "-",
        has_bandwidth ? fmt::format("{:.4g}", in_unit(best->bandwidth->bus, shape)) : "-");
    for (const ComparedRun& run : size.runs) {
      const bool is_known = run.problem.empty() && run.results.has_latency();
      text += fmt::format(" {:>{}}", is_known ? std::to_string(run.results.latency.max) : "-",
                          column_width(run));
    }
    text += "\n";
  }
  return text;
}

std::string crossover_lines(const std::vector<Crossover>& crossovers,
                            const ComparisonShape& shape) {
  std::string text;
  for (const Crossover& one : crossovers) {
    text += fmt::format("up to {} bytes {} is the fastest, from {} bytes on {}\n", one.below,
                        one.shorter, one.above, one.longer);
  }
  return text + model_line(shape);
}

Json sizes_json(const std::vector<ComparedSize>& sizes, const std::vector<Crossover>& crossovers,
                const ComparisonShape& shape) {
  Json rows = Json::array();
  for (const ComparedSize& size : sizes) {
    const ComparedRun* best = size.fastest();
    rows.push_back({{"bytes", size.bytes},
                    {"fastest", best == nullptr ? Json() : Json(row_name(*best))},
                    {"algorithms", comparison_json(size.runs, shape)}});
  }
  Json changes = Json::array();
  for (const Crossover& one : crossovers) {
    changes.push_back({{"shorter", one.shorter},
                       {"longer", one.longer},
                       {"below", one.below},
                       {"above", one.above}});
  }
  return {{"sizes", std::move(rows)}, {"crossovers", std::move(changes)}};
}

Chart sizes_chart(const std::vector<ComparedSize>& sizes, const std::string& title,
                  const ComparisonShape& shape) {
  Chart chart;
  chart.title = title;
  chart.x_label = "bytes";
  chart.is_x_logarithmic = true;
  const char* const unit = shape.clock ? "us" : "cycles";
  chart.panels = {
      {fmt::format("largest latency, {}", unit), true, false},
      {fmt::format("bus bandwidth, {}", shape.clock ? "GB/s" : "bytes per cycle"), false, false}};
  const std::size_t count = sizes.empty() ? 0 : sizes.front().runs.size();
  for (std::size_t i = 0; i < count; ++i) {
    ChartCurve curve;
    curve.title = row_name(sizes.front().runs[i]);
    for (const ComparedSize& size : sizes) {
      if (i >= size.runs.size()) continue;
      const ComparedRun& run = size.runs[i];
      if (!run.problem.empty() || !run.results.has_latency()) continue;
      const auto cycles = static_cast<double>(run.results.latency.max);
      const double time = shape.clock ? shape.clock->microseconds(cycles) : cycles;
      const double bus = run.bandwidth ? in_unit(run.bandwidth->bus, shape) : 0;
      curve.points.push_back(
          {static_cast<double>(size.bytes), {{time, time, time}, {bus, bus, bus}}});
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

}  // namespace allport
