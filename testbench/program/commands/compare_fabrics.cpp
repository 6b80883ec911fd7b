// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/compare_fabrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/given_block.h"
#include "testbench/processes/child_process.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/program/commands/comparison_shape.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/report/compared_points.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

// The items of a list with semicolons, without the blanks around them.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t first = 0;;) {
    const std::size_t end = std::min(text.find(';', first), text.size());
    const std::size_t from = std::min(text.find_first_not_of(' ', first), end);
    std::size_t to = end;
    while (to > from && text[to - 1] == ' ') --to;
    items.push_back(text.substr(from, to - from));
    if (end == text.size()) return items;
    first = end + 1;
  }
}

// The items that `key` has in `all`, the command line before the scenario; empty: it is not there.
std::vector<std::string> items_of(const FabricSettings& all, std::string_view key) {
  for (const Settings* settings : {&all.command_line, &all.scenario}) {
    for (const Setting& setting : *settings) {
      if (setting.spec->key == key) return items_of(setting.text);
    }
  }
  return {};
}

// Item `i` of `items` in place of the list; an empty one leaves the option out.
void choose(Settings& settings, std::string_view key, const std::vector<std::string>& items,
            std::size_t i) {
  const std::string& item = items[items.size() == 1 ? 0 : i];
  for (auto setting = settings.begin(); setting != settings.end(); ++setting) {
    if (setting->spec->key != key) continue;
    setting->text = item;
    if (item.empty()) settings.erase(setting);
    return;
  }
}

// What is of one fabric, or of none, excludes several.
void require_one_table(const Options& options) {
  for (const char* other : {"sizes", "collective_rate", "explain", "rtl"}) {
    if (!options.is_given(other)) continue;
    throw std::invalid_argument(
        fmt::format("--{} is for one fabric, and --topology names several; leave one of them out",
                    std::string(other) == "collective_rate" ? "collective-rate" : other));
  }
}

// The rows of one fabric, or why there are none; in its own process.
Json rows_on(const Options& options) {
  const std::vector<const Algorithm*> list = compared_algorithms(options, plan_fabric(options.run));
  require_block(options.run, list);
  try {
    Comparison comparison(options.run, list, false, {});
    comparison.tell_links();
    const std::vector<ComparedRun> runs = comparison.run();
    comparison.erase_progress();
    return {{"rows", fabric_rows(runs, shape_of(options, comparison.plan()),
                                 comparison.plan().routing.topology())},
            {"left_out", left_out(comparison, options)},
            {"is_stopped", comparison.was_stopped()}};
  } catch (const std::invalid_argument& refusal) {
    return {{"refused", refusal.what()}};
  }
}

// The same where the machine lacks memory for one fabric: the others have rows.
Json rows_or_shortage(const Options& options) {
  try {
    return sized(options.run, [&] { return rows_on(options); });
  } catch (const OutOfMemory& shortage) {
    return {{"refused", shortage.what()}};
  }
}

// What all fabrics brought.
struct Gathered {
  std::vector<Json> rows;
  std::string left_out;
  std::vector<std::string> problems;  // why a fabric has no rows
  bool is_stopped = false;
};

Gathered gather(const std::vector<Options>& fabrics) {
  const StopFlag stop = share_interrupts();
  Gathered all;
  for (const Options& options : fabrics) {
    const std::string& name = options.run.fabric.topology->name();
    if (stop->load()) {
      all.is_stopped = true;
      break;
    }
    const ChildResult child = run_in_child([&] { return rows_or_shortage(options); });
    if (stop->load() && !child.problem.empty()) {  // it had nothing to show yet
      all.is_stopped = true;
      break;
    }
    const bool is_refused = child.problem.empty() && child.json.contains("refused");
    if (is_refused || !child.problem.empty()) {
      all.problems.push_back(
          name + ": " + (is_refused ? child.json["refused"].get<std::string>() : child.problem));
      continue;
    }
    for (const Json& row : child.json["rows"]) all.rows.push_back(row);
    const std::string lines = child.json["left_out"];
    for (std::size_t first = 0; first < lines.size();) {
      const std::size_t end = lines.find('\n', first) + 1;
      all.left_out += "on " + name + ": " + lines.substr(first, end - first);
      first = end;
    }
    all.is_stopped = all.is_stopped || child.json["is_stopped"].get<bool>();
  }
  return all;
}

void sort_by_latency(std::vector<Json>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    const Json& of_a = a["entry"]["max"];
    const Json& of_b = b["entry"]["max"];
    if (of_a.is_null() != of_b.is_null()) return of_b.is_null();
    return !of_a.is_null() && of_a.get<Cycle>() < of_b.get<Cycle>();
  });
}

int judge(const Gathered& all, const Options& options) {
  const auto name = [](const Json& entry) {
    return fmt::format("{}: {}", entry["topology"].get<std::string>(),
                       entry["algorithm"].get<std::string>());
  };
  for (const Json& row : all.rows) {
    const Json& entry = row["entry"];
    if (!entry.contains("error")) continue;
    say(name(entry) + ": " + entry["error"].get<std::string>());
    return exit_incomplete;
  }
  if (all.is_stopped) {
    say("interrupted");
    return exit_incomplete;
  }
  for (const std::string& problem : all.problems) say(problem);
  if (!all.problems.empty()) return exit_incomplete;
  for (const Json& row : all.rows) {
    const Json& entry = row["entry"];
    if (!options.observe.strict || entry["events"] == 0) continue;
    say(fmt::format("--strict: {}: {}", name(entry),
                    counted(entry["events"].get<std::uint64_t>(), "contention event")));
    return exit_finding;
  }
  return exit_clean;
}

// `allreduce on torus:4x4, mesh:4x4`
std::string title_of(const std::vector<Json>& entries, const Options& options) {
  std::vector<std::string> names;
  for (const Json& entry : entries) {
    const std::string name = entry["topology"].get<std::string>();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("{} on {}", to_string(options.run.traffic.collective), fmt::join(names, ", "));
}

}  // namespace

std::vector<FabricSettings> by_fabric(const FabricSettings& all) {
  const std::vector<std::string> fabrics = items_of(all, "topology");
  const std::vector<std::string> routings = items_of(all, "routing");
  if (fabrics.size() < 2) return {all};
  if (std::find(fabrics.begin(), fabrics.end(), "") != fabrics.end()) {
    throw std::invalid_argument(
        "--topology: a fabric has no name; give the names of all, with a semicolon between two");
  }
  if (routings.size() > 1 && routings.size() != fabrics.size()) {
    throw std::invalid_argument(fmt::format(
        "--routing: there are {} routings for {} fabrics; give one for all of them, or one for each",
        routings.size(), fabrics.size()));
  }
  std::vector<FabricSettings> each;
  for (std::size_t i = 0; i < fabrics.size(); ++i) {
    FabricSettings one = all;
    for (Settings* settings : {&one.scenario, &one.command_line}) {
      choose(*settings, "topology", fabrics, i);
      if (!routings.empty()) choose(*settings, "routing", routings, i);
    }
    each.push_back(std::move(one));
  }
  return each;
}

int compare_fabrics(const std::vector<Options>& fabrics, const std::string& command) {
  for (const Options& options : fabrics) {
    require_one_table(options);
    require_comparable(options);
    require_counts(options);
    const std::string& name = options.run.fabric.topology->name();
    try {
      compared_algorithms(options, plan_fabric(options.run));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(name + ": " + error.what());
    }
  }
  const Options& options = fabrics.front();
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::optional<OutputFile> page = wanted_file(options.observe.report);
  Gathered all = gather(fabrics);
  if (all.rows.empty() && !all.problems.empty()) throw std::invalid_argument(all.problems.front());
  if (is_sorted(options)) sort_by_latency(all.rows);
  const ComparisonShape shape = shape_of(options, plan_fabric(options.run));
  const std::string table = fabrics_table(all.rows, shape) + all.left_out;
  Outputs outputs;
  if (options.observe.json != "-") outputs.attempt([&] { print(table); });
  std::vector<Json> entries;
  for (const Json& row : all.rows) entries.push_back(row["entry"]);
  if (json) outputs.attempt([&] { json->commit(json_text(Json(entries))); });
  if (page && !entries.empty()) {
    outputs.attempt([&] {
      page->commit(fabrics_page(entries, command, title_of(entries, options), table, shape));
    });
  }
  return outputs.status(judge(all, options));
}

}  // namespace allport
