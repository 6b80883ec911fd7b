// SPDX-License-Identifier: Apache-2.0
// The oracle's graphs and tables: cases worked out by hand, cycle by cycle, and random ones on
// which routers and worms agree with it. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases
// (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/differences.h"
#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/drawn_graphs.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/graphs.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/reference/tables.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

reference::Config graph_config(const std::string& edges, const std::string& nodes = "") {
  reference::Config config;
  config.topology = "graph";
  config.edges = edges;
  config.nodes = nodes;
  return config;
}

// ---- Graphs ----

// `a0>b1 b1>a0`: each channel, by router, then port.
std::string channels_of(const reference::Shape& shape) {
  std::string words;
  for (const auto& [from, link] : shape.links) {
    words += (words.empty() ? "" : " ") + shape.names[static_cast<std::size_t>(from.first)] +
             std::to_string(from.second) + ">" +
             shape.names[static_cast<std::size_t>(link.to.node)] + std::to_string(link.to.port);
    const reference::End origin = reference::origin_of(shape, link.to.node, link.to.port);
    EXPECT_EQ(std::pair(origin.node, origin.port), from);
  }
  return words;
}

// A triangle, first u then v, edge by edge; nodes are numbered by their names.
TEST(ReferenceGraphs, HaveTheLowestPortsThatAreFree) {
  EXPECT_EQ(channels_of(graph_shape(graph_config("10,2\n2,9\n9,10\n"))),
            "20>100 21>90 90>21 91>101 100>20 101>91");
}

TEST(ReferenceGraphs, NumberNodesAsTheyFirstAppearWhateverColumnComesFirst) {
  EXPECT_THAT(graph_shape(graph_config("v,u\nb,a\nc,a\n")).names,
              testing::ElementsAre("b", "a", "c"));
}

TEST(ReferenceGraphs, HaveNamedPortsAndSwitchesBehindTheNodes) {
  reference::Config config = graph_config(
      "# links\nv,u,to_port,from_port,delay,width\nhub,a,5,,3,2\nhub,a,0,4,,\nhub,b,,,,\n",
      "node,processor\nhub,false\nb,\na,true\n");
  config.flit_bytes = 5;
  config.link_delay = 1;
  const reference::Shape shape = graph_shape(config);
  EXPECT_THAT(shape.names, testing::ElementsAre("b", "a", "hub"));
  EXPECT_EQ(shape.nodes, 2);
  EXPECT_EQ(shape.ports, 6);
  EXPECT_THAT(shape.ports_of, testing::ElementsAre(1, 5, 6));
  EXPECT_EQ(channels_of(shape), "b0>hub1 a0>hub5 a4>hub0 hub0>a4 hub1>b0 hub5>a0");
  EXPECT_EQ(link_delay_of(config, shape, 2, 5), 3);
  EXPECT_EQ(phits_of(config, shape, 2, 5), 3);
  EXPECT_EQ(link_delay_of(config, shape, 0, 0), 1);
  EXPECT_EQ(phits_of(config, shape, 0, 0), 1);
}

// Outputs and inputs are numbered apart.
TEST(ReferenceGraphs, HaveOneChannelForADirectedEdge) {
  reference::Config config = graph_config("0,1\n1,2\n2,0\n2,1\n");
  config.is_directed = true;
  EXPECT_EQ(channels_of(graph_shape(config)), "00>10 10>20 20>00 21>11");
}

// ---- Worked cases ----

// The flits of message A, B, .. on a channel: `A0@2 B0@4`. Letters are those of the lines.
template <class Flit>
std::string row_of(const std::vector<reference::Line>& lines, const std::vector<Flit>& flits,
                   int node, int port) {
  std::map<std::pair<int, int>, char> letters;
  for (const reference::Line& line : lines) {
    letters[{line.u, line.order}] = static_cast<char>('A' + static_cast<int>(letters.size()));
  }
  std::string row;
  for (const Flit& flit : flits) {
    if (flit.node != node || flit.port != port) continue;
    row += (row.empty() ? "" : " ") + std::string(1, letters.at({flit.source, flit.message})) +
           std::to_string(flit.sequence) + "@" + std::to_string(flit.cycle);
  }
  return row;
}

// The worked case of docs/router.md: links of unlike widths and delays, and two message classes.
TEST(ReferenceGraphs, HaveLinksOfTheirOwn) {
  reference::Config config = graph_config("0,1,0,2\n1,2,3,4\n");
  config.table =
      "0,inject,1,0,0\n0,inject,2,0,0\n1,inject,0,0,0\n1,inject,2,1,0\n1,0,2,1,0\n1,0,0,0,0\n"
      "1,0,1,local,\n2,inject,0,0,0\n2,inject,1,0,0\n2,0,2,local,\n0,0,0,local,\n";
  config.ports = 1;
  config.classes = config.vcs = config.buffer_depth = 2;
  config.lists_flits = true;
  const std::vector<reference::Line> lines{
      class_line(0, 2, 0, 0, 4, 0), class_line(0, 1, 1, 1, 2, 1), class_line(1, 2, 0, 0, 2, 0)};
  const reference::Results results = simulate(config, as_collective(lines));

  EXPECT_EQ(row_of(lines, results.injected, 0, 0), "A0@0 B0@1 A1@2 B1@3 A2@4 A3@6");
  EXPECT_EQ(row_of(lines, results.injected, 1, 0), "C0@0 C1@1");
  EXPECT_EQ(row_of(lines, results.crossed, 0, 0), "A0@2 B0@4 A1@6 B1@8 A2@11 A3@13");
  EXPECT_EQ(row_of(lines, results.crossed, 1, 1), "C0@4 C1@5 A0@12 A1@14 A2@20 A3@22");
  EXPECT_EQ(row_of(lines, results.ejected, 1, 0), "B0@5 B1@10");
  EXPECT_EQ(row_of(lines, results.ejected, 2, 0), "C0@5 C1@6 A0@13 A1@15 A2@21 A3@23");
}

// Three layers of six VCs, 2 VCs each: with four layers in the file there would be six of one VC.
TEST(ReferenceTables, CutVirtualChannelsIntoTheNextNumberOfLayersThatDivides) {
  for (const auto& [layers, vcs, cut] : std::vector<std::tuple<int, int, int>>{
           {1, 3, 1}, {2, 3, 3}, {3, 6, 3}, {4, 6, 6}, {2, 5, 5}, {3, 8, 4}}) {
    reference::Table table;
    table.layers = layers;
    EXPECT_EQ(layers_among(table, vcs), cut) << layers << " among " << vcs;
  }
  reference::Table table;
  table.layers = 4;
  EXPECT_THROW(layers_among(table, 3), std::invalid_argument);
}

// Layer 1 of class 1 begins at VC 2 + 1 of four; the next layer is taken behind the middle node.
TEST(ReferenceTables, SayByWhichVirtualChannelsHeadsGoOn) {
  reference::Config config;
  config.topology = "mesh:3";
  config.table =
      "node,layer,destination,port,next_layer\n0,inject,2,0,1\n1,1,2,0,0\n2,0,2,local,\n";
  config.classes = 2;
  config.vcs = 4;
  config.lists_flits = true;
  const reference::Results results =
      simulate(config, as_collective({class_line(0, 2, 0, 1, 1, 0)}));

  EXPECT_THAT(results.crossed, testing::ElementsAre(reference::ExternalFlit{0, 0, 3, 0, 0, 0, 1},
                                                    reference::ExternalFlit{1, 0, 2, 0, 0, 0, 2}));
  EXPECT_THAT(results.deliveries, testing::ElementsAre(reference::Delivery{0, 2, 0, 3, 3}));
}

std::string refusal_of_table(const std::string& rows) {
  reference::Config config;
  config.topology = "mesh:3";
  config.table = rows;
  try {
    simulate(config, as_collective({class_line(0, 2, 0, 0, 1, 0)}));
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(ReferenceTables, RefuseAWayThatDoesNotLeadThere) {
  const std::string way = "0,inject,2,0,0\n1,0,2,0,0\n";
  EXPECT_EQ(refusal_of_table(way + "2,0,2,local,\n"), "");
  EXPECT_EQ(refusal_of_table(way), "a table has no row for a head that comes");
  EXPECT_EQ(refusal_of_table("0,inject,2,1,0\n"), "a table leads over a link that is not there");
  EXPECT_EQ(refusal_of_table("0,inject,2,0,0\n1,0,2,1,0\n0,0,2,0,0\n"), "a table runs in a circle");
  EXPECT_EQ(refusal_of_table("0,inject,2,0,0\n1,0,2,local,\n"), "a table ends elsewhere");
}

// ---- Random cases ----

// The first difference between what the models and the reference model say of `request`.
std::string compare_model(RunRequest request, Model model, const reference::Results& theirs) {
  request.model = model;
  const Results mine = simulate(plan(request));
  std::string difference = mine.broken_invariant;
  if (mine.deadlock || theirs.is_deadlocked) difference += "a deadlock";
  if (difference.empty()) difference = compare_deliveries(mine, theirs);
  if (difference.empty() && mine.digest != theirs.digest) difference = "digests differ";
  if (difference.empty()) {
    difference = compare_events("contention", mine.contention, 0, theirs.contention, false);
  }
  if (difference.empty()) {
    difference = compare_events("reception", mine.reception, 0, theirs.reception, false);
  }
  const bool has_hops = mine.flit_hops == static_cast<std::uint64_t>(theirs.flit_hops);
  if (difference.empty() && !has_hops) difference = "flit hops differ";
  return difference.empty() ? "" : std::string(to_string(model)) + ": " + difference;
}

std::string compare_models(const DrawnRun& drawn, const RunRequest& request,
                           const reference::Results& theirs) {
  std::string difference = compare_model(request, Model::systemc, theirs);
  if (difference.empty() && is_for_worms(drawn)) {
    difference = compare_model(request, Model::worm, theirs);
  }
  return difference;
}

TEST(ReferenceGraphs, AgreeOnUnicastsByTables) {
  const RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnRun drawn = draw_graph_run(seed);
    const RunRequest request = with_lines(drawn);
    drawn.config = with_rows(drawn.config, request);
    const reference::Results theirs = simulate(drawn.config, as_collective(drawn.lines));
    ASSERT_EQ(theirs.deliveries.size(), drawn.lines.size())
        << "seed " << seed << ": " << in_words(drawn);
    ASSERT_EQ(compare_models(drawn, request, theirs), "")
        << "seed " << seed << ": " << in_words(drawn);
  }
}

TEST(ReferenceGraphs, AgreeOnUniformTrafficByTables) {
  const RandomCases cases(10);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnRun drawn = draw_graph_run(seed + 500'000'000);
    Draw draw(seed);
    drawn.lines.clear();
    RunRequest request = drawn.request;
    request.message.flits = drawn.config.flits;
    request.traffic.pattern = "uniform";
    request.traffic.rate = 0.02 * (1 + draw.below(20));
    request.traffic.cycles = 20 + draw.below(200);
    drawn.config = with_rows(drawn.config, request);
    const reference::UniformPattern pattern{request.traffic.rate, request.traffic.cycles};
    ASSERT_EQ(compare_models(drawn, request, simulate(drawn.config, pattern)), "")
        << "seed " << seed << ": rate " << pattern.rate << " cycles " << pattern.cycles << " "
        << in_words(drawn);
  }
}

// The lines with the displacements by which the rule of ties sends them.
std::vector<reference::Line> with_ties(const DrawnRun& drawn) {
  std::vector<reference::Line> lines = drawn.lines;
  const reference::Shape shape = reference::parse_shape(drawn.config.topology);
  for (reference::Line& line : lines) {
    if (shape.is_hypercube) continue;
    line.displacement =
        reference::tie_broken_displacement(shape, drawn.config.ties, 0, line.u, line.v);
  }
  return lines;
}

// The rows of the routes that are built in have the cycles of these, on the reference model too.
TEST(ReferenceTables, AgreeOnRegularFabricsByTheirOwnRoutes) {
  const RandomCases cases(20);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnRun drawn = draw_regular_run(seed);
    const RunRequest request = with_lines(drawn);
    const reference::Config by_table = with_rows(drawn.config, request);
    const reference::Results theirs = simulate(by_table, as_collective(drawn.lines));
    ASSERT_EQ(compare_models(drawn, request, theirs), "")
        << "seed " << seed << ": " << in_words(drawn);
    const bool has_thirds = drawn.config.vcs == 3 * drawn.config.classes;
    if (has_thirds && request.fabric.topology->wraps()) continue;  // they have two classes of VCs
    const reference::Results built_in = simulate(drawn.config, as_collective(with_ties(drawn)));
    ASSERT_EQ(built_in.deliveries, theirs.deliveries) << "seed " << seed << ": " << in_words(drawn);
    ASSERT_EQ(built_in.contention, theirs.contention) << "seed " << seed << ": " << in_words(drawn);
  }
}

// Whether another reading of the case is seen to differ.
bool is_seen(const DrawnRun& drawn, const reference::Config& misread) {
  const reference::Results theirs = simulate(misread, as_collective(drawn.lines));
  return !compare_model(with_lines(drawn), Model::systemc, theirs).empty();
}

TEST(ReferenceGraphs, AreSeenToDisagreeWhereTheyMisreadARule) {
  int narrow = 0;
  int narrow_seen = 0;
  int slow_seen = 0;
  constexpr int cases = 20;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    DrawnRun drawn = draw_graph_run(seed);
    drawn.config = with_rows(drawn.config, with_lines(drawn));
    reference::Config misread = drawn.config;
    misread.link_delay += 1;  // of the edges that have none
    slow_seen += is_seen(drawn, misread) ? 1 : 0;
    const reference::Shape shape = reference::graph_shape(drawn.config);
    const bool is_narrow = std::any_of(shape.links.begin(), shape.links.end(),
                                       [](const auto& link) { return link.second.phits > 1; });
    if (!is_narrow) continue;
    ++narrow;
    misread = drawn.config;
    misread.flit_bytes = 1;  // all links are as wide as a flit
    narrow_seen += is_seen(drawn, misread) ? 1 : 0;
  }
  EXPECT_GT(narrow, 0);
  EXPECT_GE(2 * narrow_seen, narrow) << "in half of the cases at least";
  EXPECT_GE(2 * slow_seen, cases) << "in half of the cases at least";
}

}  // namespace
}  // namespace allport::test
