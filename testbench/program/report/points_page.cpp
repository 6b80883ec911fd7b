// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/points_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/program/report/page_names.h"
#include "testbench/program/report/run_page.h"
#include "testbench/results/mean_estimate.h"
#include "testbench/show/page/html.h"
#include "testbench/studies/sweep/chart.h"
#include "testbench/studies/sweep/tables.h"

namespace allport {

namespace {

constexpr std::size_t most_degrees = 200;  // of freedom; beyond, the quantile hardly changes

Json view_json(const PlotView& view) {
  return {{"x", view.x},         {"y", view.y},       {"colour", view.colour},
          {"panel", view.panel}, {"best", view.best}, {"fixed", view.fixed}};
}

}  // namespace

PointsPage::PointsPage(std::vector<std::string> keys, PlotView view,
                       std::vector<std::vector<std::string>> zipped)
    : keys_(std::move(keys)), view_(std::move(view)), zipped_(std::move(zipped)) {}

void PointsPage::add(const std::vector<std::string>& values, const PointResult& result) {
  if (++points_ > most_points) return;
  if (result.has_failed()) failed_.push_back(values_.size());
  values_.push_back(values);
  errors_.push_back(result.error);
  digests_.emplace_back();
  std::map<std::size_t, double>& numbers = numbers_.emplace_back();
  if (result.result.is_null()) return;
  visit_cells(result.result, [&](const std::string& path, const Json& value) {
    if (path == "digest" && value.is_string()) digests_.back() = value.get<std::string>();
    const bool is_flag = value.is_boolean();
    if (path.rfind("config.", 0) == 0 || (!value.is_number() && !is_flag)) return;
    const std::size_t column = places_.emplace(path, columns_.size()).first->second;
    if (column == columns_.size()) columns_.push_back(path);
    numbers[column] = is_flag ? static_cast<double>(value.get<bool>()) : value.get<double>();
  });
}

// Those that do not have the same number in all points; all if there is none.
std::vector<std::size_t> PointsPage::varied_columns() const {
  std::vector<std::size_t> varied;
  std::vector<std::size_t> all;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    all.push_back(column);
    const auto number = [&](const auto& numbers) {
      const auto known = numbers.find(column);
      return known == numbers.end() ? std::string() : fmt::format("{}", known->second);
    };
    for (const auto& numbers : numbers_) {
      if (number(numbers) == number(numbers_.front())) continue;
      varied.push_back(column);
      break;
    }
  }
  return varied.empty() ? all : varied;
}

std::string PointsPage::table() const {
  const std::vector<std::size_t> columns = varied_columns();
  const auto is_any = [](const std::vector<std::string>& cells) {
    return std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return !cell.empty(); });
  };
  const bool has_digests = is_any(digests_);
  std::vector<std::string> heads = keys_;
  for (const std::size_t column : columns) heads.push_back(columns_[column]);
  if (has_digests) heads.emplace_back("digest");
  heads.emplace_back("error");
  HtmlTable table("points",
                  points_ > most_points
                      ? fmt::format("The first {} of {} points", most_points, points_)
                      : fmt::format("All {}", counted(points_, "point")),
                  heads);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    std::vector<std::string> cells = values_[i];
    for (const std::size_t column : columns) {
      const auto known = numbers_[i].find(column);
      cells.push_back(known == numbers_[i].end() ? "" : fmt::format("{}", known->second));
    }
    if (has_digests) cells.push_back(digests_[i]);
    cells.push_back(errors_[i]);
    table.add(cells);
  }
  return table.take();
}

std::vector<std::string> PointsPage::named_algorithms() const {
  std::vector<std::string> names;
  const auto key = std::find(keys_.begin(), keys_.end(), "algorithm");
  if (key == keys_.end()) return names;
  for (const std::vector<std::string>& row : values_) {
    names.push_back(row[static_cast<std::size_t>(key - keys_.begin())]);
  }
  return names;
}

Json PointsPage::data() const {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Json row = values_[i];
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const auto known = numbers_[i].find(column);
      row.push_back(known == numbers_[i].end() ? Json() : Json(known->second));
    }
    rows.push_back(std::move(row));
  }
  Json quantiles = Json::array();  // for 2, 3, .. runs
  for (std::size_t degrees = 1; degrees <= most_degrees; ++degrees) {
    quantiles.push_back(student_t_95(degrees));
  }
  Json more_is_better = Json::array();
  Json bounds = Json::object();
  Json intervals = Json::object();
  for (const std::string& column : columns_) {
    if (is_more_better(column)) more_is_better.push_back(column);
    const std::string bound(bound_column(column));
    if (places_.count(bound) != 0) bounds[column] = bound;
    const std::string interval = interval_column(column);
    if (places_.count(interval) != 0) intervals[column] = interval;
  }
  Json in_bytes = Json::array();
  for (const std::string& key : keys_) {
    if (is_in_bytes(key)) in_bytes.push_back(key);
  }
  return {{"kind", "points"},
          {"keys", keys_},
          {"zipped", zipped_},
          {"columns", columns_},
          {"more_is_better", std::move(more_is_better)},
          {"bounds", std::move(bounds)},
          {"intervals", std::move(intervals)},
          {"bytes", std::move(in_bytes)},
          {"view", view_json(view_)},
          {"crossovers", crossovers_},
          {"colours", chart_colours()},
          {"rows", std::move(rows)},
          {"failed", failed_},
          {"quantiles", std::move(quantiles)}};
}

std::string PointsPage::take(const std::string& title, const std::string& command,
                             const std::string& fixed) {
  Page page;
  page.title = title;
  page.command = command;
  page.made_by = page_maker();
  std::string body = fixed.empty() ? "" : html_words(fixed);
  if (!keys_.empty() && !columns_.empty()) {
    body += html_picture("curves", "Any number of the results over any option that varies.");
  }
  page.sections = {{"results", "Results", body}, {"table", "All points", table()}};
  page.sections.insert(page.sections.end(), more_.begin(), more_.end());
  page.names = algorithms_in_words(named_algorithms());
  page.data = data();
  return html_page(page);
}

}  // namespace allport
