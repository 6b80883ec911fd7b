// SPDX-License-Identifier: Apache-2.0
// The table `theory | simulated | difference` of docs/algorithms.md, section 15, made anew and
// compared with the one that stands there.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "tests/simulation/experiment.h"
#include "tests/support/forked.h"
#include "traffic/timing_model.h"

namespace allport::test {
namespace {

struct Times {
  Cycle ts, tr, flits;
};

// A closed formula of docs/algorithms.md, or null: the papers' timing model (docs/timing.md,
// section 4) run over the schedule.
using Formula = std::function<Cycle(const Times&)>;

struct Row {
  const char* algorithm;
  const char* shape;
  int ports;  // 0: all
  Formula formula;
};

Cycle end(const Times& t) { return t.flits + t.tr; }

std::vector<Row> rows() {
  const auto dcf = [](Cycle sends, Cycle hops, Cycle steps) {
    return [=](const Times& t) { return sends * t.ts + hops + steps * end(t); };
  };
  return {
      {"ucube", "hypercube:6", 0, nullptr},
      {"maxport", "hypercube:6", 0, nullptr},
      {"combine", "hypercube:6", 0, nullptr},
      {"wsort", "hypercube:6", 0, nullptr},
      {"sbt", "hypercube:6", 0, [](const Times& t) { return 6 * (t.ts + 1 + end(t)); }},
      {"sbt", "hypercube:6", 1, [](const Times& t) { return 6 * (t.ts + 1 + end(t)); }},
      {"separate", "hypercube:6", 0,
       [](const Times& t) { return 32 * t.ts + 31 * std::max(t.ts, t.flits) + 6 + end(t); }},
      {"separate", "hypercube:6", 1,
       [](const Times& t) { return t.ts + 62 * std::max(t.ts, t.flits) + 6 + end(t); }},
      {"hk", "hypercube:6", 0, nullptr},
      {"hk", "hypercube:9", 0, nullptr},
      {"binary-tree", "hypercube:6", 0,
       [](const Times& t) { return 5 * (std::max(2 * t.ts + 1, t.ts + 2) + end(t)); }},
      {"tree", "hypercube:6", 0, [](const Times& t) { return t.ts + 6 + end(t); }},
      {"hamiltonian", "hypercube:6", 0, [](const Times& t) { return t.ts + 63 + end(t); }},
      {"dcf", "torus:16x16", 0, dcf(10, 20, 4)},
      {"dcf", "torus:32x32", 0, dcf(13, 42, 5)},
      {"zblock", "torus:4x4", 0, dcf(6, 6, 2)},
      {"edn", "torus:16x16", 0, dcf(12, 20, 4)},
      {"edn", "torus:32x32", 0, dcf(15, 42, 5)},
      {"tseng", "torus:8x8", 0, nullptr},
      {"tseng", "torus:10x5", 0, nullptr},
      {"ring", "ring:16", 0, [](const Times& t) { return 15 * (t.ts + 1 + end(t)); }},
  };
}

constexpr Times all_times[] = {{0, 0, 64}, {200, 200, 64}};

Cycle model_of(const PlannedCollective& planned, const Routing& routing, const Times& t) {
  const std::vector<Cycle> latency = predicted_latency(
      planned.schedule, routing, planned.sources, {t.ts, t.tr, static_cast<int>(t.flits), 0, 0});
  return *std::max_element(latency.begin(), latency.end());
}

std::string simulated(const Row& row, const Times& t) {
  return forked([&] {
    const Routing routing = routing_on(row.shape);
    Simulation simulation(Experiment()
                              .on(With().ports(row.ports))
                              .times(t.ts, t.tr)
                              .length(static_cast<int>(t.flits)),
                          routing);
    const auto planned = collective(row.algorithm, routing, broadcast_from(0, routing), row.ports);
    const Results results = simulation.run({{planned}});
    return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
  });
}

std::string line_of(const Row& row, const Times& t) {
  const Routing routing = routing_on(row.shape);
  const auto planned = collective(row.algorithm, routing, broadcast_from(0, routing), row.ports);
  const Cycle theory = row.formula ? row.formula(t) : model_of(planned, routing, t);
  const std::string latency = simulated(row, t);
  const bool is_number = latency.find_first_not_of("0123456789") == std::string::npos;
  std::ostringstream text;
  text << "| `" << row.algorithm << "` | `" << row.shape << "` | "
       << (row.ports == 0 ? "all" : std::to_string(row.ports)) << " | " << t.ts << ", " << t.tr
       << " | " << (row.formula ? "formula" : "model") << " | " << theory << " | " << latency
       << " | " << (is_number ? std::to_string(std::stoll(latency) - theory) : "?") << " |\n";
  return text.str();
}

// The lines of the page between the head of the table and the next empty line.
std::string table_of_the_page() {
  std::ifstream file(ALLPORT_DOCS_DIR "/algorithms.md");
  std::ostringstream text;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) is_inside = false;
    if (is_inside) text << line << '\n';
    if (line == "|---|---|--:|--:|---|--:|--:|--:|") is_inside = true;
  }
  return text.str();
}

TEST(TheoryTable, OfTheDocumentationIsWhatTheSimulationGives) {
  std::string table;
  for (const Row& row : rows()) {
    for (const Times& times : all_times) table += line_of(row, times);
  }

  EXPECT_EQ(table_of_the_page(), table) << "the table, made anew:\n" << table;
}

}  // namespace
}  // namespace allport::test
