// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/compared_points.h"

#include "rtl_model/base/words.h"
#include "testbench/program/report/points_page.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/run_page.h"
#include "testbench/show/page/html.h"

namespace allport {

namespace {

// With several trials, the number to decide by.
std::string decided_by(const ComparisonShape& shape) {
  return shape.has_trials ? "completion.mean" : "max";
}

std::string row_of(const Json& entry) {
  const std::string name = entry["algorithm"].get<std::string>();
  const auto parts = entry.find("parts");
  return parts == entry.end() ? name : name + ", " + counted(parts->get<std::size_t>(), "part");
}

PointResult result_of(const Json& entry) {
  const std::string problem = entry.value("error", "");
  return {problem.empty() ? 0 : 1, problem, entry};
}

}  // namespace

std::string sizes_page(const Json& result, const RunPlan& plan, const std::string& command,
                       const std::string& title, const ComparisonShape& shape) {
  PlotView view;
  view.x = "bytes";
  view.y = decided_by(shape);
  view.colour = {"algorithm"};
  PointsPage page({"bytes", "algorithm"}, view);
  for (const Json& size : result["sizes"]) {
    for (const Json& entry : size["algorithms"]) {
      page.add({size["bytes"].dump(), row_of(entry)}, result_of(entry));
    }
  }
  page.use_crossovers(result["crossovers"]);
  page.add_section({"parameters", "Parameters", parameter_table(machine_json(plan))});
  return page.take(title, command, "");
}

std::string fabrics_page(const std::vector<Json>& entries, const std::string& command,
                         const std::string& title, const std::string& table,
                         const ComparisonShape& shape) {
  PlotView view;
  view.x = "fabric";
  view.y = decided_by(shape);
  view.colour = {"algorithm"};
  PointsPage page({"fabric", "algorithm"}, view);
  for (const Json& entry : entries) {
    page.add({entry["topology"].get<std::string>(), row_of(entry)}, result_of(entry));
  }
  page.add_section({"terminal", "As the terminal shows it", html_lines(table)});
  return page.take(title, command, "");
}

}  // namespace allport
