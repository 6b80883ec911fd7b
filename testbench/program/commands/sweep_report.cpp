// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/sweep/curve.h"
#include "testbench/sweep/tables.h"

namespace allport {

namespace {

std::string curve_script(const ResultStore& store) { return store.folder() + "/curve.gnuplot"; }

// The name of the curve that a point belongs to: its values but for the rate.
std::string curve_label(const std::vector<std::string>& keys, std::vector<std::string> values) {
  std::vector<std::string> others;
  std::vector<std::string> of_others;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == "rate") continue;
    others.push_back(keys[i]);
    of_others.push_back(std::move(values[i]));
  }
  return in_words(others, of_others);
}

// A result with other fields than a run prints was changed by somebody.
void add_to_curve(CurvePlot& plot, const std::string& label, const Point& point,
                  const PointResult& result, const ResultStore& store) {
  try {
    plot.add(label, result);
  } catch (const Json::exception&) {
    store.reject_result(point);
  }
}

}  // namespace

std::string in_words(const std::vector<std::string>& keys, const std::vector<std::string>& values) {
  std::string words;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", keys[i], values[i]);
  }
  return words;
}

SweepSummary write_tables(const SweepPlan& plan, const ResultStore& store) {
  SweepSummary summary;
  const std::vector<std::string> keys = plan.varied_keys();
  const bool is_curve = std::find(keys.begin(), keys.end(), "rate") != keys.end();
  CurvePlot plot(plan.fixed_in_words());
  Tables tables(store.folder(), store.partial_folder(), keys);
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    const Point point = plan.point(i);
    const std::optional<PointResult> result = store.read(point);
    if (!result) {
      throw std::runtime_error(
          fmt::format("the result of point {} is gone from {}", point.name, store.folder()));
    }
    const std::vector<std::string> values = plan.varied_values(i);
    tables.add(values, point, *result);
    if (result->has_failed() && summary.failed++ == 0) {
      const std::string words = in_words(keys, values);
      summary.first_failure = words.empty() ? result->error : words + ": " + result->error;
    }
    if (is_curve) add_to_curve(plot, curve_label(keys, values), point, *result, store);
  }
  tables.commit();
  summary.has_curve = !plot.is_empty();
  if (summary.has_curve) {
    write_whole(store.partial_folder(), curve_script(store), plot.script());
    summary.saturation = plot.saturation();
  }
  return summary;
}

void draw_curve(const ResultStore& store, const std::string& path) {
  OutputFile file(path);
  file.commit(drawn_by_gnuplot(curve_script(store)));
}

}  // namespace allport
