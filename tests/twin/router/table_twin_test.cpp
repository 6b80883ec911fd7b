// SPDX-License-Identifier: Apache-2.0
// Routers by tables, on regular fabrics and on graphs with links of their own, are one machine in
// SystemC and in RTL: a router alone, whole fabrics, and both in lockstep. Fabrics and tables are
// drawn; by day the routers are of a few kinds, since each kind has to be built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/tables/table_file.h"
#include "rtl_model/verilated/model_cache.h"
#include "rtl_model/verilated/model_library.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/differences.h"
#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/drawn_graphs.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "tests/twin/router/twin_bench.h"

namespace allport::test {
namespace {

constexpr int router_ports = 4;  // of all kinds
constexpr int flit_bytes = 4;

/// Routers that differ in their tables and links only.
struct Kind {
  const char* name = "";
  int vcs = 1;
  int classes = 1;
  int layers = 1;
  int ports = 1;
  int depth = 4;
  Switching switching = Switching::wormhole;
  int pipeline = 0;  // each of its delays
};

const std::vector<Kind> router_kinds{
    {"OfOneLayer", 1, 1, 1, 4, 2, Switching::wormhole},
    {"OfTwoLayersAndClasses", 8, 2, 2, 1, 6, Switching::cut_through, 1},
    {"OfFourLayersInCircuits", 4, 1, 4, 2, 1, Switching::circuit}};

/// A graph of 9 .. 16 nodes and some switches, whose links have ports, delays and widths of their
/// own.
class DrawnGraph {
 public:
  explicit DrawnGraph(Draw& draw) : draw_(draw) {}

  std::shared_ptr<const Topology> make() {
    const int nodes = 9 + draw_.below(8);
    const int routers = nodes + draw_.below(5);
    graph_.file = "drawn.csv";
    for (int i = 0; i < routers; ++i) {
      GraphDescription::Node node;
      node.name = "r" + std::to_string(i);
      node.has_processor = i < nodes;
      graph_.nodes.push_back(node);
    }
    free_.assign(graph_.nodes.size(), {0, 1, 2, 3});
    join(0, 1, router_ports - 1);
    for (int i = 2; i < routers; ++i) join(i, draw_open(i), std::nullopt);
    for (int more = draw_.below(routers); more > 0; --more) {
      const int u = draw_open(routers);
      const int v = draw_open(routers);
      if (u != v && known_.count({std::min(u, v), std::max(u, v)}) == 0) join(u, v, std::nullopt);
    }
    return std::make_shared<Graph>(graph_);
  }

 private:
  // One of the first `count` routers that have a port without a link.
  int draw_open(int count) {
    int router = draw_.below(count);
    while (free_[static_cast<std::size_t>(router)].empty()) router = (router + 1) % count;
    return router;
  }

  int take(int router, std::optional<int> port) {
    std::vector<int>& free = free_[static_cast<std::size_t>(router)];
    const int taken = port.value_or(draw_.one_of(free));
    free.erase(std::find(free.begin(), free.end(), taken));
    return taken;
  }

  void join(int u, int v, std::optional<int> from_port) {
    known_.insert({std::min(u, v), std::max(u, v)});
    GraphDescription::Edge edge;
    edge.u = static_cast<std::size_t>(u);
    edge.v = static_cast<std::size_t>(v);
    edge.from_port = take(u, from_port);
    edge.to_port = take(v, std::nullopt);
    if (draw_.below(2) == 0) edge.delay = draw_.below(4);
    if (draw_.below(2) == 0) edge.width = 1 + draw_.below(flit_bytes);
    graph_.edges.push_back(edge);
  }

  Draw& draw_;
  GraphDescription graph_;
  std::vector<std::vector<int>> free_;  // ports by router
  std::set<std::pair<int, int>> known_;
};

/// Rows of up*/down* ways in each layer; the sender draws the layer for each destination.
std::string draw_layer_rows(Draw& draw, const std::shared_ptr<const Topology>& topology,
                            int layers) {
  TableRequest wanted;
  wanted.rule = "updown";
  wanted.topology = topology;
  const auto ways = make_table(wanted);
  RoutingTable table("drawn", topology->router_count(), topology->node_count(), layers);
  for (std::size_t u = 0; u < topology->router_count(); ++u) {
    for (std::size_t w = 0; w < topology->node_count(); ++w) {
      for (int layer = 0; layer < layers; ++layer) {
        RoutingTable::Entry entry = ways->at(node_id(u), 0, node_id(w));
        if (entry.is_hop()) entry.layer = static_cast<std::uint8_t>(layer);
        table.set(node_id(u), layer, node_id(w), entry);
      }
      RoutingTable::Entry entry = ways->at_injection(node_id(u), node_id(w));
      const bool is_first = u == 0 && w == 1;  // some message is in the highest layer
      if (entry.is_hop()) {
        entry.layer = static_cast<std::uint8_t>(is_first ? layers - 1 : draw.below(layers));
      }
      table.set_injection(node_id(u), node_id(w), entry);
    }
  }
  std::ostringstream rows;
  write_table(rows, table, *topology);
  return rows.str();
}

void take_table(RunRequest& request, const TableChoice& table) {
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = table;
}

/// Whether the fabric of `request` has a table of so many layers by its rule.
bool has_layers(const RunRequest& request, int layers) {
  try {
    return plan(request).router.layers == layers;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// A fabric of routers of `kind`, a rule that gives so many layers or else a file, and tasks.
RunRequest draw_run(Draw& draw, const Kind& kind) {
  RunRequest request;
  const std::string shape = draw.one_of<std::string>(
      {"graph", "graph", "torus:4x4", "torus:3x4", "mesh:3x4", "mesh:4x4", "hypercube:4"});
  const bool is_graph = shape == "graph";
  request.fabric.topology = is_graph ? DrawnGraph(draw).make() : parse_topology(shape);
  request.fabric.ports = kind.ports;
  request.router.vcs = kind.vcs;
  request.router.classes = kind.classes;
  request.router.buffer_depth = kind.depth;
  request.router.switching = kind.switching;
  request.router.route_delay = request.router.vc_delay = request.router.crossbar_delay =
      kind.pipeline;
  request.router.link_delay = draw.below(3);
  request.message.flit_bytes = flit_bytes;
  if (draw.below(2) == 0) request.router.link_widths = {1 + draw.below(flit_bytes)};
  SplitMix64 generator(static_cast<std::uint64_t>(draw.below(1 << 30)));
  const bool is_short = buffers_messages(kind.switching);
  TaskGraph graph =
      random_graph(generator, static_cast<std::uint32_t>(request.fabric.topology->node_count()),
                   {80, is_short ? static_cast<std::uint64_t>(flit_bytes * kind.depth) : 48U});
  for (Task& task : graph.tasks) {
    if (task.kind == TaskKind::send) {
      task.message_class = static_cast<std::uint8_t>(draw.below(kind.classes));
    }
  }
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  if (!is_graph && draw.below(2) == 0) request.fabric.missing = parse_missing_links("random:1");
  const std::string rule = draw.one_of<std::string>({"dimension", "shortest", "updown", "file"});
  if (rule != "file") take_table(request, parse_table(rule));
  if (rule == "file" || !has_layers(request, kind.layers)) {
    request.fabric.missing = {};
    take_table(request, {"rows.csv", std::make_shared<const std::string>(draw_layer_rows(
                                         draw, request.fabric.topology, kind.layers))});
  }
  return request;
}

std::string outcome_of_table(RunRequest request, Model model) {
  request.model = model;
  const Results results = simulate(plan(request));
  std::ostringstream text;
  text << results.broken_invariant << "makespan " << results.tasks->makespan << ", "
       << results.messages << " messages, " << results.flit_hops << " flit hops, contention "
       << results.contention.events << " " << results.contention.blocked_cycles << ", reception "
       << results.reception.events << " " << results.reception.blocked_cycles << ", digest "
       << results.digest << (results.deadlock ? ", deadlock" : "");
  return text.str();
}

std::string case_of_table(std::uint64_t seed, const RunRequest& request) {
  return "seed " + std::to_string(seed) + ": " + request.fabric.topology->name() + ", table " +
         request.fabric.table->rule;
}

class TableTwin : public testing::TestWithParam<Kind> {};

TEST_P(TableTwin, IsOneMachineOnDrawnFabrics) {
  const Kind& kind = GetParam();
  const RandomCases cases(6);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const RunRequest request = draw_run(draw, kind);
    ASSERT_TRUE(has_layers(request, kind.layers)) << case_of_table(seed, request);
    const std::string expected = outcome_of_table(request, Model::systemc);
    ASSERT_THAT(expected, testing::StartsWith("makespan")) << case_of_table(seed, request);
    ASSERT_EQ(outcome_of_table(request, Model::cosim), expected) << case_of_table(seed, request);
    ASSERT_EQ(outcome_of_table(request, Model::rtl), expected) << case_of_table(seed, request);
  }
}

// Deposits too, where no router is a switch.
TEST_P(TableTwin, DrivesTheSameOutputsInEveryCycle) {
  const Kind& kind = GetParam();
  constexpr Cycle cycles = 5000;
  constexpr int data_bits = 8 * flit_bytes;
  const RandomCases cases(3);
  for (std::uint64_t seed = cases.first; seed < cases.end && !HasFailure(); ++seed) {
    Draw draw(seed);
    const RunRequest request = draw_run(draw, kind);
    const RunPlan planned = plan(request);
    const Blueprint blueprint(planned.routing, planned.simulation.fabric);
    const ModelLibrary library(
        twin_source(blueprint.config, blueprint.routing, data_bits + PinLayout::message_bits));
    for (int i = 0; i < 3; ++i) {
      const auto router = draw.below(static_cast<int>(request.fabric.topology->router_count()));
      TwinBench bench(library.create(static_cast<std::uint32_t>(seed) + 1), blueprint, data_bits,
                      node_id(static_cast<std::size_t>(router)), all_kinds(blueprint), seed);
      if (!bench.has_messages()) continue;  // none comes to a switch at the rim
      const auto difference = bench.run(cycles);
      ASSERT_FALSE(difference) << case_of_table(seed, request) << ", router " << router << ": "
                               << in_words(*difference);
      ASSERT_GT(bench.counts().flits, 0U) << case_of_table(seed, request);
    }
  }
}

std::string name_of_kind(const testing::TestParamInfo<Kind>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Of, TableTwin, testing::ValuesIn(router_kinds), name_of_kind);

// Any graph and any regular fabric, by night: a library for each.
TEST(RandomTableTwin, IsTheReferenceModelOnDrawnFabrics) {
  const std::filesystem::path folder = cache_folder() / ("tables." + std::to_string(getpid()));
  ASSERT_EQ(setenv("ALLPORT_CACHE", folder.c_str(), 1), 0);
  constexpr int most_input_vcs = 40;  // larger routers take minutes to build
  const RandomCases cases(1);
  int compared = 0;
  for (std::uint64_t seed = cases.first; compared < static_cast<int>(cases.end - cases.first);
       ++seed) {
    DrawnRun drawn = seed % 4 == 0 ? draw_regular_run(seed) : draw_graph_run(seed);
    RunRequest request = with_lines(drawn);
    if (has_own_internal_ports(*request.fabric.topology)) continue;  // which RTL has not
    if (plan(request).router.channel_vcs() > most_input_vcs) continue;
    ++compared;
    drawn.config = with_rows(drawn.config, request);
    const reference::Results theirs = simulate(drawn.config, as_collective(drawn.lines));
    for (const Model model : {Model::cosim, Model::rtl}) {
      request.model = model;
      const Results mine = simulate(plan(request));
      const std::string where = "seed " + std::to_string(seed) + ", model " +
                                std::string(to_string(model)) + ": " + in_words(drawn);
      ASSERT_EQ(mine.broken_invariant, "") << where;
      ASSERT_EQ(compare_deliveries(mine, theirs), "") << where;
      ASSERT_EQ(mine.digest, theirs.digest) << where;
      ASSERT_EQ(compare_events("contention", mine.contention, 0, theirs.contention, false), "")
          << where;
    }
    std::filesystem::remove_all(folder);
  }
}

}  // namespace
}  // namespace allport::test
