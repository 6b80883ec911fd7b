// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/results/explanation_json.h"
#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

const char* bandwidth_unit(const ComparisonShape& shape) { return shape.clock ? "GB/s" : "B/cy"; }

double in_unit(double bytes_per_cycle, const ComparisonShape& shape) {
  return shape.clock ? shape.clock->gigabytes_per_second(bytes_per_cycle) : bytes_per_cycle;
}

constexpr const char* meaning_of_bound =
    "the lower bound of any schedule over max; 1: nothing can be faster";

using Side = TextTable::Side;

std::string max_cell(const ComparedRun& run) {
  return run.results.has_latency() ? std::to_string(run.results.latency.max) : "-";
}

std::string bound_cell(const ComparedRun& run) {
  if (!run.bound || !run.results.has_latency()) return "-";
  return fmt::format("{:.3f}", efficiency(*run.bound, run.results.latency.max));
}

bool has_way(const ComparedRun& run) {
  return run.results.explanation && run.results.explanation->to_bound;
}

// `ports without work 64 %`
std::string largest_excess_cell(const ComparedRun& run) {
  if (!has_way(run)) return "-";
  const WayToBound& way = *run.results.explanation->to_bound;
  if (way.parts.empty()) return "nothing";
  return fmt::format("{} {:.0f} %", to_string(way.parts.front().part),
                     percentage(way.parts.front().cycles, way.cycles));
}

std::string bus_cell(const ComparedRun& run, const ComparisonShape& shape) {
  return run.bandwidth ? fmt::format("{:.4g}", in_unit(run.bandwidth->bus, shape)) : "-";
}

std::string algorithm_cell(const ComparedRun& run, const ComparisonShape& shape) {
  return run.bandwidth ? fmt::format("{:.4g}", in_unit(run.bandwidth->algorithm, shape)) : "-";
}

// An algorithm that was interrupted may have one trial, or none.
std::string mean_cell(const std::optional<MeanEstimate>& estimate) {
  return estimate ? fmt::format("{:.2f}", estimate->mean) : "-";
}

std::string half_width_cell(const std::optional<MeanEstimate>& estimate) {
  const bool has_width = estimate && estimate->half_width;
  return has_width ? fmt::format("{:.2f}", *estimate->half_width) : "-";
}

// Of a number of cycles of a run with latency.
std::string microseconds_cell(const ComparedRun& run, double cycles, const ComparisonShape& shape) {
  if (!run.results.has_latency()) return "-";
  return fmt::format("{:.4f}", shape.clock->microseconds(cycles));
}

TextTable::Column bandwidth_look(const char* which, const ComparisonShape& shape) {
  return {fmt::format("{} {}", which, bandwidth_unit(shape))};
}

// They hold `shape` by reference.
std::vector<TableColumn<ComparedRun>> run_columns(const ComparisonShape& shape, bool has_needs,
                                                  bool has_ways) {
  using Run = const ComparedRun&;
  std::vector<TableColumn<ComparedRun>> columns;
  const auto add = [&](TextTable::Column look, std::function<std::string(Run)> cell) {
    columns.push_back({std::move(look), std::move(cell)});
  };
  add({"algorithm", Side::left}, row_name);
  if (shape.has_pieces) add({"pieces"}, [](Run run) { return pieces_in_words(run.pieces); });
  add({"steps"}, [](Run run) { return std::to_string(run.results.steps); });
  add({"theory", Side::right,
       "the largest latency by the papers' model, in which no message waits"},
      [](Run run) { return run.theory ? std::to_string(*run.theory) : "-"; });
  add({"max"}, max_cell);
  add({"of bound", Side::right, meaning_of_bound}, bound_cell);
  if (has_ways) {
    add({"largest loss", Side::left, "what most of max goes to that the bound does without"},
        largest_excess_cell);
  }
  if (shape.has_trials) {
    add({"completion", Side::right, "the mean of the trials' largest latencies"},
        [](Run run) { return mean_cell(run.results.completion()); });
    add({"+- 95 %"}, [](Run run) { return half_width_cell(run.results.completion()); });
  }
  if (shape.has_last_start) {
    add({"after start"},
        [](Run run) { return mean_cell(run.results.completion_after_last_start()); });
  }
  add({"mean"}, [](Run run) {
    return run.results.has_latency() ? fmt::format("{:.2f}", run.results.latency.mean) : "-";
  });
  add({"events", Side::right, "contention: one message kept another off a channel"},
      [](Run run) { return std::to_string(run.results.contention.events); });
  if (shape.has_bandwidth) {
    add(bandwidth_look("alg", shape), [&](Run run) { return algorithm_cell(run, shape); });
    add(bandwidth_look("bus", shape), [&](Run run) { return bus_cell(run, shape); });
  }
  if (shape.clock) {
    add({"max us"}, [&](Run run) {
      return microseconds_cell(run, static_cast<double>(run.results.latency.max), shape);
    });
    add({"mean us"},
        [&](Run run) { return microseconds_cell(run, run.results.latency.mean, shape); });
  }
  if (has_needs) columns.push_back(needs_column());
  return columns;
}

std::string bound_in_words(const ComparedRun& run) {
  return run.bound ? fmt::format("{} by {}", run.bound->cycles, run.bound->binds) : "-";
}

// The columns of several fabrics: `topology` is that of the runs, null if only the titles count.
std::vector<TableColumn<ComparedRun>> fabric_columns(const ComparisonShape& shape,
                                                     const Topology* topology) {
  using Run = const ComparedRun&;
  std::vector<TableColumn<ComparedRun>> columns = run_columns(shape, true, false);
  columns.insert(columns.begin(), {{"fabric", Side::left}, [=](Run) { return topology->name(); }});
  const auto before = std::find_if(columns.begin(), columns.end(), [](const auto& column) {
    return column.look.title == "of bound";
  });
  columns.insert(before, {{"bound", Side::right, "what no schedule can beat, and what binds it"},
                          bound_in_words});
  const auto busy = [](Run run) {
    return run.busiest_link ? std::to_string(run.busiest_link->cycles) : "-";
  };
  const auto link = [=](Run run) {
    return run.busiest_link ? link_in_words(*topology, run.busiest_link->channel) : "-";
  };
  columns.push_back(
      {{"busy", Side::right, "the cycles that the busiest link needs for its flits"}, busy});
  columns.push_back({{"busiest link", Side::left}, link});
  if (shape.is_model_chosen) {
    columns.push_back({{"model", Side::left}, [&shape](Run) { return std::string(shape.model); }});
  }
  return columns;
}

Json busiest_json(const ComparedRun& run, const Topology& topology) {
  if (!run.busiest_link) return {};
  return {{"channel", link_in_words(topology, run.busiest_link->channel)},
          {"cycles", run.busiest_link->cycles}};
}

// Where a start-up takes longer than any message, a processor is never ahead of its ports.
std::string what_decides(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::int64_t longest = 0;
  for (const ComparedRun& run : runs) longest = std::max(longest, run.longest);
  if (longest == 0 || shape.ts < longest) return "";
  return fmt::format(
      "no message waits for a port: a start-up takes {} cycles, the longest message {}\n", shape.ts,
      counted(longest, "flit"));
}

// `needs     copy: tree; join: join-allreduce` under a table that has no column for it.
std::string routers_of(const std::vector<ComparedRun>& runs) {
  std::string text;
  for (const std::string_view need : {"copy", "label", "join"}) {
    std::string names;
    for (const ComparedRun& run : runs) {
      if (routers_needed(*run.algorithm) != need) continue;
      names += (names.empty() ? "" : ", ") + row_name(run);
    }
    if (!names.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", need, names);
  }
  return text.empty() ? text : table_note("needs", "routers that " + text);
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
  if (has_needs(run)) entry["needs"] = routers_needed(*run.algorithm);
  if (!run.pieces.empty()) entry["pieces"] = pieces_json(run.pieces, *run.topology);
  if (shape.clock && is_known) entry["microseconds"] = microseconds_json(run, *shape.clock);
  if (shape.has_explanation) {
    entry["explanation"] = explanation_json(*run.results.explanation, *run.topology);
  }
  if (!run.problem.empty()) entry["error"] = run.problem;
  return entry;
}

}  // namespace

bool has_needs(const ComparedRun& run) { return !routers_needed(*run.algorithm).empty(); }

TableColumn<ComparedRun> needs_column() {
  return {{"needs", TextTable::Side::left,
           "what routers must do: copy flits, route by labels and copy, join flits"},
          [](const ComparedRun& run) { return std::string(routers_needed(*run.algorithm)); }};
}

std::string row_name(const ComparedRun& run) {
  const std::string name(run.algorithm->name);
  return run.parts == 0 ? name : name + ", " + counted(run.parts, "part");
}

Json fabric_rows(const std::vector<ComparedRun>& runs, const ComparisonShape& shape,
                 const Topology& topology) {
  const auto columns = fabric_columns(shape, &topology);
  Json rows = Json::array();
  for (const ComparedRun& run : runs) {
    Json entry{{"topology", topology.name()}};
    entry.update(run_entry(run, shape));
    entry["bound_binds"] = run.bound ? Json(run.bound->binds) : Json();
    entry["busiest_link"] = busiest_json(run, topology);
    rows.push_back({{"cells", cells_of(columns, run)}, {"entry", std::move(entry)}});
  }
  return rows;
}

std::string fabrics_table(const std::vector<Json>& rows, const ComparisonShape& shape) {
  std::vector<TextTable::Column> looks = looks_of(fabric_columns(shape, nullptr));
  std::vector<std::vector<std::string>> cells;
  for (const Json& row : rows) cells.push_back(row["cells"]);
  const auto needs = std::find_if(looks.begin(), looks.end(),
                                  [](const auto& look) { return look.title == "needs"; });
  const auto place = needs - looks.begin();
  const bool has_any = std::any_of(cells.begin(), cells.end(), [&](const auto& row) {
    return !row[static_cast<std::size_t>(place)].empty();
  });
  if (!has_any) {
    looks.erase(needs);
    for (auto& row : cells) row.erase(row.begin() + place);
  }
  TextTable table(std::move(looks));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.add(std::move(cells[i]), rows[i]["entry"].value("error", ""));
  }
  return table.text() + "\n" + table.meanings();
}

std::string comparison_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  const bool needs = std::any_of(runs.begin(), runs.end(), has_needs);
  const bool has_ways = std::any_of(runs.begin(), runs.end(), has_way);
  const TextTable table =
      text_table(run_columns(shape, needs, has_ways), runs, &ComparedRun::problem);
  return table.text() + "\n" + table.meanings() + what_decides(runs, shape) + model_line(shape);
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
  using Size = const ComparedSize&;
  const auto of_fastest = [](const std::function<std::string(const ComparedRun&)>& cell) {
    return [cell](Size size) {
      const ComparedRun* best = size.fastest();
      return best == nullptr ? "-" : cell(*best);
    };
  };
  std::vector<TableColumn<ComparedSize>> columns{
      {{"size"}, [](Size size) { return size_in_words(size.bytes); }},
      {{"fastest", Side::left}, of_fastest(row_name)},
      {{"max"}, of_fastest(max_cell)},
      {{"of bound", Side::right, meaning_of_bound}, of_fastest(bound_cell)},
      {bandwidth_look("bus", shape),
       of_fastest([&](const ComparedRun& run) { return bus_cell(run, shape); })}};
  for (std::size_t i = 0; i < sizes.front().runs.size(); ++i) {
    columns.push_back({{row_name(sizes.front().runs[i])}, [i](Size size) {
                         const ComparedRun& run = size.runs[i];
                         return run.problem.empty() ? max_cell(run) : "-";
                       }});
  }
  const TextTable table = text_table(columns, sizes);
  return table.text() + "\n" + table.meanings() + routers_of(sizes.front().runs);
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

namespace {

// As many lengths as have room, half of them where the picture has two panels.
std::vector<std::pair<double, std::string>> size_tics(const std::vector<ComparedSize>& sizes,
                                                      std::size_t panels) {
  const std::size_t few = panels > 1 ? 7 : 14;
  const std::size_t step = (sizes.size() + few - 1) / few;
  std::vector<std::pair<double, std::string>> tics;
  for (std::size_t i = 0; i < sizes.size(); i += std::max<std::size_t>(step, 1)) {
    tics.emplace_back(static_cast<double>(sizes[i].bytes), size_in_words(sizes[i].bytes));
  }
  return tics;
}

// The bound of a length is that of all algorithms that carry out the same.
std::optional<Cycle> least_bound(const ComparedSize& size) {
  std::optional<Cycle> least;
  for (const ComparedRun& run : size.runs) {
    if (run.bound) least = std::min(least.value_or(run.bound->cycles), run.bound->cycles);
  }
  return least;
}

}  // namespace

Chart sizes_chart(const std::vector<ComparedSize>& sizes, const std::vector<Crossover>& crossovers,
                  const std::string& title, const ComparisonShape& shape) {
  Chart chart;
  chart.title = title;
  chart.x_label = "length";
  chart.is_x_logarithmic = true;
  const auto time_of = [&](Cycle cycles) {
    const auto count = static_cast<double>(cycles);
    return shape.clock ? shape.clock->microseconds(count) : count;
  };
  const bool has_bandwidth = std::any_of(sizes.begin(), sizes.end(), [](const ComparedSize& size) {
    return std::any_of(size.runs.begin(), size.runs.end(),
                       [](const ComparedRun& run) { return run.bandwidth.has_value(); });
  });
  chart.panels = {{fmt::format("largest latency, {}", shape.clock ? "us" : "cycles"), true, false}};
  if (has_bandwidth) {
    chart.panels.push_back(
        {fmt::format("bus bandwidth, {}", shape.clock ? "GB/s" : "bytes per cycle"), false, false});
  }
  chart.tics = size_tics(sizes, chart.panels.size());
  const std::size_t count = sizes.empty() ? 0 : sizes.front().runs.size();
  for (std::size_t i = 0; i < count; ++i) {
    ChartCurve curve;
    curve.title = row_name(sizes.front().runs[i]);
    for (const ComparedSize& size : sizes) {
      if (i >= size.runs.size()) continue;
      const ComparedRun& run = size.runs[i];
      if (!run.problem.empty() || !run.results.has_latency()) continue;
      ChartPoint point{static_cast<double>(size.bytes), {{time_of(run.results.latency.max), 0}}};
      if (has_bandwidth) {
        point.y.push_back({run.bandwidth ? in_unit(run.bandwidth->bus, shape) : 0, 0});
      }
      curve.points.push_back(std::move(point));
    }
    chart.curves.push_back(std::move(curve));
  }
  for (const ComparedSize& size : sizes) {
    if (const auto bound = least_bound(size)) {
      chart.groups.front().bound.emplace_back(static_cast<double>(size.bytes), time_of(*bound));
    }
  }
  std::string fastest;
  for (const Crossover& one : crossovers) {
    chart.groups.front().marks.push_back(static_cast<double>(one.below + one.above) / 2);
    if (fastest.empty())
      fastest = fmt::format("fastest: {} up to {} bytes", one.shorter, one.below);
    fastest += fmt::format(", {} from {} bytes on", one.longer, one.above);
  }
  if (!fastest.empty()) chart.notes.push_back(fastest);
  return chart;
}

}  // namespace allport
