// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/comparison_page.h"

#include <fmt/format.h>

#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/program/report/page_names.h"
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
  json["uses"] = row.uses;
  return json;
}

// `ring-allreduce, 2 parts`
std::string name_of(const ComparedRow& row) {
  const std::string name = row.entry["algorithm"].get<std::string>();
  const auto parts = row.entry.find("parts");
  return parts == row.entry.end() ? name : name + ", " + counted(parts->get<std::size_t>(), "part");
}

std::string cell_of(const Json& number) { return number.is_null() ? "-" : number.dump(); }

std::string cause_table(const std::vector<ComparedRow>& rows) {
  std::vector<Cause> shown;
  for (const Cause cause : causes()) {
    for (const ComparedRow& row : rows) {
      if (sum_of(*row.path)[cause] == 0) continue;
      shown.push_back(cause);
      break;
    }
  }
  std::vector<std::string> heads{"algorithm", "max", "bound"};
  for (const Cause cause : shown) heads.emplace_back(to_string(cause));
  HtmlTable table("causes", "The critical path of the largest latency, cycles by cause", heads);
  for (const ComparedRow& row : rows) {
    const CauseSum sum = sum_of(*row.path);
    std::vector<std::string> cells{name_of(row), cell_of(row.entry["max"]),
                                   cell_of(row.entry["bound"])};
    for (const Cause cause : shown) cells.push_back(std::to_string(sum[cause]));
    table.add(cells);
  }
  return table.take();
}

}  // namespace

std::string comparison_page(const std::string& command, const std::string& fabric,
                            const ComparedRows& compared) {
  Page page;
  page.title = fmt::format("Algorithms compared on {}", fabric);
  page.command = command;
  page.made_by = page_maker();
  Json list = Json::array();
  for (const ComparedRow& row : compared.rows) list.push_back(row_json(row));
  std::string answer;
  if (compared.winner) {
    answer =
        "<p class=\"answer\" id=\"winner\">" + html_sentence(compared.winner->sentence) + "</p>\n";
  }
  page.sections = {
      {"comparison-of-algorithms", "Latencies and where they go",
       answer +
           html_picture(
               "comparison",
               "The largest latency of each algorithm, by the causes of its critical path.") +
           html_fold("As a table", cause_table(compared.rows))}};
  if (compared.rows.size() > 1) {
    page.sections.push_back(
        {"two-beside-each-other", "Two beside each other",
         html_picture("beside",
                      "The causes of two rows on one scale, and what their channels carry.")});
  }
  page.sections.push_back({"results", "Results", html_lines(compared.table)});
  page.sections.push_back({"parameters", "Parameters", parameter_table(compared.config)});
  std::vector<std::string> names;
  for (const ComparedRow& row : compared.rows) {
    names.push_back(row.entry.value("algorithm", std::string()));
  }
  page.names = algorithms_in_words(names);
  page.data = {{"kind", "comparison"},
               {"rows", std::move(list)},
               {"best", compared.winner ? compared.winner->best : ""},
               {"next", compared.winner ? compared.winner->next : ""},
               {"fabric", compared.fabric}};
  return html_page(page);
}

}  // namespace allport
