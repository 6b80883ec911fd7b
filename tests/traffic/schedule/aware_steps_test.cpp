// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/aware_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/traffic/algorithms/golden.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/patterns/sampling.h"

namespace allport {
namespace {

Schedule aware(const char* algorithm, const Routing& cube, const Multicast& goal,
               std::optional<int> ports = std::nullopt) {
  return plan(find_algorithm(algorithm),
              {cube, ports.value_or(all_ports(cube)), goal, StepRule::aware});
}

// The rule read literally, step by step, over the plan of the rule naive, with all ports. `chain`
// lists the senders in the order of the chain.
std::map<std::pair<std::size_t, std::size_t>, StepIndex> literal_steps(
    const Schedule& planned, const Routing& cube, NodeId source, const std::vector<NodeId>& chain) {
  std::map<std::size_t, StepIndex> received{{index(source), 0}};
  std::map<std::pair<std::size_t, std::size_t>, StepIndex> steps;
  for (StepIndex step = 1; steps.size() < planned.unicasts.size(); ++step) {
    std::set<std::pair<std::size_t, std::size_t>> channels;
    std::map<std::size_t, StepIndex> receivers;
    for (StepIndex reception = 0; reception < step; ++reception) {
      for (const NodeId sender : chain) {
        const auto found = received.find(index(sender));
        if (found == received.end() || found->second != reception) continue;
        std::set<std::size_t> tried;  // first channels
        for (int order = 0; order < all_ports(cube) * 64; ++order) {
          for (const Unicast& one : planned.unicasts) {
            const auto pair = std::make_pair(index(one.u), index(one.v));
            if (one.u != sender || one.order != order || steps.count(pair) > 0) continue;
            const std::vector<Channel> route = cube.path(one.u, one.v);
            if (!tried.insert(index(route.front().port)).second) continue;
            bool is_free = true;
            for (const Channel c : route) {
              is_free = is_free && channels.count({index(c.node), index(c.port)}) == 0;
            }
            if (!is_free) continue;
            for (const Channel c : route) channels.insert({index(c.node), index(c.port)});
            steps[pair] = step;
            receivers[index(one.v)] = step;
          }
        }
      }
    }
    received.insert(receivers.begin(), receivers.end());
  }
  return steps;
}

// The contents of the golden file: destinations, then a pair that shares a channel in one step.
std::vector<NodeId> destinations_of(const std::string& line) {
  std::istringstream words(line.substr(0, line.find(':')));
  std::vector<NodeId> list;
  for (std::size_t id = 0; words >> id;) list.push_back(node_id(id));
  return list;
}

TEST(AwareSteps, SendsWaitForChannelsOfTheirStep) {
  const Routing cube = routing_on("hypercube:5");
  std::istringstream lines(golden("ucube_refuted.txt"));
  for (std::string line; std::getline(lines, line);) {
    const Multicast goal = multicast(cube.topology(), node_id(0), destinations_of(line));
    std::vector<NodeId> chain{goal.source};
    chain.insert(chain.end(), goal.destinations.begin(), goal.destinations.end());
    const Schedule naive = planned("ucube", cube, goal);

    const Schedule schedule = aware("ucube", cube, goal);

    EXPECT_FALSE(checked(naive, cube, goal).stepwise.ok());
    EXPECT_TRUE(checked(schedule, cube, goal).stepwise.ok()) << line;
    EXPECT_EQ(schedule.steps(), naive.steps()) << line;
    const auto expected = literal_steps(naive, cube, goal.source, chain);
    for (const Unicast& one : schedule.unicasts) {
      EXPECT_EQ(one.step, expected.at({index(one.u), index(one.v)}))
          << describe(one, cube.topology());
    }
  }
}

TEST(AwareSteps, ChangeNothingWhereTheNaiveOnesAreFree) {
  const Routing cube = routing_on("hypercube:4");
  for (std::uint32_t set = 1; set < 1U << 15; set += 7) {
    Multicast goal{node_id(0), {}};
    for (std::size_t i = 0; i < 15; ++i) {
      if ((set >> i & 1U) != 0) goal.destinations.push_back(node_id(i + 1));
    }
    for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "sbt", "separate"}) {
      EXPECT_EQ(printed(aware(algorithm, cube, goal)), printed(planned(algorithm, cube, goal)));
    }
  }
}

TEST(AwareSteps, AreSoundAndNeedNoMoreStepsOnRandomSets) {
  for (int n = 5; n <= 9; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      const std::size_t others = cube.topology().node_count() - 1;
      for (std::size_t size = 7; size <= others; size += 1 + others / 5) {
        DestinationSampler sampler(others, size, 11);
        const NodeId source = node_id(size * 37 % (others + 1));
        std::vector<NodeId> destinations;
        for (const std::uint32_t relative : sampler.next()) {
          destinations.push_back(cube.topology().absolute(relative, source));
        }
        const Multicast goal = multicast(cube.topology(), source, destinations);
        for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "sbt"}) {
          for (const int ports : {1, 2, n}) {
            const Schedule schedule = aware(algorithm, cube, goal, ports);
            const ScheduleReport report = checked(schedule, cube, goal, ports);
            EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() &&
                        report.port_rule.ok() && report.stepwise.ok())
                << algorithm << " on " << shape << ", " << size << " destinations";
            EXPECT_EQ(schedule.steps(), planned(algorithm, cube, goal, ports).steps())
                << algorithm << " on " << shape << ", " << size << " destinations";
          }
        }
      }
    }
  }
}

TEST(AwareSteps, AreRefusedWherePhasesFixTheSteps) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = broadcast(cube.topology(), node_id(0));

  std::string those;
  for (const Algorithm& one : algorithms()) {
    if (one.takes_step_rule()) those += (those.empty() ? "" : ", ") + std::string(one.name);
  }
  EXPECT_THAT(those, testing::StartsWith("ucube, maxport, combine, wsort, sbt, "));
  EXPECT_EQ(complaint_of([&] { aware("hk", cube, goal); }),
            "algorithm hk has its steps fixed by phases; contention-aware steps are for " + those);
}

}  // namespace
}  // namespace allport
