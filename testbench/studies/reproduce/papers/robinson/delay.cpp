// SPDX-License-Identifier: Apache-2.0
// These are [Robinson93] figures 11 to 14: average and maximum delay of a multicast of 4096 bytes,
// simulated. The text gives the message, the sets per point and the machine, an nCUBE-2 (ascending
// e-cube), whose flits have 4 bytes. It does not give the start-up latencies: they are 0 here, and
// figures 11 and 12 are computed once more with one, to see whether anything depends on it.
#include <fmt/format.h>

#include <numeric>

#include "testbench/studies/reproduce/multicast_curves.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"

namespace allport {

namespace {

enum class Delay { average, maximum };

// A machine of the paper, the number of sets of each point of its curves, and a start-up latency.
struct Setting {
  int dimensions;
  std::size_t sets;
  int ts;
};
// 446.7 us against 2.4 us per byte [Ranka88, sec. 2], in transfer times of a flit of 4 bytes: the
// values of the first NCUBE, as those of the nCUBE-2 are not known.
constexpr int ncube_startup = 47;
constexpr Setting five_cube{5, 20, 0};
constexpr Setting started_five_cube{5, 20, ncube_startup};
constexpr Setting ten_cube{10, 100, 0};

std::vector<std::size_t> sizes_of(const Setting& setting) {
  if (setting.dimensions == 10) return sizes_of_ten_cube();
  std::vector<std::size_t> sizes((std::size_t{1} << setting.dimensions) - 1);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  return sizes;
}

Point delay_point(const FigureRequest& request, const std::string& model, const Setting& setting,
                  const std::string& algorithm, std::size_t size) {
  return run_point(
      request, model,
      {"--topology", fmt::format("hypercube:{}", setting.dimensions), "--routing", "ascending",
       "--bytes", "4096", "--flit-bytes", "4", "--ts", std::to_string(setting.ts), "--algorithm",
       algorithm, "--destinations", fmt::format("random:{}", size), "--trials",
       std::to_string(request.trials_or(setting.sets)), "--seed", std::to_string(request.seed)});
}

std::vector<Point> setting_points(const FigureRequest& request, const std::string& model,
                                  const Setting& setting) {
  std::vector<Point> points;
  for (const std::string& algorithm : robinson_algorithms()) {
    for (const std::size_t size : sizes_of(setting)) {
      points.push_back(delay_point(request, model, setting, algorithm, size));
    }
  }
  return points;
}

std::vector<Point> five_cube_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points = setting_points(request, model, five_cube);
  for (Point& one : setting_points(request, model, started_five_cube)) {
    points.push_back(std::move(one));
  }
  return points;
}

// The points of the 5-cube as well, because the text says how the larger machine differs.
std::vector<Point> ten_cube_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points = setting_points(request, model, ten_cube);
  for (Point& one : setting_points(request, model, five_cube)) points.push_back(std::move(one));
  return points;
}

MulticastCurves curves_of(const FigureRequest& request, const Runs& runs, const Setting& setting,
                          Delay delay) {
  const char* key = delay == Delay::average ? "mean" : "max";
  MulticastCurves curves(robinson_algorithms(), sizes_of(setting));
  for (const std::string& algorithm : robinson_algorithms()) {
    for (const std::size_t size : sizes_of(setting)) {
      const Json& latency =
          runs.of(delay_point(request, request.models.front(), setting, algorithm, size))
              .at("latency");
      std::vector<double> samples;
      for (const Json& trial : latency.value("trials", Json::array())) {
        samples.push_back(trial.at(key).get<double>());
      }
      if (samples.empty()) samples.push_back(latency.at(key).get<double>());
      curves.add(algorithm, mean_of(samples));
    }
  }
  return curves;
}

void add_benefits(Claims& claims, const MulticastCurves& curves, const Quotation& source,
                  const char* what) {
  for (const std::string& one : new_algorithms()) {
    const double gain = curves.gain(one, "ucube");
    const std::size_t clearly_worse = curves.sizes_clearly_below("ucube", {one});
    claims.push_back(
        {fmt::format("{} offers {} over U-cube", printed_name(one), what), source,
         fmt::format(
             "{:.1f} % less delay, by the sums over all sizes; more at {} of {} sizes, by more than two standard errors at {}",
             gain, curves.sizes_above(one, "ucube"), curves.sizes().size(), clearly_worse),
         reproduced_if(gain > 0 && clearly_worse == 0), ""});
  }
}

void add_staircase(Claims& claims, const MulticastCurves& curves, const Quotation& source) {
  const double at_powers = curves.mean_rise("ucube", true);
  const double elsewhere = curves.mean_rise("ucube", false);
  claims.push_back(
      {"U-cube's maximum delay is a staircase", source,
       fmt::format(
           "mean rise into 2, 4, 8 and 16 destinations {:.0f} cycles, into other sizes {:.0f}",
           at_powers, elsewhere),
       outcome_of(at_powers > 4 * elsewhere), ""});
  constexpr std::size_t stairs = 4;
  claims.push_back(smoothness_claim(curves, stairs, source));
}

// Tests the same claims with a start-up latency: do the outcomes change?
void add_startup(Claims& claims, const Claims& with_startup) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].outcome == with_startup[i].outcome) ++same;
  }
  claims.push_back(
      {fmt::format(
           "with a start-up latency of {} cycles the claims above come out the same; robinson-startup shows from where on they do not",
           ncube_startup),
       "allport, beside figures 11 and 12",
       fmt::format("{} of {}; the value is the first NCUBE's [Ranka88], the text gives none", same,
                   claims.size()),
       outcome_of(same == claims.size()), ""});
}

Claims five_cube_claims(const FigureRequest& request, const MulticastCurves& curves, Delay delay) {
  Claims claims;
  add_benefits(claims, curves, robinson::benefit_on_5_cube, "some benefit");
  const std::size_t clear = curves.sizes_clearly_below("wsort", new_algorithms());
  claims.push_back(
      {"no advantage among Maxport, Combine and W-sort is clear", robinson::benefit_on_5_cube,
       fmt::format(
           "W-sort is below both others by more than two standard errors at {} of {} sizes, by {:.1f} % of Maxport's and {:.1f} % of Combine's delay, by the sums over all sizes",
           clear, curves.sizes().size(), curves.gain("wsort", "maxport"),
           curves.gain("wsort", "combine")),
       reproduced_if(2 * clear < curves.sizes().size()),
       2 * clear < curves.sizes().size()
           ? ""
           : "The paper's curves are measurements on a machine, with its software and its noise, of sets of which only the number is known; simulated without either, W-sort is ahead"});
  if (delay == Delay::average) add_ucube_anomaly(claims, request, curves);
  if (delay == Delay::maximum) add_staircase(claims, curves, robinson::staircase);
  return claims;
}

Claims ten_cube_claims(const MulticastCurves& curves, const MulticastCurves& small) {
  Claims claims;
  add_benefits(claims, curves, robinson::benefit_on_10_cube, "advantages");
  const auto clear = [](const MulticastCurves& one) {
    return 100.0 * static_cast<double>(one.sizes_clearly_below("wsort", new_algorithms())) /
           static_cast<double>(one.sizes().size());
  };
  // How much further ahead W-sort is on the large cube, and whether it is by cycles and by share.
  const auto ahead = [&](const char* other) {
    return fmt::format("ahead of {} by {:.0f} cycles and {:.1f} %, against {:.0f} and {:.1f}",
                       printed_name(other), curves.lead("wsort", other),
                       curves.mean_gain("wsort", other), small.lead("wsort", other),
                       small.mean_gain("wsort", other));
  };
  const auto is_further = [&](const char* other) {
    return curves.lead("wsort", other) > small.lead("wsort", other) &&
           curves.mean_gain("wsort", other) > small.mean_gain("wsort", other);
  };
  const char* units = "cycles are means over the sizes, percentages means of the sizes' own";
  claims.push_back(
      {"W-sort's advantage over Maxport and Combine becomes more obvious on the larger system",
       robinson::benefit_on_10_cube,
       fmt::format(
           "below both by more than two standard errors at {:.0f} % of the sizes, against {:.0f} % on the 5-cube; {}; {}; {}",
           clear(curves), clear(small), ahead("maxport"), ahead("combine"), units),
       reproduced_if(is_further("maxport") && is_further("combine") &&
                     clear(curves) > clear(small)),
       "That it is clear at more sizes has to do with the number of sets too, 100 against 20 a point"});
  claims.push_back({"W-sort's advantage over U-cube becomes more obvious on the larger system",
                    robinson::benefit_on_10_cube, fmt::format("{}; {}", ahead("ucube"), units),
                    reproduced_if(is_further("ucube")),
                    is_further("ucube") ? "" : "In cycles it does, in percent it does not"});
  return claims;
}

FigureResult make_delay(const FigureRequest& request, const Runs& runs, const Setting& setting,
                        Delay delay) {
  const char* what = delay == Delay::average ? "average" : "maximum";
  const MulticastCurves curves = curves_of(request, runs, setting, delay);
  LineChart chart(
      fmt::format("Multicast of 4096 bytes on a {}-cube: {} delay", setting.dimensions, what),
      "destinations",
      fmt::format("{} delay (cycles), mean of {} sets", what, request.trials_or(setting.sets)));
  curves.draw(chart);
  FigureResult result;
  result.table = curves.table(1, true);
  result.picture.gnuplot = chart.script();
  const bool is_large = setting.dimensions == ten_cube.dimensions;
  if (is_large) {
    result.claims = ten_cube_claims(curves, curves_of(request, runs, five_cube, delay));
  } else {
    result.claims = five_cube_claims(request, curves, delay);
    add_startup(
        result.claims,
        five_cube_claims(request, curves_of(request, runs, started_five_cube, delay), delay));
  }
  add_digests(result, request, runs, is_large ? ten_cube_points : five_cube_points);
  result.notes.emplace_back(
      "1024 flits of 4 bytes, ascending e-cube, buffers of 4 flits, one cycle per flit and hop; start-up latencies, which the text does not give, are 0. Delays are in cycles, the time a flit needs for a channel.");
  return result;
}

std::vector<Point> all_five_cube_points(const FigureRequest& request) {
  return points_of_models(request, five_cube_points);
}
std::vector<Point> all_ten_cube_points(const FigureRequest& request) {
  return points_of_models(request, ten_cube_points);
}

}  // namespace

Figure robinson_11() {
  return {"robinson-11",
          "average delay on a 5-cube, 4096 bytes",
          "Robinson93, fig. 11",
          FigureKind::curve,
          all_five_cube_points,
          [](const FigureRequest& request, const Runs& runs) {
            return make_delay(request, runs, five_cube, Delay::average);
          },
          robinson::by_router};
}

Figure robinson_12() {
  return {"robinson-12",
          "maximum delay on a 5-cube, 4096 bytes",
          "Robinson93, fig. 12",
          FigureKind::curve,
          all_five_cube_points,
          [](const FigureRequest& request, const Runs& runs) {
            return make_delay(request, runs, five_cube, Delay::maximum);
          },
          robinson::by_router};
}

Figure robinson_13() {
  return {"robinson-13",
          "average delay on a 10-cube, 4096 bytes",
          "Robinson93, fig. 13",
          FigureKind::curve,
          all_ten_cube_points,
          [](const FigureRequest& request, const Runs& runs) {
            return make_delay(request, runs, ten_cube, Delay::average);
          },
          robinson::by_router};
}

Figure robinson_14() {
  return {"robinson-14",
          "maximum delay on a 10-cube, 4096 bytes",
          "Robinson93, fig. 14",
          FigureKind::curve,
          all_ten_cube_points,
          [](const FigureRequest& request, const Runs& runs) {
            return make_delay(request, runs, ten_cube, Delay::maximum);
          },
          robinson::by_router};
}

}  // namespace allport
