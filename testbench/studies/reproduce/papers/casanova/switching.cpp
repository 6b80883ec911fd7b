// SPDX-License-Identifier: Apache-2.0
// This figure is from [CasanovaSlides], point-to-point protocols: it shows store-and-forward by
// processors, plain and pipelined, and the two cut-through protocols, over the distance. The
// slides' L is ts + 1 where processors store and forward: the start-up, and the cycle on the
// channel to the processor.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"

namespace allport {

namespace {

constexpr int long_message = 256;
constexpr int relay_ts = 40;
constexpr int relay_start_up = relay_ts + 1;
constexpr int largest_distance = 10;
constexpr std::array modes{"store-and-forward", "cut-through", "wormhole", "circuit"};
constexpr std::array lengths{2, 16, long_message};
constexpr std::array relayed_pieces{1, 2, 4, 8, 16, 32, 64};

Point switching_point(const FigureRequest& request, const std::string& mode, int distance,
                      int length) {
  return run_point(request, "systemc",
                   {"--topology", "hypercube:10", "--switching", mode, "--buffer-depth",
                    std::to_string(long_message), "--flits", std::to_string(length), "--ts",
                    std::to_string(relay_ts), "--algorithm", "separate", "--destinations",
                    std::to_string((1 << distance) - 1)});
}

// The message goes from processor to processor over `distance` links of a ring; the thread of a
// processor that sends does it one message after another.
Point relayed_point(const FigureRequest& request, int distance, int length, int r) {
  return run_point(request, "systemc",
                   {"--topology", fmt::format("ring:{}", distance + 1), "--algorithm", "ring",
                    "--pieces", std::to_string(r), "--flits", std::to_string(length), "--ts",
                    std::to_string(relay_ts), "--send", "blocking"});
}

std::vector<Point> switching_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (const int length : lengths) {
    for (int distance = 1; distance <= largest_distance; ++distance) {
      for (const char* mode : modes) {
        points.push_back(switching_point(request, mode, distance, length));
      }
      if (distance > 1) points.push_back(relayed_point(request, distance, length, 1));
    }
  }
  for (const int r : relayed_pieces)
    points.push_back(relayed_point(request, largest_distance, long_message, r));
  return points;
}

class Times {
 public:
  Times(const FigureRequest& request, const Runs& runs) : request_(request), runs_(runs) {}
  int by_routers(const std::string& mode, int distance, int length) const {
    return time(switching_point(request_, mode, distance, length));
  }
  int by_processors(int distance, int length, int r = 1) const {
    return time(relayed_point(request_, distance, length, r));
  }
  /// The largest difference to `formula` over all distances from `first` on and all lengths.
  template <class Time, class Formula>
  static int largest_difference(int first, Time time, Formula formula) {
    int largest = 0;
    for (const int length : lengths) {
      for (int d = first; d <= largest_distance; ++d) {
        largest = std::max(largest, std::abs(time(d, length) - formula(d, length)));
      }
    }
    return largest;
  }

 private:
  int time(const Point& point) const { return runs_.of(point).at("latency").at("max").get<int>(); }
  const FigureRequest& request_;
  const Runs& runs_;
};

Claim relayed_claim(const Times& times) {
  const int largest = Times::largest_difference(
      2, [&](int d, int m) { return times.by_processors(d, m); },
      [](int d, int m) { return d * (relay_start_up + m); });
  return {
      "store-and-forward over d links takes d (L + m b)", casanova::store_and_forward,
      fmt::format(
          "from processor to processor on a ring, L = ts + 1: largest difference {} cycles, d = 2 to 10, m = 2, 16 and 256",
          largest),
      outcome_of(largest == 0), ""};
}

Claim pipelined_claim(const Times& times) {
  double least = 1e9;
  double most = -1e9;
  double percent = 0;
  bool agrees = true;
  for (const int r : relayed_pieces) {
    const double formula =
        (largest_distance - 1 + r) * (relay_start_up + static_cast<double>(long_message) / r);
    const double over = times.by_processors(largest_distance, long_message, r) - formula;
    least = std::min(least, over);
    most = std::max(most, over);
    percent = std::max(percent, 100 * std::abs(over) / formula);
    agrees = agrees && std::abs(over) <= cycles_of_a_send * (r - 1);
  }
  return {
      "store-and-forward in r pieces takes (d - 1 + r)(L + m b / r)",
      casanova::store_and_forward_in_pieces,
      fmt::format(
          "simulated minus formula: {:+.0f} to {:+.0f} cycles, d = 10, r = 1 to 64, at most {:.1f} %: the next send may begin up to {} cycles before the last one is received, which are {} (r - 1) cycles in all",
          least, most, percent, cycles_of_a_send, cycles_of_a_send),
      outcome_of(agrees), ""};
}

// Both cut-through protocols have the slides' L + d delta + m / B; L and delta of this machine are
// told, the largest difference is over all lengths.
Claim cut_through_claim(const Times& times, const Quotation& source, const std::string& mode,
                        int start, int delta) {
  const int largest = Times::largest_difference(
      1, [&](int d, int m) { return times.by_routers(mode, d, m); },
      [&](int d, int m) { return start + d * delta + m; });
  return {
      fmt::format("{}: L + d delta + m / B over d links", mode), source,
      fmt::format(
          "with L = ts{} and delta = {}: largest difference {} cycles, d = 1 to 10, m = 2, 16 and 256",
          start == relay_ts ? "" : fmt::format(" + {}", start - relay_ts), delta, largest),
      outcome_of(largest == 0), ""};
}

// Both sentences are on wormhole and circuit switching, the slides' cut-through protocols.
constexpr std::array cut_through_modes{"wormhole", "circuit"};

Claim efficiency_claim(const Times& times) {
  bool are_faster = true;
  for (const char* mode : cut_through_modes) {
    for (const int length : lengths) {
      for (int d = 2; d <= largest_distance; ++d) {
        are_faster =
            are_faster && times.by_routers(mode, d, length) < times.by_processors(d, length);
      }
    }
  }
  return {"cut-through protocols are more efficient than store-and-forward",
          casanova::distance_is_hidden,
          fmt::format(
              "of {} flits over 2 to {} links, by wormhole and by circuit switching: {}",
              fmt::join(lengths, ", "), largest_distance,
              are_faster ? "always faster than from processor to processor" : "not always faster"),
          outcome_of(are_faster), ""};
}

// By how much longer, in percent, a message takes over ten links than over two.
Claim distance_claim(const Times& times) {
  const auto percent = [](int far, int near) {
    return 100 * (static_cast<double>(far) / near - 1);
  };
  std::string measured;
  bool are_hidden = true;
  for (const int length : {long_message, lengths.front()}) {
    measured += fmt::format("{}{} flits over {} links take ", measured.empty() ? "" : "; ", length,
                            largest_distance);
    for (const char* mode : cut_through_modes) {
      const double more = percent(times.by_routers(mode, largest_distance, length),
                                  times.by_routers(mode, 2, length));
      are_hidden = are_hidden && more < 10;
      measured += fmt::format("{:.0f} % longer by {}, ", more, mode);
    }
    measured += fmt::format(
        "{:.0f} % by store-and-forward than over 2",
        percent(times.by_processors(largest_distance, length), times.by_processors(2, length)));
  }
  return {
      "cut-through protocols hide the distance between nodes", casanova::distance_is_hidden,
      measured + fmt::format("; with L = {} delta", relay_ts), Outcome::not_tested,
      are_hidden
          ? "The slides do not give L / delta"
          : "The slides do not give L / delta, by which it is so of a short message too or not; of a long one it is"};
}

Claims claims_of(const Times& times) {
  const int routers = Times::largest_difference(
      1, [&](int d, int m) { return times.by_routers("store-and-forward", d, m); },
      [](int d, int m) { return relay_ts + (d + 2) * m - 1; });
  const auto far = [&](const char* mode, int m) { return times.by_routers(mode, 10, m); };
  const double gain_long =
      static_cast<double>(far("circuit", long_message)) / far("wormhole", long_message);
  const double gain_short = static_cast<double>(far("circuit", 2)) / far("wormhole", 2);
  return {
      relayed_claim(times),
      pipelined_claim(times),
      cut_through_claim(times, "allport, beside the slides' two protocols", "cut-through", relay_ts,
                        1),
      cut_through_claim(times, casanova::cut_through, "wormhole", relay_ts, 1),
      cut_through_claim(times, casanova::cut_through, "circuit", relay_ts + 3, 3),
      {"store-and-forward by routers takes ts + (d + 2) m - 1 cycles", "allport, docs/timing.md",
       fmt::format(
           "largest difference {} cycles: the channels between processor and router are a transfer each",
           routers),
       outcome_of(routers == 0), ""},
      efficiency_claim(times),
      distance_claim(times),
      {"wormhole routing normally has a much lower latency than circuit switching",
       casanova::wormhole_preferred,
       fmt::format(
           "over 10 links {} against {} cycles for 256 flits, {} against {} for two: by circuit {:.0f} % and {:.0f} % more",
           far("wormhole", long_message), far("circuit", long_message), far("wormhole", 2),
           far("circuit", 2), 100 * (gain_long - 1), 100 * (gain_short - 1)),
       Outcome::not_tested,
       "The slides do not say how a circuit is set up: three cycles a link, by hardware, are allport's own. With them it is lower, by much for a short message only"}};
}

FigureResult make_switching(const FigureRequest& request, const Runs& runs) {
  const Times times(request, runs);
  FigureResult result;
  std::vector<std::string> columns{"links", "flits", "d (L + m b)", "by processors"};
  columns.insert(columns.end(), modes.begin(), modes.end());
  result.table = NumberTable(columns);
  for (const int length : lengths) {
    for (int distance = 1; distance <= largest_distance; ++distance) {
      std::vector<std::string> row{
          std::to_string(distance), std::to_string(length),
          std::to_string(distance * (relay_start_up + length)),
          distance > 1 ? std::to_string(times.by_processors(distance, length)) : ""};
      for (const char* mode : modes) {
        row.push_back(std::to_string(times.by_routers(mode, distance, length)));
      }
      result.table.add(row);
    }
  }
  LineChart chart("One message of 256 flits, ts = 40, over d links", "links d", "time (cycles)");
  std::vector<std::pair<double, double>> relayed;
  for (int d = 2; d <= largest_distance; ++d)
    relayed.emplace_back(d, times.by_processors(d, long_message));
  chart.add("store-and-forward by processors", relayed);
  for (const std::string mode : modes) {
    std::vector<std::pair<double, double>> points;
    for (int d = 1; d <= largest_distance; ++d) {
      points.emplace_back(d, times.by_routers(mode, d, long_message));
    }
    chart.add(mode == "store-and-forward" ? mode + " by routers" : mode, points);
  }
  result.picture.gnuplot = chart.script();
  result.claims = claims_of(times);
  result.digests["systemc"] = digest_of_runs(runs, switching_points(request));
  result.notes.emplace_back(
      "The slides say of store-and-forward that it is done \"only at applications level\": so do the processors here, on a ring of d + 1. Routers that store and forward are beside them. Simulated flit by flit, whatever `--model` says.");
  return result;
}

}  // namespace

Figure casanova_switching() {
  return {"casanova-switching",
          "store-and-forward and cut-through over the distance",
          "CasanovaSlides, point-to-point protocols",
          FigureKind::curve,
          switching_points,
          make_switching,
          casanova::by_router};
}

}  // namespace allport
