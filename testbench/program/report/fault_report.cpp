// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/fault_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "rtl_model/base/words.h"
#include "testbench/program/report/run_page.h"
#include "testbench/program/report/whatif_report.h"
#include "testbench/results/text_table.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

constexpr std::size_t rows_in_text = 8;
constexpr std::size_t cuts_in_text = 5;
constexpr std::size_t names_in_text = 8;
constexpr std::size_t bars_on_page = 100;

std::string label(const char* name, const std::string& words) {
  return fmt::format("{:<10}{}\n", name, words);
}

// `node 4`, or `nodes 4, 5, .. (12 in all)`
std::string nodes_text(const std::vector<std::string>& names) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), names_in_text));
  std::string words = fmt::format("{} {}", names.size() == 1 ? "node" : "nodes",
                                  fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > names_in_text) words += fmt::format(", .. ({} in all)", names.size());
  return words;
}

// `0-1,0-4: node 0`
std::string cut_text(const LinkCut& cut, const LinkGraph& graph) {
  return fmt::format("{}: {}", graph.in_words(cut.links), nodes_text(graph.names(cut.cut_off)));
}

// `1 link`, or `1 or 2 links`
std::string up_to(std::size_t links) {
  return links == 1 ? "1 link" : fmt::format("1 {} {} links", links == 2 ? "or" : "to", links);
}

std::string count_text(double count) {
  return count < 1e15 ? fmt::format("{:.0f}", count) : fmt::format("{:.2g}", count);
}

// `all 32 sets of 1 of the 32 links`, or `10000 of 341376 sets of 3 of the 128 links, drawn with
// seed 1`
std::string sets_text(const FaultReport& report) {
  const FaultsFound& found = report.found;
  const std::string what = fmt::format("sets of {} of the {}", found.options.links,
                                       counted(report.graph.links().size(), "link"));
  if (!found.are_drawn && found.all_sets == 1) {
    return fmt::format("the only set of {0} of the {0} links", found.options.links);
  }
  if (!found.are_drawn) return fmt::format("all {} {}", count_text(found.all_sets), what);
  return fmt::format("{} of {} {}, drawn with seed {}", found.sets, count_text(found.all_sets),
                     what, found.options.seed);
}

std::string cuts_text(const FaultReport& report) {
  const FaultsFound& found = report.found;
  const LinkCuts& cuts = found.cuts;
  std::string text = label("cut", fmt::format("{} {} enough to cut nodes off, such as {}",
                                              counted(found.smallest.links.size(), "link"),
                                              found.smallest.links.size() == 1 ? "is" : "are",
                                              cut_text(found.smallest, report.graph)));
  if (found.smallest.links.size() > found.options.links) return text;
  text += label("", fmt::format("{} of these sets {} nodes off",
                                found.cutting == 0 ? "none" : std::to_string(found.cutting),
                                found.cutting < 2 ? "cuts" : "cut"));
  if (cuts.count == 0) return text;
  text += label(
      "", fmt::format("{} of {}, of which no link can be left out:", counted(cuts.count, "cut"),
                      up_to(std::min<std::size_t>(found.options.links, 2))));
  const std::size_t shown = std::min(cuts.list.size(), cuts_in_text);
  for (std::size_t i = 0; i < shown; ++i) {
    text += label("", "  " + cut_text(cuts.list[i], report.graph));
  }
  return shown < cuts.count ? text + label("", "  ..") : text;
}

std::string value_text(const Account& account, Goal goal) {
  return account.value ? in_unit(*account.value, goal) : "none";
}

std::string cost_text(const FaultRow& row, Goal goal) {
  if (!row.failed_seeds.empty()) {
    return fmt::format("no number with seed {}", fmt::join(row.failed_seeds, ", "));
  }
  if (!row.cost) return "";
  if (row.is_within_chance()) return "within chance";
  return over_seeds_text(*row.cost, row.over_seeds, goal);
}

// Why a run without these links has no result; empty: it has one.
const std::string& problem_of(const FaultRow& row) {
  return row.tried.refused.empty() ? row.tried.problem : row.tried.refused;
}

// `without 12 sets, of which 3 cost something, 2.67 in the mean; without 1 set it has no result`
std::string costs_text(const FaultsFound& found) {
  std::size_t ended = 0, costly = 0, failed = 0;
  double sum = 0;
  for (const FaultRow& row : found.rows) {
    failed += row.has_number() ? 0 : 1;
    if (!row.cost) continue;
    ++ended;
    costly += *row.cost > 0 ? 1 : 0;
    sum += *row.cost;
  }
  std::string text;
  if (ended > 0) {
    text = fmt::format(
        "without {}, of which {} {} something, {} in the mean",
        found.was_stopped ? fmt::format("{} of the {} sets", ended, found.sets)
                          : counted(ended, "set"),
        costly, costly == 1 ? "costs" : "cost",
        in_unit(std::round(1e4 * sum / static_cast<double>(ended)) / 1e4, found.run->goal));
  }
  if (failed == 0) return text.empty() ? "none" : text;
  return text + fmt::format("{}without {} it has no result", text.empty() ? "" : "; ",
                            counted(failed, "set"));
}

std::string sentence_of_worst(const FaultReport& report) {
  const FaultsFound& found = report.found;
  const std::string among = found.was_stopped ? " of those that were run"
                            : found.are_drawn ? " of those drawn"
                                              : "";
  std::string text;
  if (found.was_stopped) text = "The search was interrupted. ";
  if (found.smallest.links.size() > found.options.links) {
    text += fmt::format("No loss of {} cuts a node off.", up_to(found.options.links));
  } else {
    const LinkCut& worst = found.cuts.list.empty() ? found.smallest : found.cuts.list.front();
    text += fmt::format("The loss of {} cuts off {}.", report.graph.in_words(worst.links),
                        nodes_text(report.graph.names(worst.cut_off)));
  }
  if (!found.run || found.rows.empty()) return text;
  const FaultRow& row = found.rows.front();
  const std::string links = report.graph.in_words(row.links);
  const Goal goal = found.run->goal;
  if (!row.has_number()) {
    return text + fmt::format(" Without {} the run has no result.", links);
  }
  const bool costs = row.over_seeds ? row.over_seeds->mean > 0 && !row.is_within_chance()
                                    : row.cost.value_or(0) > 0;
  if (!row.cost) return text;
  if (!costs) {
    return text + fmt::format(" No {}loss{} costs anything{}.", found.cutting > 0 ? "other " : "",
                              among, row.over_seeds ? " beyond chance" : "");
  }
  return text + fmt::format(" {} costs most{}: {} is {} in place of {}.", links, among,
                            to_string(goal), value_text(row.tried.account, goal),
                            value_text(found.run->account, goal));
}

std::vector<TableColumn<FaultRow>> columns_of(const FaultReport& report) {
  using Row = const FaultRow&;
  const Goal goal = report.found.run->goal;
  return {{{"missing", TextTable::Side::left},
           [&report](Row row) { return report.graph.in_words(row.links); }},
          {{std::string(to_string(goal))},
           [goal](Row row) { return value_text(row.tried.account, goal); }},
          {{"costs"}, [goal](Row row) { return cost_text(row, goal); }}};
}

// A table of the rows that cost something, the worst ones.
std::string rows_text(const FaultReport& report) {
  std::vector<FaultRow> rows;
  std::size_t costly = 0;
  for (const FaultRow& row : report.found.rows) {
    if (row.has_number() && row.cost && *row.cost <= 0 && !row.over_seeds) continue;
    ++costly;
    if (rows.size() < rows_in_text) rows.push_back(row);
  }
  if (rows.empty()) return "";
  const std::vector<std::string> lines = text_table(columns_of(report), rows).lines();
  std::string text = "\n" + lines.front() + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& problem = problem_of(rows[i]);
    text += lines[i + 1] + "\n";
    if (!problem.empty()) text += "    " + problem + "\n";
    text += "    " + rows[i].command + "\n";
  }
  return rows.size() < costly ? text + "..\n" : text;
}

Json row_json(const FaultReport& report, const FaultRow& row) {
  const TriedChange& tried = row.tried;
  const std::string& problem = problem_of(row);
  Json json{{"links", report.graph.in_words(row.links)},
            {"command", row.command},
            {"after", number_json(tried.account.value)},
            {"costs", number_json(row.cost)},
            {"problem", problem.empty() ? Json(nullptr) : Json(problem)},
            {"digest", tried.account.digest}};
  if (!row.failed_seeds.empty()) json["failed_seeds"] = row.failed_seeds;
  if (row.over_seeds) {
    json["over_seeds"] = {{"costs", row.over_seeds->mean},
                          {"half_width_95", number_json(row.over_seeds->half_width)},
                          {"is_within_chance", row.is_within_chance()}};
  }
  return json;
}

Json cut_json(const LinkCut& cut, const LinkGraph& graph) {
  return {{"links", graph.in_words(cut.links)},
          {"count", cut.links.size()},
          {"cut_off", graph.names(cut.cut_off)}};
}

}  // namespace

std::string fault_report(const FaultReport& report) {
  const FaultsFound& found = report.found;
  std::string text = label("tried", sets_text(report)) + cuts_text(report);
  if (found.run) {
    text += label("now", fmt::format("{} {}", in_words(found.run->goal),
                                     value_text(found.run->account, found.run->goal)));
    text += label("runs", costs_text(found));
    text += rows_text(report);
  }
  return text + "\n" + sentence_of_worst(report) + "\n";
}

Json fault_json(const FaultReport& report) {
  const FaultsFound& found = report.found;
  Json cuts = Json::array(), rows = Json::array();
  for (const LinkCut& cut : found.cuts.list) cuts.push_back(cut_json(cut, report.graph));
  for (const FaultRow& row : found.rows) rows.push_back(row_json(report, row));
  Json json{{"missing", found.options.links},
            {"links", report.graph.links().size()},
            {"all_sets", number_json(found.all_sets)},
            {"sets", found.sets},
            {"are_drawn", found.are_drawn},
            {"seed", found.are_drawn ? Json(found.options.seed) : Json(nullptr)},
            {"cutting_sets", found.cutting},
            {"smallest_cut", cut_json(found.smallest, report.graph)},
            {"cuts", {{"count", found.cuts.count}, {"list", std::move(cuts)}}},
            {"run", nullptr}};
  if (!found.run) return json;
  json["run"] = {{"command", report.command},
                 {"for", to_string(found.run->goal)},
                 {"before", number_json(found.run->account.value)},
                 {"seeds", report.seeds},
                 {"runs", report.runs},
                 {"is_interrupted", found.was_stopped},
                 {"rows", std::move(rows)}};
  return json;
}

std::string fault_page(const FaultReport& report, const std::string& command) {
  const FaultsFound& found = report.found;
  Page page;
  page.title = "What broken links cost: " + std::string(in_words(found.run->goal));
  page.command = command;
  page.made_by = page_maker();
  page.lead = fmt::format(
      "<p class=\"why\">{}</p>\n<p>{}</p>\n<p>The run as it is: <code>{}</code></p>\n<p><code id=\"command\">{}</code></p>\n",
      html_sentence(sentence_of_worst(report)),
      html_text(sets_text(report) + "; " + costs_text(found)), html_sentence(report.command),
      html_sentence(command));
  HtmlTable table("missing",
                  fmt::format("{}, now {}", in_words(found.run->goal),
                              value_text(found.run->account, found.run->goal)),
                  {"missing", std::string(to_string(found.run->goal)), "costs", "command"});
  const auto columns = columns_of(report);
  Json bars = Json::array();
  for (const FaultRow& row : found.rows) {
    std::vector<std::string> cells = cells_of(columns, row);
    if (!problem_of(row).empty()) cells.back() = problem_of(row);
    cells.push_back(row.command);
    table.add(cells);
    if (bars.size() == bars_on_page) continue;
    Json bar = row_json(report, row);
    bar["words"] = bar["links"];
    bar["saved"] = row.cost ? number_json(-*row.cost) : Json(nullptr);
    bar.erase("over_seeds");
    bars.push_back(std::move(bar));
  }
  page.sections.push_back(
      {"what-costs", "What costs most",
       html_picture("whatif",
                    "A bar for each set of missing links, as long as the number without them, the "
                    "worst ones first; the line is the number now.") +
           table.take()});
  HtmlTable cuts("cuts", "Links that cut nodes off", {"links", "nodes cut off"});
  const auto add_cut = [&](const LinkCut& cut) {
    // A number alone would look like a count.
    cuts.add({report.graph.in_words(cut.links),
              fmt::format("{} {}", cut.cut_off.size() == 1 ? "node" : "nodes",
                          fmt::join(report.graph.names(cut.cut_off), ", "))});
  };
  if (found.cuts.list.empty()) add_cut(found.smallest);
  for (const LinkCut& cut : found.cuts.list) add_cut(cut);
  page.sections.push_back({"what-cuts", "What cuts nodes off", cuts.take()});
  page.data = {{"kind", "whatif"},
               {"whatif",
                {{"rows", std::move(bars)},
                 {"before", number_json(found.run->account.value)},
                 {"for", to_string(found.run->goal)}}}};
  return html_page(page);
}

}  // namespace allport
