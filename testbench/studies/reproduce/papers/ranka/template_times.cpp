// SPDX-License-Identifier: Apache-2.0
// This is [Ranka88] figure 10: run times of template matching, beside those of `allport program
// template`. An addition and a multiplication take what figure 5(a) prints; two constants are
// fitted, row_us and value_bytes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/template_point.h"

namespace allport {

namespace {

// An addition and a multiplication, in seconds [figure 5(a)].
constexpr double operations_s = (11.2 + 14.7) / 1e6;

std::vector<Point> version_points(const FigureRequest& request, const std::string& model,
                                  const char* version) {
  std::vector<Point> points;
  points.reserve(run_times().size());
  for (const RunTime& cell : run_times()) {
    points.push_back(template_point(request, model, version, cell));
  }
  return points;
}
// Where way (1) of section 3 is tried: the column m = 8, of more than one processor.
std::vector<RunTime> cells_of_ways() {
  std::vector<RunTime> cells;
  for (const RunTime& cell : run_times()) {
    if (cell.mask == 8 && cell.processors > 1) cells.push_back(cell);
  }
  return cells;
}

std::vector<Point> points_10(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points = version_points(request, model, "fig-8");
  for (Point& one : version_points(request, model, "fig-7")) points.push_back(std::move(one));
  for (const RunTime& cell : cells_of_ways()) {
    points.push_back(template_point(request, model, "way-1", cell));
  }
  return points;
}

double seconds(const FigureRequest& request, const Runs& runs, const char* version,
               const RunTime& cell) {
  const Point point = template_point(request, request.models.front(), version, cell);
  return microseconds_of(runs.of(point)) / 1e6;
}

// The side of a processor's part of the image.
int part_of(const RunTime& cell) {
  return cell.image / static_cast<int>(std::lround(std::sqrt(cell.processors)));
}

struct CellTime {
  RunTime cell;
  double seconds;  // simulated
  double percent() const { return 100 * (seconds / cell.told - 1); }
  double missing_ms() const { return 1000 * (cell.told - seconds); }
  // Whether the template is as large as a processor's part of the image.
  bool is_whole() const { return part_of(cell) == cell.mask; }
  // What the processor with most to do multiplies and adds, alone.
  double operations() const { return std::pow(part_of(cell) * cell.mask, 2) * operations_s; }
};
using CellTimes = std::vector<CellTime>;
bool is_within(const CellTime& one) { return std::abs(one.percent()) <= 5; }

template <class Condition>
CellTimes cells_of(const CellTimes& all, Condition condition) {
  CellTimes some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some), condition);
  return some;
}

// `14 of 19 within 5 %, the largest difference 14.2 %`.
std::string deviations_in_words(const CellTimes& times) {
  double most = 0;
  for (const CellTime& one : times) most = std::max(most, std::abs(one.percent()));
  return fmt::format("{} of {} within 5 %, the largest difference {:.1f} %",
                     cells_of(times, is_within).size(), times.size(), most);
}

Claim smaller_templates_claim(const CellTimes& all) {
  const CellTimes predicted =
      cells_of(all, [](const CellTime& one) { return !one.is_whole() && !is_fitted_to(one.cell); });
  const CellTimes off = cells_of(predicted, [](const CellTime& one) { return !is_within(one); });
  const CellTimes parallel = cells_of(
      all, [](const CellTime& one) { return one.cell.mask == 4 && one.cell.processors > 1; });
  const auto [least, most] = std::minmax_element(
      parallel.begin(), parallel.end(),
      [](const CellTime& a, const CellTime& b) { return a.missing_ms() < b.missing_ms(); });
  const bool are_all_4 =
      std::all_of(off.begin(), off.end(), [](const CellTime& one) { return one.cell.mask == 4; });
  return {
      "20 of the 30 run times, those where the template is smaller than a part of the image",
      ranka::run_times,
      fmt::format(
          "of the cells predicted {}, with {} microseconds a row and {} bytes a value fitted",
          deviations_in_words(predicted), row_us, value_bytes),
      reproduced_if(off.empty()),
      !are_all_4 || off.empty()
          ? ""
          : fmt::format(
                "The others have m = 4 and p > 1. There {:.0f} to {:.0f} ms are missing in each run, whatever the size of a part: a cost of a run, not of a point of the image, which the text does not tell",
                least->missing_ms(), most->missing_ms())};
}

Claim whole_templates_claim(const CellTimes& all) {
  const CellTimes whole = cells_of(all, [](const CellTime& one) { return one.is_whole(); });
  std::map<int, double> largest;  // by m: printed by operations
  for (const CellTime& one : whole) {
    double& ratio = largest[one.cell.mask];
    ratio = std::max(ratio, one.cell.told / one.operations());
  }
  double largest_of_32 = 0;  // percent
  for (const CellTime& one : whole) {
    if (one.cell.mask == 32) largest_of_32 = std::max(largest_of_32, std::abs(one.percent()));
  }
  std::vector<int> above;  // m whose operations alone take longer than every time printed
  std::vector<int> below;
  for (const auto& [mask, ratio] : largest) (ratio < 1 ? above : below).push_back(mask);
  return {
      "10 of the 30 run times, those where the template is as large as a part of the image",
      ranka::run_times, deviations_in_words(whole),
      reproduced_if(cells_of(whole, is_within).size() == whole.size()),
      fmt::format(
          "With m = {} the counted operations alone take longer than what is printed, and the text does not tell what its program leaves out; with m = {} they do not. To the growth with p of the column m = 32 the bytes of a value are fitted: its times are {:.0f} % off",
          fmt::join(above, " and "), fmt::join(below, " and "), largest_of_32)};
}

// "If we assume that the size of the image values (in bytes) is the same as that of the C2D values,
// then both the schemes involve the same amount of data transfer."
Claim ways_claim(const FigureRequest& request, const Runs& runs) {
  int same = 0;
  double least = 0;
  double most = 0;
  const std::vector<RunTime> cells = cells_of_ways();
  for (const RunTime& cell : cells) {
    const auto tasks = [&](const char* version) {
      return runs.of(template_point(request, request.models.front(), version, cell)).at("tasks");
    };
    if (tasks("way-1").at("bytes") == tasks("fig-8").at("bytes")) ++same;
    const double longer =
        100 * (seconds(request, runs, "way-1", cell) / seconds(request, runs, "fig-8", cell) - 1);
    least = std::min(least, longer);
    most = std::max(most, longer);
  }
  return {
      "if image values have as many bytes as C2D values, both schemes involve the same amount of data transfer",
      ranka::two_ways,
      fmt::format(
          "with m = 8, {} of {} runs send as many bytes whether neighbours send image values first or partly computed ones; the times differ by {:.2f} to {:.2f} %",
          same, cells.size(), least, most),
      outcome_of(same == static_cast<int>(cells.size())), ""};
}

FigureResult make_figure_10(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"p", "n", "m", "seconds printed", "seconds simulated", "difference %",
                              "without overlap", "part of the image, m = its side"});
  CellTimes times;
  double overlap = 0;
  LineChart chart("Run times of template matching: printed (marks) and simulated (dashed)",
                  "side n of the image", "seconds");
  chart.use_log_x();
  chart.use_log_y();
  std::array<std::vector<std::pair<double, double>>, 4> told;
  std::array<std::vector<std::pair<double, double>>, 4> found;
  for (const RunTime& cell : run_times()) {
    const double time = seconds(request, runs, "fig-8", cell);
    const double separate = seconds(request, runs, "fig-7", cell);
    times.push_back({cell, time});
    const bool is_whole = times.back().is_whole();
    overlap = std::max(overlap, 100 * std::abs(separate / time - 1));
    result.table.add({std::to_string(cell.processors), std::to_string(cell.image),
                      std::to_string(cell.mask), decimal(cell.told, 3), decimal(time, 3),
                      decimal(times.back().percent(), 1), decimal(separate, 3),
                      fmt::format("{}{}", part_of(cell), is_whole ? ", yes" : "")});
    if (cell.mask != 8 || is_whole) continue;
    const auto curve = static_cast<std::size_t>(dimensions_of(cell.processors) / 2);
    told.at(curve).emplace_back(cell.image, cell.told);
    found.at(curve).emplace_back(cell.image, time);
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told.at(i).empty()) continue;
    chart.colour_as(i);
    chart.add(fmt::format("p = {}, m = 8", 1 << (2 * i)), told.at(i));
    chart.colour_as(i);
    chart.add("", found.at(i), true);
  }
  result.picture.gnuplot = chart.script();
  result.claims = {
      smaller_templates_claim(times),
      whole_templates_claim(times),
      {"the programs of figures 7 and 8 do not differ significantly in run time",
       ranka::no_difference, fmt::format("by {:.2f} % at most, simulated", overlap),
       outcome_of(overlap < 5), ""},
      {"rearranging an example seen before so as to overlap computation and communication resulted in an improvement in program performance",
       ranka::improvement_by_overlap,
       fmt::format("the only one before is that of figures 7 and 8: by {:.2f} % at most, simulated",
                   overlap),
       outcome_of(overlap >= 5),
       "The text contradicts itself: section 3 finds no significant differences"},
      ways_claim(request, runs)};
  add_digests(result, request, runs, points_10);
  result.page_table = result.table;
  result.notes.emplace_back(fitted_constants);
  result.notes.emplace_back(
      "Every run computes the convolution, which is compared with that of one processor. There is no host, which would add the transfer of the template and that of a signal.");
  return result;
}

}  // namespace

Figure ranka_10() {
  return {"ranka-10",
          "run times of template matching",
          "Ranka88, fig. 10",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_10); },
          make_figure_10,
          ranka::by_router};
}

}  // namespace allport
