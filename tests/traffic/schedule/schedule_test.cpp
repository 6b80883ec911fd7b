// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;

Unicast unicast(std::size_t u, std::size_t v, std::vector<int> displacement = {}) {
  return {node_id(u), node_id(v), 1, 0, MessageKind::unicast, std::move(displacement)};
}

TEST(Schedule, IsSortedByStepSenderAndOrder) {
  Schedule schedule;
  for (const auto& [u, step, order] : {std::tuple{3U, 2, 0}, {1U, 2, 1}, {1U, 2, 0}, {9U, 1, 5}}) {
    schedule.unicasts.push_back({node_id(u), node_id(0), step, order, MessageKind::unicast, {}});
  }

  schedule.sort();

  EXPECT_EQ(printed(schedule), "(9,0,1) (1,0,2) (1,0,2) (3,0,2)");
  EXPECT_EQ(schedule.unicasts[1].order, 0);
  EXPECT_EQ(schedule.steps(), 2);
  EXPECT_EQ(Schedule{}.steps(), 0);
}

TEST(Schedule, WritesADisplacementOnlyWhereATieGoesTheOtherWay) {
  const Routing torus = routing_on("torus:4x4");
  Unicast half = unicast(0, 6);
  Unicast short_way = unicast(0, 5);

  set_ties(half, 0b01, torus);
  set_ties(short_way, 0b11, torus);

  EXPECT_THAT(half.displacement, ElementsAre(-2, 1));
  EXPECT_THAT(short_way.displacement, ElementsAre());
  set_ties(half, 0b10, torus);
  EXPECT_THAT(half.displacement, ElementsAre());
}

TEST(Schedule, ReadsTiesBack) {
  const Routing torus = routing_on("torus:4x4");

  EXPECT_EQ(ties_of(unicast(0, 10), torus), 0U);
  EXPECT_EQ(ties_of(unicast(0, 10, {2, 2}), torus), 0U);
  EXPECT_EQ(ties_of(unicast(0, 10, {2, -2}), torus), 2U);
  EXPECT_EQ(ties_of(unicast(0, 10, {-2, -2}), torus), 3U);
}

TEST(Schedule, NamesWhatIsWrongWithARoute) {
  const Routing torus = routing_on("torus:4x4");
  const auto complaint = [&](const Unicast& wrong) {
    return complaint_of([&] { ties_of(wrong, torus); });
  };

  EXPECT_EQ(complaint(unicast(0, 16)),
            "unicast 0 -> 16 (step 1): node 16 is not one of 0..15 of torus:4x4");
  EXPECT_EQ(complaint(unicast(16, 0, {1, 1})),
            "unicast 16 -> 0 (step 1): node 16 is not one of 0..15 of torus:4x4");
  EXPECT_EQ(complaint(unicast(7, 7)), "unicast 7 -> 7 (step 1): u and v are equal");
  EXPECT_EQ(
      complaint(unicast(0, 1, {-3, 0})),
      "unicast 0 -> 1 (step 1): the displacement (-3, 0) is not a minimal route on torus:4x4");
  EXPECT_EQ(
      complaint(unicast(0, 1, {0, 1})),
      "unicast 0 -> 1 (step 1): the displacement (0, +1) is not a minimal route on torus:4x4");
  EXPECT_EQ(route_fault(unicast(0, 1), torus), "");
}

TEST(Schedule, NamesWhatIsWrongWithAListOfDestinations) {
  const Routing torus = routing_on("torus:4x4");
  const auto fault = [&](std::vector<std::size_t> via, MessageKind kind,
                         std::vector<int> displacement = {}) {
    Unicast message = unicast(0, 5, std::move(displacement));
    message.kind = kind;
    message.via = nodes(via);
    return route_fault(message, torus);
  };
  const std::string name = "multidestination worm 0 -> 5 (step 1): ";
  constexpr MessageKind list = MessageKind::multidestination;

  EXPECT_EQ(fault({}, list), "");
  EXPECT_EQ(fault({1, 4, 15}, list), "");
  EXPECT_EQ(fault({1, 16}, list), name + "node 16 is not one of 0..15 of torus:4x4");
  EXPECT_EQ(fault({1, 0}, list), name + "via names the sender u, which has the message already");
  EXPECT_EQ(
      fault({1, 2, 1}, list),
      name + "destination 1 is named twice in via and v; every destination must be named once");
  EXPECT_EQ(
      fault({1, 5}, list),
      name + "destination 5 is named twice in via and v; every destination must be named once");
  EXPECT_EQ(
      fault({1}, MessageKind::deposit),
      "deposit worm 0 -> 5 (step 1): via is for the kinds multidestination and label, not for deposit");
  EXPECT_EQ(fault({1}, list, {1, 1}),
            name + "a displacement is for the kinds unicast and deposit, not for multidestination");
  EXPECT_EQ(fault({}, MessageKind::path),
            "path worm 0 -> all (step 1): path worms are for hypercubes; torus:4x4 is not one");
}

TEST(Schedule, NamesWhatIsWrongWithALabelWorm) {
  const auto fault = [&](const char* shape, std::vector<std::size_t> via, int first_dimension,
                         MessageKind kind = MessageKind::label) {
    Unicast message = unicast(0, 5);
    message.kind = kind;
    message.via = nodes(via);
    message.first_dimension = first_dimension;
    return route_fault(message, routing_on(shape));
  };
  const std::string name = "label worm 0 -> 5 (step 1): ";

  EXPECT_EQ(fault("mesh:4x4", {1, 2, 7}, 0), "");
  EXPECT_EQ(
      fault("mesh:4x4", {}, 1),
      name +
          "the first hop in dimension 1 leads to 4 (label 7), beyond the first destination 5 (label 6)");
  EXPECT_EQ(
      fault("mesh:4x4", {2, 1}, -1),
      name +
          "the destinations of a label worm must rise or fall by label from the sender on, but 2 (label 2) comes before 1 (label 1)");
  EXPECT_EQ(fault("torus:4x4", {1}, -1), name + "label worms are for meshes; torus:4x4 is not one");
  EXPECT_EQ(fault("mesh:4x4", {}, 0, MessageKind::unicast),
            "unicast 0 -> 5 (step 1): first_dimension is for the kind label, not for unicast");
}

TEST(Schedule, KnowsTheChannelsOfEveryKindOfRoute) {
  const Routing cube = routing_on("hypercube:3");
  const auto from = [](const std::vector<Channel>& route) {
    std::vector<std::size_t> list;
    for (const Channel& channel : route) list.push_back(index(channel.node));
    return list;
  };
  Unicast message = unicast(0, 7);
  EXPECT_THAT(from(channels(message, cube)), ElementsAre(0, 4, 6));
  message.kind = MessageKind::multidestination;
  message.via = nodes({1, 2});
  EXPECT_THAT(from(channels(message, cube)), ElementsAre(0, 1, 3, 2, 6));
  message.via.clear();
  message.kind = MessageKind::path;
  EXPECT_THAT(from(channels(message, cube)), ElementsAre(0, 1, 3, 2, 6, 7, 5));

  const Routing mesh = routing_on("mesh:4x4");
  message = unicast(6, 13);
  message.kind = MessageKind::label;
  message.via = nodes({8});
  EXPECT_THAT(from(channels(message, mesh)), ElementsAre(6, 5, 4, 8, 9));
  EXPECT_EQ(first_port(message, mesh), port_id(1));
  message.via.clear();
  EXPECT_THAT(from(channels(message, mesh)), ElementsAre(6, 10, 14));
  message.first_dimension = 0;
  EXPECT_THAT(from(channels(message, mesh)), ElementsAre(6, 5, 9));
}

}  // namespace
}  // namespace allport
