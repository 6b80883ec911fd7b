// SPDX-License-Identifier: Apache-2.0
// [Hou98] figures 8 and 9, and the timing analysis of section 6.1: broadcasts on square tori by DCF
// and by EDN, the latter with exact ties in chosen directions and with all of them in the + one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "rtl_model/topology/ids.h"
#include "testbench/reproduce/hou.h"
#include "testbench/reproduce/line_chart.h"
#include "testbench/reproduce/multicast_curves.h"

namespace allport {

namespace {

constexpr std::array algorithms{"dcf", "edn", "edn-positive"};
constexpr int side_of_figures = 32;
constexpr int length_of_analysis = 64;
constexpr int latency_of_figure_9 = 200;

// A broadcast: side of the torus, ts = tr, flits.
struct Setting {
  int side;
  int software_latency;
  int flits;
};

Point broadcast_point(const FigureRequest& request, const std::string& model,
                      const std::string& algorithm, const Setting& setting) {
  return run_point(
      request, model,
      {"--topology", fmt::format("torus:{0}x{0}", setting.side), "--algorithm", algorithm,
       "--flits", std::to_string(setting.flits), "--ts", std::to_string(setting.software_latency),
       "--tr", std::to_string(setting.software_latency)});
}

std::vector<int> lengths() {
  std::vector<int> list;
  for (int flits = 64; flits <= 1024; flits += 64) list.push_back(flits);
  return list;
}

std::vector<Point> length_points(const FigureRequest& request, const std::string& model,
                                 int software_latency) {
  std::vector<Point> points;
  for (const char* algorithm : algorithms) {
    for (const int flits : lengths()) {
      points.push_back(
          broadcast_point(request, model, algorithm, {side_of_figures, software_latency, flits}));
    }
  }
  return points;
}

std::vector<Point> points_8(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, 0);
}
std::vector<Point> points_9(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, latency_of_figure_9);
}

// [Hou98, sec. 6.1] with tc = 1 cycle; k phases, and for odd powers of two one step of a Z_block.
Cycle by_analysis(const std::string& algorithm, const Setting& setting) {
  int phases = 0;
  int side = setting.side;
  for (; side >= 4; side /= 4) ++phases;
  const bool is_odd = side == 2;
  const int power = 1 << (2 * phases);
  const int starts =
      algorithm == "dcf" ? 5 * phases + (is_odd ? 3 : 0) : 6 * phases + (is_odd ? 3 : 0);
  const int hops = is_odd ? 2 * (4 * power - 1) / 3 : 4 * (power - 1) / 3;
  const int steps = 2 * phases + (is_odd ? 1 : 0);
  return Cycle{starts} * setting.software_latency + hops +
         Cycle{steps} * (setting.flits + setting.software_latency);
}

struct Measured {
  Cycle latency = 0;
  std::uint64_t events = 0;
};

Measured measured(const FigureRequest& request, const Runs& runs, const std::string& algorithm,
                  const Setting& setting) {
  const Json& result =
      runs.of(broadcast_point(request, request.models.front(), algorithm, setting));
  return {result.at("latency").at("max").get<Cycle>(),
          result.at("contention").at("events").get<std::uint64_t>()};
}

// DCF's lead over `algorithm`, in cycles, over the lengths: least and most.
struct Lead {
  Cycle least = 0;
  Cycle most = 0;
  std::string in_words() const {
    return least == most ? fmt::format("{} cycles", least)
                         : fmt::format("{} to {} cycles", least, most);
  }
};

Lead lead_over(const FigureRequest& request, const Runs& runs, const std::string& algorithm,
               int software_latency) {
  Lead lead;
  for (const int flits : lengths()) {
    const Setting setting{side_of_figures, software_latency, flits};
    const Cycle cycles = measured(request, runs, algorithm, setting).latency -
                         measured(request, runs, "dcf", setting).latency;
    lead.least = flits == lengths().front() ? cycles : std::min(lead.least, cycles);
    lead.most = flits == lengths().front() ? cycles : std::max(lead.most, cycles);
  }
  return lead;
}

std::uint64_t all_events(const FigureRequest& request, const Runs& runs,
                         const std::string& algorithm, int software_latency) {
  std::uint64_t events = 0;
  for (const int flits : lengths()) {
    events += measured(request, runs, algorithm, {side_of_figures, software_latency, flits}).events;
  }
  return events;
}

Claim analysis_claim(const FigureRequest& request, const Runs& runs, const std::string& algorithm,
                     int software_latency) {
  Cycle largest = 0;
  for (const int flits : lengths()) {
    const Setting setting{side_of_figures, software_latency, flits};
    largest = std::max(largest, std::abs(measured(request, runs, algorithm, setting).latency -
                                         by_analysis(algorithm, setting)));
  }
  return {fmt::format("{} takes the time of the analysis", printed_name(algorithm)),
          "Hou98, sec. 6.1 and 6.2",
          fmt::format("largest difference over the lengths {} cycles", largest),
          outcome_of(largest == 0), ""};
}

// What the text says of figure 8: software latencies are 0.
void add_claims_8(Claims& claims, const FigureRequest& request, const Runs& runs) {
  const Lead chosen = lead_over(request, runs, "edn", 0);
  const Lead positive = lead_over(request, runs, "edn-positive", 0);
  const char* place = "Hou98, sec. 6.2 (fig. 8)";
  claims.push_back({"DCF is faster than EDN", place,
                    fmt::format("by {} with chosen tie directions, by {} with + ties",
                                chosen.in_words(), positive.in_words()),
                    outcome_of(chosen.least > 0 && positive.least > 0),
                    "With tie directions chosen so that no step has contention both take equally "
                    "long without software latency"});
  const double messages_chosen = static_cast<double>(chosen.most) / lengths().back();
  const double messages_positive = static_cast<double>(positive.most) / lengths().back();
  const bool is_one = std::abs(messages_chosen - 1) < 0.1 || std::abs(messages_positive - 1) < 0.1;
  claims.push_back({"EDN takes about one message time more, for contention blocks it", place,
                    fmt::format("at 1024 flits {:.2f} message times more with chosen ties, {:.2f} "
                                "with + ties",
                                messages_chosen, messages_positive),
                    outcome_of(is_one),
                    is_one
                        ? ""
                        : "The authors' tie directions are not known: chosen well they cost "
                          "nothing, all in the + direction they cost more than one message time"});
  claims.push_back(
      {"EDN's contention can be observed", place,
       fmt::format("contention events over all lengths: {} with chosen ties, {} with + "
                   "ties, {} of DCF",
                   all_events(request, runs, "edn", 0),
                   all_events(request, runs, "edn-positive", 0),
                   all_events(request, runs, "dcf", 0)),
       outcome_of(all_events(request, runs, "edn-positive", 0) > 0), ""});
  claims.push_back({"the difference grows with the message", place,
                    fmt::format("with + ties from {} cycles at 64 flits to {} at 1024",
                                positive.least, positive.most),
                    outcome_of(positive.most > positive.least), ""});
}

// Of figure 9: software latencies are 200.
void add_claims_9(Claims& claims, const FigureRequest& request, const Runs& runs) {
  const Lead chosen = lead_over(request, runs, "edn", latency_of_figure_9);
  const Lead positive = lead_over(request, runs, "edn-positive", latency_of_figure_9);
  const char* place = "Hou98, sec. 6.2 (fig. 9)";
  claims.push_back({"DCF is faster than EDN", place,
                    fmt::format("by {} with chosen tie directions, by {} with + ties",
                                chosen.in_words(), positive.in_words()),
                    outcome_of(chosen.least > 0 && positive.least > 0), ""});
  claims.push_back({"DCF's latency is about 200 cycles less than EDN's", place,
                    fmt::format("{} less with chosen tie directions, {} with + ties",
                                chosen.in_words(), positive.in_words()),
                    outcome_of(chosen.least > 150 && chosen.most < 250),
                    "The paper's own analysis has k = 2 sending latencies of 200 cycles on this "
                    "torus, that is 400"});
  const Setting shortest{side_of_figures, latency_of_figure_9, lengths().front()};
  const Setting longest{side_of_figures, latency_of_figure_9, lengths().back()};
  const auto share = [&](const Setting& setting) {
    return 100 * static_cast<double>(chosen.least) /
           static_cast<double>(measured(request, runs, "edn", setting).latency);
  };
  claims.push_back({"the gain is significant for small messages above all", place,
                    fmt::format("{:.1f} % of EDN's latency at 64 flits, {:.1f} % at 1024",
                                share(shortest), share(longest)),
                    outcome_of(share(shortest) > share(longest)), ""});
}

FigureResult make_lengths(const FigureRequest& request, const Runs& runs, int software_latency) {
  FigureResult result;
  result.table = NumberTable({"flits", "DCF", "DCF analysis", "EDN", "EDN analysis",
                              "EDN, ties in +", "events of EDN", "events of EDN, ties in +"});
  for (const int flits : lengths()) {
    const Setting setting{side_of_figures, software_latency, flits};
    const Measured dcf = measured(request, runs, "dcf", setting);
    const Measured edn = measured(request, runs, "edn", setting);
    const Measured positive = measured(request, runs, "edn-positive", setting);
    result.table.add({std::to_string(flits), std::to_string(dcf.latency),
                      std::to_string(by_analysis("dcf", setting)), std::to_string(edn.latency),
                      std::to_string(by_analysis("edn", setting)), std::to_string(positive.latency),
                      std::to_string(edn.events), std::to_string(positive.events)});
  }
  LineChart chart(
      fmt::format("Broadcast on a 32x32 torus, sending and receiving latency {}", software_latency),
      "message length (flits)", "latency (cycles)");
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    std::vector<std::pair<double, double>> points;
    for (const int flits : lengths()) {
      const Setting setting{side_of_figures, software_latency, flits};
      points.emplace_back(flits, measured(request, runs, algorithms.at(i), setting).latency);
    }
    chart.add(printed_name(algorithms.at(i)), points);
  }
  result.picture.gnuplot = chart.script();
  if (software_latency == 0) {
    add_claims_8(result.claims, request, runs);
  } else {
    add_claims_9(result.claims, request, runs);
  }
  result.claims.push_back(analysis_claim(request, runs, "dcf", software_latency));
  result.notes.emplace_back(
      "EDN is reconstructed; where a message goes exactly half around the torus its direction is "
      "free. *Chosen*: so that the messages of a step share no channel. *Ties in +*: all in the + "
      "direction, so that two of them leave by the same channel.");
  add_digests(result, request, runs, software_latency == 0 ? points_8 : points_9);
  return result;
}

constexpr std::array sides{2, 4, 8, 16, 32, 64};
constexpr std::array software_latencies{0, 200};

std::vector<Point> timing_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int side : sides) {
    for (const char* algorithm : algorithms) {
      for (const int latency : software_latencies) {
        points.push_back(
            broadcast_point(request, model, algorithm, {side, latency, length_of_analysis}));
      }
    }
  }
  return points;
}

std::string timing_chart(const FigureRequest& request, const Runs& runs) {
  LineChart chart("Broadcast of 64 flits on N x N tori, sending and receiving latency 200",
                  "side N of the torus", "latency (cycles)");
  chart.use_log_x();
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    std::vector<std::pair<double, double>> theory;
    std::vector<std::pair<double, double>> points;
    for (const int side : sides) {
      const Setting setting{side, latency_of_figure_9, length_of_analysis};
      theory.emplace_back(side, by_analysis(algorithms.at(i), setting));
      points.emplace_back(side, measured(request, runs, algorithms.at(i), setting).latency);
    }
    if (i < 2) {
      chart.colour_as(i);
      chart.add(printed_name(algorithms.at(i)) + ": analysis", theory, true);
    }
    chart.colour_as(i);
    chart.add(printed_name(algorithms.at(i)) + ": simulated", points);
  }
  return chart.script();
}

FigureResult make_timing(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable(
      {"N", "ts = tr", "algorithm", "analysis", "simulated", "difference", "contention events"});
  std::map<std::string, Cycle> largest;
  std::map<std::string, std::uint64_t> events;
  for (const int side : sides) {
    for (const int latency : software_latencies) {
      for (const char* algorithm : algorithms) {
        const Setting setting{side, latency, length_of_analysis};
        const Measured found = measured(request, runs, algorithm, setting);
        const Cycle theory = by_analysis(algorithm, setting);
        largest[algorithm] = std::max(largest[algorithm], std::abs(found.latency - theory));
        events[algorithm] += found.events;
        result.table.add({std::to_string(side), std::to_string(latency), printed_name(algorithm),
                          std::to_string(theory), std::to_string(found.latency),
                          std::to_string(found.latency - theory), std::to_string(found.events)});
      }
    }
  }
  result.picture.gnuplot = timing_chart(request, runs);
  const auto agreement = [&](const std::string& algorithm, const std::string& text,
                             const std::string& why) {
    const bool agrees = largest[algorithm] == 0;
    result.claims.push_back(
        {text, "Hou98, sec. 6.1",
         fmt::format("largest difference for N = 2 to 64: {} cycles, {} contention events",
                     largest[algorithm], events[algorithm]),
         outcome_of(agrees), agrees ? "" : why});
  };
  agreement("dcf", "DCF takes 5k ts + 4/3 (4^k - 1) tc + 2k (L tc + tr), odd powers likewise", "");
  agreement("edn", "EDN takes 6k ts + .., with chosen tie directions", "");
  agreement("edn-positive", "EDN takes 6k ts + .., with all ties in the + direction",
            "Two messages of a step share their first channel, and one waits for the other");
  const Setting middle{side_of_figures, latency_of_figure_9, length_of_analysis};
  const Cycle lead = measured(request, runs, "edn", middle).latency -
                     measured(request, runs, "dcf", middle).latency;
  result.claims.push_back({"EDN spends k sending latencies more", "Hou98, sec. 6.1",
                           fmt::format("32x32, k = 2, ts = 200: {} cycles more", lead),
                           outcome_of(lead == 400), ""});
  add_digests(result, request, runs, timing_points);
  return result;
}

}  // namespace

Figure hou_8() {
  return {"hou-8",
          "broadcast on a 32x32 torus without software latency",
          "Hou98, fig. 8",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_8); },
          [](const FigureRequest& request, const Runs& runs) {
            return make_lengths(request, runs, 0);
          }};
}

Figure hou_9() {
  return {"hou-9",
          "broadcast on a 32x32 torus, latencies of 200 cycles",
          "Hou98, fig. 9",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_9); },
          [](const FigureRequest& request, const Runs& runs) {
            return make_lengths(request, runs, latency_of_figure_9);
          }};
}

Figure hou_timing() {
  return {
      "hou-timing",
      "timing analysis of DCF and EDN against simulation",
      "Hou98, sec. 6.1",
      FigureKind::curve,
      [](const FigureRequest& request) { return points_of_models(request, timing_points); },
      [](const FigureRequest& request, const Runs& runs) { return make_timing(request, runs); }};
}

}  // namespace allport
