// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/comparison_page.h"

#include <fmt/format.h>

#include <utility>

#include "testbench/program/report/run_page.h"
#include "testbench/results/statistics.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

CauseSum sum_of(const std::vector<PathMessage>& path) {
  CauseSum sum;
  for (const PathMessage& message : path) sum.add(message.account.causes);
  return sum;
}

Json row_json(const ComparedRow& row) {
  Json json = row.entry;
  json.erase("explanation");
  json["by_cause"] = json_of(sum_of(*row.path))["by_cause"];
  return json;
}

std::string cause_table(const std::vector<ComparedRow>& rows) {
  std::vector<Cause> shown;
  for (const Cause cause : causes()) {
    for (const ComparedRow& row : rows) {
      if (sum_of(*row.path)[cause] == 0) continue;
      shown.push_back(cause);
      break;
    }
  }
  std::vector<std::string> heads{"algorithm", "max"};
  for (const Cause cause : shown) heads.emplace_back(to_string(cause));
  HtmlTable table("causes", "The critical path of the largest latency, cycles by cause", heads);
  for (const ComparedRow& row : rows) {
    const CauseSum sum = sum_of(*row.path);
    std::vector<std::string> cells{row.entry["algorithm"].get<std::string>(),
                                   row.entry["max"].dump()};
    for (const Cause cause : shown) cells.push_back(std::to_string(sum[cause]));
    table.add(cells);
  }
  return table.take();
}

}  // namespace

std::string comparison_page(const std::string& command, const std::string& fabric,
                            const std::vector<ComparedRow>& rows, const std::string& table,
                            const Json& config) {
  Page page;
  page.title = fmt::format("Algorithms compared on {}", fabric);
  page.command = command;
  page.made_by = page_maker();
  Json list = Json::array();
  for (const ComparedRow& row : rows) list.push_back(row_json(row));
  page.sections = {
      {"comparison-of-algorithms", "Latencies and where they go",
       html_picture("comparison",
                    "The largest latency of each algorithm, by the causes of its critical path.") +
           cause_table(rows)},
      {"results", "Results", html_lines(table)},
      {"parameters", "Parameters", parameter_table(config)}};
  page.data = {{"kind", "comparison"}, {"rows", std::move(list)}};
  return html_page(page);
}

}  // namespace allport
