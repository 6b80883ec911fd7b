// SPDX-License-Identifier: Apache-2.0
// This is [Ranka88] figure 5: the communication table of the NCUBE. A message goes from neighbour
// to neighbour, and each processor on the way stores it and prepares it anew: `allport program
// message`. The machine's three constants, a cycle, the start-up and the copy at the receiver, are
// those of traffic/programs/catalogue.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/program_point.h"

namespace allport {

namespace {

constexpr int hops_of_table = 6;

struct RatesRow {
  int bytes;
  std::array<double, hops_of_table> rates;  // printed, KB/s over 1 to 6 hops
};
constexpr std::array<RatesRow, 9> printed_rates{
    {{8, {17.2, 11.7, 8.9, 7.1, 5.9, 5.1}},
     {16, {33.1, 22.4, 16.9, 13.7, 11.4, 9.8}},
     {32, {61.6, 41.7, 31.4, 25.2, 21.1, 18.1}},
     {64, {106.6, 72.1, 54.4, 43.7, 36.5, 31.1}},
     {128, {169.5, 114.4, 86.1, 69.1, 57.6, 49.4}},
     {256, {241.2, 162.2, 121.4, 97.1, 81.0, 69.5}},
     {512, {304.8, 203.4, 152.4, 121.9, 101.6, 87.1}},
     {1024, {351.1, 233.4, 174.9, 139.8, 116.4, 99.8}},
     {2048, {380.8, 252.2, 188.8, 150.8, 125.6, 107.6}}}};

Point hop_point(const FigureRequest& request, const std::string& model, int bytes, int hops) {
  return machine_point(request, model, "message", hops,
                       {"--value-bytes", "8", "--values", std::to_string(bytes / 8)});
}

std::vector<Point> table_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const RatesRow& row : printed_rates) {
    for (int hops = 1; hops <= hops_of_table; ++hops) {
      points.push_back(hop_point(request, model, row.bytes, hops));
    }
  }
  return points;
}

// Bytes per microsecond / 1000 = KB/s.
double rate(int bytes, double microseconds) { return 1000 * bytes / microseconds; }

double simulated_us(const FigureRequest& request, const Runs& runs, int bytes, int hops) {
  return microseconds_of(runs.of(hop_point(request, request.models.front(), bytes, hops)));
}

// The largest deviation from the table, in percent, of rates over `from` to `to` hops.
template <class Rate>
double deviation(int from, int to, Rate rate_of) {
  double largest = 0;
  for (const RatesRow& row : printed_rates) {
    for (int hops = from; hops <= to; ++hops) {
      const double told = row.rates.at(static_cast<std::size_t>(hops - 1));
      largest = std::max(largest, 100 * std::abs(rate_of(row.bytes, hops) / told - 1));
    }
  }
  return largest;
}

// The table as the text has it, with what is simulated beside each rate.
NumberTable table_of_text(const FigureRequest& request, const Runs& runs) {
  std::vector<std::string> columns{"KB/s, bytes"};
  for (int hops = 1; hops <= hops_of_table; ++hops) {
    columns.push_back(fmt::format("{} hop{}, printed", hops, hops == 1 ? "" : "s"));
    columns.emplace_back("simulated");
  }
  NumberTable table(columns);
  for (const RatesRow& row : printed_rates) {
    std::vector<std::string> cells{std::to_string(row.bytes)};
    for (int hops = 1; hops <= hops_of_table; ++hops) {
      cells.push_back(decimal(row.rates.at(static_cast<std::size_t>(hops - 1)), 1));
      cells.push_back(decimal(rate(row.bytes, simulated_us(request, runs, row.bytes, hops)), 1));
    }
    table.add(cells);
  }
  return table;
}

// "It takes longer to send the same message to a processor 4 hops away than to one 2 hops away."
Claim longer_way_claim(const FigureRequest& request, const Runs& runs) {
  std::size_t longer = 0;
  for (const RatesRow& row : printed_rates) {
    const bool is_printed = row.rates.at(3) < row.rates.at(1);
    const bool is_simulated =
        simulated_us(request, runs, row.bytes, 4) > simulated_us(request, runs, row.bytes, 2);
    if (is_printed && is_simulated) ++longer;
  }
  return {
      "a message takes longer over four hops than over two", ranka::rates,
      fmt::format(
          "printed and simulated, {} of {} lengths do; 8 bytes: {:.0f} against {:.0f} microseconds, simulated",
          longer, printed_rates.size(), simulated_us(request, runs, 8, 4),
          simulated_us(request, runs, 8, 2)),
      outcome_of(longer == printed_rates.size()), ""};
}

Claims claims_of_rates(const FigureRequest& request, const Runs& runs) {
  const auto by_simulation = [&](int bytes, int hops) {
    return rate(bytes, simulated_us(request, runs, bytes, hops));
  };
  const auto by_relays = [](int bytes, int hops) {
    return rate(bytes, hops * (446.7 + 2.4 * bytes));
  };
  const double one_hop = deviation(1, 1, by_relays);
  const double machine = deviation(1, hops_of_table, by_simulation);
  bool is_rising = true;
  for (std::size_t i = 1; i < printed_rates.size(); ++i) {
    for (int hops = 1; hops <= hops_of_table; ++hops) {
      is_rising = is_rising && by_simulation(printed_rates.at(i).bytes, hops) >
                                   by_simulation(printed_rates.at(i - 1).bytes, hops);
    }
  }
  const double told_us = 8 / printed_rates.front().rates.front() * 1000;
  return {
      {"a message of N bytes takes about 446.7 + 2.4 N microseconds over one hop", ranka::one_hop,
       fmt::format("rates by this formula are within {:.1f} % of the table's first column",
                   one_hop),
       outcome_of(one_hop < 2), ""},
      {"long messages are transferred at a higher rate than short ones", ranka::rates,
       is_rising ? "the simulated rate rises with the length over every number of hops"
                 : "not over every number of hops",
       outcome_of(is_rising), ""},
      longer_way_claim(request, runs),
      {"8 bytes over one hop take as long as 42 additions or 32 multiplications",
       ranka::message_and_arithmetic,
       fmt::format(
           "{:.1f} and {:.1f} by the table's rate of 17.2 KB/s; {:.1f} and {:.1f} by the 470 microseconds of its part (a)",
           told_us / 11.2, told_us / 14.7, 470 / 11.2, 470 / 14.7),
       outcome_of(std::lround(470 / 11.2) == 42 && std::lround(470 / 14.7) == 32), ""},
      {"the table is that of processors that store and forward", "allport, docs/guide/presets.md",
       fmt::format(
           "all 54 simulated rates are within {:.1f} % of the table, with three constants: a cycle of 1.217 microseconds a byte, 177 cycles of start-up at each hop, and a copy as long as a hop at the receiver",
           machine),
       outcome_of(machine < 5), ""}};
}

FigureResult make_rates(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"bytes", "hops", "KB/s printed", "KB/s simulated", "difference %",
                              "microseconds simulated"});
  LineChart chart("Communication rates of an NCUBE: printed (marks) and simulated (dashed)",
                  "message length (bytes)", "KB/s");
  chart.use_log_x();
  for (int hops = 1; hops <= hops_of_table; ++hops) {
    std::vector<std::pair<double, double>> told;
    std::vector<std::pair<double, double>> found;
    for (const RatesRow& row : printed_rates) {
      const double printed_rate = row.rates.at(static_cast<std::size_t>(hops - 1));
      const double microseconds = simulated_us(request, runs, row.bytes, hops);
      const double simulated_rate = rate(row.bytes, microseconds);
      told.emplace_back(row.bytes, printed_rate);
      found.emplace_back(row.bytes, simulated_rate);
      result.table.add({std::to_string(row.bytes), std::to_string(hops), decimal(printed_rate, 1),
                        decimal(simulated_rate, 1),
                        decimal(100 * (simulated_rate / printed_rate - 1), 1),
                        decimal(microseconds, 1)});
    }
    chart.colour_as(static_cast<std::size_t>(hops) - 1);
    chart.add(fmt::format("{} hop{}", hops, hops == 1 ? "" : "s"), told);
    chart.colour_as(static_cast<std::size_t>(hops) - 1);
    chart.add("", found, true);
  }
  result.picture.gnuplot = chart.script();
  result.claims = claims_of_rates(request, runs);
  add_digests(result, request, runs, table_points);
  result.page_table = table_of_text(request, runs);
  result.notes.emplace_back(
      "The simulated time is that of the whole program, from its start until the last processor has copied the message; nothing is subtracted. The constants are fitted to this table.");
  return result;
}

}  // namespace

Figure ranka_5() {
  return {"ranka-5",
          "communication rates of an NCUBE",
          "Ranka88, fig. 5",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, table_points); },
          make_rates,
          ranka::by_router};
}

}  // namespace allport
