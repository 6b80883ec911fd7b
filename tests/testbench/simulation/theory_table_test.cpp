// SPDX-License-Identifier: Apache-2.0
// The tables `theory | simulated | difference` of docs/algorithms.md, section 15, and
// docs/collectives.md, section 8, are computed again and compared with the printed ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/planning/pieces.h"
#include "traffic/theory/block_timing.h"
#include "traffic/theory/timing_model.h"

namespace allport::test {
namespace {

struct Lengths {
  Cycle ts, tr, flits;
};

// A closed formula of docs/algorithms.md or docs/timing.md, or null: the timing model
// (docs/timing.md, section 4) run over the schedule.
using Formula = std::function<Cycle(const Lengths&)>;

struct Row {
  const char* algorithm;
  const char* shape;
  int ports;  // 0: all
  Formula formula;
  bool is_ascending = false;
  int pieces = 1;
};

Cycle end(const Lengths& t) { return t.flits + t.tr; }

std::vector<Row> multicasts() {
  const auto dcf = [](Cycle sends, Cycle hops, Cycle steps) {
    return [=](const Lengths& t) { return sends * t.ts + hops + steps * end(t); };
  };
  return {
      {"ucube", "hypercube:6", 0, nullptr},
      {"maxport", "hypercube:6", 0, nullptr},
      {"combine", "hypercube:6", 0, nullptr},
      {"wsort", "hypercube:6", 0, nullptr},
      {"sbt", "hypercube:6", 0, [](const Lengths& t) { return 6 * (t.ts + 1 + end(t)); }},
      {"sbt", "hypercube:6", 1, [](const Lengths& t) { return 6 * (t.ts + 1 + end(t)); }},
      {"safety-bcast", "hypercube:6", 0, [](const Lengths& t) { return 6 * (t.ts + 1 + end(t)); }},
      {"separate", "hypercube:6", 0,
       [](const Lengths& t) { return 32 * t.ts + 31 * std::max(t.ts, t.flits) + 6 + end(t); }},
      {"separate", "hypercube:6", 1,
       [](const Lengths& t) { return t.ts + 62 * std::max(t.ts, t.flits) + 6 + end(t); }},
      {"separate", "hypercube:6", 0,
       [](const Lengths& t) { return t.ts + 31 * std::max(2 * t.ts, t.flits) + 6 + end(t); }, true},
      {"hk", "hypercube:6", 0, nullptr},
      {"hk", "hypercube:9", 0, nullptr},
      {"binary-tree", "hypercube:6", 0,
       [](const Lengths& t) { return 5 * (std::max(2 * t.ts + 1, t.ts + 2) + end(t)); }},
      {"tree", "hypercube:6", 0, [](const Lengths& t) { return t.ts + 6 + end(t); }},
      {"hamiltonian", "hypercube:6", 0, [](const Lengths& t) { return t.ts + 63 + end(t); }},
      {"dcf", "torus:16x16", 0, dcf(10, 20, 4)},
      {"dcf", "torus:32x32", 0, dcf(13, 42, 5)},
      {"zblock", "torus:4x4", 0, dcf(6, 6, 2)},
      {"edn", "torus:4x4", 0, dcf(6, 4, 2)},
      {"far-then-near", "torus:16x16", 0, dcf(12, 20, 4)},
      {"far-then-near", "torus:32x32", 0, dcf(15, 42, 5)},
      {"tseng", "torus:8x8", 0, nullptr},
      {"tseng", "torus:10x5", 0, nullptr},
      {"ring", "ring:16", 0, [](const Lengths& t) { return 15 * (t.ts + 1 + end(t)); }},
      {"umesh", "mesh:8x8", 1, nullptr},
      {"utorus", "torus:8x8", 1, nullptr},
  };
}

// For collectives of blocks, on all ports: M = max(ts, L), and H is a hop of one block.
std::vector<Row> collectives() {
  const auto hop = [](const Lengths& t) { return t.ts + 1 + end(t); };
  const auto hops = [=](Cycle number) { return [=](const Lengths& t) { return number * hop(t); }; };
  const auto halves = [](const Lengths& t) { return 6 * (t.ts + 1 + t.tr) + 63 * t.flits; };
  const auto signals = [](Cycle number) {
    return [=](const Lengths& t) { return number * (t.ts + 2 + t.tr); };
  };
  const auto sends = [](Cycle messages, Cycle blocks) {
    return [=](const Lengths& t) { return messages * t.ts + 1 + blocks * t.flits + t.tr; };
  };
  const auto in_eight = [](const Lengths& t) {
    const Cycle piece = t.flits / 8;
    return 15 * (t.ts + 1 + piece + t.tr) + 7 * std::max(t.ts, piece);
  };
  return {
      {"ring-scatter", "ring:16", 0, hops(15)},
      {"ring-gather", "ring:16", 0, hops(15)},
      {"ring-allgather", "ring:16", 0, hops(15)},
      {"ring-alltoall", "ring:16", 0,
       [=](const Lengths& t) { return 106 * hop(t) + 14 * std::max(t.ts, t.flits); }},
      {"ring-reduce-scatter", "ring:16", 0, hops(15)},
      {"ring-allreduce", "ring:16", 0,
       [](const Lengths& t) { return 30 * (t.ts + 1 + t.flits / 16 + t.tr); }},
      {"exchange-scatter", "hypercube:6", 0, halves},
      {"exchange-gather", "hypercube:6", 0, halves},
      {"exchange-allgather", "hypercube:6", 0, halves},
      {"exchange-alltoall", "hypercube:6", 0,
       [](const Lengths& t) { return 6 * (t.ts + 1 + 32 * t.flits + t.tr); }},
      {"exchange-reduce-scatter", "hypercube:6", 0, halves},
      {"rabenseifner", "hypercube:6", 0,
       [](const Lengths& t) { return 2 * (6 * (t.ts + 1 + t.tr) + 63 * (t.flits / 64)); }},
      {"rabenseifner-near", "hypercube:6", 0,
       [](const Lengths& t) { return 2 * (6 * (t.ts + 1 + t.tr) + 63 * (t.flits / 64)); }},
      {"doubling-allgather", "torus:2x2x2", 0,
       [](const Lengths& t) { return 3 * (t.ts + 1 + t.tr) + 7 * t.flits; }},
      {"doubling-allreduce", "torus:2x2x2", 0, hops(3)},
      {"direct-alltoall", "ring:3", 0, [](const Lengths& t) { return 2 * t.ts + 1 + end(t); }},
      {"xor-alltoall", "hypercube:2", 0, nullptr},
      {"exchange-allreduce", "hypercube:6", 0, hops(6)},
      {"exchange-barrier", "hypercube:6", 0, signals(6)},
      {"sbt-reduce", "hypercube:6", 0, hops(6)},
      {"sbt-allreduce", "hypercube:6", 0, hops(12)},
      {"sbt-barrier", "hypercube:6", 0, signals(12)},
      {"wsort-reduce", "hypercube:6", 0, nullptr},
      {"wsort-allreduce", "hypercube:6", 0, nullptr},
      {"rotated-allgather", "hypercube:6", 0, nullptr},
      {"rotated-reduce-scatter", "hypercube:6", 0, nullptr},
      {"rotated-allreduce", "hypercube:4", 0, nullptr},
      {"rotated-alltoall", "hypercube:4", 0, nullptr},
      {"bucket-allgather", "torus:4x4", 0, nullptr},
      {"bucket-reduce-scatter", "torus:5x3", 0, nullptr},
      {"bucket-allreduce", "torus:4x4", 0, nullptr},
      {"swing-allgather", "torus:4x4", 0, nullptr},
      {"swing-reduce-scatter", "torus:4x2", 0, nullptr},
      {"swing-allreduce", "torus:4x4", 0, nullptr},
      {"dims-allgather", "torus:4x4", 0, nullptr},
      {"dims-scatter", "mesh:4x4", 0, nullptr},
      {"dims-alltoall", "torus:4x3x2", 0, nullptr},
      {"dims-reduce-scatter", "mesh:4x3", 0, nullptr},
      {"dims-allreduce", "torus:4x4", 0, nullptr},
      {"dims-barrier", "torus:4x4", 0, nullptr},
      {"direct-neighbor", "hypercube:6", 0, sends(6, 1)},
      {"direct-neighbor", "torus:4x4", 0, sends(4, 1)},
      {"direct-neighbor", "mesh:4x4", 0, sends(4, 1)},
      {"shift-neighbor-box", "torus:4x4", 0, [=](const Lengths& t) { return 2 * sends(2, 3)(t); }},
      {"shift-neighbor-nw", "torus:4x4x4", 0, [=](const Lengths& t) { return 3 * sends(1, 4)(t); }},
      {"disjoint-paths", "hypercube:6", 0, nullptr},
      {"disjoint-relays", "hypercube:6", 0, nullptr},
      {"esbt", "hypercube:8", 0,
       [](const Lengths& t) { return 9 * (t.ts + 1 + t.flits / 8 + t.tr) + 7 * t.ts; }},
      {"esbt", "hypercube:8", 0, nullptr, false, 64},
      {"ring", "ring:16", 0, in_eight, false, 8},
      {"sbt", "hypercube:6", 0, nullptr, false, 8},
      {"wsort", "hypercube:6", 0, nullptr, false, 8},
      {"hk", "hypercube:6", 0, nullptr, false, 2},
  };
}

constexpr Lengths all_times[] = {{0, 0, 64}, {200, 200, 64}};

Routing routing_of(const Row& row) {
  return row.is_ascending ? ascending_on(row.shape) : routing_on(row.shape);
}

int ports_of(const Row& row, const Routing& routing) {
  return row.ports == 0 ? all_ports(routing) : row.ports;
}

// From node 0 to all, or to the last node if the algorithm takes one destination.
PlannedCollective plan_of(const Row& row, const Routing& routing) {
  const Algorithm& algorithm = find_algorithm(row.algorithm);
  const std::size_t nodes = routing.topology().node_count();
  const Multicast goal = algorithm.destinations == Destinations::one
                             ? Multicast{node_id(0), {node_id(nodes - 1)}}
                             : broadcast_from(0, routing);
  PlannedCollective plan = collective(row.algorithm, routing, goal, row.ports);
  if (row.pieces > 1) {
    plan.schedule = in_pieces(plan.schedule, row.pieces, routing, ports_of(row, routing));
  }
  if (algorithm.operation != Operation::bcast) {
    plan.goal = std::make_shared<Collective>(collective_of(algorithm, routing.topology(), goal));
    plan.destinations = plan.goal->receivers();
  } else if (const std::size_t pieces = piece_count(plan.schedule); pieces > 0) {
    plan.goal = std::make_shared<Collective>(nodes, goal, pieces);
  }
  return plan;
}

Cycle model_of(const Row& row, const Routing& routing, const Lengths& t) {
  const PlannedCollective plan = plan_of(row, routing);
  const TimingParameters timing{t.ts, t.tr, static_cast<int>(t.flits)};
  const auto flits = static_cast<std::size_t>(t.flits);
  const std::vector<Cycle> latency =
      plan.goal == nullptr
          ? predicted_latency(plan.schedule, routing, plan.sources, timing)
          : predicted_block_latency(plan.schedule, routing, *plan.goal,
                                    BlockLengths(*plan.goal, timing.flits, 1, flits),
                                    ports_of(row, routing), timing);
  return *std::max_element(latency.begin(), latency.end());
}

std::string simulated(const Row& row, const Lengths& t) {
  return forked([&] {
    const Routing routing = routing_of(row);
    Simulation simulation(Experiment()
                              .on(With().ports(row.ports))
                              .times(t.ts, t.tr)
                              .length(static_cast<int>(t.flits)),
                          routing);
    const Results results = simulation.run({{plan_of(row, routing)}});
    return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
  });
}

std::string line_of(const Row& row, const Lengths& t) {
  const Cycle theory = row.formula ? row.formula(t) : model_of(row, routing_of(row), t);
  const std::string latency = simulated(row, t);
  const bool is_number = latency.find_first_not_of("0123456789") == std::string::npos;
  std::ostringstream text;
  text << "| `" << row.algorithm << "`";
  if (row.pieces > 1) text << " in " << row.pieces << " pieces";
  text << " | `" << row.shape << "`" << (row.is_ascending ? ", ascending" : "") << " | "
       << (row.ports == 0 ? "all" : std::to_string(row.ports)) << " | " << t.ts << ", " << t.tr
       << " | " << (row.formula ? "formula" : "model") << " | " << theory << " | " << latency
       << " | " << (is_number ? std::to_string(std::stoll(latency) - theory) : "?") << " |\n";
  return text.str();
}

// The lines of the page between the head of the table and the next empty line.
std::string table_of(const std::string& page) {
  std::ifstream file(std::string(ALLPORT_DOCS_DIR "/") + page);
  std::ostringstream text;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) is_inside = false;
    if (is_inside) text << line << '\n';
    if (line == "|---|---|--:|--:|---|--:|--:|--:|") is_inside = true;
  }
  return text.str();
}

std::string table_of(const std::vector<Row>& rows) {
  std::string table;
  for (const Row& row : rows) {
    for (const Lengths& times : all_times) table += line_of(row, times);
  }
  return table;
}

TEST(TheoryTable, OfMulticastsIsWhatTheSimulationGives) {
  const std::string table = table_of(multicasts());

  EXPECT_EQ(table_of("algorithms.md"), table) << "the table, made anew:\n" << table;
}

TEST(TheoryTable, OfCollectivesIsWhatTheSimulationGives) {
  const std::string table = table_of(collectives());

  EXPECT_EQ(table_of("collectives.md"), table) << "the table, made anew:\n" << table;
}

}  // namespace
}  // namespace allport::test
