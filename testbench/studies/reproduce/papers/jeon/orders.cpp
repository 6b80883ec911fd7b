// SPDX-License-Identifier: Apache-2.0
// This figure is on [Jeon01] section 2: it shows how the times of broadcasts grow with the cube and
// the message, which the text gives as orders, for the replication tree, the Hamiltonian path, the
// binomial tree on one port, and Ho and Kao's algorithm. A channel takes one flit a cycle, and
// there are no start-ups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/jeon/figures.h"
#include "testbench/studies/reproduce/papers/jeon/passages.h"

namespace allport {

namespace {

constexpr int flits = 64;
constexpr int largest_ordered_cube = 10;

struct Broadcast {
  const char* algorithm;
  const char* name;
  const char* ports;
  double (*formula)(int n);  // cycles, without the ejection channel
  const Quotation* passage;
};
constexpr double m = flits;

// Steps of equation (1): ceil(n / log2(n + 1)) of the text, as an order.
double steps_in_order(int n) { return std::ceil(n / std::log2(n + 1)); }

constexpr std::array broadcasts{
    Broadcast{"tree", "pipelined broadcast: n + m - 1", "all", [](int n) { return n + m - 1; },
              &jeon::pipelined_time},
    Broadcast{"hamiltonian", "Hamiltonian path: 2^n + m - 1", "all",
              [](int n) { return std::exp2(n) + m - 1; }, &jeon::hamiltonian_path},
    Broadcast{"sbt", "SBT on one port: m n", "1", [](int n) { return m * n; },
              &jeon::orders_of_sbt_and_hk},
    Broadcast{"hk", "HK: m ceil(n / log(n + 1))", "all",
              [](int n) { return m * steps_in_order(n); }, &jeon::orders_of_sbt_and_hk}};

// Whether the text gives the messages.
bool is_given(const Broadcast& one) { return std::string_view(one.algorithm) != "hk"; }

Point order_point(const FigureRequest& request, const Broadcast& one, int n) {
  return run_point(request, "systemc",
                   {"--topology", fmt::format("hypercube:{}", n), "--algorithm", one.algorithm,
                    "--ports", one.ports, "--flits", std::to_string(flits)});
}

std::vector<Point> order_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (const Broadcast& one : broadcasts) {
    for (int n = 1; n <= largest_ordered_cube; ++n) points.push_back(order_point(request, one, n));
  }
  return points;
}

FigureResult make_orders(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  std::vector<std::string> columns{"n"};
  LineChart chart("Broadcasts of 64 flits in an n-cube, without start-ups",
                  "dimension n of the hypercube", "time (cycles)");
  chart.use_log_y();
  const auto time = [&](const Broadcast& one, int n) {
    return runs.of(order_point(request, one, n)).at("latency").at("max").get<double>();
  };
  std::vector<std::vector<std::string>> rows(largest_ordered_cube + 1);
  for (std::size_t i = 0; i < broadcasts.size(); ++i) {
    const Broadcast& one = broadcasts.at(i);
    columns.emplace_back(one.name);
    columns.emplace_back("simulated");
    std::vector<std::pair<double, double>> theory;
    std::vector<std::pair<double, double>> points;
    double least = 1e9;
    double most = 0;
    double over_least = 1e9;
    double over_most = -1e9;
    for (int n = 1; n <= largest_ordered_cube; ++n) {
      const double formula = one.formula(n);
      theory.emplace_back(n, formula);
      points.emplace_back(n, time(one, n));
      least = std::min(least, time(one, n) / formula);
      most = std::max(most, time(one, n) / formula);
      over_least = std::min(over_least, time(one, n) - formula);
      over_most = std::max(over_most, time(one, n) - formula);
      rows[static_cast<std::size_t>(n)].push_back(decimal(formula, 0));
      rows[static_cast<std::size_t>(n)].push_back(decimal(time(one, n), 0));
    }
    chart.colour_as(i);
    chart.add("", theory, true);
    chart.colour_as(i);
    chart.add(one.name, points);
    result.claims.push_back(
        {fmt::format("{}, as an order of the time (within a factor of 2)", one.name), *one.passage,
         fmt::format(
             "simulated {:.2f} to {:.2f} times as long, {:+.0f} to {:+.0f} cycles, n = 1 to {}",
             least, most, over_least, over_most, largest_ordered_cube),
         is_given(one) ? outcome_of(least > 0.5 && most < 2) : Outcome::not_tested,
         is_given(one) ? "" : "The text does not give HK's messages: this plan is allport's"});
  }
  result.table = NumberTable(columns);
  for (int n = 1; n <= largest_ordered_cube; ++n) {
    std::vector<std::string> row = rows[static_cast<std::size_t>(n)];
    row.insert(row.begin(), std::to_string(n));
    result.table.add(row);
  }
  result.picture.gnuplot = chart.script();
  result.digests["systemc"] = digest_of_runs(runs, order_points(request));
  result.notes.emplace_back(
      "The channel from the last router to its processor costs one cycle more than the text's units of time. The text's ceil(n / log(n + 1)) is an order too: its own recursion gives 3 steps instead of 2 for n = 5 and 4 instead of 3 for n = 8. Dashed: the text.");
  return result;
}

}  // namespace

Figure jeon_orders() {
  return {"jeon-orders",    "how the times of broadcasts grow",
          "Jeon01, sec. 2", FigureKind::curve,
          order_points,     make_orders,
          jeon::by_router};
}

}  // namespace allport
