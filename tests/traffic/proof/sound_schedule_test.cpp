// SPDX-License-Identifier: Apache-2.0
// Whatever the lines of a schedule say, the check judges the sound ones as if the others were not
// there, and indexes by no number of the others.
#include "traffic/proof/sound_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using test::Draw;
using testing::ElementsAre;

// A node, mostly one of the fabric.
NodeId node(Draw& draw, std::size_t nodes) {
  if (draw.below(16) != 0) return node_id(static_cast<std::size_t>(draw.below(1 << 20)) % nodes);
  return draw.one_of(std::vector<NodeId>{node_id(nodes), node_id(nodes + 1), node_id(99),
                                         node_id(65536), node_id(4294967295U)});
}

// A line with any key for any kind.
Unicast random_line(Draw& draw, const Topology& topology, bool has_blocks) {
  const std::size_t nodes = topology.node_count();
  const auto dimensions = static_cast<int>(topology.dimension_count());
  Unicast line;
  const auto kinds = static_cast<int>(message_kinds.size());
  if (draw.below(has_blocks ? 9 : 2) == 0) {
    line.kind = message_kinds[static_cast<std::size_t>(draw.below(kinds))];
  }
  line.u = node(draw, nodes);
  if (!goes_to_all(line.kind)) line.v = node(draw, nodes);
  line.step = draw.below(20) == 0 ? 2147483647 : 1 + draw.below(4);
  line.order = draw.below(4);
  if (draw.below(goes_by_list(line.kind) ? 2 : 6) == 0) {
    std::vector<NodeId> via;
    for (int count = 1 + draw.below(3); count > 0; --count) via.push_back(node(draw, nodes));
    line.via = via;
  }
  if (draw.below(has_group(line.kind) ? 2 : 20) == 0) {
    line.free = static_cast<DimensionMask>(draw.below(1 << (dimensions + 1)));
  }
  if (draw.below(line.kind == MessageKind::label ? 3 : 20) == 0) {
    line.first_dimension = static_cast<std::int8_t>(draw.below(max_grid_dimensions));
  }
  if (draw.below(8) == 0) {
    std::vector<int> offsets;
    for (int i = 0; i < dimensions; ++i) offsets.push_back(draw.below(5) - 2);
    line.displacement = offsets;
  }
  if (has_blocks) {
    line.blocks.push_back(static_cast<BlockId>(draw.below(static_cast<int>(nodes))));
    line.adds = draw.below(2) == 0;
  }
  return line;
}

std::vector<std::size_t> in_numbers(const Unicast& one) {
  return {index(one.u), index(one.v), static_cast<std::size_t>(one.step),
          static_cast<std::size_t>(one.order)};
}

void expect_same(const Finding& all, const Finding& sound, const Schedule& lines,
                 const Schedule& kept) {
  EXPECT_EQ(all.violations, sound.violations);
  ASSERT_EQ(all.pairs.size(), sound.pairs.size());
  for (std::size_t i = 0; i < all.pairs.size(); ++i) {
    EXPECT_EQ(in_numbers(lines.unicasts.at(all.pairs[i].a)),
              in_numbers(kept.unicasts.at(sound.pairs[i].a)));
    EXPECT_EQ(in_numbers(lines.unicasts.at(all.pairs[i].b)),
              in_numbers(kept.unicasts.at(sound.pairs[i].b)));
    EXPECT_EQ(all.pairs[i].channel, sound.pairs[i].channel);
  }
}

TEST(SoundSchedule, LinesThatAreNotSoundAreJudgedOnce) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Draw draw(seed);
    const std::string shape = draw.one_of(
        std::vector<std::string>{"hypercube:3", "torus:4x4", "ring:6", "mesh:3x3", "mesh:2x3x2"});
    const Routing routing = routing_on(shape);
    const bool has_blocks = draw.below(3) == 0;
    Schedule lines;
    Schedule kept;
    for (int count = 1 + draw.below(20); count > 0; --count) {
      lines.unicasts.push_back(random_line(draw, routing.topology(), has_blocks));
    }
    lines.sort();
    for (const Unicast& line : lines.unicasts) {
      if (route_fault(line, routing).empty()) kept.unicasts.push_back(line);
    }
    SCOPED_TRACE(shape + " seed " + std::to_string(seed));
    const std::size_t nodes = routing.topology().node_count();
    const Collective goal(draw.below(2) == 0 ? Operation::reduce_scatter : Operation::allgather,
                          nodes, node_id(0));
    const Collective* const blocks = has_blocks ? &goal : nullptr;
    const CheckRequest request{routing, 1, {node_id(0)}, {node_id(1)}, blocks};
    try {
      const ScheduleReport report = check_schedule(lines, request);
      const ScheduleReport sound = check_schedule(kept, request);
      EXPECT_EQ(report.routes_valid.violations, lines.unicasts.size() - kept.unicasts.size());
      EXPECT_TRUE(sound.routes_valid.ok());
      if (report.worms && sound.worms) {
        expect_same(report.worms->contention, sound.worms->contention, lines, kept);
      }
      if (!report.worms) expect_same(report.stepwise, sound.stepwise, lines, kept);
      const CheckedPart part{lines, request, 0};
      EXPECT_EQ(check_together({part, part}).routes_valid.violations,
                2 * report.routes_valid.violations);
    } catch (const std::invalid_argument& fault) {
      EXPECT_TRUE(has_blocks) << fault.what();  // a kind that carries none
    }
  }
}

TEST(SoundSchedule, AUnicastWhoseWayIsWrongStillBringsWhatItCarries) {
  const Routing torus = routing_on("torus:4x4");
  Schedule lines = schedule_of({{2, 10, 1}, {10, 11, 2}});
  lines.unicasts[0].via = std::vector<NodeId>{node_id(99)};

  const ScheduleReport report = check_schedule(lines, {torus, 4, nodes({2}), nodes({10, 11})});

  EXPECT_THAT(report.routes_valid.first,
              ElementsAre("unicast 2 -> 10 (step 1): node 99 is not one of 0..15 of torus:4x4"));
  EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.theorem1.ok());
}

TEST(SoundSchedule, WhatIsLeftOutLeavesTheRest) {
  const Routing cube = routing_on("hypercube:2");
  Schedule lines = schedule_of({{0, 1, 1}, {0, 9, 1, 1}, {0, 2, 2, 2}});

  const LeftOut left_out = take_left_out(lines, cube);

  EXPECT_EQ(lines.unicasts.size(), 2U);
  EXPECT_EQ(left_out.faults.violations, 1U);
  EXPECT_TRUE(left_out.transfers.empty());
  EXPECT_TRUE(take_left_out(lines, cube).is_empty());
}

}  // namespace
}  // namespace allport
