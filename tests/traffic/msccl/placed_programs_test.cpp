// SPDX-License-Identifier: Apache-2.0
// The GPUs of a program are ranks, which can be placed: a program of an algorithm on a fabric of
// ranks, placed on nodes, does there what the algorithm does that is placed on them itself.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/msccl/programs.h"
#include "traffic/msccl/to_msccl.h"
#include "traffic/planning/embedding.h"
#include "traffic/planning/pieces.h"

namespace allport {
namespace {

using test::Draw;
using test::RandomCases;

// `count` nodes of `topology` in random order.
std::vector<NodeId> drawn_nodes(Draw& draw, const Topology& topology, std::size_t count) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < topology.node_count(); ++i) nodes.push_back(node_id(i));
  for (std::size_t left = nodes.size(); left > 1; --left) {
    std::swap(nodes[left - 1], nodes[static_cast<std::size_t>(draw.below(static_cast<int>(left)))]);
  }
  nodes.resize(count);
  return nodes;
}

// The ranks on all nodes of a fabric like their own, or on some nodes of another.
Placement drawn_placement(Draw& draw, const std::shared_ptr<const Topology>& ranks,
                          const Topology& host) {
  Placement placement{ranks, {}};
  if (host.name() == ranks->name() && draw.below(2) == 0) {
    for (std::size_t i = 0; i < ranks->node_count(); ++i) placement.nodes.push_back(node_id(i));
    placement.dimensions.resize(ranks->dimension_count());
    std::iota(placement.dimensions.begin(), placement.dimensions.end(), std::size_t{0});
  } else {
    placement.nodes = drawn_nodes(draw, host, ranks->node_count());
  }
  return placement;
}

// The goal of a schedule by `algorithm`, planned on `fabric`, among `members`.
Collective goal_of(const Algorithm& algorithm, const Topology& fabric, const Topology& host,
                   const Multicast& goal, const Schedule& schedule,
                   const std::vector<NodeId>& members) {
  if (algorithm.operation == Operation::bcast) {
    return {host.node_count(), goal, std::max<std::size_t>(piece_count(schedule), 1)};
  }
  return collective_of(algorithm, host, goal, part_count(algorithm, fabric, 0), members);
}

bool is_placed(const Algorithm& algorithm, const Topology& ranks) {
  return algorithm.kind == MessageKind::unicast && !algorithm.is_synthesized &&
         algorithm.destinations != Destinations::one && !stencil_of(algorithm.operation) &&
         algorithm.is_for(ranks);
}

TEST(PlacedPrograms, EveryOneDoesWhatThePlacedAlgorithmDoes) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const std::string shape = draw.one_of<std::string>(
        {"ring:8", "ring:5", "ring:2", "hypercube:3", "torus:4x2", "mesh:3x2", "torus:4x4"});
    const Routing guest = routing_on(shape);
    const Routing host = routing_on(draw.one_of<std::string>({shape, "torus:4x4", "mesh:4x5"}));
    const auto& ranks = guest.shared_topology();
    const Placement placement = drawn_placement(draw, ranks, host.topology());
    const Embedding embedding(placement, host);
    const NodeId root =
        node_id(static_cast<std::size_t>(draw.below(static_cast<int>(ranks->node_count()))));
    std::vector<NodeId> members = placement.nodes;
    std::sort(members.begin(), members.end());
    Multicast on_host{embedding.on_host(root), members};
    on_host.destinations.erase(
        std::find(on_host.destinations.begin(), on_host.destinations.end(), on_host.source));
    for (const Algorithm& algorithm : algorithms()) {
      if (!is_placed(algorithm, *ranks)) continue;
      const Multicast goal = broadcast(*ranks, root);
      const Schedule planned = plan(algorithm, {guest, all_ports(guest), goal});
      const Collective among_ranks = goal_of(algorithm, *ranks, *ranks, goal, planned, {});
      std::stringstream xml;
      write_msccl(xml, to_msccl(planned, among_ranks, "test"));
      Finding faults;
      const Schedule read = from_msccl(program_of(xml.str()), among_ranks, faults);
      ASSERT_TRUE(faults.ok()) << faults.first.front();
      const Schedule placed = embedding.placed(read, among_ranks);
      const Schedule by_algorithm = embedding.plan(algorithm, on_host, all_ports(host));
      const Collective among_nodes =
          goal_of(algorithm, *ranks, host.topology(), on_host, by_algorithm, members);

      EXPECT_EQ(behaviour(placed, among_nodes), behaviour(by_algorithm, among_nodes))
          << "seed " << seed << ": " << algorithm.name << " of " << shape << " on "
          << host.topology().name() << " from rank " << index(root);
      const bool has_blocks = !placed.unicasts.front().blocks.empty();
      const ScheduleReport report = check_schedule(placed, {host,
                                                            all_ports(host),
                                                            {on_host.source},
                                                            on_host.destinations,
                                                            has_blocks ? &among_nodes : nullptr});
      EXPECT_TRUE(report.collective.ok() && report.exactly_once.ok() && report.causality.ok())
          << "seed " << seed << ": " << algorithm.name;
    }
  }
}

}  // namespace
}  // namespace allport
