// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/address_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using Lengths = std::map<std::size_t, int>;  // of the lists, by receiver

Lengths lengths_of(const Schedule& schedule, const Routing& routing, const Multicast& goal,
                   int flits = 1) {
  const AddressFields fields(schedule, routing.topology().node_count(), goal.destinations, flits);
  Lengths lengths;
  for (const Unicast& unicast : schedule.unicasts) {
    lengths[index(unicast.v)] = fields.flits_of(unicast);
  }
  return lengths;
}

Lengths lengths_of(const char* algorithm, const Routing& routing, const Multicast& goal,
                   int flits = 1) {
  return lengths_of(planned(algorithm, routing, goal), routing, goal, flits);
}

// The loop of figure 4, with D = {d_next+1, .., d_right}.
void distribute(const std::vector<std::size_t>& chain, std::size_t left, std::size_t right,
                Lengths& lengths) {
  while (left != right) {
    const std::size_t next = left + (right - left + 1) / 2;
    lengths[chain[next]] = static_cast<int>(right - next);
    distribute(chain, next, right, lengths);
    right = next - 1;
  }
}

TEST(AddressFields, AreTheListsOfFigure4) {
  const Routing routing = routing_on("hypercube:3");
  for (std::size_t source = 0; source < 8; ++source) {
    for (std::size_t set = 1; set < 128; ++set) {
      std::vector<std::size_t> chain;
      for (std::size_t i = 0; i < 8; ++i) {
        if (i == 0 || (set >> (i - 1) & 1) != 0) chain.push_back(i ^ source);
      }
      const Multicast goal =
          multicast(routing.topology(), node_id(source), nodes({chain.begin() + 1, chain.end()}));
      Lengths expected;
      distribute(chain, 0, chain.size() - 1, expected);
      EXPECT_EQ(lengths_of("ucube", routing, goal), expected) << source << " " << set;
    }
  }
}

// The set of figure 5, worked out by hand.
TEST(AddressFields, CountTheFlitsOfEachAddress) {
  const Routing routing = routing_on("hypercube:4");
  const Multicast goal =
      multicast(routing.topology(), node_id(4), nodes({1, 3, 5, 7, 8, 10, 11, 15}));

  EXPECT_EQ(lengths_of("ucube", routing, goal, 3),
            (Lengths{{3, 12}, {7, 3}, {5, 0}, {8, 6}, {15, 0}, {10, 3}, {11, 0}, {1, 0}}));
  const AddressFields fields(planned("ucube", routing, goal), 16, goal.destinations, 3);
  EXPECT_EQ(fields.longest(), 12);
}

TEST(AddressFields, NameNoRelays) {
  const Routing routing = routing_on("hypercube:3");
  const Multicast goal = multicast(routing.topology(), node_id(0), nodes({5, 7}));

  // From 0 to 4, and from there to 5 and through 6 to 7.
  EXPECT_EQ(lengths_of("sbt", routing, goal), (Lengths{{4, 2}, {5, 0}, {6, 1}, {7, 0}}));
  EXPECT_EQ(lengths_of("separate", routing, goal), (Lengths{{5, 0}, {7, 0}}));
}

TEST(AddressFields, DoNotDependOnSteps) {
  const Routing routing = routing_on("hypercube:3");
  const Multicast goal = multicast(routing.topology(), node_id(0), nodes({1, 2, 3}));

  EXPECT_EQ(lengths_of(schedule_of({{0, 1, 3}, {1, 2, 2}, {2, 3, 1}}), routing, goal),
            (Lengths{{1, 2}, {2, 1}, {3, 0}}));
}

TEST(AddressFields, AreNoneUnlessTheyAreAskedFor) {
  const Routing routing = routing_on("hypercube:3");
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  const Schedule schedule = planned("wsort", routing, goal);

  EXPECT_TRUE(AddressFields().is_empty());
  EXPECT_TRUE(AddressFields(schedule, 8, goal.destinations, 0).is_empty());
  EXPECT_EQ(AddressFields().flits_of(schedule.unicasts.front()), 0);
  EXPECT_EQ(AddressFields().longest(), 0);
}

TEST(AddressFields, NeedOneReceptionForEachNode) {
  const Routing routing = routing_on("hypercube:3");
  const Multicast goal = multicast(routing.topology(), node_id(0), nodes({1, 3}));
  const auto complaint = [&](const std::vector<Line>& lines) {
    return complaint_of([&] { lengths_of(schedule_of(lines), routing, goal); });
  };

  EXPECT_EQ(
      complaint({{0, 1, 1}, {0, 3, 1, 1}, {1, 3, 2}}),
      "node 3 receives twice (unicast 0 -> 3 (step 1), unicast 1 -> 3 (step 2)), so it is not known which of the two has to bring the list");
  EXPECT_EQ(complaint({{0, 1, 1}, {2, 3, 1}, {3, 2, 2}}),
            "the schedule sends the message in a circle, which has no end");
}

}  // namespace
}  // namespace allport
