// SPDX-License-Identifier: Apache-2.0
// What the proof of a table says is seen where the fabric is offered more than it carries: a table
// that is accepted never deadlocks, and one that is refused for a cycle, put by force in the place
// of a table that was proved, mostly does. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other
// cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/table_file.h"
#include "rtl_model/tables/table_proof.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/drawn_graphs.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using Entry = RoutingTable::Entry;

// More than any fabric carries, in messages that are longer than what their ways buffer; where
// messages must fit into buffers they just do.
RunRequest saturated(const DrawnRun& drawn, std::uint64_t seed) {
  Draw draw(seed);
  RunRequest request = drawn.request;
  const Switching mode = request.router.switching;
  const bool is_whole = mode == Switching::cut_through || mode == Switching::store_and_forward;
  request.message.flits = is_whole ? request.router.buffer_depth : 10 + draw.below(60);
  request.traffic.pattern = draw.one_of<std::string>({"uniform", "uniform", "hotspot"});
  request.traffic.rate = 0.5 + 0.1 * draw.below(6);
  request.traffic.cycles = 500 + draw.below(1500);
  return request;
}

std::string fault_of(const Results& results) {
  if (!results.broken_invariant.empty()) return results.broken_invariant;
  return results.deadlock ? "a deadlock" : "";
}

TEST(AcceptedTables, NeverDeadlockAtSaturation) {
  const RandomCases cases(25);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnRun drawn = draw_graph_run(seed + 700'000'000);
    RunRequest request = saturated(drawn, seed);
    request.model = Model::systemc;
    const Results on_flits = simulate(plan(request));
    ASSERT_EQ(fault_of(on_flits), "") << "seed " << seed << ": " << in_words(drawn);
    if (!is_for_worms(drawn)) continue;
    request.model = Model::worm;
    const Results on_worms = simulate(plan(request));
    ASSERT_EQ(fault_of(on_worms), "") << "worms, seed " << seed << ": " << in_words(drawn);
    ASSERT_EQ(on_worms.digest, on_flits.digest) << "seed " << seed << ": " << in_words(drawn);
  }
}

// ---- Tables that are drawn without a thought of deadlocks ----

// A graph of 5 .. 11 nodes, all of them processors, and a table for it, not proved.
struct DrawnTable {
  std::string edges;
  bool is_directed = false;
  std::shared_ptr<const Topology> topology;
  std::shared_ptr<RoutingTable> table;
};

// A ring, or a tree, and some edges more. Edges that lead one way are a ring and more.
std::string draw_edges(Draw& draw, int nodes, bool is_directed) {
  const bool is_ring = is_directed || draw.below(2) == 0;
  std::string text;
  std::vector<std::pair<int, int>> known;
  const auto add = [&](int u, int v) {
    const auto key = is_directed ? std::pair(u, v) : std::pair(std::min(u, v), std::max(u, v));
    if (u == v || std::count(known.begin(), known.end(), key) > 0) return;
    known.push_back(key);
    text += std::to_string(u) + "," + std::to_string(v) + "\n";
  };
  for (int u = 0; u < nodes; ++u) {
    if (is_ring) {
      add(u, (u + 1) % nodes);
    } else if (u > 0) {
      add(u, draw.below(u));
    }
  }
  for (int more = draw.below(nodes); more > 0; --more) add(draw.below(nodes), draw.below(nodes));
  return text;
}

// Hops from every node to `to`.
std::vector<int> hops_to(const Topology& topology, NodeId to) {
  std::vector<int> hops(topology.node_count(), -1);
  std::vector<NodeId> reached{to};
  hops[index(to)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Channel channel : topology.channels()) {
      if (*topology.neighbour(channel.node, channel.port) != reached[i]) continue;
      int& there = hops[index(channel.node)];
      if (there >= 0) continue;
      there = hops[index(reached[i])] + 1;
      reached.push_back(channel.node);
    }
  }
  return hops;
}

// Of shortest ways a drawn one, by node, layer and destination; the layer after each hop is drawn,
// the one before it, or one that rises.
void draw_ways(Draw& draw, const Topology& topology, RoutingTable& table) {
  const int layers = table.layers();
  const int rule = draw.below(3);
  for (std::size_t to = 0; to < topology.node_count(); ++to) {
    const std::vector<int> hops = hops_to(topology, node_id(to));
    for (std::size_t here = 0; here < topology.node_count(); ++here) {
      for (int row = 0; row <= layers; ++row) {
        if (here == to && row == layers) continue;  // the row of injection
        Entry entry;
        std::vector<std::uint8_t> ports;
        for (std::size_t port = 0; port < topology.port_count(); ++port) {
          const auto next = topology.neighbour(node_id(here), port_id(port));
          if (next && hops[index(*next)] + 1 == hops[here]) {
            ports.push_back(static_cast<std::uint8_t>(port));
          }
        }
        entry.port = here == to ? Entry::local : draw.one_of(ports);
        if (here != to) {
          const int drawn = draw.below(layers);
          const int risen = row == layers ? 0 : std::min(row + draw.below(2), layers - 1);
          const int same = row == layers ? drawn : row;
          entry.layer = static_cast<std::uint8_t>(rule == 0 ? drawn : rule == 1 ? same : risen);
        }
        table.set(node_id(here), row, node_id(to), entry);
      }
    }
  }
}

DrawnTable draw_table(std::uint64_t seed) {
  Draw draw(seed);
  DrawnTable drawn;
  drawn.is_directed = draw.below(4) == 0;
  const int nodes = 5 + draw.below(7);
  drawn.edges = draw_edges(draw, nodes, drawn.is_directed);
  GraphDescription description = read_graph("drawn.csv", drawn.edges);
  description.is_directed = drawn.is_directed;
  drawn.topology = std::make_shared<Graph>(description);
  const std::size_t routers = drawn.topology->node_count();
  drawn.table = std::make_shared<RoutingTable>("table:drawn", routers, routers, 1 + draw.below(3));
  draw_ways(draw, *drawn.topology, *drawn.table);
  return drawn;
}

// The first run of a table is short, since the reference model has it too.
RunRequest request_of(const DrawnTable& drawn, std::uint64_t run) {
  std::ostringstream rows;
  write_table(rows, *drawn.table, *drawn.topology);
  RunRequest request;
  request.fabric.topology = drawn.topology;
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = TableChoice{"rows.csv", std::make_shared<const std::string>(rows.str())};
  request.router.vcs = drawn.table->layers();
  request.router.buffer_depth = 1;
  request.message.flits = 40;
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.9;
  request.traffic.cycles = run == 1 ? 600 : 3000;
  request.traffic.seed = run;
  return request;
}

std::string refusal_of(const RunRequest& request) {
  try {
    plan(request);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

// The run, which the plan refuses: that of a table by shortest ways, whose layers are as many as
// they may, with the table and the virtual channels of the request in their place.
Results run_by_force(const DrawnTable& drawn, const RunRequest& wanted) {
  constexpr int most_vcs = 16;
  RunRequest other = wanted;
  other.fabric.table = TableChoice{"shortest", nullptr};
  other.router.vcs = most_vcs;
  RunPlan planned = plan(other);
  planned.request = wanted;
  planned.routing = Routing(drawn.topology, drawn.table);
  planned.router.vcs = wanted.router.vcs;
  planned.router.layers = drawn.table->layers();
  planned.simulation.fabric.vcs = wanted.router.vcs;
  return simulate(planned);
}

// What the reference model, which proves nothing, sees of the run.
bool deadlocks_on_reference(const RunRequest& request, const DrawnTable& drawn) {
  reference::Config config;
  config.topology = "graph";
  config.edges = drawn.edges;
  config.is_directed = drawn.is_directed;
  config.table = *request.fabric.table->text;
  config.vcs = request.router.vcs;
  config.buffer_depth = request.router.buffer_depth;
  config.flits = request.message.flits;
  config.seed = request.traffic.seed;
  return simulate(config, reference::UniformPattern{request.traffic.rate, request.traffic.cycles})
      .is_deadlocked;
}

TEST(DrawnTables, DeadlockOnlyWhereTheyAreRefused) {
  const RandomCases cases(60);
  constexpr std::uint64_t runs_of_a_table = 3;
  int accepted = 0;
  int refused = 0;
  int shown = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnTable drawn = draw_table(seed);
    const std::string refusal = refusal_of(request_of(drawn, 1));
    if (!refusal.empty()) {
      ASSERT_THAT(refusal, testing::HasSubstr("can deadlock because its channels wait")) << seed;
    }
    ++(refusal.empty() ? accepted : refused);
    bool is_shown = false;
    for (std::uint64_t run = 1; run <= runs_of_a_table && !is_shown; ++run) {
      RunRequest request = request_of(drawn, run);
      const auto results_on = [&](Model model) {
        request.model = model;
        return refusal.empty() ? simulate(plan(request)) : run_by_force(drawn, request);
      };
      const Results on_flits = results_on(Model::systemc);
      const Results on_worms = results_on(Model::worm);
      ASSERT_EQ(on_flits.broken_invariant + on_worms.broken_invariant, "") << "seed " << seed;
      is_shown = on_flits.deadlock.has_value();
      ASSERT_EQ(on_worms.deadlock.has_value(), is_shown) << "seed " << seed << ", run " << run;
      ASSERT_EQ(on_worms.digest, on_flits.digest) << "seed " << seed << ", run " << run;
      if (run == 1) {
        ASSERT_EQ(deadlocks_on_reference(request, drawn), is_shown) << "seed " << seed;
      }
      ASSERT_FALSE(is_shown && refusal.empty()) << "seed " << seed << ", run " << run;
    }
    shown += is_shown ? 1 : 0;
  }
  std::printf("%d tables accepted, %d refused, of which %d deadlocked\n", accepted, refused, shown);
  EXPECT_GT(accepted, 0);
  EXPECT_GE(2 * shown, refused) << "of refused tables few are shown to deadlock";
}

}  // namespace
}  // namespace allport::test
