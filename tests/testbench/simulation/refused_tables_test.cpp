// SPDX-License-Identifier: Apache-2.0
// Tables that are refused because channels wait for each other in a cycle do deadlock: such a table
// is put by force in the place of one that was proved, and random messages come to a standstill.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/table_proof.h"
#include "rtl_model/topology/routing_table.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

// A ring of 6 .. 11 nodes with some chords.
std::shared_ptr<const Topology> draw_ring_with_chords(Draw& draw) {
  const int nodes = 6 + draw.below(6);
  std::string edges;
  for (int u = 0; u < nodes; ++u) {
    edges += std::to_string(u) + "," + std::to_string((u + 1) % nodes) + "\n";
  }
  for (int u = draw.below(3); u + 3 < nodes - 1; u += 1 + draw.below(3)) {
    edges += std::to_string(u) + "," + std::to_string(u + 2 + draw.below(2)) + "\n";
  }
  return std::make_shared<Graph>(read_graph("ring.csv", edges));
}

// Hops from every node to `to`.
std::vector<int> hops_to(const Topology& topology, NodeId to) {
  std::vector<int> hops(topology.node_count(), -1);
  std::vector<NodeId> reached{to};
  hops[index(to)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      const auto next = topology.neighbour(reached[i], port_id(port));
      if (!next || hops[index(*next)] >= 0) continue;
      hops[index(*next)] = hops[index(reached[i])] + 1;
      reached.push_back(*next);
    }
  }
  return hops;
}

// Shortest ways, of equals a drawn one, all in one layer.
std::shared_ptr<const RoutingTable> draw_shortest_ways(Draw& draw, const Topology& topology) {
  const std::size_t nodes = topology.node_count();
  auto table = std::make_shared<RoutingTable>("table:drawn", nodes, nodes, 1);
  for (std::size_t to = 0; to < nodes; ++to) {
    const std::vector<int> hops = hops_to(topology, node_id(to));
    for (std::size_t here = 0; here < nodes; ++here) {
      RoutingTable::Entry entry;
      std::vector<std::uint8_t> ports;
      for (std::size_t port = 0; port < topology.port_count(); ++port) {
        const auto next = topology.neighbour(node_id(here), port_id(port));
        if (next && hops[index(*next)] + 1 == hops[here]) {
          ports.push_back(static_cast<std::uint8_t>(port));
        }
      }
      entry.port = here == to ? RoutingTable::Entry::local : draw.one_of(ports);
      table->set(node_id(here), 0, node_id(to), entry);
      if (here != to) table->set_injection(node_id(here), node_id(to), entry);
    }
  }
  return table;
}

// Long messages between all nodes, more than the fabric carries.
RunRequest saturated_on(const std::shared_ptr<const Topology>& topology, std::uint64_t seed,
                        Model model) {
  RunRequest request;
  request.fabric.topology = topology;
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = parse_table("updown");
  request.router.vcs = 1;
  request.router.buffer_depth = 1;
  request.message.flits = 40;
  request.model = model;
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.9;
  request.traffic.cycles = 3000;
  request.traffic.seed = seed;
  return request;
}

TEST(RefusedTables, DeadlockWhereTheyAreTakenByForce) {
  constexpr int enough = 20;
  constexpr std::uint64_t runs_of_a_table = 3;
  RandomCases cases(200);
  cases.end = std::max(cases.end, cases.first + 200);  // until enough are shown
  int refused = 0;
  int shown = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end && shown < enough; ++seed) {
    Draw draw(seed);
    const auto topology = draw_ring_with_chords(draw);
    const auto table = draw_shortest_ways(draw, *topology);
    const std::string fault = table_fault(*table, *topology);
    if (fault.empty()) continue;
    ASSERT_THAT(fault, testing::HasSubstr("can deadlock because its channels wait")) << seed;
    ++refused;
    for (std::uint64_t run = 1; run <= runs_of_a_table; ++run) {
      RunPlan planned = plan(saturated_on(topology, run, Model::systemc));
      ASSERT_FALSE(simulate(planned).deadlock) << "seed " << seed << ", table:updown";
      planned.routing = Routing(topology, table);
      const Results on_flits = simulate(planned);
      planned = plan(saturated_on(topology, run, Model::worm));
      planned.routing = Routing(topology, table);
      const Results on_worms = simulate(planned);
      ASSERT_EQ(on_worms.digest, on_flits.digest) << "seed " << seed << ", run " << run;
      ASSERT_EQ(on_worms.deadlock.has_value(), on_flits.deadlock.has_value())
          << "seed " << seed << ", run " << run;
      if (!on_flits.deadlock) continue;
      EXPECT_GE(on_flits.deadlock->waits.size(), 2U) << "seed " << seed;
      ++shown;
      break;
    }
  }
  std::printf("%d of %d refused tables deadlocked\n", shown, refused);
  EXPECT_EQ(shown, enough);
  EXPECT_LE(refused, 2 * enough) << "of refused tables few are shown to deadlock";
}

}  // namespace
}  // namespace allport::test
