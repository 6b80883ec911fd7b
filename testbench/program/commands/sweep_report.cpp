// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/program/report/sweep_page.h"
#include "testbench/studies/sweep/axis_plot.h"
#include "testbench/studies/sweep/curve.h"
#include "testbench/studies/sweep/tables.h"

namespace allport {

const char* default_axis(const SweepPlan& plan) {
  const std::vector<std::string> keys = plan.varied_keys();
  for (const char* const key : {"collective_rate", "outstanding"}) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) return key;
  }
  return "rate";
}

const char* default_column(const SweepPlan& plan) {
  if (plan.sets("tasks")) return "tasks.makespan";
  if (plan.sets("collective_rate")) return "load.completion.mean";
  if (plan.sets("outstanding")) return "closed_loop.round_trip.mean";
  const bool has_pattern = plan.sets("pattern") || plan.sets("flows");
  return has_pattern ? "traffic.latency.mean" : "latency.completion.mean";
}

namespace {

std::string curve_script(const ResultStore& store) { return store.folder() + "/curve.gnuplot"; }

CurveOf curve_of(const SweepPlan& plan) {
  return default_axis(plan) == std::string("rate") ? CurveOf::messages : CurveOf::collectives;
}

// The picture of a sweep, collected while its points go by.
class Picture {
 public:
  Picture(const SweepPlan& plan, PictureRequest wanted)
      : keys_(plan.varied_keys()),
        wanted_(std::move(wanted)),
        curve_(plan.fixed_in_words(), curve_of(plan)) {
    // Of tasks it is the makespan, and of a closed loop the round trip.
    is_curve_ = wanted_.x.empty() && !plan.sets("tasks") && !plan.sets("outstanding");
    if (wanted_.x.empty()) wanted_.x = default_axis(plan);
    const auto x = std::find(keys_.begin(), keys_.end(), wanted_.x);
    if (x == keys_.end()) return;  // nothing to draw
    place_ = static_cast<std::size_t>(x - keys_.begin());
    others_ = plan.curve_keys(wanted_.x);
    if (is_curve_) return;
    if (wanted_.y.empty()) {
      wanted_.y = default_column(plan);
    }
    axis_.emplace(wanted_.x, wanted_.y, plan.fixed_in_words());
  }

  void add(const std::vector<std::string>& values, const PointResult& result) {
    if (!place_) return;
    ++points_;
    const bool is_drawn = axis_ ? axis_->add(label(values), values[*place_], result)
                                : curve_.add(label(values), values[*place_], result);
    if (!is_drawn) left_out_.push_back(in_words(keys_, values));
  }

  std::optional<Chart> chart() const {
    if (axis_ ? axis_->is_empty() : curve_.is_empty()) return std::nullopt;
    Chart chart = axis_ ? axis_->chart() : curve_.chart();
    if (!left_out_.empty()) chart.notes.push_back("left out: " + left_out_in_words());
    return chart;
  }
  std::vector<std::string> saturation() const { return curve_.saturation(); }

  // `2 of 8 points, which failed or have no number here: ts 1; ts 5`; empty: none is left out.
  std::string left_out_in_words() const {
    constexpr std::size_t most = 8;
    std::string words;
    for (std::size_t i = 0; i < left_out_.size() && i < most; ++i) {
      words += (i == 0 ? "" : "; ") + left_out_[i];
    }
    if (left_out_.size() > most) words += "; ..";
    if (left_out_.empty()) return words;
    return fmt::format("{} of {}, which failed or {} no number here: {}", left_out_.size(),
                       counted(points_, "point"), left_out_.size() == 1 ? "has" : "have", words);
  }

 private:
  // The values that tell a point's curve from the others.
  std::string label(const std::vector<std::string>& values) const {
    std::vector<std::string> keys;
    std::vector<std::string> of_keys;
    for (const std::size_t other : others_) {
      keys.push_back(keys_[other]);
      of_keys.push_back(values[other]);
    }
    return in_words(keys, of_keys);
  }

  std::vector<std::string> keys_;
  PictureRequest wanted_;
  bool is_curve_ = false;
  std::optional<std::size_t> place_;  // the position of the axis among the keys
  std::vector<std::size_t> others_;   // the keys that are in a curve's label
  CurvePlot curve_;
  std::optional<AxisPlot> axis_;       // none: the latency-throughput curve
  std::uint64_t points_ = 0;           // points that were added
  std::vector<std::string> left_out_;  // those that are not drawn, in words
};

void note_failure(SweepSummary& summary, const std::string& values, const PointResult& result) {
  if (!result.has_failed() || summary.failed++ > 0) return;
  summary.first_failure = values.empty() ? result.error : values + ": " + result.error;
}

// How many curves there are, and how they are laid out, where they do not fit into one row.
std::string rows_in_words(std::size_t curves) {
  if (curves <= chart_row_curves) return "";
  const std::size_t most = chart_row_curves * max_chart_rows;
  return fmt::format(": {}{} curves, {} to a row",
                     curves > most ? fmt::format("the first {} of ", most) : "", curves,
                     chart_row_curves);
}

std::string saturation_lines(const std::vector<std::string>& saturation) {
  constexpr std::size_t shown = 24;
  std::string lines;
  for (std::size_t i = 0; i < saturation.size() && i < shown; ++i) {
    lines += fmt::format("saturation  {}\n", saturation[i]);
  }
  if (saturation.size() > shown) {
    lines += fmt::format("saturation  .. {} more curves: see the legend of the picture\n",
                         saturation.size() - shown);
  }
  return lines;
}

// A result whose fields are not those that a run prints has been changed by somebody.
void add_to_picture(Picture& picture, const std::vector<std::string>& values, const Point& point,
                    const PointResult& result, const ResultStore& store) {
  try {
    picture.add(values, result);
  } catch (const Json::exception&) {
    store.reject_result(point);
  }
}

}  // namespace

std::string in_words(const std::vector<std::string>& keys, const std::vector<std::string>& values) {
  std::string words;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", keys[i], shown_path(values[i]));
  }
  return words;
}

SweepSummary write_tables(const SweepPlan& plan, const std::vector<std::string>& names,
                          const ResultStore& store, const PictureRequest& wanted, SweepPage* page) {
  SweepSummary summary;
  const std::vector<std::string> keys = plan.varied_keys();
  Picture picture(plan, wanted);
  Tables tables(store.folder(), store.partial_folder(), keys);
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    if (!store.has(names[i])) {
      ++summary.missing;
      continue;
    }
    const Point point = plan.point(i);
    const std::optional<PointResult> result = store.read(point);
    if (!result) {
      throw std::runtime_error(fmt::format("the result of point {} is gone from {}", point.name,
                                           shown_path(store.folder())));
    }
    const std::vector<std::string> values = plan.varied_values(i);
    tables.add(values, point, *result);
    if (page != nullptr) page->add(values, *result);
    note_failure(summary, in_words(keys, values), *result);
    add_to_picture(picture, values, point, *result, store);
  }
  if (summary.missing == names.size()) return summary;
  tables.commit();
  const std::optional<Chart> chart = picture.chart();
  if (!chart) return summary;
  summary.curves = chart->curves.size();
  write_whole(store.partial_folder(), curve_script(store), gnuplot_script(*chart));
  summary.saturation = picture.saturation();
  summary.left_out = picture.left_out_in_words();
  return summary;
}

std::string picture_in_words(const SweepSummary& summary, const std::string& path) {
  const std::string left_out =
      summary.left_out.empty() ? "" : fmt::format("left out    {}\n", summary.left_out);
  return fmt::format("curve       {}{}\n", shown_path(path), rows_in_words(summary.curves)) +
         left_out + saturation_lines(summary.saturation);
}

void draw_curve(const ResultStore& store, const std::string& path) {
  OutputFile file(path);
  file.commit(drawn_by_gnuplot(curve_script(store)));
}

}  // namespace allport
