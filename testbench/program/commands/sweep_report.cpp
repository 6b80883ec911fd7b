// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/program/options/options.h"
#include "testbench/program/options/value_text.h"
#include "testbench/program/report/points_page.h"
#include "testbench/studies/sweep/axis_plot.h"
#include "testbench/studies/sweep/curve.h"
#include "testbench/studies/sweep/tables.h"

namespace allport {

namespace {

bool is_among(const std::vector<std::string>& list, const std::string& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

// The column that is drawn over any other key.
const char* default_column(const SweepPlan& plan) {
  if (plan.sets("tasks")) return "tasks.makespan";
  if (plan.sets("collective_rate")) return "load.completion.mean";
  if (plan.sets("outstanding")) return "closed_loop.round_trip.mean";
  const bool has_pattern = plan.sets("pattern") || plan.sets("flows");
  return has_pattern ? "traffic.latency.mean" : "latency.completion.mean";
}

// Values are compared as values: 1KiB is 1024.
std::string as_in_grid(const std::string& key, const std::string& value) {
  return settled_text(option_named(key), value);
}

PlotView completed(const SweepPlan& plan, const SweepOptions& options, const std::string& x,
                   const std::string& y) {
  PlotView wanted{x, y, options.plot_colour, options.plot_panel, options.plot_best, {}};
  for (const auto& [key, value] : options.plot_fixed) wanted.fixed[key] = as_in_grid(key, value);
  const std::vector<std::vector<std::string>> zips = plan.zipped_keys();
  const auto tied =
      std::find_if(zips.begin(), zips.end(), [&](const auto& keys) { return is_among(keys, x); });
  return settled_view(std::move(wanted), plan.plot_keys(),
                      tied == zips.end() ? std::vector<std::string>{} : *tied);
}

}  // namespace

PlotView picture_view(const SweepPlan& plan, const SweepOptions& options) {
  const std::string axis = load_axis(plan.varied_keys());
  const std::string x = options.plot_x.empty() ? axis : options.plot_x;
  if (x.empty()) return {};
  // Of tasks it is the makespan, and of a closed loop the round trip.
  const bool is_curve = options.plot_x.empty() && !plan.sets("tasks") && axis != "outstanding";
  const std::string y = is_curve || !options.plot_y.empty() ? options.plot_y : default_column(plan);
  return completed(plan, options, x, y);
}

PlotView page_view(const SweepPlan& plan, const SweepOptions& options) {
  return completed(plan, options,
                   options.plot_x.empty() ? load_axis(plan.varied_keys()) : options.plot_x,
                   options.plot_y.empty() ? default_column(plan) : options.plot_y);
}

void require_view(const SweepPlan& plan, const SweepOptions& options) {
  const std::vector<PlotKey> keys = plan.plot_keys();
  std::vector<std::string> names = plan.varied_keys();
  std::map<std::string, std::string> uses;
  const auto use = [&](const std::string& option, const std::string& key) {
    if (!is_among(names, key)) {
      throw std::invalid_argument(fmt::format(
          "--{}: {} is not an option with several values here; {}", option, in_quotes(key),
          names.empty() ? "there is none" : fmt::format("those are {}", fmt::join(names, ", "))));
    }
    const auto [known, is_new] = uses.emplace(key, option);
    if (is_new && (key != load_axis(names) || !options.plot_x.empty())) return;
    if (is_new) {
      throw std::invalid_argument(
          fmt::format("--{}: {} is on the x axis, unless --plot-x names another option", option,
                      in_quotes(key)));
    }
    throw std::invalid_argument(
        known->second == option
            ? fmt::format("--{} names {} twice", option, in_quotes(key))
            : fmt::format("--{} and --{} both name {}", known->second, option, in_quotes(key)));
  };
  if (!options.plot_x.empty()) use("plot-x", options.plot_x);
  for (const std::string& key : options.plot_colour) use("plot-colour", key);
  if (!options.plot_panel.empty()) use("plot-panel", options.plot_panel);
  for (const std::string& key : options.plot_best) use("plot-best", key);
  for (const auto& [key, value] : options.plot_fixed) {
    use("plot-fixed", key);
    const auto known = std::find_if(keys.begin(), keys.end(),
                                    [&key = key](const PlotKey& one) { return one.name == key; });
    if (is_among(known->values, as_in_grid(key, value))) continue;
    throw std::invalid_argument(
        fmt::format("--plot-fixed: {} is not a value of {} here; {}", in_quotes(value), key,
                    "those are " + fmt::format("{}", fmt::join(known->values, ", "))));
  }
}

namespace {

std::string curve_script(const ResultStore& store) { return store.folder() + "/curve.gnuplot"; }

CurveOf curve_of(const PlotView& view) {
  return view.x == "rate" ? CurveOf::messages : CurveOf::collectives;
}

// The picture of a sweep, collected while its points go by.
class Picture {
 public:
  Picture(const SweepPlan& plan, const PlotView& view)
      : keys_(plan.varied_keys()), curve_(plan.fixed_in_words(), curve_of(view)) {
    if (view.x.empty()) return;  // nothing to draw
    place_ = places_of({view.x}).front();
    colour_ = places_of(view.colour);
    if (!view.panel.empty()) panel_ = places_of({view.panel});
    best_ = places_of(view.best);
    for (const auto& [key, value] : view.fixed)
      fixed_.emplace_back(places_of({key}).front(), value);
    if (!view.y.empty()) axis_.emplace(view.x, view.y, plan.fixed_in_words());
  }

  void add(const std::vector<std::string>& values, const PointResult& result) {
    if (!place_ || !is_shown(values)) return;
    ++points_;
    const CurvePlace place{label(panel_, values), label(best_, values)};
    const std::string curve = label(colour_, values);
    const bool is_drawn = axis_ ? axis_->add(curve, values[*place_], result, place)
                                : curve_.add(curve, values[*place_], result, place);
    if (!is_drawn) left_out_.push_back(in_words(keys_, values));
  }

  std::optional<Chart> chart() const {
    if (axis_ ? axis_->is_empty() : curve_.is_empty()) return std::nullopt;
    Chart chart = axis_ ? axis_->chart() : curve_.chart();
    const std::string chosen = chosen_in_words();
    if (!chosen.empty()) chart.notes.push_back(chosen);
    if (!left_out_.empty()) chart.notes.push_back("left out: " + left_out_in_words());
    return chart;
  }
  std::vector<std::string> saturation() const { return curve_.saturation(); }

  // `each point is the best of vcs, ports; only flits 16`; empty: all points are drawn.
  std::string chosen_in_words() const {
    std::string words;
    std::vector<std::string> names;
    for (const std::size_t key : best_) names.push_back(keys_[key]);
    if (!names.empty()) {
      words = fmt::format("each point is the best of {}", fmt::join(names, ", "));
    }
    for (const auto& [key, value] : fixed_) {
      words += fmt::format("{}{} {}", words.empty() ? "only " : "; only ", keys_[key],
                           shown_path(value));
    }
    return words;
  }

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
  std::vector<std::size_t> places_of(const std::vector<std::string>& keys) const {
    std::vector<std::size_t> places;
    for (const std::string& key : keys) {
      places.push_back(
          static_cast<std::size_t>(std::find(keys_.begin(), keys_.end(), key) - keys_.begin()));
    }
    return places;
  }

  bool is_shown(const std::vector<std::string>& values) const {
    return std::all_of(fixed_.begin(), fixed_.end(),
                       [&](const auto& one) { return values[one.first] == one.second; });
  }

  // The values that a point has of these keys; the name of an algorithm stands alone.
  std::string label(const std::vector<std::size_t>& of,
                    const std::vector<std::string>& values) const {
    if (of.size() == 1 && keys_[of.front()] == "algorithm") return values[of.front()];
    std::vector<std::string> keys;
    std::vector<std::string> of_keys;
    for (const std::size_t key : of) {
      keys.push_back(keys_[key]);
      of_keys.push_back(values[key]);
    }
    return in_words(keys, of_keys);
  }

  std::vector<std::string> keys_;
  // Positions among the keys:
  std::optional<std::size_t> place_;  // of the axis; none: there is no picture
  std::vector<std::size_t> colour_;
  std::vector<std::size_t> panel_;
  std::vector<std::size_t> best_;
  std::vector<std::pair<std::size_t, std::string>> fixed_;
  CurvePlot curve_;
  std::optional<AxisPlot> axis_;       // none: the latency-throughput curve
  std::uint64_t points_ = 0;           // points that were to be drawn
  std::vector<std::string> left_out_;  // those that are not drawn, in words
};

void note_failure(SweepSummary& summary, const std::string& values, const PointResult& result) {
  if (!result.has_failed() || summary.failed++ > 0) return;
  summary.first_failure = values.empty() ? result.error : values + ": " + result.error;
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
                          const ResultStore& store, const PlotView& view, PointsPage* page) {
  SweepSummary summary;
  const std::vector<std::string> keys = plan.varied_keys();
  Picture picture(plan, view);
  std::optional<Tables> tables;
  const auto attempt = [&summary](const auto& write) {
    try {
      write();
    } catch (const std::runtime_error& error) {
      summary.problems.emplace_back(error.what());
    }
  };
  attempt([&] { tables.emplace(store.folder(), store.partial_folder(), keys); });
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
    if (summary.problems.empty()) attempt([&] { tables->add(values, point, *result); });
    if (page != nullptr) page->add(values, *result);
    note_failure(summary, in_words(keys, values), *result);
    add_to_picture(picture, values, point, *result, store);
  }
  if (summary.missing == names.size()) return summary;
  if (summary.problems.empty()) attempt([&] { tables->commit(); });
  const std::optional<Chart> chart = picture.chart();
  if (!chart) return summary;
  attempt([&] {
    write_whole(store.partial_folder(), curve_script(store), gnuplot_script(*chart));
    summary.curves = chart->curves.size();
  });
  summary.saturation = picture.saturation();
  summary.chosen = picture.chosen_in_words();
  summary.left_out = picture.left_out_in_words();
  return summary;
}

std::string picture_in_words(const SweepSummary& summary, const std::string& path) {
  const std::string left_out =
      summary.left_out.empty() ? "" : fmt::format("left out    {}\n", summary.left_out);
  const std::string chosen =
      summary.chosen.empty() ? "" : fmt::format("shown       {}\n", summary.chosen);
  return fmt::format("curve       {}\n", shown_path(path)) + chosen + left_out +
         saturation_lines(summary.saturation);
}

void draw_curve(const ResultStore& store, const std::string& path) {
  OutputFile file(path);
  file.commit(drawn_by_gnuplot(curve_script(store)));
}

}  // namespace allport
