// SPDX-License-Identifier: Apache-2.0
// This is [Ranka88] figure 12: template matching with a replicated image, whose data a host sends,
// by `allport program template --host data`. The text does not say what a transfer takes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/template_point.h"

namespace allport {

namespace {

using Curve = std::vector<std::pair<double, double>>;
using Arguments = std::vector<std::string>;

// The printed times of figure 12.
constexpr std::array<RunTime, 6> with_host_8{{{16, 128, 4, 0.902},
                                              {16, 128, 8, 2.422},
                                              {16, 128, 16, 8.143},
                                              {64, 128, 4, 0.637},
                                              {64, 128, 8, 1.176},
                                              {64, 128, 16, 2.532}}};
constexpr std::array<double, 6> with_host_11{0.760, 1.731, 5.413, 0.607, 1.016, 2.345};

// Hosts: none, one whose transfers take as long as a hop, and one whose two constants are fitted to
// the cells m = 4 of figure 8.
constexpr std::array hosts{"none", "hop", "fitted"};
constexpr const char* fitted_start_up = "1883";  // cycles: 2.29 ms
constexpr const char* fitted_per_byte = "8.76";  // cycles: 10.66 us
bool is_fitted(std::size_t cell, std::size_t version) {
  return version == 0 && with_host_8.at(cell).mask == 4;
}

constexpr std::array versions{"fig-8", "fig-11"};

Arguments arguments_of(std::size_t host) {
  if (host == 0) return {};
  if (host == 1) return {"--host", "data"};
  return {"--host", "data", "--host-start-up", fitted_start_up, "--host-per-byte", fitted_per_byte};
}

Point host_point(const FigureRequest& request, const std::string& model, std::size_t cell,
                 std::size_t version, std::size_t host) {
  return template_point(request, model, versions.at(version), with_host_8.at(cell),
                        arguments_of(host));
}

std::vector<Point> points_12(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (std::size_t cell = 0; cell < with_host_8.size(); ++cell) {
    for (std::size_t version = 0; version < versions.size(); ++version) {
      for (std::size_t host = 0; host < hosts.size(); ++host) {
        points.push_back(host_point(request, model, cell, version, host));
      }
    }
  }
  return points;
}

// By host, version and cell; version 0 is that of figure 8.
struct Times12 {
  std::array<std::array<std::array<double, 6>, 2>, 3> seconds{};
  std::array<std::array<double, 6>, 2> host_bytes{};
  std::array<std::array<double, 6>, 2> computing{};  // cycles of all processors together
  static double printed(std::size_t version, std::size_t cell) {
    return version == 0 ? with_host_8.at(cell).told : with_host_11.at(cell);
  }
  double gain(std::size_t host, std::size_t cell) const {
    return seconds.at(host)[0].at(cell) - seconds.at(host)[1].at(cell);
  }
  // How many of the six have a shorter time by the program of figure 11.
  int faster(std::size_t host) const {
    int count = 0;
    for (std::size_t cell = 0; cell < 6; ++cell) count += gain(host, cell) > 0 ? 1 : 0;
    return count;
  }
};

Times12 times_12(const FigureRequest& request, const Runs& runs) {
  Times12 times;
  for (std::size_t cell = 0; cell < 6; ++cell) {
    for (std::size_t version = 0; version < versions.size(); ++version) {
      for (std::size_t host = 0; host < hosts.size(); ++host) {
        const Json& run = runs.of(host_point(request, request.models.front(), cell, version, host));
        times.seconds.at(host).at(version).at(cell) = microseconds_of(run) / 1e6;
        if (host == 0) {
          times.computing.at(version).at(cell) = run.at("tasks").at("sequential").get<double>();
        }
        if (host != 1) continue;
        times.host_bytes.at(version).at(cell) =
            run.at("tasks").at("host").at("bytes").get<double>();
      }
    }
  }
  return times;
}

double told_in_figure_10(const RunTime& wanted) {
  return std::find_if(run_times().begin(), run_times().end(),
                      [&](const RunTime& cell) {
                        return cell.processors == wanted.processors && cell.image == wanted.image &&
                               cell.mask == wanted.mask;
                      })
      ->told;
}

// Less time with the image replicated: as long as the host's bytes cost no more than they save.
Claim faster_claim(const Times12& times) {
  std::array<double, 6> most_us{};  // microseconds a byte
  for (std::size_t cell = 0; cell < 6; ++cell) {
    most_us.at(cell) =
        1e6 * times.gain(0, cell) / (times.host_bytes[1].at(cell) - times.host_bytes[0].at(cell));
  }
  const auto [least, most] = std::minmax_element(most_us.begin(), most_us.end());
  const std::array<int, 3> faster{times.faster(0), times.faster(1), times.faster(2)};
  int printed_faster = 0;
  for (std::size_t cell = 0; cell < 6; ++cell) {
    printed_faster += Times12::printed(1, cell) < Times12::printed(0, cell) ? 1 : 0;
  }
  const bool is_always = printed_faster == 6 && std::count(faster.begin(), faster.end(), 6) == 3;
  return {
      "the program with a replicated image takes less time, the host's sending of image and template included",
      ranka::times_of_figure_12,
      fmt::format(
          "printed, {} of 6; {} of 6 times less without a host, {} of 6 with one whose transfers take as long as a hop, {} of 6 with one whose constants are fitted",
          printed_faster, faster[0], faster[1], faster[2]),
      is_always ? Outcome::holds : Outcome::not_tested,
      is_always
          ? ""
          : fmt::format(
                "The text does not tell what a transfer of the host takes. The host sends more bytes if the image is replicated, and it is so while one takes less than {:.1f} to {:.1f} microseconds, by cell",
                *least, *most)};
}

Claims higher_claims(const Times12& times) {
  int printed = 0;
  int simulated = 0;
  std::array<double, 6> told_rise{};
  std::array<double, 6> rise{};
  for (std::size_t cell = 0; cell < 6; ++cell) {
    told_rise.at(cell) = with_host_8.at(cell).told - told_in_figure_10(with_host_8.at(cell));
    rise.at(cell) = times.seconds[1][0].at(cell) - times.seconds[0][0].at(cell);
    printed += told_rise.at(cell) > 0 ? 1 : 0;
    simulated += rise.at(cell) > 0 ? 1 : 0;
  }
  const auto fitted = [&](std::size_t cell) {
    return times.seconds[2][0].at(cell) - times.seconds[0][0].at(cell);
  };
  return {
      {"the times of figure 8's program are higher here than in figure 10", ranka::with_the_host,
       fmt::format("printed, {} of 6 are", printed), outcome_of(printed == 6), ""},
      {"because these times include the time needed to transmit the image and template matrices from the host",
       ranka::with_the_host,
       fmt::format(
           "simulated with a host whose transfers take as long as a hop, {} of 6 are higher than without. With p = 16 the printed rise goes from {:.3f} s with m = 4 to {:.3f} s with m = 16, where the host sends {:.0f} bytes more; with a host that is fitted to two of the times it goes from {:.3f} s to {:.3f} s",
           simulated, told_rise[0], told_rise[2], times.host_bytes[0][2] - times.host_bytes[0][0],
           fitted(0), fitted(2)),
       Outcome::not_tested, "The text does not tell what a transfer of the host takes"}};
}

// Whatever the host costs, a run without it cannot take longer than one with it.
Claim run_times_claim(const Times12& times) {
  int longer = 0;
  int within = 0;
  double worst = 0;
  std::string examples;
  for (std::size_t cell = 0; cell < 6; ++cell) {
    for (std::size_t version = 0; version < versions.size(); ++version) {
      const double printed = Times12::printed(version, cell);
      const double without = times.seconds[0].at(version).at(cell);
      if (without > printed) {
        ++longer;
        examples += fmt::format("; p = {}, m = {}: {:.3f} s against {:.3f} s",
                                with_host_8.at(cell).processors, with_host_8.at(cell).mask, without,
                                printed);
      }
      if (is_fitted(cell, version)) continue;
      const double off = 100 * std::abs(times.seconds[2].at(version).at(cell) / printed - 1);
      within += off <= 5 ? 1 : 0;
      worst = std::max(worst, off);
    }
  }
  return {
      "the 12 run times", ranka::replicated_image,
      fmt::format(
          "with a host whose two constants are fitted to two of them, {} of the 10 others are within 5 %, the largest difference is {:.1f} %; without a host, {} of 12 are above those printed with it{}",
          within, worst, longer, examples),
      longer > 0     ? Outcome::not_reproduced
      : within == 10 ? Outcome::holds
                     : Outcome::not_tested,
      longer > 0     ? "The host can only add to them"
      : within == 10 ? ""
                     : "The text does not tell what a transfer of the host takes"};
}

FigureResult make_figure_12(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"p", "m", "program of figure", "seconds printed, with the host",
                              "simulated without", "with, as a hop", "with, fitted"});
  const Times12 times = times_12(request, runs);
  LineChart chart("Template matching with and without a replicated image, 128 x 128",
                  "side m of the template", "seconds, with the fitted host (printed: dashed)");
  chart.use_log_y();
  std::size_t colour = 0;
  for (const std::size_t first : {0U, 3U}) {
    for (std::size_t version = 0; version < versions.size(); ++version) {
      Curve simulated;
      Curve printed;
      for (std::size_t cell = first; cell < first + 3; ++cell) {
        const RunTime& one = with_host_8.at(cell);
        simulated.emplace_back(one.mask, times.seconds[2].at(version).at(cell));
        printed.emplace_back(one.mask, Times12::printed(version, cell));
        result.table.add({std::to_string(one.processors), std::to_string(one.mask),
                          version == 0 ? "8" : "11", decimal(Times12::printed(version, cell), 3),
                          decimal(times.seconds[0].at(version).at(cell), 3),
                          decimal(times.seconds[1].at(version).at(cell), 3),
                          decimal(times.seconds[2].at(version).at(cell), 3)});
      }
      chart.colour_as(colour);
      chart.add(fmt::format("{}, p = {}", version == 0 ? "fig. 8" : "fig. 11",
                            with_host_8.at(first).processors),
                simulated);
      chart.colour_as(colour++);
      chart.add("", printed, true);
    }
  }
  result.picture.gnuplot = chart.script();
  const int less = times.faster(0);
  std::array<double, 6> saved{};  // of the computing, in percent
  for (std::size_t cell = 0; cell < 6; ++cell) {
    saved.at(cell) = 100 * (1 - times.computing[1].at(cell) / times.computing[0].at(cell));
  }
  const auto [least_saved, most_saved] = std::minmax_element(saved.begin(), saved.end());
  const auto computes_less =
      std::count_if(saved.begin(), saved.end(), [](double percent) { return percent > 0; });
  result.claims = {
      {"when this image distribution is used, the computation time is reduced",
       ranka::replicated_image,
       fmt::format(
           "computing alone, of all processors together, takes {:.2f} to {:.2f} % less in {} of 6; the run, without a host, is shorter in {} of 6",
           *least_saved, *most_saved, computes_less, less),
       outcome_of(computes_less == 6), ""},
      faster_claim(times),
      run_times_claim(times)};
  for (const Claim& one : higher_claims(times)) result.claims.push_back(one);
  add_digests(result, request, runs, points_12);
  result.notes.emplace_back(fitted_constants);
  result.notes.emplace_back(fmt::format(
      "The host sends the template to rank 0 and each rank its part of the image, and gets the signal of the end. What a transfer takes is not in the text: with a start-up of {} cycles, 2.29 ms, and {} cycles, 10.66 microseconds, for each byte the two times of figure 8's program with m = 4 are as printed.",
      fitted_start_up, fitted_per_byte));
  return result;
}

}  // namespace

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
