// SPDX-License-Identifier: Apache-2.0
// These are [Ranka88] figures 13 and 14: dynamic load balancing by two heuristics, by `allport
// program load-balance`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/program_point.h"

namespace allport {

namespace {

using Curve = std::vector<std::pair<double, double>>;

constexpr std::array loads{1, 4, 16, 64, 256, 1024};
constexpr std::array start_ups{0, 177, 1770};

// Bytes of an item; with those above the first the NCUBE's own start-up is tried.
constexpr std::array item_sizes{4, 16, 64};
constexpr int own_start_up = start_ups[1];

Point load_point(const FigureRequest& request, const std::string& model, const char* heuristic,
                 int load, int start_up, int item_bytes = item_sizes.front()) {
  std::vector<std::string> arguments{"--variant",          heuristic, "--load",
                                     std::to_string(load), "--ts",    std::to_string(start_up)};
  if (item_bytes != item_sizes.front()) {
    arguments.insert(arguments.end(), {"--item-bytes", std::to_string(item_bytes)});
  }
  return machine_point(request, model, "load-balance", 4, std::move(arguments));
}

struct Setting {
  int start_up;
  int item_bytes;
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  all.reserve(start_ups.size() + item_sizes.size() - 1);
  for (const int start_up : start_ups) all.push_back({start_up, item_sizes.front()});
  for (std::size_t i = 1; i < item_sizes.size(); ++i) {
    all.push_back({own_start_up, item_sizes.at(i)});
  }
  return all;
}

std::vector<Point> points_13(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const Setting& one : settings()) {
    for (const int load : loads) {
      for (const char* heuristic : {"1", "2"}) {
        points.push_back(load_point(request, model, heuristic, load, one.start_up, one.item_bytes));
      }
    }
  }
  return points;
}

// One row of the table: both heuristics at a mean load (items) and a start-up (cycles).
struct BalanceRow {
  int start_up;
  int item_bytes;
  int load;
  std::array<double, 2> time_us;
  std::array<int, 2> messages;
  bool is_second_faster() const { return time_us[1] < time_us[0]; }
};

std::vector<BalanceRow> balance_rows(const FigureRequest& request, const Runs& runs) {
  std::vector<BalanceRow> rows;
  for (const Setting& one : settings()) {
    for (const int load : loads) {
      BalanceRow row{one.start_up, one.item_bytes, load, {}, {}};
      for (const std::size_t i : {0U, 1U}) {
        const Json& result = runs.of(load_point(request, request.models.front(), i == 0 ? "1" : "2",
                                                load, one.start_up, one.item_bytes));
        row.time_us.at(i) = microseconds_of(result);
        row.messages.at(i) = result.at("tasks").at("messages").get<int>();
      }
      rows.push_back(row);
    }
  }
  return rows;
}

// The rows of items of the first size.
std::vector<BalanceRow> rows_of_values(const std::vector<BalanceRow>& all) {
  std::vector<BalanceRow> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [](const BalanceRow& row) { return row.item_bytes == item_sizes.front(); });
  return rows;
}

constexpr const char* not_of_reconstruction =
    "It is not so with the reconstruction; the code of figure 14 is lost in the copy that was used";
constexpr const char* of_reconstruction =
    "So it is with the reconstruction; the code of figure 14, and with it how many messages heuristic 2 sends, is lost in the copy that was used";

// "when the number of bytes in MyLoad and HisLoad is relatively small": the items' bytes count, not
// their number.
Claim bytes_claim(const std::vector<BalanceRow>& rows) {
  std::vector<int> first;  // by item size: the least load at which heuristic 2 is faster
  std::vector<int> bytes;
  for (const int item_bytes : item_sizes) {
    int least = 2 * loads.back();
    for (const BalanceRow& row : rows) {
      const bool is_of_size = row.start_up == own_start_up && row.item_bytes == item_bytes;
      if (is_of_size && row.is_second_faster()) least = std::min(least, row.load);
    }
    first.push_back(least);
    bytes.push_back(least * item_bytes);
  }
  const bool falls = std::is_sorted(first.rbegin(), first.rend()) && first.back() < first.front();
  return {
      "heuristic 1 is faster where loads have few bytes, however many items, and start-ups are long",
      ranka::variations,
      fmt::format(
          "with items of {} bytes and a start-up of {} cycles it is below a mean load of {} items, which are {} bytes",
          fmt::join(item_sizes, ", "), own_start_up, fmt::join(first, ", "),
          fmt::join(bytes, ", ")),
      Outcome::not_tested, falls ? of_reconstruction : not_of_reconstruction};
}

// The code of figure 14 is lost, and with it how many messages it sends.
Claim twice_claim(const std::vector<BalanceRow>& rows) {
  const auto ratio = [](const BalanceRow& row) {
    return static_cast<double>(row.messages[1]) / row.messages[0];
  };
  const auto [least, most] = std::minmax_element(
      rows.begin(), rows.end(),
      [&](const BalanceRow& a, const BalanceRow& b) { return ratio(a) < ratio(b); });
  return {
      "heuristic 2 requires twice as many message transmissions", ranka::twice_as_many,
      fmt::format("{:.2f} to {:.2f} times as many: {} against {}, to {} against {} messages",
                  ratio(*least), ratio(*most), least->messages[1], least->messages[0],
                  most->messages[1], most->messages[0]),
      Outcome::not_tested,
      "The code of figure 14 is lost in the copy that was used. In this reconstruction both processors send their sizes, and then only the one with more than the average sends what is in excess; if both always sent a second message, it would be twice"};
}

// "We expect variation 1 to be faster when the number of bytes in MyLoad and HisLoad is relatively
// small and the time to set up a data transmission relatively large. Otherwise, variation 2."
void add_crossover_claims(Claims& claims, const std::vector<BalanceRow>& rows) {
  std::array<int, start_ups.size()> crossover{};  // the least load at which 2 is faster
  bool switches_once = true;
  for (std::size_t i = 0; i < start_ups.size(); ++i) {
    crossover.at(i) = 2 * loads.back();
    for (const BalanceRow& row : rows) {
      if (row.start_up != start_ups.at(i)) continue;
      if (row.is_second_faster()) crossover.at(i) = std::min(crossover.at(i), row.load);
      switches_once = switches_once && row.is_second_faster() == (row.load >= crossover.at(i));
    }
  }
  const bool is_rising =
      std::is_sorted(crossover.begin(), crossover.end()) && crossover.front() < crossover.back();
  claims.push_back(
      {"heuristic 1 is faster where loads are small and start-ups long", ranka::variations,
       fmt::format(
           "with start-ups of {} cycles it is below a mean load of {} items, and nowhere else",
           fmt::join(start_ups, ", "), fmt::join(crossover, ", ")),
       Outcome::not_tested,
       is_rising && switches_once && loads.front() < crossover.back() ? of_reconstruction
                                                                      : not_of_reconstruction});
  const auto at_no_start_up = std::count_if(rows.begin(), rows.end(), [](const BalanceRow& row) {
    return row.start_up == 0 && row.is_second_faster();
  });
  const auto at_largest_load = std::count_if(rows.begin(), rows.end(), [](const BalanceRow& row) {
    return row.load == loads.back() && row.is_second_faster();
  });
  const bool is_otherwise = at_no_start_up == static_cast<std::ptrdiff_t>(loads.size()) &&
                            at_largest_load == static_cast<std::ptrdiff_t>(start_ups.size());
  claims.push_back(
      {"otherwise heuristic 2 takes less time", ranka::variations,
       fmt::format(
           "it does in {} of {} cells, at the largest load with {} of {} start-ups, without a start-up at {} of {} loads",
           std::count_if(rows.begin(), rows.end(),
                         [](const BalanceRow& row) { return row.is_second_faster(); }),
           rows.size(), at_largest_load, start_ups.size(), at_no_start_up, loads.size()),
       Outcome::not_tested,
       is_otherwise
           ? of_reconstruction
           : "It exchanges sizes before it sends anything else: with small loads this takes longer than it saves, start-up or not"});
}

FigureResult make_figure_13(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"start-up (cycles)", "bytes of an item", "mean load (items)",
                              "heuristic 1 (ms)", "heuristic 2 (ms)", "messages 1", "messages 2"});
  const std::vector<BalanceRow> all = balance_rows(request, runs);
  const std::vector<BalanceRow> rows = rows_of_values(all);
  std::map<std::pair<int, int>, Curve> curves;  // by start-up and size of an item
  for (const BalanceRow& row : all) {
    curves[{row.start_up, row.item_bytes}].emplace_back(row.load, row.time_us[1] / row.time_us[0]);
    result.table.add({std::to_string(row.start_up), std::to_string(row.item_bytes),
                      std::to_string(row.load), decimal(row.time_us[0] / 1000, 2),
                      decimal(row.time_us[1] / 1000, 2), std::to_string(row.messages[0]),
                      std::to_string(row.messages[1])});
  }
  LineChart chart("Load balancing on a 4-cube: the time of heuristic 2 by that of heuristic 1",
                  "mean load of a processor (items)", "ratio");
  chart.use_log_x();
  for (const auto& [setting, curve] : curves) {
    chart.add(fmt::format("ts = {}, {} bytes", setting.first, setting.second), curve);
  }
  result.picture.gnuplot = chart.script();
  result.claims = {twice_claim(rows)};
  add_crossover_claims(result.claims, rows);
  result.claims.push_back(bytes_claim(all));
  add_digests(result, request, runs, points_13);
  result.notes.emplace_back(
      "Random loads of 0 to twice the mean; the NCUBE's own start-up is 177 cycles. No item is lost, and the sizes at the end are those that one processor computes.");
  return result;
}

}  // namespace

Figure ranka_13() {
  return {"ranka-13",
          "load balancing by two heuristics",
          "Ranka88, figs. 13 and 14",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_13); },
          make_figure_13,
          ranka::by_router};
}

}  // namespace allport
