// SPDX-License-Identifier: Apache-2.0
// These tests check blocks of a user's own: which files are blocks, and what is planned by them.
#include "traffic/planning/block_file.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {
namespace {

using test::Draw;
using test::RandomCases;

UnitBlock read(const std::string& text) {
  std::istringstream in(text);
  return read_block(in, "b.jsonl");
}

std::string line(int u, int v, int step, int order, const std::string& more = "") {
  return "{\"u\":" + std::to_string(u) + ",\"v\":" + std::to_string(v) +
         ",\"step\":" + std::to_string(step) + ",\"order\":" + std::to_string(order) + more + "}\n";
}

// Node 0 sends to all others, one after another.
std::vector<std::string> separate_lines() {
  std::vector<std::string> lines;
  for (int v = 1; v < 16; ++v) lines.push_back(line(0, v, v, v - 1));
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& one : lines) text += one;
  return text;
}

// The complaint about that block with line `number`, from 1, changed.
std::string complaint_with(std::size_t number, const std::string& changed) {
  std::vector<std::string> lines = separate_lines();
  lines.at(number - 1) = changed;
  return complaint_of([&] { read(joined(lines)); });
}

Schedule by_block(const UnitBlock& block, const Routing& routing, const Multicast& goal) {
  PlanRequest request{routing, 4, goal};
  request.block = std::make_shared<const UnitBlock>(block);
  return plan(find_algorithm("block"), request);
}

std::string text_of(const Schedule& schedule, const Topology& topology) {
  std::ostringstream text;
  write_schedule(text, schedule, topology);
  return text.str();
}

std::string square(int side) {
  return "torus:" + std::to_string(side) + "x" + std::to_string(side);
}

TEST(BlockFile, TheFilesThatShipAreTheBlocksOfDcfAndOfZblock) {
  for (const char* name : {"dcf", "zblock"}) {
    const std::string path = std::string(ALLPORT_BLOCKS) + "/" + name + ".jsonl";
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    const UnitBlock block = read_block(file, path);
    const std::shared_ptr<const Topology> units = parse_topology("torus:4x4");
    std::ifstream again(path);
    std::ostringstream text;
    text << again.rdbuf();
    EXPECT_EQ(text.str(), text_of(schedule_of(block), *units)) << "as `allport schedule` prints it";
    for (int side = 2; side <= 128; side *= 2) {
      const Routing routing = routing_on(square(side));
      const std::size_t nodes = routing.topology().node_count();
      for (const std::size_t source : {std::size_t{0}, nodes / 3, nodes - 1}) {
        const Multicast goal = broadcast(routing.topology(), node_id(source));
        EXPECT_EQ(text_of(by_block(block, routing, goal), routing.topology()),
                  text_of(planned(name, routing, goal), routing.topology()))
            << name << " on " << side << " from " << source;
      }
    }
  }
}

TEST(BlockFile, AnyBroadcastOfThe4x4TorusIsABlock) {
  const Routing units = routing_on("torus:4x4");
  for (const char* name : {"edn", "far-then-near", "tseng", "separate", "utorus", "dims-bcast"}) {
    for (const std::size_t source : {std::size_t{0}, std::size_t{6}}) {
      const Multicast goal = broadcast(units.topology(), node_id(source));
      const Schedule own = planned(name, units, goal);
      EXPECT_EQ(
          text_of(by_block(read(text_of(own, units.topology())), units, goal), units.topology()),
          text_of(own, units.topology()))
          << name << " from " << source;
    }
  }
  const Routing large = routing_on("torus:32x32");
  const Multicast goal = broadcast(large.topology(), node_id(77));
  for (const char* name : {"edn", "far-then-near"}) {
    const Schedule own = planned(name, units, broadcast(units.topology(), node_id(5)));
    EXPECT_EQ(
        text_of(by_block(read(text_of(own, units.topology())), large, goal), large.topology()),
        text_of(planned(name, large, goal), large.topology()))
        << name;
  }
}

// A broadcast on the torus of the units, at random: who sends to whom, when, and by which of the
// shortest ways.
std::string random_block(Draw& draw) {
  const Routing units = routing_on("torus:4x4");
  std::vector<std::size_t> informed;
  std::vector<int> steps(16, 0);
  std::vector<std::string> lines;
  std::vector<int> orders(16, 0);
  for (const std::size_t node : draw.subset(16, 16)) {
    if (!informed.empty()) {
      const std::size_t sender = draw.one_of(informed);
      steps[node] = steps[sender] + 1 + (steps[sender] < 3 ? draw.below(2) : 0);
      const auto towards = [&](std::size_t stride) {
        const auto at = [&](std::size_t one) { return static_cast<int>(one / stride % 4); };
        const int up = (at(node) - at(sender) + 4) % 4;
        return up == 3 ? -1 : up == 2 && draw.below(2) == 0 ? -2 : up;
      };
      std::string more;
      if (draw.below(3) > 0) {
        more = ",\"dx\":" + std::to_string(towards(1)) + ",\"dy\":" + std::to_string(towards(4));
      }
      lines.push_back(line(static_cast<int>(sender), static_cast<int>(node), steps[node],
                           orders[sender]++, more));
    }
    informed.push_back(node);
  }
  std::string text;
  for (const std::size_t one : draw.subset(lines.size(), lines.size())) text += lines[one];
  return text;
}

TEST(BlockFile, EveryBlockInformsEveryNodeOnce) {
  const RandomCases cases(60);
  std::printf("seeds %llu..%llu\n", static_cast<unsigned long long>(cases.first),
              static_cast<unsigned long long>(cases.end - 1));
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const UnitBlock block = read(random_block(draw));
    const int side = 4 << draw.below(4);
    const Routing routing = routing_on(square(side));
    const auto nodes = static_cast<int>(routing.topology().node_count());
    const Multicast goal =
        broadcast(routing.topology(), node_id(static_cast<std::size_t>(draw.below(nodes))));
    const Schedule schedule = by_block(block, routing, goal);
    const ScheduleReport report = checked(schedule, routing, goal);
    EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.routes_valid.ok())
        << "seed " << seed << ", side " << side;
    int levels = 0;
    for (int rest = side; rest >= 4; rest /= 4) ++levels;
    const bool is_odd = side == 8 || side == 32;
    EXPECT_EQ(schedule.steps(), levels * block.steps() + (is_odd ? 1 : 0)) << "seed " << seed;
    // What shares no channel in a step of the block shares none in a step anywhere.
    const Routing units = routing_on("torus:4x4");
    const Multicast of_units = broadcast(units.topology(), node_id(0));
    EXPECT_EQ(checked(schedule_of(block), units, of_units).stepwise.ok(), report.stepwise.ok())
        << "seed " << seed;
  }
}

TEST(BlockFile, WhatIsNoBlockIsRefusedByItsLine) {
  EXPECT_EQ(complaint_of([] { read(joined(separate_lines())); }), "no complaint");
  EXPECT_EQ(complaint_with(3, line(0, 16, 3, 2)),
            "b.jsonl:3: unicast 0 -> 16 (step 3): node 16 is not one of 0..15 of torus:4x4");
  EXPECT_EQ(
      complaint_with(3, line(0, 3, 3, 2, ",\"dx\":3,\"dy\":0")),
      "b.jsonl:3: unicast 0 -> 3 (step 3): the displacement (+3, 0) is not a minimal route on torus:4x4");
  EXPECT_EQ(complaint_with(3, line(0, 2, 3, 2)),
            "b.jsonl:3: node 2 receives again, after line 2; a block informs each node once");
  EXPECT_EQ(complaint_with(3, line(4, 0, 9, 0)),
            "b.jsonl: every node that sends receives too, so that none is the block's source");
  EXPECT_EQ(complaint_with(3, line(3, 3, 3, 2)),
            "b.jsonl:3: unicast 3 -> 3 (step 3): u and v are equal");
  EXPECT_EQ(
      complaint_with(7, line(9, 7, 7, 0)),
      "b.jsonl:7: node 9 sends in step 7, but receives in step 9, by line 9; it can send from step 10 on");
  EXPECT_EQ(complaint_with(3, line(0, 3, 16, 2)),
            "b.jsonl:3: step 16: the steps of a block are 1..15, for it has 15 messages");
  EXPECT_EQ(
      complaint_with(3, line(0, 3, 3, 2, ",\"flits\":8")),
      "b.jsonl:3: flits, at and class are for a file that is run; the messages of a block have none");
  EXPECT_EQ(complaint_with(3, line(0, 3, 3, 2, ",\"blocks\":[0]")),
            "b.jsonl:3: blocks: every message of a block is the whole one");
  EXPECT_EQ(complaint_with(3, line(0, 3, 3, 2, ",\"kind\":\"deposit\"")),
            "b.jsonl:3: the kind deposit: a block is of unicasts");
  EXPECT_EQ(
      complaint_with(3, "\n"),
      "b.jsonl: no message goes to node 3; a block informs each of the nodes 0..15 of torus:4x4");
  EXPECT_EQ(
      complaint_with(3, line(3, 0, 3, 2)),
      "b.jsonl:1: node 0 sends in step 1, but receives in step 3, by line 3; it can send from step 4 on");
  EXPECT_EQ(complaint_with(1, "\n" + line(0, 4, 2, 1)),
            "b.jsonl:5: node 4 receives again, after line 2; a block informs each node once");
  std::vector<std::string> two_sources = separate_lines();
  two_sources[2] = line(1, 3, 5, 0);
  two_sources[0].clear();
  EXPECT_EQ(complaint_of([&] { read(joined(two_sources)); }),
            "b.jsonl:2: node 1 sends and never receives, but the source of the block is node 0");
  EXPECT_EQ(
      complaint_of([] { read(line(0, 1, 1, 0) + line(0, 2, 1, 1)); }),
      "b.jsonl: no message goes to nodes 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15; a block informs each of the nodes 0..15 of torus:4x4");
  EXPECT_EQ(complaint_of([] { read(""); }), "b.jsonl: the schedule holds no unicasts");
}

}  // namespace
}  // namespace allport
