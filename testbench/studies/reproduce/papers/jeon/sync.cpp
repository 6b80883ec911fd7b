// SPDX-License-Identifier: Apache-2.0
// This figure is on [Jeon01] section 2, the last paragraph: broadcasts at the same time can
// deadlock, so they are done one by one, and the synchronization between them is said to cost next
// to nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/jeon/figures.h"
#include "testbench/studies/reproduce/papers/jeon/passages.h"

namespace allport {

namespace {

constexpr int largest_synchronized_cube = 10;
constexpr int cube_of_pairs = 4;
constexpr std::array barriers{"sbt-barrier", "exchange-barrier", "join-barrier"};
constexpr std::array barrier_names{"along a binomial tree, up and down", "by exchanges",
                                   "by routers that join"};
constexpr std::array lengths{"4", "65536"};

// Routers join lanes of four bytes, so a flit has these; a barrier is one flit whatever it has.
Point barrier_point(const FigureRequest& request, const char* algorithm, int n) {
  return run_point(request, "auto",
                   {"--topology", fmt::format("hypercube:{}", n), "--algorithm", algorithm,
                    "--preset", "t3e", "--flit-bytes", "4"});
}

Point broadcast_point(const FigureRequest& request, int n, const char* bytes) {
  return run_point(request, "auto",
                   {"--topology", fmt::format("hypercube:{}", n), "--algorithm", "tree", "--preset",
                    "t3e", "--bytes", bytes});
}

// Node 0 and `other` broadcast at once, or one after the other.
Point pair_point(const FigureRequest& request, int other, bool at_once) {
  std::vector<std::string> arguments{"--topology",  fmt::format("hypercube:{}", cube_of_pairs),
                                     "--algorithm", "tree",
                                     "--source",    fmt::format("0,{}", other)};
  if (!at_once) arguments.insert(arguments.end(), {"--barrier", "messages"});
  return run_point(request, "systemc", arguments);
}

std::vector<Point> sync_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (int n = largest_synchronized_cube; n >= 1; --n) {
    for (const char* bytes : lengths) points.push_back(broadcast_point(request, n, bytes));
    for (const char* algorithm : barriers) {
      points.push_back(barrier_point(request, algorithm, n));
    }
  }
  for (int other = 1; other < 1 << cube_of_pairs; ++other) {
    points.push_back(pair_point(request, other, true));
    points.push_back(pair_point(request, other, false));
  }
  return points;
}

double cycles(const Json& result) { return result.at("latency").at("max").get<double>(); }

std::size_t deadlocks(const FigureRequest& request, const Runs& runs, bool at_once) {
  std::size_t count = 0;
  for (int other = 1; other < 1 << cube_of_pairs; ++other) {
    if (is_deadlocked(runs.of(pair_point(request, other, at_once)))) ++count;
  }
  return count;
}

Claims claims_of(const FigureRequest& request, const Runs& runs) {
  const auto barrier = [&](const char* algorithm, int n) {
    return cycles(runs.of(barrier_point(request, algorithm, n)));
  };
  const auto broadcast = [&](const char* bytes, int n) {
    return cycles(runs.of(broadcast_point(request, n, bytes)));
  };
  std::string growth;
  std::string share;
  for (std::size_t i = 0; i < barriers.size(); ++i) {
    const char* comma = i == 0 ? "" : ", ";
    const double at_last = barrier(barriers.at(i), largest_synchronized_cube);
    growth += fmt::format("{}{} {:.2f} times", comma, barrier_names.at(i),
                          barrier(barriers.at(i), 8) / barrier(barriers.at(i), 2));
    share += fmt::format("{}{} {:.0f} % and {:.2g} %", comma, barrier_names.at(i),
                         100 * at_last / broadcast(lengths[0], largest_synchronized_cube),
                         100 * at_last / broadcast(lengths[1], largest_synchronized_cube));
  }
  constexpr int pairs = (1 << cube_of_pairs) - 1;
  const std::size_t at_once = deadlocks(request, runs, true);
  const std::size_t one_by_one = deadlocks(request, runs, false);
  return {
      {"several broadcasts at the same time can deadlock", jeon::one_by_one,
       fmt::format("in a 4-cube, from node 0 and another node at once: {} of {} pairs deadlock",
                   at_once, pairs),
       outcome_of(at_once > 0), ""},
      {"broadcasts one by one, with synchronization among the nodes, do not", jeon::one_by_one,
       fmt::format("with a barrier of messages between the two: {} of {} pairs deadlock",
                   one_by_one, pairs),
       Outcome::not_tested, "The text does not say how nodes synchronize"},
      {"the synchronization overhead is O(log n)", jeon::synchronization,
       fmt::format(
           "from a 2-cube to an 8-cube, where log n grows 3 times and n 4 times, a barrier grows {}",
           growth),
       Outcome::not_tested, "The text does not say how nodes synchronize"},
      {"it is negligible in most cases", jeon::synchronization,
       fmt::format(
           "in a 10-cube of a Cray T3E a barrier takes, of a broadcast of 4 bytes and of one of 64 KB, {}",
           share),
       Outcome::not_tested,
       "The text does not say how nodes synchronize, nor which cases are most: beside long messages every barrier tried is little, beside the shortest none is"}};
}

FigureResult make_sync(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"n", "broadcast of 4 bytes", "broadcast of 64 KB", "barrier, tree",
                              "barrier, exchanges", "barrier, routers join"});
  LineChart chart("Broadcast and barrier with the parameters of a Cray T3E",
                  "dimension n of the hypercube", "time (cycles of 2.9 ns)");
  chart.use_log_y();
  std::array<std::vector<std::pair<double, double>>, lengths.size() + barriers.size()> curves;
  for (int n = 1; n <= largest_synchronized_cube; ++n) {
    std::vector<std::string> row{std::to_string(n)};
    std::array<double, lengths.size() + barriers.size()> times{};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      times.at(i) = cycles(runs.of(broadcast_point(request, n, lengths.at(i))));
    }
    for (std::size_t i = 0; i < barriers.size(); ++i) {
      times.at(lengths.size() + i) = cycles(runs.of(barrier_point(request, barriers.at(i), n)));
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      row.push_back(decimal(times.at(i), 0));
      curves.at(i).emplace_back(n, times.at(i));
    }
    result.table.add(row);
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    chart.add(result.table.columns().at(i + 1), curves.at(i));
  }
  result.picture.gnuplot = chart.script();
  result.claims = claims_of(request, runs);
  result.notes.emplace_back(
      "Ts = 345 cycles, a flit is a byte, replication costs a cycle. The text does not say how nodes synchronize; two barriers are of messages of one flit, the third is joined by routers.");
  result.digests["auto"] = digest_of_runs(runs, sync_points(request));
  return result;
}

}  // namespace

Figure jeon_sync() {
  return {"jeon-sync",      "broadcasts at once, one by one, and what keeps them apart",
          "Jeon01, sec. 2", FigureKind::curve,
          sync_points,      make_sync,
          jeon::by_router};
}

}  // namespace allport
