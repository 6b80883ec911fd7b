// SPDX-License-Identifier: Apache-2.0
// This is [Jeon01] figure 6: broadcast times of Ho and Kao's algorithm, and of the replication tree
// with and without a cost of replication, on a machine with the parameters of a Cray T3E, by the
// paper's equations and by simulation. One flit is one byte, so a cycle is the paper's 0.0029
// microseconds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/jeon/figures.h"
#include "testbench/studies/reproduce/papers/jeon/passages.h"

namespace allport {

namespace {

constexpr double start_up = 1.0;  // Ts, microseconds
constexpr double cycle = 0.0029;  // Tf = Tc = Tr, microseconds
constexpr int start_up_cycles = 345;
constexpr int largest_cube = 14;

struct Message {
  std::size_t bytes;
  const char* name;
  int largest_cube_of_flits;  // larger cubes are simulated by worms
};
constexpr Message small{4, "4 bytes", 10};
constexpr Message large{65536, "64 KB", 8};

// HK with one start-up after another, with one for each port, and with none; the replication tree.
enum class Kind { hk, hk_per_port, hk_without_start_up, replicating, ideal };
constexpr std::array kinds{Kind::hk, Kind::hk_per_port, Kind::hk_without_start_up,
                           Kind::replicating, Kind::ideal};

// alpha (and gamma) and beta of an n-cube. [Jeon01, equation (1); subscript: docs/papers.md]
struct Coefficients {
  int steps;
  int hops;
};
Coefficients coefficients(int n) {
  constexpr std::array<Coefficients, 5> small_cubes{{{0, 0}, {1, 1}, {2, 2}, {2, 4}, {2, 5}}};
  if (n < 5) return small_cubes[static_cast<std::size_t>(n)];
  int logarithm = 0;
  while ((2 << logarithm) <= n + 1) ++logarithm;
  const Coefficients rest = coefficients(n - logarithm);
  return {1 + rest.steps, n + rest.hops};
}

double by_equation(Kind kind, int n, const Message& message) {
  const Coefficients of_hk = coefficients(n);
  const auto m = static_cast<double>(message.bytes);
  switch (kind) {
    case Kind::hk:
    case Kind::hk_per_port:
      return of_hk.steps * (start_up + m * cycle) + of_hk.hops * cycle;
    case Kind::hk_without_start_up:
      return of_hk.steps * m * cycle + of_hk.hops * cycle;
    case Kind::replicating:
      return start_up + (2 * n + m) * cycle;
    case Kind::ideal:
      return start_up + (n + m) * cycle;
  }
  return 0;
}

bool is_tree(Kind kind) { return kind == Kind::replicating || kind == Kind::ideal; }

// The model on which an n-cube is simulated when `model` is asked for.
std::string model_for(const std::string& model, int n, const Message& message) {
  return n <= message.largest_cube_of_flits ? model : "worm";
}

Point time_point(const FigureRequest& request, const std::string& model, Kind kind, int n,
                 const Message& message) {
  const bool has_start_up = kind != Kind::hk_without_start_up;
  std::vector<std::string> options{"--topology",
                                   fmt::format("hypercube:{}", n),
                                   "--algorithm",
                                   is_tree(kind) ? "tree" : "hk",
                                   "--replication-delay",
                                   kind == Kind::replicating ? "1" : "0",
                                   "--flit-bytes",
                                   "1",
                                   "--bytes",
                                   std::to_string(message.bytes),
                                   "--ts",
                                   std::to_string(has_start_up ? start_up_cycles : 0)};
  if (kind == Kind::hk_per_port) options.insert(options.end(), {"--startup", "per-port"});
  return run_point(request, model_for(model, n, message), options);
}

std::vector<Point> time_points(const FigureRequest& request, const std::string& model,
                               const Message& message) {
  std::vector<Point> points;
  for (int n = largest_cube; n >= 1; --n) {  // the long ones first
    for (const Kind kind : kinds) {
      points.push_back(time_point(request, model, kind, n, message));
    }
  }
  return points;
}

// The time in microseconds.
double simulated(const FigureRequest& request, const Runs& runs, Kind kind, int n,
                 const Message& message) {
  const Json& result = runs.of(time_point(request, request.models.front(), kind, n, message));
  return result.at("latency").at("max").get<double>() * cycle;
}

NumberTable time_table(const FigureRequest& request, const Runs& runs, const Message& message) {
  NumberTable table({"n", "HK (1)", "HK simulated", "HK per port", "pipelined (2)",
                     "pipelined simulated", "ideal (3)", "ideal simulated"});
  for (int n = 1; n <= largest_cube; ++n) {
    std::vector<std::string> cells{std::to_string(n)};
    for (const Kind kind : {Kind::hk, Kind::replicating, Kind::ideal}) {
      cells.push_back(decimal(by_equation(kind, n, message), 4));
      cells.push_back(decimal(simulated(request, runs, kind, n, message), 4));
      if (kind != Kind::hk) continue;
      cells.push_back(decimal(simulated(request, runs, Kind::hk_per_port, n, message), 4));
    }
    table.add(cells);
  }
  return table;
}

std::string chart_of(const FigureRequest& request, const Runs& runs, const Message& message) {
  LineChart chart(fmt::format("Broadcast of {} with the parameters of a Cray T3E", message.name),
                  "dimension n of the hypercube", "time (microseconds)");
  const std::array<std::pair<Kind, const char*>, 3> curves{
      {{Kind::hk, "HK"}, {Kind::replicating, "pipelined"}, {Kind::ideal, "pipelined, ideal"}}};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::pair<double, double>> theory;
    std::vector<std::pair<double, double>> measured;
    for (int n = 1; n <= largest_cube; ++n) {
      theory.emplace_back(n, by_equation(curves[i].first, n, message));
      measured.emplace_back(n, simulated(request, runs, curves[i].first, n, message));
    }
    chart.colour_as(i);
    chart.add(fmt::format("{}: equation", curves[i].second), theory, true);
    chart.colour_as(i);
    chart.add(fmt::format("{}: simulated", curves[i].second), measured);
  }
  std::vector<std::pair<double, double>> per_port;
  for (int n = 1; n <= largest_cube; ++n) {
    per_port.emplace_back(n, simulated(request, runs, Kind::hk_per_port, n, message));
  }
  chart.colour_as(curves.size());
  chart.add("HK: simulated, a start-up per port", per_port);
  return chart.script();
}

// The smallest and largest difference between simulations and equation, in cycles. The start-up of
// 345 cycles stands for the equation's 1 microsecond.
struct Difference {
  double least = 0;
  double most = 0;
  bool is_none() const { return std::max(std::abs(least), std::abs(most)) < 1e-3; }
  std::string in_words() const {
    return fmt::format("{:+} to {:+} cycles", std::lround(least), std::lround(most));
  }
};

Difference difference(const FigureRequest& request, const Runs& runs, Kind kind,
                      const Message& message) {
  Difference found;
  bool is_first = true;
  for (int n = 1; n <= largest_cube; ++n) {
    const double time = simulated(request, runs, kind, n, message);
    const double starts = is_tree(kind) ? 1 : coefficients(n).steps;
    const double rounding =
        kind == Kind::hk_without_start_up ? 0 : starts * (start_up_cycles * cycle - start_up);
    const double cycles = (time - by_equation(kind, n, message) - rounding) / cycle;
    found.least = is_first ? cycles : std::min(found.least, cycles);
    found.most = is_first ? cycles : std::max(found.most, cycles);
    is_first = false;
  }
  return found;
}

// Weaker than the text, which has the time of equation (1) itself, and of allport's own plan.
const char* const of_reconstruction = "allport, beside equation (1) of Jeon01, sec. 3";

// The text's own claim.
void add_equation_of_hk(Claims& claims, const FigureRequest& request, const Runs& runs,
                        const Message& message) {
  claims.push_back(
      {"HK takes the time of equation (1)", jeon::equation_1,
       fmt::format(
           "by allport's plan {:.4g} microseconds at n = 14, {:.4g} by the equation as in errata",
           simulated(request, runs, Kind::hk, largest_cube, message),
           by_equation(Kind::hk, largest_cube, message)),
       Outcome::not_tested,
       "Figure 1 is lost, and the text does not tell which node sends to which after the first step; its equation has one start-up a step, however many messages a node sends"});
}

// The equation counts one start-up a step, so each port of a processor prepares its own message.
void add_whole_time(FigureResult& result, const FigureRequest& request, const Runs& runs,
                    const Message& message) {
  constexpr int cube = 10;
  const auto time = [&](Kind kind) { return simulated(request, runs, kind, cube, message); };
  const Difference per_port = difference(request, runs, Kind::hk_per_port, message);
  const Difference serial = difference(request, runs, Kind::hk, message);
  double share = 0;  // by which it is sooner at most
  for (int n = 1; n <= largest_cube; ++n) {
    const double expected = by_equation(Kind::hk, n, message);
    const double found = simulated(request, runs, Kind::hk_per_port, n, message);
    share = std::max(share, 100 * (expected - found) / expected);
  }
  result.claims.push_back(
      {"HK takes the time of equation (1) within 2 %, if each port prepares its own messages",
       of_reconstruction,
       fmt::format(
           "on a 10-cube {:.4g} microseconds simulated with --startup per-port, {:.4g} by the equation; simulation minus equation: {}, at most {:.2f} % sooner, n = 1 to 14. With one start-up after another it takes {:.4g}: {}",
           time(Kind::hk_per_port), by_equation(Kind::hk, cube, message), per_port.in_words(),
           share, time(Kind::hk), serial.in_words()),
       outcome_of(per_port.most < 0.5 && share < 2), ""});
}

void add_agreement(FigureResult& result, const FigureRequest& request, const Runs& runs,
                   const Message& message) {
  const Difference with = difference(request, runs, Kind::replicating, message);
  const Difference without = difference(request, runs, Kind::ideal, message);
  result.claims.push_back(
      {"the pipelined broadcast takes the time of equation (2)", jeon::equation_2,
       fmt::format("simulation minus equation: {}, n = 1 to 14", with.in_words()),
       outcome_of(with.is_none()), ""});
  result.claims.push_back(
      {"the pipelined broadcast takes the time of equation (3)", jeon::equation_2,
       "the equation is lost in the copy that was used; by the words before it, it is (2) with Tc = Tr = Tf, as it is judged above",
       Outcome::not_tested, "Nothing of it is left but its number"});
  result.claims.push_back(
      {"without replication it takes Ts + n Tf + m Tc",
       "allport, beside equation (2) of Jeon01, sec. 3",
       fmt::format("simulation minus formula: {}, n = 1 to 14", without.in_words()),
       outcome_of(without.is_none()), ""});
  add_equation_of_hk(result.claims, request, runs, message);
  const Difference network = difference(request, runs, Kind::hk_without_start_up, message);
  result.claims.push_back(
      {"without start-up, HK takes no longer than beta Tf + gamma m Tc of equation (1)",
       of_reconstruction,
       fmt::format(
           "simulation with ts = 0 minus equation: {}, n = 1 to 14: beta adds up the longest routes of the steps, and no node need be reached over all of them",
           network.in_words()),
       outcome_of(network.most < 0.5), ""});
  add_whole_time(result, request, runs, message);
}

FigureResult make_times(const FigureRequest& request, const Runs& runs, const Message& message) {
  FigureResult result;
  result.table = time_table(request, runs, message);
  result.picture.gnuplot = chart_of(request, runs, message);
  const auto time = [&](Kind kind, int n) { return simulated(request, runs, kind, n, message); };
  double least = 1e9;
  for (int n = 2; n <= largest_cube; ++n) {
    const double of_hk = std::min(time(Kind::hk, n), by_equation(Kind::hk, n, message));
    least = std::min(least, of_hk / time(Kind::replicating, n));
  }
  const double growth =
      100 * (time(Kind::replicating, largest_cube) / time(Kind::replicating, 1) - 1);
  result.claims = {
      {"the pipelined broadcast is quite a bit faster than HK, replication cost and all, from n = 2 on",
       jeon::faster,
       fmt::format(
           "simulated {:.4g} microseconds at n = 14, HK {:.4g} and {:.4g} by equation (1) as in errata; at n = 2 to 14 HK, simulated or by equation, takes at least {:.2f} times as long. At n = 1 both are one message over one link, and the replication costs {:.2g} %",
           time(Kind::replicating, largest_cube), time(Kind::hk, largest_cube),
           by_equation(Kind::hk, largest_cube, message), least,
           100 * (time(Kind::replicating, 1) / time(Kind::hk, 1) - 1)),
       outcome_of(least > 1.5), ""},
      {"its time hardly depends on the size of the cube", jeon::faster,
       fmt::format(
           "simulated {:.2f} % more at n = 14 than at n = 1; HK takes {:.1f} times as long, {:.1f} by equation (1) as in errata",
           growth, time(Kind::hk, largest_cube) / time(Kind::hk, 1),
           by_equation(Kind::hk, largest_cube, message) / by_equation(Kind::hk, 1, message)),
       outcome_of(growth < 10), ""}};
  add_agreement(result, request, runs, message);
  result.claims.push_back({"other machines (Paragon, SP2, nCUBE-2, Delta) give similar curves",
                           jeon::other_machines, "their parameters are not in the text",
                           Outcome::not_tested, ""});
  result.notes.push_back(fmt::format(
      "Ts = 1, Tf = Tc = Tr = 0.0029 microseconds; one flit is a byte, a cycle 0.0029 microseconds, ts = 345 cycles. Cubes of n > {0} are simulated by worms, whatever `--model` says. With n = 1 both are one message.",
      message.largest_cube_of_flits));
  return result;
}

std::vector<Point> small_points(const FigureRequest& request, const std::string& model) {
  return time_points(request, model, small);
}
std::vector<Point> large_points(const FigureRequest& request, const std::string& model) {
  return time_points(request, model, large);
}

}  // namespace

Figure jeon_6a() {
  return {"jeon-6a",
          "broadcast of 4 bytes on a Cray T3E",
          "Jeon01, fig. 6(a)",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, small_points); },
          [](const FigureRequest& request, const Runs& runs) {
            FigureResult result = make_times(request, runs, small);
            add_digests(result, request, runs, small_points);
            return result;
          },
          jeon::by_router};
}

Figure jeon_6b() {
  return {"jeon-6b",
          "broadcast of 64 KB on a Cray T3E",
          "Jeon01, fig. 6(b)",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, large_points); },
          [](const FigureRequest& request, const Runs& runs) {
            FigureResult result = make_times(request, runs, large);
            add_digests(result, request, runs, large_points);
            return result;
          },
          jeon::by_router};
}

}  // namespace allport
