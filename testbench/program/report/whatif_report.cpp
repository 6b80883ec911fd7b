// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/whatif_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/program/report/page_names.h"
#include "testbench/program/report/run_page.h"
#include "testbench/program/terminal/version.h"
#include "testbench/results/text_table.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

std::string value_text(const Account& account, Goal goal) {
  return account.value ? in_unit(*account.value, goal) : "none";
}

// The ranks that a list of places has in each other's place; none: it is no such list.
std::optional<std::pair<std::size_t, std::size_t>> swapped_ranks(const OptionChange& change) {
  if (change.key != "place" || change.text.find(',') == std::string::npos) return std::nullopt;
  std::vector<std::size_t> moved;
  std::size_t rank = 0;
  for (std::size_t first = 0; first <= change.text.size(); ++rank) {
    const std::size_t end = std::min(change.text.find(',', first), change.text.size());
    if (change.text.substr(first, end - first) != std::to_string(rank)) moved.push_back(rank);
    first = end + 1;
  }
  if (moved.size() != 2) return std::nullopt;
  return std::make_pair(moved[0], moved[1]);
}

// `--ties alternate --vcs 4`
std::string change_text(const Change& change) {
  std::vector<std::string> words;
  for (const OptionChange& one : change) {
    const auto swapped = swapped_ranks(one);
    words.push_back(swapped
                        ? fmt::format("ranks {} and {} swapped", swapped->first, swapped->second)
                        : option_name(one.key) + " " + shell_word(one.text));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string cost_text(const Change& change) {
  std::vector<std::string> costs;
  for (const OptionChange& one : change) {
    if (std::find(costs.begin(), costs.end(), one.cost) == costs.end()) costs.push_back(one.cost);
  }
  return fmt::format("{}", fmt::join(costs, "; "));
}

// Whether it is better in the mean, and other seeds might show the opposite.
bool may_be_chance(const WhatifRow& row) {
  return row.is_within_chance() && row.over_seeds->mean > 0;
}

std::string saved_text(const WhatifRow& row, const WhatifFound& found) {
  if (!row.tried.problem.empty()) return row.tried.problem;
  if (!row.saved) return "it has a number now";
  if (!row.failed_seeds.empty()) {
    return fmt::format("no number with seed {}", fmt::join(row.failed_seeds, ", "));
  }
  if (may_be_chance(row)) return "within chance";
  if (*row.saved == 0) return "nothing";
  return over_seeds_text(*row.saved, row.over_seeds, found.goal);
}

std::string gone_text(const WhatifRow& row, const WhatifFound& found) {
  const auto most = gone(found.start, row.tried.account);
  if (!most || !row.saved || *row.saved <= 0) return "";
  return fmt::format("{} {}", most->first,
                     in_unit(std::round(100 * most->second) / 100, Goal::mean));
}

const WhatifRow* best_of(const WhatifFound& found) {
  const auto best = std::find_if(found.rows.begin(), found.rows.end(),
                                 [&](const WhatifRow& row) { return is_better(row, found); });
  return best == found.rows.end() ? nullptr : &*best;
}

// `port 72 %, channel 21 %`, the largest first.
std::string causes_text(const Account& account) {
  double all = 0;
  std::vector<std::pair<double, std::string>> list;
  for (const auto& [cause, cycles] : account.cycles) {
    all += cycles;
    list.emplace_back(cycles, cause);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [cycles, cause] : list) {
    if (cycles > 0) words.push_back(fmt::format("{} {:.0f} %", cause, 100 * cycles / all));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// `722 cycles over the bound of 342: ports without work 680, hops 42`
std::string beyond_text(const Account& account) {
  std::vector<std::pair<double, std::string>> list;
  for (const auto& [part, cycles] : account.beyond_bound) list.emplace_back(cycles, part);
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [cycles, part] : list) {
    if (cycles != 0) words.push_back(fmt::format("{} {:.0f}", part, cycles));
  }
  return fmt::format("{:.0f} cycles over the bound of {:.0f}: {}", *account.value - *account.bound,
                     *account.bound, fmt::join(words, ", "));
}

std::string sentence_of_best(const WhatifFound& found) {
  const std::string name(to_string(found.goal));
  const WhatifRow* const best = best_of(found);
  const bool has_tried =
      std::any_of(found.rows.begin(), found.rows.end(),
                  [](const WhatifRow& row) { return row.tried.refused.empty(); });
  if (found.start.bound && found.start.value && *found.start.bound >= *found.start.value) {
    return fmt::format("The run takes {} cycles, as its lower bound: nothing can be faster.",
                       in_unit(*found.start.value, found.goal));
  }
  if (found.was_stopped) {
    return best == nullptr ? "The search was interrupted before it found anything better."
                           : fmt::format("The search was interrupted; the best so far is {}.",
                                         change_text(best->tried.change));
  }
  if (!has_tried) return "Nothing can be changed that its causes suggest.";
  const bool has_chance = std::any_of(found.rows.begin(), found.rows.end(), may_be_chance);
  if (best == nullptr && has_chance) {
    return fmt::format(
        "Nothing that was tried is better beyond chance; more --seeds than {} may tell.",
        found.seeds);
  }
  if (best == nullptr) return "Nothing that was tried is better.";
  const std::string change = change_text(best->tried.change);
  const std::string after = value_text(best->tried.account, found.goal);
  if (!found.start.value) return fmt::format("With {}, {} is {}.", change, name, after);
  return fmt::format("{} helps most: {} is {} in place of {}.", change, name, after,
                     value_text(found.start, found.goal));
}

// `18 changes, of which 11 are better; 3 were refused, 4 are beyond the budget of 18`
std::string counts_text(const WhatifFound& found) {
  std::size_t tried = 0, better = 0;
  for (const WhatifRow& row : found.rows) {
    tried += row.tried.refused.empty() ? 1 : 0;
    better += is_better(row, found) ? 1 : 0;
  }
  const std::size_t refused = found.rows.size() - tried;
  std::string text = fmt::format("{}, of which {} {} better", counted(tried, "change"), better,
                                 better == 1 ? "is" : "are");
  if (refused > 0) text += fmt::format("; {} {} refused", refused, refused == 1 ? "was" : "were");
  if (found.left > 0) {
    text += fmt::format("; {} more {} beyond the budget of {}", found.left,
                        found.left == 1 ? "is" : "are", found.search.budget);
  }
  if (found.seeds > 1) text += fmt::format("; the best over {} seeds", found.seeds);
  return text;
}

std::string label(const char* name, const std::string& words) {
  return fmt::format("{:<10}{}\n", name, words);
}

std::vector<TableColumn<WhatifRow>> columns_of(const WhatifFound& found) {
  using Row = const WhatifRow&;
  return {
      {{"change", TextTable::Side::left}, [](Row row) { return change_text(row.tried.change); }},
      {{std::string(to_string(found.goal))},
       [&found](Row row) { return value_text(row.tried.account, found.goal); }},
      {{"saved"}, [&found](Row row) { return saved_text(row, found); }},
      {{"gone", TextTable::Side::left}, [&found](Row row) { return gone_text(row, found); }},
      {{"cost", TextTable::Side::left}, [](Row row) { return cost_text(row.tried.change); }}};
}

std::vector<WhatifRow> rows_that(const WhatifFound& found, bool were_refused) {
  std::vector<WhatifRow> rows;
  std::copy_if(found.rows.begin(), found.rows.end(), std::back_inserter(rows),
               [&](const WhatifRow& row) { return row.tried.refused.empty() != were_refused; });
  return rows;
}

Json changes_json(const Change& change) {
  Json list = Json::array();
  for (const OptionChange& one : change) {
    list.push_back({{"option", option_name(one.key)},
                    {"value", one.text},
                    {"was", one.was.empty() ? Json(nullptr) : Json(one.was)},
                    {"cost", one.cost}});
  }
  return list;
}

Json row_json(const WhatifRow& row, const WhatifFound& found) {
  const auto most = gone(found.start, row.tried.account);
  Json json{{"changes", changes_json(row.tried.change)},
            {"words", change_text(row.tried.change)},
            {"command", row.command},
            {"after", number_json(row.tried.account.value)},
            {"saved", number_json(row.saved)},
            {"gone", most ? Json{{"cause", most->first}, {"cycles", most->second}} : Json(nullptr)},
            {"problem", row.tried.problem.empty() ? Json(nullptr) : Json(row.tried.problem)},
            {"digest", row.tried.account.digest},
            {"round", row.tried.round}};
  if (!row.failed_seeds.empty()) json["failed_seeds"] = row.failed_seeds;
  if (row.over_seeds) {
    json["over_seeds"] = {{"saved", row.over_seeds->mean},
                          {"half_width_95", number_json(row.over_seeds->half_width)},
                          {"is_within_chance", row.is_within_chance()}};
  }
  return json;
}

}  // namespace

std::string in_unit(double value, Goal goal) {
  if (goal == Goal::accepted) return fmt::format("{:.4f}", value);
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string over_seeds_text(double value, const std::optional<MeanEstimate>& over_seeds,
                            Goal goal) {
  if (!over_seeds || !over_seeds->half_width) return in_unit(value, goal);
  const auto rounded = [goal](double one) {
    return fmt::format(goal == Goal::accepted ? "{:.4f}" : "{:.0f}", one);
  };
  return fmt::format("{} ({} +- {})", in_unit(value, goal), rounded(over_seeds->mean),
                     rounded(*over_seeds->half_width));
}

Json number_json(const std::optional<double>& value) {
  if (!value) return nullptr;
  if (*value == std::floor(*value) && std::abs(*value) < 1e15) {
    return static_cast<std::int64_t>(*value);
  }
  return *value;
}

bool WhatifRow::is_within_chance() const {
  return over_seeds &&
         (!over_seeds->half_width || std::abs(over_seeds->mean) <= *over_seeds->half_width);
}

bool is_better(const WhatifRow& row, const WhatifFound& found) {
  if (!row.tried.account.value || !row.failed_seeds.empty() || row.is_within_chance()) return false;
  if (!found.start.value) return true;
  return (row.over_seeds ? row.over_seeds->mean : row.saved.value_or(0)) > 0;
}

void sort_rows(WhatifFound& found) {
  const auto rank = [&found](const WhatifRow& row) {
    if (!row.tried.refused.empty()) return 4;
    if (!row.tried.account.value || !row.failed_seeds.empty()) return 3;
    if (is_better(row, found)) return 0;
    return may_be_chance(row) ? 1 : 2;
  };
  const auto merit = [&found](const WhatifRow& row) {
    if (row.over_seeds) return row.over_seeds->mean;
    if (row.saved) return *row.saved;
    const double value = row.tried.account.value.value_or(0);
    return is_more_better(found.goal) ? value : -value;
  };
  std::stable_sort(found.rows.begin(), found.rows.end(),
                   [&](const WhatifRow& a, const WhatifRow& b) {
                     const int of_a = rank(a);
                     const int of_b = rank(b);
                     return of_a != of_b ? of_a < of_b : merit(a) > merit(b);
                   });
}

std::string whatif_report(const WhatifFound& found) {
  std::string text =
      label("now", fmt::format("{} {}", in_words(found.goal), value_text(found.start, found.goal)));
  text += label("causes", found.start.cycles.empty() ? "not known, so all changes are tried"
                                                     : causes_text(found.start));
  if (!found.start.beyond_bound.empty() && found.start.value && found.start.bound) {
    text += label("beyond", beyond_text(found.start));
  }
  text += label("tried", counts_text(found));
  for (const WhatifRow& row : rows_that(found, true)) {
    text += label("refused", change_text(row.tried.change) + ": " + row.tried.refused);
  }
  const std::vector<WhatifRow> rows = rows_that(found, false);
  if (!rows.empty()) {
    const std::vector<std::string> lines = text_table(columns_of(found), rows).lines();
    text += "\n" + lines.front() + "\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += lines[i + 1] + "\n    " + rows[i].command + "\n";
    }
  }
  return text + "\n" + sentence_of_best(found) + "\n";
}

Json whatif_json(const WhatifFound& found) {
  Json rows = Json::array(), refused = Json::array();
  for (const WhatifRow& row : found.rows) {
    if (row.tried.refused.empty()) {
      rows.push_back(row_json(row, found));
    } else {
      refused.push_back({{"changes", changes_json(row.tried.change)}, {"why", row.tried.refused}});
    }
  }
  return {{"version", program_version},
          {"command", found.command},
          {"for", to_string(found.goal)},
          {"before", number_json(found.start.value)},
          {"bound", number_json(found.start.bound)},
          {"by_cause", found.start.cycles},
          {"beyond_bound", found.start.beyond_bound},
          {"budget", found.search.budget},
          {"seeds", found.seeds},
          {"runs", found.runs},
          {"left", found.left},
          {"is_interrupted", found.was_stopped},
          {"rows", std::move(rows)},
          {"refused", std::move(refused)}};
}

std::string whatif_page(const WhatifFound& found, const std::string& command) {
  Page page;
  page.title = "What would help: " + std::string(in_words(found.goal));
  page.command = command;
  page.made_by = page_maker();
  page.lead = fmt::format(
      "<p class=\"why\">{}</p>\n<p>{}</p>\n<p>The run as it is: <code>{}</code></p>\n<p><code id=\"command\">{}</code></p>\n",
      html_sentence(sentence_of_best(found)), html_text(counts_text(found) + "."),
      html_sentence(found.command), html_sentence(command));
  HtmlTable table(
      "changes",
      fmt::format("{}, now {}", in_words(found.goal), value_text(found.start, found.goal)),
      {"change", std::string(to_string(found.goal)), "saved", "gone", "cost", "command"});
  const auto columns = columns_of(found);
  for (const WhatifRow& row : rows_that(found, false)) {
    std::vector<std::string> cells = cells_of(columns, row);
    cells.push_back(row.command);
    table.add(cells);
  }
  page.sections.push_back(
      {"what-helps", "What helps",
       html_picture(
           "whatif",
           "A bar for each change, as long as the number after it; the line is the number now.") +
           table.take()});
  const std::vector<WhatifRow> refused = rows_that(found, true);
  if (!refused.empty()) {
    HtmlTable reasons("refused", "Changes that were refused", {"change", "why"});
    for (const WhatifRow& row : refused) {
      reasons.add({change_text(row.tried.change), row.tried.refused});
    }
    page.sections.push_back(
        {"what-cannot", "What cannot be tried", html_fold("As a table", reasons.take())});
  }
  std::vector<std::string> names;
  for (const WhatifRow& row : found.rows) {
    for (const OptionChange& one : row.tried.change) {
      if (one.key == "algorithm") names.push_back(one.text);
    }
  }
  page.names = algorithms_in_words(names);
  page.data = {{"kind", "whatif"}, {"whatif", whatif_json(found)}};
  return html_page(page);
}

}  // namespace allport
