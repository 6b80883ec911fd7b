// SPDX-License-Identifier: Apache-2.0
// This figure is on [Hou98] sections 4 and 5: it shows the steps of broadcasts on N x N tori
// against the lower bound, and whether they are depth contention-free. It runs nothing: plans and
// their proofs suffice.
#include <fmt/format.h>

#include <array>
#include <map>
#include <set>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/hou/doubling.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/papers/hou/stepwise.h"
#include "testbench/studies/reproduce/papers/hou/torus_broadcast.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

constexpr std::array algorithms{"dcf", "zblock", "edn", "tseng"};
constexpr std::array names{"DCF", "Z_block", "EDN", "Tseng"};
constexpr int smallest_side = 2;
constexpr int largest_side = 256;
constexpr int largest_proved_side = 32;

// ceil(log_{2n+1} N) with n = 2 dimensions: the least s with 5^s >= nodes.
int least_steps(std::size_t nodes) {
  int steps = 0;
  for (std::size_t reached = 1; reached < nodes; reached *= 5) ++steps;
  return steps;
}

// The least k with base^k >= numerator / denominator.
int logarithm(int base, int numerator, int denominator = 1) {
  int exponent = 0;
  for (int power = denominator; power < numerator; power *= base) ++exponent;
  return exponent;
}

// 2 ceil(log N) + 1; the text prints base 2, and 5 is held to be meant (docs/papers.md).
int steps_of_tseng(int side, int base) { return 2 * logarithm(base, side) + 1; }
// ceil(log a) + ceil(log a/2) + ceil(log b/a) + 2 for a < b, one more where a is odd.
int steps_of_tseng(int a, int b, int base) {
  return logarithm(base, a) + logarithm(base, a, 2) + logarithm(base, b, a) + 2 + a % 2;
}

constexpr const char* not_tsengs =
    "The text does not give Tseng's messages: this plan is allport's";

struct Planned {
  int steps = 0;
  bool reaches_all_once = true;
  bool grows_by_ports = true;  // no step makes of x informed nodes more than 5x
  std::size_t pairs = 0;       // that may contend, by Theorem 1; 0 above largest_proved_side
};

// Whether each step reaches at most four nodes for each that has the message before it.
bool grows_by_ports(const Schedule& schedule) {
  std::map<StepIndex, std::size_t> receivers;
  for (const Unicast& one : schedule.unicasts) ++receivers[one.step];
  std::size_t informed = 1;
  for (const auto& [step, count] : receivers) {
    if (count > 4 * informed) return false;
    informed += count;
  }
  return true;
}

using Plans = std::map<int, std::array<Planned, algorithms.size()>>;

Plans plans() {
  Plans all;
  for (int side = smallest_side; side <= largest_side; side *= 2) {
    for (std::size_t i = 0; i < algorithms.size(); ++i) {
      const PlannedTree tree =
          planned_broadcast(algorithms.at(i), fmt::format("torus:{0}x{0}", side));
      Planned& one = all[side].at(i);
      one.steps = tree.schedule.steps();
      one.grows_by_ports = grows_by_ports(tree.schedule);
      std::set<NodeId> receivers;
      for (const Unicast& unicast : tree.schedule.unicasts) receivers.insert(unicast.v);
      one.reaches_all_once = receivers.size() == tree.schedule.unicasts.size() &&
                             receivers.size() + 1 == tree.routing.topology().node_count() &&
                             receivers.count(tree.goal.source) == 0;
      if (side <= largest_proved_side) one.pairs = tree.checked().theorem1.violations;
    }
  }
  return all;
}

// `1, 8 and 43 pairs on 4x4, ..`: what the plans of algorithm number `i` have.
std::string pairs_in_words(const Plans& all, std::size_t i) {
  std::string words;
  for (int side = 4; side <= largest_proved_side; side *= 2) {
    words += fmt::format("{}{} on {}x{}", words.empty() ? "" : ", ", all.at(side).at(i).pairs, side,
                         side);
  }
  return words;
}

Claim squares_of_tseng(const Plans& all) {
  std::size_t as_read = 0;
  std::string of_tseng;
  for (const auto& [side, row] : all) {
    if (row.back().steps == steps_of_tseng(side, 5)) ++as_read;
    of_tseng += fmt::format("{}{} of {}", of_tseng.empty() ? "" : ", ", row.back().steps,
                            steps_of_tseng(side, 2));
  }
  return {
      "Tseng's broadcast takes 2 ceil(log2 N) + 1 steps on an N x N torus", hou::tseng_squares,
      fmt::format(
          "this plan takes {} steps, N = 2 to 256; with base 5, which is held to be meant (papers.md), it takes exactly that count at {} of {} sizes",
          of_tseng, as_read, all.size()),
      Outcome::not_tested, not_tsengs};
}

constexpr int largest_rectangle = 16;

Claim rectangles_of_tseng() {
  std::size_t tori = 0;
  std::size_t more = 0;
  std::size_t same = 0;
  for (int a = 2; a < largest_rectangle; ++a) {
    for (int b = a + 1; b <= largest_rectangle; ++b) {
      const int steps =
          planned_broadcast("tseng", fmt::format("torus:{}x{}", a, b)).schedule.steps();
      ++tori;
      if (steps > steps_of_tseng(a, b, 5)) ++more;
      if (steps == steps_of_tseng(a, b, 5)) ++same;
    }
  }
  return {
      "on an n1 x n2 torus, n1 < n2, it takes ceil(log2 n1) + ceil(log2 n1/2) + ceil(log2 n2/n1) + 2 steps if n1 is even, and one more if it is odd",
      hou::tseng_rectangles,
      fmt::format(
          "of {} tori from 2x3 to {}x{} this plan takes, with base 5, that count at {}, more at {} and fewer at the others",
          tori, largest_rectangle - 1, largest_rectangle, same, more),
      Outcome::not_tested, not_tsengs};
}

constexpr int seen_flits = 64;

Point seen_point(const FigureRequest& request, int side) {
  return broadcast_point(request, request.models.front(), "zblock", {side, 0, seen_flits});
}

std::vector<Point> seen_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (int side = 4; side <= largest_proved_side; side *= 2) {
    points.push_back(seen_point(request, side));
  }
  return points;
}

// Messages of the broadcast by Z_blocks that waited for a channel of another one.
std::uint64_t seen_events(const FigureRequest& request, const Runs& runs, int side) {
  return measured(runs, seen_point(request, side)).events;
}

std::string seen_in_words(const FigureRequest& request, const Runs& runs) {
  std::string words;
  for (int side = 4; side <= largest_proved_side; side *= 2) {
    words += fmt::format("{}{} message{} wait{} on {}x{}", words.empty() ? "" : ", ",
                         seen_events(request, runs, side),
                         seen_events(request, runs, side) == 1 ? "" : "s",
                         seen_events(request, runs, side) == 1 ? "s" : "", side, side);
  }
  return words;
}

Claims claims_of(const Plans& all, const FigureRequest& request, const Runs& runs) {
  bool is_bound = true;
  bool are_d = true;
  bool are_once = true;
  int met_to = 0;
  for (const auto& [side, row] : all) {
    const int bound = least_steps(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (const Planned& one : row) is_bound = is_bound && one.steps >= bound && one.grows_by_ports;
    are_d = are_d && (1 << row.front().steps) == side;
    are_once = are_once && row.front().reaches_all_once;
    if (row.front().steps == bound) met_to = side;
  }
  std::size_t pairs_of_dcf = 0;
  for (const auto& [side, row] : all) pairs_of_dcf += row.front().pairs;
  const Planned& last = all.rbegin()->second.front();
  return {
      {"no broadcast takes fewer than ceil(log_{2n+1} N) steps", hou::lower_bound,
       "a node has 2n = 4 ports, so that a step makes of x informed nodes 5x at most; the plans of the four keep to it in every step, and none takes fewer, on 2x2 to 256x256",
       outcome_of(is_bound), ""},
      {"dimension-ordered routing may keep broadcasts from reaching that bound",
       hou::bound_not_achievable,
       fmt::format(
           "DCF reaches it up to {0}x{0}; on 256x256 it takes {1} steps, and the bound is {2}",
           met_to, last.steps, least_steps(std::size_t{largest_side} * largest_side)),
       Outcome::not_tested, "That one algorithm misses the bound does not prove that all do"},
      {"DCF brings the message to every node of a 2^d x 2^d torus exactly once, in d steps",
       hou::corollary_2,
       fmt::format("d = 1 to 8: d steps {}, every node once {}", are_d ? "always" : "not always",
                   are_once ? "always" : "not always"),
       outcome_of(are_d && are_once), ""},
      {"DCF is depth contention-free", hou::theorem_4,
       fmt::format("pairs of messages that may contend, by Theorem 1: {}", pairs_in_words(all, 0)),
       outcome_of(pairs_of_dcf == 0), ""},
      {"the broadcast by Z_blocks is not depth contention-free", hou::z_block_depth,
       fmt::format(
           "simulated, {} flits, ts = tr = 0: {}; pairs that no condition of Theorem 1 orders: {}",
           seen_flits, seen_in_words(request, runs), pairs_in_words(all, 1)),
       outcome_of(seen_events(request, runs, largest_proved_side) > 0), ""},
      squares_of_tseng(all),
      rectangles_of_tseng(),
      {"Tseng's broadcast cannot be guaranteed to be depth contention-free", hou::tseng_depth,
       fmt::format("pairs that may contend in this plan: {}", pairs_in_words(all, 3)),
       Outcome::not_tested, not_tsengs},
      doubling_claim()};
}

FigureResult make_steps(const FigureRequest& request, const Runs& runs) {
  const Plans all = plans();
  FigureResult result;
  result.table = NumberTable({"N", "bound", "DCF", "Z_block", "EDN", "Tseng", "Tseng printed",
                              "pairs DCF", "pairs Z_block", "pairs EDN", "pairs Tseng"});
  LineChart chart("Message-passing steps of broadcasts on N x N tori", "side N of the torus",
                  "steps");
  chart.use_log_x();
  std::array<std::vector<std::pair<double, double>>, algorithms.size()> curves;
  std::vector<std::pair<double, double>> bounds;
  for (const auto& [side, row] : all) {
    const int bound = least_steps(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    bounds.emplace_back(side, bound);
    std::vector<std::string> cells{std::to_string(side), std::to_string(bound)};
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.push_back(std::to_string(row.at(i).steps));
      curves.at(i).emplace_back(side, row.at(i).steps);
    }
    cells.push_back(std::to_string(steps_of_tseng(side, 2)));
    for (const Planned& one : row) {
      cells.push_back(side <= largest_proved_side ? std::to_string(one.pairs) : "");
    }
    result.table.add(cells);
  }
  chart.add("lower bound", bounds, true);
  for (std::size_t i = 0; i < curves.size(); ++i) chart.add(names.at(i), curves.at(i));
  result.picture.gnuplot = chart.script();
  result.claims = claims_of(all, request, runs);
  for (Claim& one : stepwise_claims()) result.claims.push_back(std::move(one));
  result.notes.emplace_back(
      "DCF and the Z_block are the text's; EDN and Tseng's broadcast are plans of allport, made from the little that the text says of them.");
  return result;
}

}  // namespace

Figure hou_steps() {
  return {"hou-steps",           "steps of broadcasts, their lower bound and contention",
          "Hou98, sec. 4 and 5", FigureKind::curve,
          seen_points,           make_steps,
          hou::by_both};
}

}  // namespace allport
