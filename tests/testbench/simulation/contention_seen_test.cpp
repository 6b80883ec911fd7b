// SPDX-License-Identifier: Apache-2.0
// The contention for which a schedule is refuted does happen: U-cube on the all-port 5-cube
// contends for the channel named by the static check, in some timing.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "tests/traffic/algorithms/golden.h"

namespace allport::test {
namespace {

Multicast goal_of(const std::vector<std::size_t>& destinations, const Routing& routing) {
  return multicast(routing.topology(), node_id(0), nodes(destinations));
}

ScheduleReport report_on(const PlannedCollective& planned, const Routing& routing) {
  return check_schedule(planned.schedule,
                        {routing, all_ports(routing), planned.sources, planned.destinations});
}

bool is_of(const MessageName& name, const Unicast& unicast) {
  return name.u == unicast.u && name.v == unicast.v;
}

// Whether the two messages of `event` are a pair that `finding` objects to, on a channel of it.
bool was_foreseen(const ContentionEvent& event, const Finding& finding, const Schedule& schedule) {
  for (const PairViolation& pair : finding.pairs) {
    const Unicast& a = schedule.unicasts[pair.a];
    const Unicast& b = schedule.unicasts[pair.b];
    if ((is_of(event.waiting, a) && is_of(event.holding, b)) ||
        (is_of(event.waiting, b) && is_of(event.holding, a))) {
      return event.channel == pair.channel;
    }
  }
  return finding.violations > finding.pairs.size();  // not all pairs are listed
}

// Many trials of a multicast by U-cube under jitter: `seen` if there is contention and the static
// check foresaw every event.
std::string judge(const std::vector<std::size_t>& destinations, const char* topology,
                  const SimulationConfig& config) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(topology);
    const PlannedCollective planned = collective("ucube", routing, goal_of(destinations, routing));
    const ScheduleReport report = report_on(planned, routing);
    if (report.theorem1.ok()) return "not refuted";
    Simulation simulation(config, routing);
    const Results results = simulation.run({100, {planned}});
    if (!results.is_complete()) return fault_of(results);
    for (const ContentionEvent& event : results.contention.list) {
      if (!was_foreseen(event, report.theorem1, planned.schedule)) {
        return "not foreseen: " + printed(std::vector<ContentionEvent>{event});
      }
    }
    return results.contention.events > 0 ? "seen" : "not seen";
  });
}

std::vector<std::vector<std::size_t>> golden_sets() {
  std::vector<std::vector<std::size_t>> sets;
  std::istringstream lines(golden("ucube_refuted.txt"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find(':')));
    std::vector<std::size_t> set;
    for (std::size_t node = 0; words >> node;) set.push_back(node);
    sets.push_back(set);
  }
  return sets;
}

TEST(ContentionSeen, OfUcubeOnTheFiveCubeForEverySetThatEveryCriterionRefutes) {
  const auto sets = golden_sets();
  ASSERT_GE(sets.size(), 11U);
  EXPECT_EQ(sets.front(), (std::vector<std::size_t>{4, 10, 11, 12, 13, 15, 19, 20, 29, 30, 31}));
  for (const auto& set : sets) {
    EXPECT_EQ(judge(set, "hypercube:5", Experiment().times(5, 5).with_jitter(60)), "seen");
    EXPECT_EQ(judge(set, "hypercube:5", Experiment().length(4).with_jitter(20)), "seen");
  }
}

TEST(ContentionSeen, OfUcubeOnTheFiveCubeForSetsFoundByRandomSearch) {
  const Routing routing = routing_on("hypercube:5");
  const RandomCases wanted(12);
  std::uint64_t seed = wanted.first;
  for (std::uint64_t found = 0; found < wanted.end - wanted.first; ++seed) {
    Draw draw(seed);
    const auto size = static_cast<std::size_t>(5 + draw.below(20));
    std::vector<std::size_t> set = draw.subset(31, size);
    for (std::size_t& node : set) ++node;
    const auto planned = collective("ucube", routing, goal_of(set, routing));
    if (report_on(planned, routing).theorem1.ok()) continue;
    ++found;

    std::string verdict = "not seen";
    for (std::uint64_t jitters = 1; jitters <= 100 && verdict == "not seen"; ++jitters) {
      verdict =
          judge(set, "hypercube:5", Experiment().length(4).with_jitter(100).with_seed(jitters));
    }
    EXPECT_EQ(verdict, "seen") << "seed " << seed;
  }
}

// docs/algorithms.md, section 14: Definition 4 lets it pass, Theorem 1 does not.
TEST(ContentionSeen, WhereDefinition4OverlooksIt) {
  const std::vector<std::size_t> set{4, 10, 11, 12, 13};
  const Routing routing = routing_on("hypercube:4");
  EXPECT_TRUE(
      report_on(collective("ucube", routing, goal_of(set, routing)), routing).definition4.ok());

  EXPECT_EQ(judge(set, "hypercube:4", Experiment().length(8).with_jitter(30)), "seen");
}

// Without preparation: the message to 11 enters behind that to 15 in cycle 16, its head wants the
// channel from 8 to 10 in cycle 17, its tail takes it in cycle 32. The message to 4 is there in
// cycle 17, and the head of 4-10 two hops further, at 8, in cycle 19.
TEST(ContentionSeen, OnTheChannelAndInTheCyclesComputedByHand) {
  const Routing routing = routing_on("hypercube:5");
  const auto planned = collective("ucube", routing, goal_of(golden_sets().front(), routing));
  Simulation simulation(Experiment(), routing);

  const Results results = simulation.run({{planned}});

  EXPECT_EQ(contention_of(results), "cycle 19 for 14 at 8.1: 4>10#0 behind 0>11#1\n");
}

}  // namespace
}  // namespace allport::test
