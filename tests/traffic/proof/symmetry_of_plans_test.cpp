// SPDX-License-Identifier: Apache-2.0
// Proofs by symmetry are held against whole ones on fabrics of every shape: by night on all shapes
// of up to 512 nodes with every algorithm of blocks, by day on a few that are drawn. ALLPORT_CASES
// and ALLPORT_NIGHTLY_SEED choose other ones (scripts/nightly).
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/powers.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/remaining_graph.h"
#include "rtl_model/tables/make_table.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/proof/both_proofs.h"
#include "traffic/planning/embedding.h"

namespace allport {
namespace {

using test::Draw;
using test::RandomCases;
using Sides = std::vector<int>;

// The sets of sides, each in ascending order, of all grids with `nodes` nodes.
std::vector<Sides> sets_of_sides(int nodes, int least = 2) {
  std::vector<Sides> sets;
  for (int side = least; side * side <= nodes; ++side) {
    if (nodes % side != 0) continue;
    for (const Sides& others : sets_of_sides(nodes / side, side)) {
      sets.push_back({side});
      sets.back().insert(sets.back().end(), others.begin(), others.end());
    }
  }
  if (nodes >= least) sets.push_back({nodes});
  return sets;
}

Sides in_drawn_order(const Sides& set, Draw& draw) {
  Sides sides;
  for (const std::size_t i : draw.subset(set.size(), set.size())) sides.push_back(set[i]);
  return sides;
}

std::string shape_of(const char* kind, const Sides& sides) {
  std::string name = sides.size() == 1 && std::string(kind) == "torus" ? "ring" : kind;
  const char* separator = ":";
  for (const int side : sides) {
    name += separator + std::to_string(side);
    separator = "x";
  }
  return name;
}

// The algorithms whose nodes are alike, so that there may be a symmetry; no exchange among
// neighbours is one.
std::vector<const Algorithm*> alike_algorithms_on(const Topology& topology) {
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool has_blocks = algorithm.operation != Operation::bcast && !is_join(algorithm.kind);
    if (!has_blocks || stencil_of(algorithm.operation) || !algorithm.is_for(topology)) continue;
    const Multicast goal = broadcast(topology, node_id(0));
    if (collective_of(algorithm, topology, goal).has_alike_nodes()) list.push_back(&algorithm);
  }
  return list;
}

// A length with which no block is empty and, if there is one, a length with which some are.
std::vector<int> lengths_of(const Collective& goal) {
  const auto blocks = static_cast<int>(goal.is_cut() ? goal.block_count() : goal.part_count());
  if (blocks == 1) return {1};
  return {blocks, 2 * blocks / 3};
}

BlockPlan plan_of_blocks(const Algorithm& algorithm, const Routing& routing, int ports, int flits) {
  const Topology& topology = routing.topology();
  const Multicast goal = broadcast(topology, node_id(0));
  PlanRequest request{routing, ports, goal};
  request.timing.flits = flits;
  request.has_blocks_left_out = true;
  Schedule schedule = plan(algorithm, request);
  Collective of_blocks = without_empty_blocks(algorithm, topology, goal, flits, schedule);
  return {std::move(schedule), std::move(of_blocks)};
}

std::string name_of(const std::string& shape, const Algorithm& algorithm, int flits, int ports) {
  return shape + " " + std::string(algorithm.name) + " " + std::to_string(flits) +
         " flits, ports " + std::to_string(ports);
}

struct Count {
  int plans = 0;
  int alike = 0;   // of them proved by symmetry
  int broken = 0;  // of these, compared once more with a fault
};

std::string in_words(const Count& count) {
  return std::to_string(count.plans) + " plans, " + std::to_string(count.alike) +
         " of them proved by symmetry, " + std::to_string(count.broken) + " once more with a fault";
}

// The plan with a fault.
BlockPlan broken(BlockPlan plan, const Topology& topology, Draw& draw) {
  const auto number = [&draw] { return static_cast<std::size_t>(draw.below(1 << 30)); };
  break_one(plan.schedule, topology, plan.goal.block_count(), number);
  return plan;
}

// All that is found of a plan and, where it is proved by symmetry, of it with a fault.
void compare_reports(BlockPlan plan, const Routing& routing, int ports, const std::string& name,
                     Draw& draw, Count& count) {
  ++count.plans;
  if (!is_proved_alike(plan, routing, ports, name)) return;
  ++count.alike;
  const BlockPlan faulty = broken(std::move(plan), routing.topology(), draw);
  if (faulty.schedule.unicasts.empty()) return;
  ++count.broken;
  EXPECT_EQ(told_or_refused(faulty, routing, ports, true),
            told_or_refused(faulty, routing, ports, false))
      << name << ", broken";
}

// Of which synthesized plans there are.
enum class Synthesized { none, on_all_ports, on_any_ports };

// All plans on a fabric of few nodes, all that is found.
void compare_reports(const std::string& shape, Synthesized synthesized, Draw& draw, Count& count) {
  const Routing routing = routing_on(shape);
  const Topology& topology = routing.topology();
  for (const Algorithm* algorithm : alike_algorithms_on(topology)) {
    if (algorithm->is_synthesized && synthesized == Synthesized::none) continue;
    std::vector<int> port_counts{all_ports(routing)};
    const bool has_one_port =
        !algorithm->is_synthesized || synthesized == Synthesized::on_any_ports;
    if (port_counts.front() > 1 && has_one_port) port_counts.push_back(1);
    const Collective goal = collective_of(*algorithm, topology, broadcast(topology, node_id(0)));
    for (const int flits : lengths_of(goal)) {
      for (const int ports : port_counts) {
        auto one = if_it_fits([&] { return plan_of_blocks(*algorithm, routing, ports, flits); });
        if (!one) continue;
        const std::string name = name_of(shape, *algorithm, flits, ports);
        compare_reports(std::move(*one), routing, ports, name, draw, count);
      }
    }
  }
}

bool are_same(const Schedule& a, const Schedule& b) {
  const auto is_same = [](const Unicast& one, const Unicast& other) {
    return one.u == other.u && one.v == other.v && one.step == other.step &&
           one.adds == other.adds &&
           std::equal(one.blocks.begin(), one.blocks.end(), other.blocks.begin(),
                      other.blocks.end());
  };
  return std::equal(a.unicasts.begin(), a.unicasts.end(), b.unicasts.begin(), b.unicasts.end(),
                    is_same);
}

// All plans on fabrics of many nodes, of the blocks alone. Where the messages are those of the plan
// before of an algorithm, the whole proof is that of it; and plans that are the same on a torus and
// on the mesh of its sides are compared once.
class LargerPlans {
 public:
  LargerPlans(std::uint64_t seed, Count& count) : draw_(seed), count_(count) {}

  void compare(const std::string& shape) {
    const Routing routing = routing_on(shape);
    const Topology& topology = routing.topology();
    const int ports = all_ports(routing);
    for (const Algorithm* algorithm : alike_algorithms_on(topology)) {
      const bool is_small = topology.node_count() <= most_with_all;
      if (algorithm->is_synthesized || (!is_small && passes_blocks_on(*algorithm))) continue;
      const Collective goal = collective_of(*algorithm, topology, broadcast(topology, node_id(0)));
      std::vector<int> lengths = lengths_of(goal);
      if (!is_small) lengths = {draw_.one_of(lengths)};
      for (const int flits : lengths) {
        auto one = if_it_fits([&] { return plan_of_blocks(*algorithm, routing, ports, flits); });
        if (!one) continue;
        compare(*algorithm, std::move(*one), topology, flits);
      }
    }
  }

  Draw& draw() { return draw_; }

 private:
  // Nodes of fabrics with both lengths, and with alltoalls that are passed on along lines.
  static constexpr std::size_t most_with_all = 128;
  // Whether its nodes carry all blocks of a line, which are as many as the nodes to the third.
  static bool passes_blocks_on(const Algorithm& algorithm) {
    return algorithm.name == "ring-alltoall" || algorithm.name == "dims-alltoall";
  }
  struct Known {
    BlockPlan plan;
    Sides sides;
    TopologyKind kind;
  };

  void compare(const Algorithm& algorithm, BlockPlan one, const Topology& topology, int flits) {
    const auto last = known_.find({algorithm.name, flits});
    const bool is_known = last != known_.end() &&
                          last->second.plan.goal.block_count() == one.goal.block_count() &&
                          are_same(last->second.plan.schedule, one.schedule);
    const bool is_cube = topology.is_hypercube();
    if (is_known && !is_cube && last->second.kind != TopologyKind::hypercube &&
        last->second.sides == topology.sides()) {
      return;
    }
    ++count_.plans;
    const std::string name =
        name_of(topology.name(), algorithm, flits, static_cast<int>(topology.port_count()));
    if (!has_blocks_proved_alike(one, topology, name, is_known)) return;
    ++count_.alike;
    compare_broken(one, topology, name);
    known_.insert_or_assign({algorithm.name, flits},
                            Known{std::move(one), topology.sides(), topology.kind()});
  }

  void compare_broken(const BlockPlan& one, const Topology& topology, const std::string& name) {
    const BlockPlan faulty = broken(one, topology, draw_);
    const std::vector<Unicast>& all = faulty.schedule.unicasts;
    const auto goes_nowhere = [](const Unicast& one) { return one.u == one.v; };
    if (all.empty() || std::any_of(all.begin(), all.end(), goes_nowhere)) return;
    ++count_.broken;
    has_blocks_proved_alike(faulty, topology, name + ", broken");
  }

  Draw draw_;
  Count& count_;
  std::map<std::pair<std::string_view, int>, Known> known_;  // whole proofs, and proofs alike
};

TEST(ByNightBlockSymmetry, OfGridsUpTo64NodesInEveryOrderOfSides) {
  const std::uint64_t seed = RandomCases(1).first;
  Draw draw(seed);
  Count count;
  for (int nodes = 2; nodes <= 64; ++nodes) {
    for (Sides sides : sets_of_sides(nodes)) {
      Synthesized synthesized = nodes <= 16   ? Synthesized::on_any_ports
                                : nodes <= 32 ? Synthesized::on_all_ports
                                              : Synthesized::none;
      do {
        for (const char* kind : {"torus", "mesh"}) {
          compare_reports(shape_of(kind, sides), synthesized, draw, count);
        }
        if (nodes > 16) synthesized = Synthesized::none;
      } while (std::next_permutation(sides.begin(), sides.end()));
    }
  }
  for (int n = 1; n <= 6; ++n) {
    compare_reports("hypercube:" + std::to_string(n),
                    n < 6 ? Synthesized::on_any_ports : Synthesized::none, draw, count);
  }
  std::printf("faults by seed %llu: %s\n", static_cast<unsigned long long>(seed),
              in_words(count).c_str());
  EXPECT_GT(3 * count.alike, count.plans);
}

// On fabrics of first, first + step, .. last nodes.
void compare_larger(int first, int last, int step = 1) {
  const std::uint64_t seed = RandomCases(1).first;
  Count count;
  for (int nodes = first; nodes <= last; nodes += step) {
    LargerPlans all(seed + static_cast<std::uint64_t>(nodes), count);
    for (const Sides& set : sets_of_sides(nodes)) {
      const Sides sides = in_drawn_order(set, all.draw());
      all.compare(shape_of("torus", sides));
      all.compare(shape_of("mesh", sides));
    }
    if (is_power_of_two(static_cast<std::size_t>(nodes))) {
      int n = 0;
      while ((1 << n) < nodes) ++n;
      all.compare("hypercube:" + std::to_string(n));
    }
  }
  std::printf("orders, lengths and faults by seed %llu: %s\n",
              static_cast<unsigned long long>(seed), in_words(count).c_str());
  EXPECT_GT(3 * count.alike, count.plans);
}

TEST(ByNightBlockSymmetry, OfGridsOf65To128Nodes) { compare_larger(65, 128); }
TEST(ByNightBlockSymmetry, OfGridsOf129To256Nodes) { compare_larger(129, 256); }

// Of even numbers of nodes or of odd ones, and of 512.
TEST(ByNightBlockSymmetry, OfEverySecondNumberOfNodesFrom257To512) {
  Draw draw(RandomCases(1).first);
  const int first = 257 + draw.below(2);
  compare_larger(first, 511, 2);
  compare_larger(512, 512);
}

// A fabric as it is, or without some nodes or a link, or with switches in the place of some nodes.
struct DrawnFabric {
  std::string name;
  std::shared_ptr<const Topology> whole;
  Routing routing;
  std::vector<NodeId> gone{};      // of the whole fabric
  std::vector<Channel> missing{};  // what synthesized plans do not use
};

Sides draw_sides(Draw& draw, int most) {
  static constexpr int longest[] = {511, 63, 24, 9, 6, 3};
  int dimensions_that_fit = 1;
  while (dimensions_that_fit < 6 && 2 << dimensions_that_fit <= most) ++dimensions_that_fit;
  const auto dimensions = static_cast<std::size_t>(1 + draw.below(dimensions_that_fit));
  while (true) {
    Sides sides;
    long nodes = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
      sides.push_back(2 + draw.below(longest[dimensions - 1]));
      nodes *= sides.back();
    }
    if (nodes <= most) return sides;
  }
}

std::string draw_shape(Draw& draw, int most) {
  const std::string kind = draw.one_of<std::string>({"torus", "torus", "mesh", "hypercube"});
  if (kind != "hypercube") return shape_of(kind.c_str(), draw_sides(draw, most));
  int dimensions = 1;
  while (2 << dimensions <= most && draw.below(4) > 0) ++dimensions;
  return "hypercube:" + std::to_string(dimensions);
}

Routing routing_by_table(const std::shared_ptr<const Topology>& topology) {
  TableRequest request;
  request.topology = topology;
  return Routing(topology, make_default_table(request));
}

DrawnFabric draw_fabric(Draw& draw) {
  const std::string shape = draw_shape(draw, draw.one_of<int>({16, 32, 64, 128, 512}));
  const auto whole = parse_topology(shape);
  const DrawnFabric as_it_is{shape, whole, routing_on(shape)};
  const auto nodes = static_cast<int>(whole->node_count());
  const int fault = draw.below(6);
  if (fault > 2 || nodes < 5 || nodes > 128) return as_it_is;
  if (fault == 2) {
    if (whole->dimension_count() < 2) return as_it_is;
    DrawnFabric fabric = as_it_is;
    const Channel one = draw.one_of(whole->channels());
    const NodeId other = *whole->neighbour(one.node, one.port);
    fabric.missing = {one, {other, whole->arrival_port(one.node, one.port)}};
    std::sort(fabric.missing.begin(), fabric.missing.end());
    fabric.name += " without a link of node " + std::to_string(index(one.node));
    return fabric;
  }
  std::vector<NodeId> some;
  const auto several = static_cast<std::size_t>(1 + draw.below(std::min(4, nodes / 4)));
  std::string names;
  for (const std::size_t i : draw.subset(whole->node_count(), several)) {
    some.push_back(node_id(i));
    names += " " + std::to_string(i);
  }
  std::sort(some.begin(), some.end());
  if (fault == 1) {
    GraphDescription description = described(*whole);
    description.file = "drawn";
    for (const NodeId node : some) description.nodes[index(node)].has_processor = false;
    const auto graph = std::make_shared<const Graph>(description);
    return {shape + " with switches" + names, graph, routing_by_table(graph)};
  }
  if (!is_connected_without(*whole, some)) return as_it_is;
  const auto left = without_nodes(*whole, some);
  return {shape + " without nodes" + names, whole, routing_by_table(left), some};
}

// Ranks on the nodes of a fabric, of another shape and in another order.
Placement draw_placement(const DrawnFabric& fabric, Draw& draw, std::string& name) {
  const Topology& host = fabric.routing.topology();
  const std::size_t nodes = host.node_count();
  if (!fabric.gone.empty() && draw.below(2) == 0) {
    Placement replanned{fabric.whole, {}};
    std::size_t next = 0;
    for (std::size_t i = 0; i < fabric.whole->node_count(); ++i) {
      const bool is_gone = std::binary_search(fabric.gone.begin(), fabric.gone.end(), node_id(i));
      replanned.nodes.push_back(is_gone ? nowhere : node_id(next++));
    }
    name += ", planned anew";
    return replanned;
  }
  const auto sets = sets_of_sides(static_cast<int>(nodes));
  std::string ranks =
      shape_of(draw.below(4) > 0 ? "torus" : "mesh", in_drawn_order(draw.one_of(sets), draw));
  if (draw.below(3) == 0) ranks = "ring:" + std::to_string(nodes);
  if (is_power_of_two(nodes) && draw.below(3) == 0) {
    int n = 0;
    while (std::size_t{1} << n < nodes) ++n;
    ranks = "hypercube:" + std::to_string(n);
  }
  Placement placement{parse_topology(ranks), {}};
  const int order = draw.below(3);
  const Sides& sides = placement.ranks->sides();
  const bool has_powers = std::all_of(sides.begin(), sides.end(), [](int side) {
    return is_power_of_two(static_cast<std::size_t>(side));
  });
  name += ", ranks of " + ranks;
  if (order == 0 && !placement.ranks->is_hypercube() && host.is_hypercube() && has_powers) {
    placement.nodes = gray_order(*placement.ranks, host);
    name += " by Gray codes";
  } else if (order == 0 && placement.ranks->kind() == TopologyKind::ring && !host.is_graph()) {
    placement.nodes = snake_order(*placement.ranks, host);
    name += " by a tour";
  } else if (order == 1) {
    for (const std::size_t i : draw.subset(nodes, nodes)) placement.nodes.push_back(node_id(i));
    name += " anywhere";
  } else {
    for (std::size_t i = 0; i < nodes; ++i) placement.nodes.push_back(node_id(i));
  }
  return placement;
}

// Lengths of pairs, some of them none: at random, or those of as many nodes on.
PairLengths draw_pairs(std::size_t nodes, Draw& draw, std::string& name) {
  const bool are_alike = draw.below(2) == 0;
  name += are_alike ? ", pairs alike" : ", pairs at random";
  std::vector<int> distances;
  for (std::size_t i = 0; i < nodes; ++i) distances.push_back(draw.below(3));
  std::vector<int> lengths;
  for (std::size_t from = 0; from < nodes; ++from) {
    for (std::size_t to = 0; to < nodes; ++to) {
      const int length = are_alike ? distances[(to + nodes - from) % nodes] : draw.below(3);
      lengths.push_back(from == to ? 0 : length);
    }
  }
  // Somebody sends something.
  lengths[1] = std::max(lengths[1], 1);
  return std::make_shared<const std::vector<int>>(std::move(lengths));
}

int draw_parts(const Algorithm& algorithm, const Topology& ranks, Draw& draw) {
  if (draw.below(3) > 0) return 0;
  if (algorithm.own_parts == nullptr) return 1 + draw.below(3);
  const PartCounts counts = algorithm.own_parts(ranks);
  return counts.least + draw.below(std::min(counts.most, counts.least + 7) - counts.least + 1);
}

struct DrawnPlan {
  std::string name;
  int ports;
  std::optional<BlockPlan> plan;
};

DrawnPlan draw_plan(const DrawnFabric& fabric, Draw& draw) {
  DrawnPlan drawn{fabric.name, 0, std::nullopt};
  const Routing& routing = fabric.routing;
  const Topology& host = routing.topology();
  const std::size_t nodes = host.node_count();
  std::optional<Embedding> ranks;
  const bool are_links_there = fabric.missing.empty();
  if (are_links_there && draw.below(host.is_graph() ? 4 : 2) > 0) {
    ranks.emplace(draw_placement(fabric, draw, drawn.name), routing);
  }
  const Topology& guest = ranks ? ranks->guest().topology() : host;
  std::vector<const Algorithm*> suitable;
  for (const Algorithm* one : alike_algorithms_on(guest)) {
    if (one->is_synthesized && (ranks || nodes > 32)) continue;
    if (!one->is_synthesized && !are_links_there) continue;
    suitable.push_back(one);
  }
  if (suitable.empty()) return drawn;
  const Algorithm& algorithm = *draw.one_of(suitable);
  const int parts = part_count(algorithm, guest, draw_parts(algorithm, guest, draw));
  const Multicast goal = broadcast(host, node_id(0));
  const Collective whole = collective_of(algorithm, host, goal, parts);
  const auto blocks = static_cast<int>(whole.is_cut() ? whole.block_count() : whole.part_count());
  const int flits = 1 + draw.below(2 * blocks);
  drawn.ports = 1 + draw.below(static_cast<int>(host.node_port_count()));
  drawn.name =
      name_of(drawn.name, algorithm, flits, drawn.ports) + ", parts " + std::to_string(parts);
  PairLengths pairs;
  if (algorithm.operation == Operation::alltoall && draw.below(3) == 0) {
    pairs = draw_pairs(nodes, draw, drawn.name);
  }
  drawn.plan = if_it_fits([&] {
    Schedule schedule;
    if (ranks) {
      schedule = ranks->plan(algorithm, goal, drawn.ports, parts, flits);
    } else {
      PlanRequest request{routing, drawn.ports, goal};
      request.parts = parts;
      request.timing.flits = flits;
      request.has_blocks_left_out = true;
      request.missing = fabric.missing;
      request.pairs = pairs;
      request.seed = static_cast<std::uint64_t>(draw.below(1000));
      schedule = plan(algorithm, request);
    }
    Collective of_blocks =
        without_empty_blocks(algorithm, host, goal, flits, schedule, parts, {}, nullptr, pairs);
    return BlockPlan{std::move(schedule), std::move(of_blocks)};
  });
  return drawn;
}

TEST(BlockSymmetry, OfDrawnPlansTellsWhatTheWholeProofTells) {
  const RandomCases cases(25);
  Count count;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const DrawnFabric fabric = draw_fabric(draw);
    DrawnPlan drawn = draw_plan(fabric, draw);
    if (!drawn.plan) continue;
    const std::string name = "seed " + std::to_string(seed) + ": " + drawn.name;
    compare_reports(std::move(*drawn.plan), fabric.routing, drawn.ports, name, draw, count);
  }
  std::printf("seeds from %llu: %s\n", static_cast<unsigned long long>(cases.first),
              in_words(count).c_str());
  EXPECT_GT(3 * count.alike, count.plans);
}

}  // namespace
}  // namespace allport
