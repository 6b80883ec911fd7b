// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/sweep_page.h"

#include <fmt/format.h>

#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/program/report/run_page.h"
#include "testbench/results/mean_estimate.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"
#include "testbench/studies/sweep/tables.h"

namespace allport {

namespace {

constexpr std::size_t most_degrees = 200;  // of freedom; beyond, the quantile hardly changes

}  // namespace

SweepPage::SweepPage(std::vector<std::string> keys, std::string x, std::string y)
    : keys_(std::move(keys)), x_(std::move(x)), y_(std::move(y)) {}

void SweepPage::add(const std::vector<std::string>& values, const PointResult& result) {
  if (++points_ > most_points) return;
  values_.push_back(values);
  errors_.push_back(result.error);
  std::map<std::size_t, double>& numbers = numbers_.emplace_back();
  if (result.result.is_null()) return;
  visit_cells(result.result, [&](const std::string& path, const Json& value) {
    const bool is_flag = value.is_boolean();
    if (path.rfind("config.", 0) == 0 || (!value.is_number() && !is_flag)) return;
    const std::size_t column = places_.emplace(path, columns_.size()).first->second;
    if (column == columns_.size()) columns_.push_back(path);
    numbers[column] = is_flag ? static_cast<double>(value.get<bool>()) : value.get<double>();
  });
}

// Those that do not have the same number in all points; all if there is none.
std::vector<std::size_t> SweepPage::varied_columns() const {
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

std::string SweepPage::table() const {
  const std::vector<std::size_t> columns = varied_columns();
  std::vector<std::string> heads = keys_;
  for (const std::size_t column : columns) heads.push_back(columns_[column]);
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
    cells.push_back(errors_[i]);
    table.add(cells);
  }
  return table.take();
}

std::string SweepPage::take(const std::string& command, const std::string& fixed) {
  Page page;
  page.title =
      "A sweep over " + (keys_.empty() ? "one point" : fmt::format("{}", fmt::join(keys_, ", ")));
  page.command = command;
  page.made_by = page_maker();
  Json rows = Json::array();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Json row = values_[i];
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const auto known = numbers_[i].find(column);
      row.push_back(known == numbers_[i].end() ? Json() : Json(known->second));
    }
    rows.push_back(std::move(row));
  }
  std::string body = fixed.empty() ? "" : html_words(fixed);
  if (!keys_.empty() && !columns_.empty()) {
    body += html_picture("curves", "Any number of the results over any option that varies.");
  }
  page.sections = {{"results", "Results", body}, {"table", "All points", table()}};
  Json quantiles = Json::array();  // for 2, 3, .. runs
  for (std::size_t degrees = 1; degrees <= most_degrees; ++degrees) {
    quantiles.push_back(student_t_95(degrees));
  }
  page.data = {{"kind", "sweep"},
               {"keys", keys_},
               {"columns", columns_},
               {"x", x_},
               {"y", y_},
               {"rows", std::move(rows)},
               {"quantiles", std::move(quantiles)}};
  return html_page(page);
}

}  // namespace allport
