// SPDX-License-Identifier: Apache-2.0
// This figure is from [CasanovaSlides], the hypercube: it shows the broadcast over the spanning
// binomial tree.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"
#include "testbench/studies/reproduce/planned_tree.h"

namespace allport {

namespace {

constexpr int sbt_flits = 256;
constexpr int sbt_ts = 40;
constexpr int largest_sbt_cube = 8;

Point sbt_point(const FigureRequest& request, const std::string& model, int n) {
  return run_point(request, model,
                   {"--topology", fmt::format("hypercube:{}", n), "--algorithm", "sbt", "--ports",
                    "1", "--flits", std::to_string(sbt_flits), "--ts", std::to_string(sbt_ts)});
}

std::vector<Point> sbt_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (int n = 1; n <= largest_sbt_cube; ++n) points.push_back(sbt_point(request, model, n));
  return points;
}

// Whether every node receives over the channel of the rightmost 1 of its address, in the step of
// that channel, the highest first.
bool receives_on_rightmost(const Schedule& schedule, int n) {
  return std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [&](const Unicast& one) {
    const std::size_t channel = index(one.u) ^ index(one.v);
    const std::size_t rightmost = index(one.v) & (~index(one.v) + 1);
    int phase = 0;
    while ((std::size_t{1} << phase) < channel) ++phase;
    return channel == rightmost && one.step == n - phase;
  });
}

// Who sends in `step` of the broadcast from 0 in a 4-cube, as `0000 to 0100`.
std::vector<std::string> sends_of_step(StepIndex step) {
  std::vector<std::size_t> others(15);
  std::iota(others.begin(), others.end(), std::size_t{1});
  std::vector<std::string> sends;
  for (const Unicast& one : planned_tree("sbt", 4, 1, 0, others).schedule.unicasts) {
    if (one.step == step) {
      sends.push_back(fmt::format("{:04b} to {:04b}", index(one.u), index(one.v)));
    }
  }
  std::sort(sends.begin(), sends.end());
  return sends;
}

std::string traced_in_words() {
  return fmt::format("step 2: {}; step 4: {}", fmt::join(sends_of_step(2), ", "),
                     fmt::join(sends_of_step(4), ", "));
}

bool is_traced() {
  std::vector<std::string> last;
  for (std::size_t even = 0; even < 16; even += 2) {
    last.push_back(fmt::format("{:04b} to {:04b}", even, even + 1));
  }
  return sends_of_step(2) == std::vector<std::string>{"0000 to 0100", "1000 to 1100"} &&
         sends_of_step(4) == last;
}

// The cubes whose every node has n neighbours, and n links to the farthest one.
int cubes_of_diameter_n() {
  int count = 0;
  for (int n = 1; n <= largest_sbt_cube; ++n) {
    const Routing routing(parse_topology(fmt::format("hypercube:{}", n)), RoutingOrder::descending);
    const Topology& cube = routing.topology();
    int farthest = 0;
    for (std::size_t node = 0; node < cube.node_count(); ++node) {
      farthest = std::max(farthest, routing.distance(node_id(0), node_id(node)));
    }
    if (farthest == n && cube.port_count() == static_cast<std::size_t>(n)) ++count;
  }
  return count;
}

FigureResult make_sbt(const FigureRequest& request, const Runs& runs) {
  std::vector<std::size_t> all;
  for (std::size_t node = 1; node < 16; ++node) all.push_back(node);
  const PlannedTree tree = planned_tree("sbt", 4, 1, 0, all);
  FigureResult result;
  result.picture.svg = draw_trees("Broadcast over the spanning binomial tree of a 4-cube",
                                  {{"one port", tree.schedule, tree.goal}}, 1, 4, "step");
  result.table = NumberTable({"n", "n (L + m b)", "simulated", "difference"});
  int largest = 0;
  for (int n = 1; n <= largest_sbt_cube; ++n) {
    const int formula = n * (sbt_ts + 1 + sbt_flits);
    const int time =
        runs.of(sbt_point(request, request.models.front(), n)).at("latency").at("max").get<int>();
    largest = std::max(largest, std::abs(time - formula));
    result.table.add({std::to_string(n), std::to_string(formula), std::to_string(time),
                      std::to_string(time - formula)});
  }
  int complete = 0;      // cubes in which n steps reach every processor once
  int on_rightmost = 0;  // .. over the link of its rightmost 1
  std::size_t second_ports = 0;
  for (int n = 1; n <= largest_sbt_cube; ++n) {
    std::vector<std::size_t> others((std::size_t{1} << n) - 1);
    std::iota(others.begin(), others.end(), std::size_t{1});
    const PlannedTree one = planned_tree("sbt", n, 1, 0, others);
    const ScheduleReport report = one.checked();
    complete += one.schedule.steps() == n && report.exactly_once.ok() ? 1 : 0;
    on_rightmost += receives_on_rightmost(one.schedule, n) ? 1 : 0;
    second_ports += report.port_rule.violations;
  }
  result.claims = {
      {"every processor receives the message only once, and the number of steps is minimal",
       casanova::sbt_once,
       fmt::format(
           "once and in n steps in {} of the cubes of n = 1 to {}; on one port the processors that have it at most double in a step, so that fewer cannot do",
           complete, largest_sbt_cube),
       outcome_of(complete == largest_sbt_cube), ""},
      {"everybody receives over the link of the rightmost 1 of its address, highest links first",
       casanova::sbt_receives,
       fmt::format("all do in {} of the cubes of n = 1 to {}", on_rightmost, largest_sbt_cube),
       outcome_of(on_rightmost == largest_sbt_cube), ""},
      {"at each step a processor communicates with at most one other", casanova::sbt_one_port,
       fmt::format("{} violations of one port, n = 1 to {}", second_ports, largest_sbt_cube),
       outcome_of(second_ports == 0), ""},
      {"in the cube of n = 4, 0000 and 1000 send along link 2 in the second step, to 0100 and 1100, and all even processors along link 0 in the last",
       casanova::sbt_trace, traced_in_words(), outcome_of(is_traced()), ""},
      {"the diameter and the degree of an n-cube are n", casanova::diameter,
       fmt::format("in {} of the cubes of n = 1 to {}", cubes_of_diameter_n(), largest_sbt_cube),
       outcome_of(cubes_of_diameter_n() == largest_sbt_cube), ""},
      {"the broadcast takes n (L + m b)", casanova::sbt_time,
       fmt::format("largest difference to the simulation {} cycles, n = 1 to 8, L + m b = {}",
                   largest, sbt_ts + 1 + sbt_flits),
       outcome_of(largest == 0),
       largest == 0
           ? ""
           : "A sender prepares its next message while the last one is on its way: where ts < m the start-ups overlap with transfers"}};
  add_digests(result, request, runs, sbt_points);
  return result;
}

}  // namespace

Figure casanova_sbt() {
  return {"casanova-sbt",
          "broadcast over the spanning binomial tree",
          "CasanovaSlides, hypercube broadcast",
          FigureKind::drawing,
          [](const FigureRequest& request) { return points_of_models(request, sbt_points); },
          make_sbt,
          casanova::by_both};
}

}  // namespace allport
