// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rtl_model/base/csv_rows.h"

namespace allport {

namespace {

// Values that differ from machine to machine are in the points' files only.
Json repeatable(Json result) {
  if (!result.is_object()) return result;
  for (const char* key : {"wall_seconds", "static_wall_seconds"}) result.erase(key);
  return result;
}

void visit(const Json& json, const std::string& path, const TakeCell& take) {
  if (json.is_array() || json.is_null()) return;
  if (!json.is_object()) return take(path, json);
  for (const auto& [key, value] : json.items()) {
    if (key == "by_destination") continue;
    visit(value, path.empty() ? key : fmt::format("{}.{}", path, key), take);
  }
}

}  // namespace

void visit_cells(const Json& result, const TakeCell& take) { visit(repeatable(result), "", take); }

Tables::Tables(const std::string& folder, const std::string& partial, std::vector<std::string> keys)
    : keys_(std::move(keys)),
      csv_(partial, folder + "/results.csv"),
      lines_(partial, folder + "/results.jsonl") {
  keys_.insert(keys_.end(), {"exit", "error"});
}

void Tables::add_cell(std::vector<std::string>& cells, const std::string& path, const Json& value) {
  const std::size_t place = places_.emplace(path, columns_.size()).first->second;
  if (place == columns_.size()) columns_.push_back(path);
  if (cells.size() <= place) cells.resize(place + 1);
  cells[place] = value.is_string() ? value.get<std::string>() : compact(value);
}

void Tables::add(const std::vector<std::string>& values, const Point& point,
                 const PointResult& result) {
  const Json found = repeatable(result.result);
  Json line;
  line["point"] = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) line["point"][keys_[i]] = values[i];
  line["name"] = point.name;
  line["exit"] = result.exit;
  line["error"] = result.error;
  line["config"] = point.config;
  line["result"] = found;
  lines_.append(compact(line) + "\n");

  std::vector<std::string> row = values;
  row.push_back(std::to_string(result.exit));
  row.push_back(result.error);
  std::vector<std::string> cells;
  visit_cells(result.result,
              [&](const std::string& path, const Json& value) { add_cell(cells, path, value); });
  widths_.push_back(cells.size());
  row.insert(row.end(), cells.begin(), cells.end());
  rows_.push_back(csv_line(row));
  rows_.back().pop_back();  // cells may follow
}

void Tables::commit() {
  std::vector<std::string> header = keys_;
  for (const std::string& column : columns_) {
    const bool is_taken = std::find(keys_.begin(), keys_.end(), column) != keys_.end();
    header.push_back(is_taken ? "result." + column : column);
  }
  csv_.append(csv_line(header));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    csv_.append(rows_[i] + std::string(columns_.size() - widths_[i], ',') + "\n");
  }
  csv_.commit();
  lines_.commit();
}

}  // namespace allport
