// SPDX-License-Identifier: Apache-2.0
// These are [Ranka88] figures 10 and 12: run times of template matching, beside those of `allport
// program template`. An addition and a multiplication take what figure 5(a) prints; two constants
// are fitted, row_us and value_bytes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "testbench/reproduce/drawing/line_chart.h"
#include "testbench/reproduce/papers/ranka/figures.h"
#include "testbench/reproduce/papers/ranka/passages.h"
#include "testbench/reproduce/papers/ranka/program_point.h"

namespace allport {

namespace {

struct RunTime {
  int processors;
  int image;    // n
  int mask;     // m
  double told;  // seconds, printed
};

// Microseconds to begin a row of the template, fitted to the cell p = 1, n = 32, m = 4.
constexpr const char* row_us = "17.5";
constexpr bool is_fitted_to(const RunTime& cell) {
  return cell.processors == 1 && cell.image == 32 && cell.mask == 4;
}
// Bytes of a value in a message, fitted to the growth of the column m = 32 from p = 4 to 64.
constexpr const char* value_bytes = "2";
const char* const fitted_constants =
    "Two constants are fitted: 17.5 microseconds to begin a row of the template, to the cell p = "
    "1, n = 32, m = 4; and 2 bytes a value, to the growth of the column m = 32 from p = 4 to 64. "
    "An addition and a multiplication take what figure 5(a) prints, a message what figure 5(b) "
    "does; everything else is simulated.";
// An addition and a multiplication, in seconds [figure 5(a)].
constexpr double operations_s = (11.2 + 14.7) / 1e6;

constexpr std::array<RunTime, 30> run_times{{
    {1, 32, 4, 0.505},    {1, 32, 8, 1.857},     {1, 32, 16, 7.000},   {1, 32, 32, 20.450},
    {4, 32, 4, 0.139},    {4, 32, 8, 0.482},     {4, 32, 16, 1.417},   {4, 64, 4, 0.514},
    {4, 64, 8, 1.872},    {4, 64, 16, 7.026},    {4, 64, 32, 20.497},  {16, 32, 4, 0.045},
    {16, 32, 8, 0.115},   {16, 64, 4, 0.142},    {16, 64, 8, 0.484},   {16, 64, 16, 1.422},
    {16, 128, 4, 0.516},  {16, 128, 8, 1.874},   {16, 128, 16, 7.031}, {16, 128, 32, 20.510},
    {64, 32, 4, 0.021},   {64, 64, 4, 0.047},    {64, 64, 8, 0.118},   {64, 128, 4, 0.144},
    {64, 128, 8, 0.487},  {64, 128, 16, 1.426},  {64, 256, 4, 0.519},  {64, 256, 8, 1.878},
    {64, 256, 16, 7.036}, {64, 256, 32, 20.520},
}};

int dimensions_of(int processors) {
  int dimensions = 0;
  while ((1 << dimensions) < processors) ++dimensions;
  return std::max(dimensions, 1);  // one processor is one of two nodes
}

Point template_point(const FigureRequest& request, const std::string& model, const char* version,
                     const RunTime& cell) {
  return machine_point(request, model, "template", dimensions_of(cell.processors),
                       {"--variant", version, "--processors", std::to_string(cell.processors),
                        "--side", std::to_string(cell.image), "--mask", std::to_string(cell.mask),
                        "--row", row_us, "--value-bytes", value_bytes});
}

std::vector<Point> version_points(const FigureRequest& request, const std::string& model,
                                  const char* version) {
  std::vector<Point> points;
  points.reserve(run_times.size());
  for (const RunTime& cell : run_times) {
    points.push_back(template_point(request, model, version, cell));
  }
  return points;
}
std::vector<Point> points_10(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points = version_points(request, model, "fig-8");
  for (Point& one : version_points(request, model, "fig-7")) points.push_back(std::move(one));
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
  return {"the 30 run times, where the template is smaller than a part of the image",
          ranka::run_times,
          fmt::format("of the cells predicted {}, with {} microseconds a row and {} bytes a "
                      "value fitted",
                      deviations_in_words(predicted), row_us, value_bytes),
          reproduced_if(off.empty()),
          !are_all_4 || off.empty()
              ? ""
              : fmt::format(
                    "The others have m = 4 and p > 1. There {:.0f} to {:.0f} ms are missing in "
                    "each run, whatever the size of a part: a cost of a run, not of a point of the "
                    "image, which the text does not tell",
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
  return {"the 30 run times, where the template is as large as a part of the image",
          ranka::run_times, deviations_in_words(whole),
          reproduced_if(cells_of(whole, is_within).size() == whole.size()),
          fmt::format("With m = {} the counted operations alone take longer than what is printed, "
                      "and the text does not tell what its program leaves out; with m = {} they do "
                      "not. To the growth with p of the column m = 32 the bytes of a value are "
                      "fitted: its times are {:.0f} % off",
                      fmt::join(above, " and "), fmt::join(below, " and "), largest_of_32)};
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
  for (const RunTime& cell : run_times) {
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
  result.claims = {smaller_templates_claim(times),
                   whole_templates_claim(times),
                   {"the programs of figures 7 and 8 do not differ significantly in run time",
                    ranka::no_difference, fmt::format("by {:.2f} % at most, simulated", overlap),
                    outcome_of(overlap < 5), ""}};
  add_digests(result, request, runs, points_10);
  result.page_table = result.table;
  result.notes.emplace_back(fitted_constants);
  result.notes.emplace_back(
      "Every run computes the convolution, which is compared with that of one processor. The host "
      "is not in it.");
  return result;
}

// The host sends the image and the template too; its times are not in the text.
constexpr std::array<RunTime, 6> with_host_8{{{16, 128, 4, 0.902},
                                              {16, 128, 8, 2.422},
                                              {16, 128, 16, 8.143},
                                              {64, 128, 4, 0.637},
                                              {64, 128, 8, 1.176},
                                              {64, 128, 16, 2.532}}};
constexpr std::array<double, 6> with_host_11{0.760, 1.731, 5.413, 0.607, 1.016, 2.345};

std::vector<Point> points_12(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const RunTime& cell : with_host_8) {
    for (const char* version : {"fig-8", "fig-11"}) {
      points.push_back(template_point(request, model, version, cell));
    }
  }
  return points;
}

double told_in_figure_10(const RunTime& wanted) {
  return std::find_if(run_times.begin(), run_times.end(),
                      [&](const RunTime& cell) {
                        return cell.processors == wanted.processors && cell.image == wanted.image &&
                               cell.mask == wanted.mask;
                      })
      ->told;
}

FigureResult make_figure_12(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"p", "m", "fig. 8 printed, with the host", "fig. 8 simulated",
                              "fig. 11 printed, with the host", "fig. 11 simulated", "gain printed",
                              "gain simulated"});
  LineChart chart("Template matching with and without a replicated image, 128 x 128",
                  "side m of the template", "seconds");
  int faster = 0;
  int below = 0;
  int higher = 0;
  int longer = 0;
  std::string examples;
  std::array<std::vector<std::pair<double, double>>, 4> curves;
  for (std::size_t i = 0; i < with_host_8.size(); ++i) {
    const RunTime& cell = with_host_8.at(i);
    const double by_8 = seconds(request, runs, "fig-8", cell);
    const double by_11 = seconds(request, runs, "fig-11", cell);
    if (by_11 < by_8) ++faster;
    if (by_8 < cell.told) ++below;
    if (told_in_figure_10(cell) < cell.told) ++higher;
    for (const auto& [simulated, printed] :
         {std::pair{by_8, cell.told}, std::pair{by_11, with_host_11.at(i)}}) {
      if (simulated <= printed) continue;
      ++longer;
      examples += fmt::format("; p = {}, m = {}: {:.3f} s against {:.3f} s", cell.processors,
                              cell.mask, simulated, printed);
    }
    const std::size_t first = cell.processors == 16 ? 0 : 2;
    curves.at(first).emplace_back(cell.mask, by_8);
    curves.at(first + 1).emplace_back(cell.mask, by_11);
    result.table.add({std::to_string(cell.processors), std::to_string(cell.mask),
                      decimal(cell.told, 3), decimal(by_8, 3), decimal(with_host_11.at(i), 3),
                      decimal(by_11, 3), decimal(cell.told - with_host_11.at(i), 3),
                      decimal(by_8 - by_11, 3)});
  }
  chart.add("fig. 8, p = 16", curves[0]);
  chart.add("fig. 11, p = 16", curves[1]);
  chart.add("fig. 8, p = 64", curves[2]);
  chart.add("fig. 11, p = 64", curves[3]);
  result.picture.gnuplot = chart.script();
  result.claims = {
      {"the program with a replicated image takes less time", ranka::replicated_image,
       fmt::format("simulated without the host, {} of 6 times less", faster),
       outcome_of(faster == 6), ""},
      {"the times of figure 8's program are higher here than in figure 10", ranka::with_the_host,
       fmt::format("printed, {} of 6 are; and {} of 6 are above those simulated without the host",
                   higher, below),
       outcome_of(higher == 6 && below == 6),
       "That the host's sending of image and template is why, as the text says, is not tested"},
      {"the 12 run times", ranka::replicated_image,
       fmt::format("simulated without the host, {} of 12 are above those printed with it{}", longer,
                   examples),
       longer > 0 ? Outcome::not_reproduced : Outcome::not_tested,
       longer > 0 ? "The host can only add to them" : "The text does not tell what it costs"}};
  add_digests(result, request, runs, points_12);
  result.notes.emplace_back(fitted_constants);
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

Figure ranka_12() {
  return {"ranka-12",
          "template matching with a replicated image",
          "Ranka88, fig. 12",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_12); },
          make_figure_12,
          ranka::by_router};
}

}  // namespace allport
