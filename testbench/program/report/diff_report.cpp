// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/diff_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rtl_model/base/words.h"
#include "testbench/plan/run_options.h"
#include "testbench/plan/run_request.h"
#include "testbench/program/report/run_page.h"
#include "testbench/program/terminal/version.h"
#include "testbench/results/text_table.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"

namespace allport {

namespace {

constexpr std::size_t most_channels = 10;  // that a report lists

std::string value_text(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  const std::string text = value.dump();
  constexpr std::size_t most = 60;
  return text.size() <= most ? text : text.substr(0, most) + "..";
}

// `-1823 (-94 %)`
std::string change_text(const ResultDifference& one) {
  const auto change = one.change();
  if (!change) return "";
  std::string text = fmt::format("{:+.6g}", *change);
  const double before = one.a.get<double>();
  if (before == 0) return text;
  const double percent = 100 * *change / std::abs(before);
  // Without exponents, which three digits would have from 1000 on.
  text += std::abs(percent) < 999.5 ? fmt::format(" ({:+.3g} %)", percent)
                                    : fmt::format(" ({:+.0f} %)", percent);
  return text;
}

std::string judged_text(const ResultDifference& one) {
  if (!one.half_width) return "";
  return fmt::format("{} +- {:.3g}", one.is_within_intervals() ? "within" : "beyond",
                     *one.half_width);
}

using Columns = std::vector<TableColumn<ResultDifference>>;

Columns columns_of(const char* what, bool has_intervals) {
  using Row = const ResultDifference&;
  Columns columns{{{what, TextTable::Side::left}, [](Row row) { return row.path; }},
                  {{"A"}, [](Row row) { return value_text(row.a); }},
                  {{"B"}, [](Row row) { return value_text(row.b); }},
                  {{"B - A"}, change_text}};
  if (has_intervals) columns.push_back({{"95 %"}, judged_text});
  return columns;
}

bool has_intervals(const std::vector<ResultDifference>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const ResultDifference& one) { return one.half_width.has_value(); });
}

struct Part {
  const char* id;
  const char* title;   // of its table
  const char* column;  // of its first column
  std::vector<ResultDifference> rows;
  std::size_t left = 0;
};

// A configuration does not tell options that have their defaults.
std::vector<ResultDifference> with_defaults(std::vector<ResultDifference> config) {
  static const RunRequest defaults;
  for (ResultDifference& one : config) {
    for (const RunOption& option : run_options()) {
      if (option.key != one.path || option.told != Told::where_it_differs) continue;
      for (Json* const value : {&one.a, &one.b}) {
        if (value->is_null()) *value = option.field.get(defaults);
      }
    }
  }
  return config;
}

std::vector<Part> parts_of(const ResultDiff& diff) {
  std::vector<Part> parts{{"config", "Configuration", "option", with_defaults(diff.config)},
                          {"numbers", "Numbers", "number", diff.numbers},
                          {"causes", "Cycles of a message, by cause", "cause", diff.causes},
                          {"channels", "Cycles of waiting, by place", "place", diff.channels}};
  std::vector<ResultDifference>& channels = parts.back().rows;
  if (channels.size() > most_channels) {
    parts.back().left = channels.size() - most_channels;
    channels.resize(most_channels);
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const Part& part) { return part.rows.empty(); }),
              parts.end());
  return parts;
}

std::string version_text(const std::string& version) {
  return version.empty() ? "" : ", version " + version;
}

// The sentences below the tables.
std::vector<std::string> sentences(const ResultDiff& diff) {
  std::vector<std::string> list;
  if (diff.is_empty()) {
    list.emplace_back("The two results are the same.");
    return list;
  }
  for (const MeaningOfBoth& one : diff.meanings) {
    std::vector<std::string> names;
    for (const std::string& key : one.keys) names.push_back(option_name(key));
    list.push_back(fmt::format("Since version {}, {} {} another meaning: {}.", one.version,
                               fmt::join(names, ", "), names.size() == 1 ? "has" : "have",
                               one.words));
  }
  const bool has_other_versions = diff.version_a != diff.version_b;
  if (has_other_versions && diff.meanings.empty() && diff.kind == "run") {
    list.emplace_back("No option of these runs has changed its meaning between the two versions.");
  }
  if (diff.kind == "run" && diff.has_same_receptions) {
    list.emplace_back("All messages were received in the same cycles: the digests are equal.");
  }
  if (diff.is_of_two_seeds()) {
    list.emplace_back(
        has_intervals(diff.numbers)
            ? "Only the seeds differ: a difference within its interval may be chance, and so may one that has no interval."
            : "Only the seeds differ, and these results have no interval: each difference may be chance. --trials or a sweep over seeds has intervals.");
  }
  return list;
}

}  // namespace

std::string diff_report(const DiffedFiles& files) {
  const ResultDiff& diff = files.diff;
  std::string text = fmt::format("A  {}{}\nB  {}{}\n", files.name_a, version_text(diff.version_a),
                                 files.name_b, version_text(diff.version_b));
  for (const Part& part : parts_of(diff)) {
    const Columns columns = columns_of(part.column, has_intervals(part.rows));
    text += fmt::format("\n{}\n{}", part.title, text_table(columns, part.rows).text());
    if (part.left > 0) text += fmt::format(".. and {} more\n", part.left);
  }
  text += "\n";
  for (const std::string& sentence : sentences(diff)) text += sentence + "\n";
  if (diff.equal > 0) {
    text += fmt::format("{} {} equal.\n",
                        counted(diff.equal, diff.numbers.empty() ? "number" : "other number"),
                        diff.equal == 1 ? "is" : "are");
  }
  return text;
}

Json diff_json(const DiffedFiles& files) {
  const ResultDiff& diff = files.diff;
  const auto list = [](const std::vector<ResultDifference>& differences, const char* name) {
    Json rows = Json::array();
    for (const ResultDifference& one : differences) {
      const auto change = one.change();
      Json row{{name, one.path},
               {"a", one.a},
               {"b", one.b},
               {"change", change ? Json(*change) : Json(nullptr)}};
      if (one.half_width) {
        row["half_width_95"] = *one.half_width;
        row["is_within_intervals"] = one.is_within_intervals();
      }
      rows.push_back(std::move(row));
    }
    return rows;
  };
  const auto version = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json meanings = Json::array();
  for (const MeaningOfBoth& one : diff.meanings) {
    meanings.push_back({{"version", one.version}, {"options", one.keys}, {"words", one.words}});
  }
  return {
      {"version", program_version},
      {"a", {{"file", files.name_a}, {"version", version(diff.version_a)}}},
      {"b", {{"file", files.name_b}, {"version", version(diff.version_b)}}},
      {"kind", diff.kind},
      {"is_same", diff.is_empty()},
      {"has_same_receptions", diff.kind == "run" ? Json(diff.has_same_receptions) : Json(nullptr)},
      {"config", list(diff.config, "option")},
      {"meanings", std::move(meanings)},
      {"numbers", list(diff.numbers, "number")},
      {"causes", list(diff.causes, "cause")},
      {"channels", list(diff.channels, "place")},
      {"equal", diff.equal}};
}

std::string diff_page(const DiffedFiles& files, const std::string& command) {
  const ResultDiff& diff = files.diff;
  Page page;
  page.title = fmt::format("{} and {}", files.name_a, files.name_b);
  page.command = command;
  page.made_by = page_maker();
  page.lead = "<p class=\"why\">" +
              html_sentence(fmt::format("{}", fmt::join(sentences(diff), " "))) + "</p>\n";
  page.lead += fmt::format("<p>A: {}{}. B: {}{}.</p>\n<p><code id=\"command\">{}</code></p>\n",
                           html_text(files.name_a), html_text(version_text(diff.version_a)),
                           html_text(files.name_b), html_text(version_text(diff.version_b)),
                           html_sentence(command));
  for (const Part& part : parts_of(diff)) {
    const Columns columns = columns_of(part.column, has_intervals(part.rows));
    std::string body = html_table(std::string(part.id) + "-table", part.title, columns, part.rows,
                                  part.rows.size());
    if (std::string(part.id) == "causes") {
      body = html_picture("diff-causes", "Cycles of a message in A and in B, by cause.") +
             html_fold("As a table", body);
    }
    if (part.left > 0) body += html_words(fmt::format("{} more are in the JSON.", part.left));
    page.sections.push_back({part.id, part.title, body});
  }
  page.data = {{"kind", "diff"}, {"diff", diff_json(files)}};
  return html_page(page);
}

}  // namespace allport
