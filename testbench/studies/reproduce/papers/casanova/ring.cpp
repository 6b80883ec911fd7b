// SPDX-License-Identifier: Apache-2.0
// These figures are from [CasanovaSlides], the unidirectional ring: they show traces of its
// algorithms, and their formulas against simulation. The slides' cost of a link, L + m b, is ts + 1
// + flits cycles here. One thread of the slides' processor sends, one message after another, so
// sends are blocking.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/drawing/trace_drawing.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

constexpr int traced_processors = 6;
constexpr std::size_t source_of_trace = 4;

Schedule ring_schedule(const char* algorithm, std::size_t source, int p = traced_processors) {
  const Routing routing(parse_topology(fmt::format("ring:{}", p)), RoutingOrder::dimension_ordered);
  const Multicast goal = broadcast(routing.topology(), node_id(source));
  return plan(find_algorithm(algorithm), {routing, 2, goal});
}

// The blocks that `node` sends, in order: `3 2 1 0 5`.
std::string blocks_sent(const Schedule& schedule, std::size_t node) {
  std::string words;
  for (const Unicast& one : schedule.unicasts) {
    if (one.u == node_id(node))
      words += fmt::format("{}{}", words.empty() ? "" : " ", one.blocks[0]);
  }
  return words;
}

std::size_t messages_of(const Schedule& schedule, std::size_t node) {
  return static_cast<std::size_t>(
      std::count_if(schedule.unicasts.begin(), schedule.unicasts.end(),
                    [&](const Unicast& one) { return one.u == node_id(node); }));
}

// In step t node q sends the block of node q - t + 1.
bool is_shifted(const Schedule& schedule) {
  return std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [](const Unicast& one) {
    const auto owner =
        (static_cast<int>(index(one.u)) - one.step + 1 + traced_processors) % traced_processors;
    return one.blocks.size() == 1 && one.blocks[0] == static_cast<BlockId>(owner);
  });
}

FigureResult make_traces(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const Schedule all = ring_schedule("ring", source_of_trace);
  const Schedule scatter = ring_schedule("ring-scatter", source_of_trace);
  const Schedule allgather = ring_schedule("ring-allgather", 0);
  FigureResult result;
  result.picture.svg = draw_traces("Who sends what when on a ring of 6 processors",
                                   {{"broadcast from P4", all, node_id(source_of_trace), false},
                                    {"scatter from P4", scatter, node_id(source_of_trace), true},
                                    {"all-to-all broadcast", allgather, node_id(0), false}},
                                   traced_processors);
  result.table = NumberTable({"collective", "step", "sender", "receiver", "block"});
  for (const auto& [name, schedule] : {std::pair{"broadcast", &all}, std::pair{"scatter", &scatter},
                                       std::pair{"all-to-all broadcast", &allgather}}) {
    for (const Unicast& one : schedule->unicasts) {
      result.table.add({name, std::to_string(one.step), std::to_string(index(one.u)),
                        std::to_string(index(one.v)),
                        one.blocks.empty() ? "the message" : std::to_string(one.blocks[0])});
    }
  }
  const std::string order = blocks_sent(scatter, source_of_trace);
  std::string forwards;
  bool are_printed = true;
  for (int distance = 1; distance < traced_processors; ++distance) {
    const std::size_t node =
        (source_of_trace + static_cast<std::size_t>(distance)) % traced_processors;
    const std::size_t count = messages_of(scatter, node);
    forwards += fmt::format("{}P{} {}", forwards.empty() ? "" : ", ", node, count);
    are_printed = are_printed && static_cast<int>(count) == traced_processors - 1 - distance;
  }
  result.claims = {
      {"the broadcast advances by one processor a step, the predecessor of the source sends nothing",
       casanova::ring_broadcast,
       fmt::format("{} steps, {} messages, P3 sends {}", all.steps(), all.unicasts.size(),
                   messages_of(all, 3)),
       outcome_of(all.steps() == 5 && all.unicasts.size() == 5 && messages_of(all, 3) == 0), ""},
      {"scatter with p = 6, k = 4: P4 sends to 3, 2, 1, 0, 5 in this order",
       casanova::scatter_order, order, outcome_of(order == "3 2 1 0 5"), ""},
      {"P5, P0, P1, P2, P3 forward 4, 3, 2, 1 and 0 messages", casanova::scatter_forwards, forwards,
       outcome_of(are_printed), ""},
      {"all-to-all broadcast: in each step every processor passes on what it received last",
       "allport, from the slides' steps",
       fmt::format("{} steps; block q - t + 1 leaves q in step t: {}", allgather.steps(),
                   is_shifted(allgather) ? "always" : "not always"),
       outcome_of(allgather.steps() == traced_processors - 1 && is_shifted(allgather)), ""}};
  return result;
}

struct RingCase {
  const char* algorithm;
  const char* name;
  const char* formula;
  const Quotation* passage;  // null: a property of allport
  int (*links)(int p);       // number of times that the formula counts the cost of a link
};
constexpr std::array cases{RingCase{"ring", "broadcast", "(p - 1)(L + m b)",
                                    &casanova::ring_broadcast_time, [](int p) { return p - 1; }},
                           RingCase{"ring-scatter", "scatter", "(p - 1)(L + m b)",
                                    &casanova::scatter_time, [](int p) { return p - 1; }},
                           RingCase{"ring-allgather", "all-to-all broadcast", "(p - 1)(L + m b)",
                                    &casanova::all_to_all_time, [](int p) { return p - 1; }},
                           RingCase{"ring-alltoall", "gossip", "(1 + 2 + .. + (p - 1))(L + m b)",
                                    nullptr, [](int p) { return p * (p - 1) / 2; }}};

constexpr int link_flits = 64;
constexpr int link_ts = 60;
constexpr int link_cost = link_ts + 1 + link_flits;
constexpr int smallest_ring = 3;
constexpr int largest_ring = 16;

Point ring_point(const FigureRequest& request, const std::string& model, const RingCase& one,
                 int p) {
  return run_point(
      request, model,
      {"--topology", fmt::format("ring:{}", p), "--algorithm", one.algorithm, "--flits",
       std::to_string(link_flits), "--ts", std::to_string(link_ts), "--send", "blocking"});
}

std::vector<Point> ring_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const RingCase& one : cases) {
    for (int p = smallest_ring; p <= largest_ring; ++p) {
      points.push_back(ring_point(request, model, one, p));
    }
  }
  return points;
}

// The gossip slide has a sum and two closed forms of it.
void add_gossip_steps(Claims& claims) {
  bool is_sum = true;
  bool is_busy = true;  // every processor sends to its neighbour in every step
  bool is_factorial = true;
  bool is_printed = true;
  int sum = 0;
  double factorial = 1;
  for (int p = 2; p <= largest_ring; ++p) {
    sum += p - 1;
    factorial *= p - 1;
    const Schedule schedule = ring_schedule("ring-alltoall", 0, p);
    const int steps = schedule.steps();
    is_busy = is_busy && schedule.unicasts.size() ==
                             static_cast<std::size_t>(p) * static_cast<std::size_t>(steps);
    is_sum = is_sum && steps == sum;
    is_factorial = is_factorial && factorial == sum;
    is_printed = is_printed && (p - 1) * (p - 2) / 2 == sum;
  }
  claims.push_back(
      {"gossip takes 1 + 2 + .. + (p - 1) steps, in each of which all links are used",
       casanova::gossip_steps,
       fmt::format("the plan's steps, p = 2 to {}: {}; all links in each step: {}", largest_ring,
                   is_sum ? "that sum" : "not that sum", is_busy ? "yes" : "no"),
       outcome_of(is_sum && is_busy), ""});
  claims.push_back({"that sum is (p - 1)!", casanova::gossip_steps,
                    "p = 4: 6 is, p = 5: 10 is not 24", outcome_of(is_factorial),
                    "A slip: the slide says O(p^2) too"});
  claims.push_back({"which is (p - 1)(p - 2)/2", casanova::gossip_steps,
                    "p = 4: 6, not 3; it is p(p - 1)/2", outcome_of(is_printed),
                    "A slip: that is the sum up to p - 2"});
}

FigureResult make_ring(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  std::vector<std::string> columns{"p"};
  for (const RingCase& one : cases) {
    columns.push_back(fmt::format("{} formula", one.name));
    columns.push_back(fmt::format("{} simulated", one.name));
  }
  result.table = NumberTable(columns);
  LineChart chart("Collectives on a ring of p processors, 64 flits, ts = 60", "processors p",
                  "time (cycles)");
  chart.use_log_y();
  std::vector<std::vector<std::string>> rows(largest_ring + 1);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const RingCase& one = cases.at(i);
    std::vector<std::pair<double, double>> theory;
    std::vector<std::pair<double, double>> points;
    int least = 0;
    int most = 0;
    bool agrees = true;
    for (int p = smallest_ring; p <= largest_ring; ++p) {
      const int formula = one.links(p) * link_cost;
      const int time = runs.of(ring_point(request, request.models.front(), one, p))
                           .at("latency")
                           .at("max")
                           .get<int>();
      least = std::min(least, time - formula);
      most = std::max(most, time - formula);
      agrees = agrees && std::abs(time - formula) <= cycles_of_a_send * one.links(p);
      theory.emplace_back(p, formula);
      points.emplace_back(p, time);
      rows[static_cast<std::size_t>(p)].push_back(std::to_string(formula));
      rows[static_cast<std::size_t>(p)].push_back(std::to_string(time));
    }
    chart.colour_as(i);
    chart.add(fmt::format("{}: formula", one.name), theory, true);
    chart.colour_as(i);
    chart.add(one.name, points);
    result.claims.push_back(
        {fmt::format("{} takes {}", one.name, one.formula),
         one.passage == nullptr ? Quotation("allport, from the slides' steps") : *one.passage,
         fmt::format(
             "simulated minus formula: {:+} to {:+} cycles, p = 3 to 16, a link costs {}; the next send may begin up to {} cycles before the last one is received",
             least, most, link_cost, cycles_of_a_send),
         outcome_of(agrees), ""});
  }
  for (int p = smallest_ring; p <= largest_ring; ++p) {
    std::vector<std::string> row = rows[static_cast<std::size_t>(p)];
    row.insert(row.begin(), std::to_string(p));
    result.table.add(row);
  }
  add_gossip_steps(result.claims);
  result.picture.gnuplot = chart.script();
  add_digests(result, request, runs, ring_points);
  return result;
}

}  // namespace

Figure casanova_traces() {
  return {"casanova-traces",
          "traces of collectives on a ring",
          "CasanovaSlides, unidirectional ring",
          FigureKind::drawing,
          no_points,
          make_traces,
          casanova::by_text};
}

Figure casanova_ring() {
  return {"casanova-ring",
          "collectives on a ring: formulas against simulation",
          "CasanovaSlides, unidirectional ring",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, ring_points); },
          make_ring,
          casanova::by_router};
}

}  // namespace allport
