// SPDX-License-Identifier: Apache-2.0
// These tests check what [Robinson93] says of the contention of its algorithms, and where U-cube
// departs from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/golden.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/patterns/sampling.h"

namespace allport {
namespace {

struct Failures {
  int stepwise = 0;
  int definition4 = 0;
  int theorem1 = 0;
  bool operator==(const Failures& o) const {
    return stepwise == o.stepwise && definition4 == o.definition4 && theorem1 == o.theorem1;
  }
};

void PrintTo(const Failures& failures, std::ostream* out) {
  *out << "stepwise " << failures.stepwise << " definition4 " << failures.definition4
       << " theorem1 " << failures.theorem1;
}

// The number of destination sets of source 0 that fail each criterion.
Failures failures_of_all_sets(const char* algorithm, const Routing& cube,
                              std::optional<int> ports = std::nullopt) {
  const std::size_t others = cube.topology().node_count() - 1;
  Failures failures;
  for (std::uint32_t set = 1; set < std::uint32_t{1} << others; ++set) {
    Multicast goal{node_id(0), {}};
    for (std::size_t i = 0; i < others; ++i) {
      if ((set >> i & 1U) != 0) goal.destinations.push_back(node_id(i + 1));
    }
    const Schedule schedule = planned(algorithm, cube, goal, ports);
    const ScheduleReport report = checked(schedule, cube, goal, ports);
    if (!report.stepwise.ok()) ++failures.stepwise;
    if (!report.definition4.ok()) ++failures.definition4;
    if (!report.theorem1.ok()) ++failures.theorem1;
  }
  return failures;
}

const Failures none{};

TEST(ContentionFacts, OnTheFourCube511SetsFailTheorem1ForUcubeAndNoneDefinition4) {
  EXPECT_EQ(failures_of_all_sets("ucube", routing_on("hypercube:4")), (Failures{0, 0, 511}));
}

TEST(ContentionFacts, InAscendingOrderTheSameNumberOfSetsFails) {
  EXPECT_EQ(failures_of_all_sets("ucube", ascending_on("hypercube:4")), (Failures{0, 0, 511}));
}

TEST(ContentionFacts, WithOnePortDefinition4AcceptsEveryUcubeOfTheFourCube) {
  const Failures failures = failures_of_all_sets("ucube", routing_on("hypercube:4"), 1);

  EXPECT_EQ(failures.stepwise, 0);
  EXPECT_EQ(failures.definition4, 0);
}

TEST(ContentionFacts, MaxportNeverFailsOnTheFourCube) {
  EXPECT_EQ(failures_of_all_sets("maxport", routing_on("hypercube:4")), none);
}

TEST(ContentionFacts, CombineNeverFailsOnTheFourCube) {
  EXPECT_EQ(failures_of_all_sets("combine", routing_on("hypercube:4")), none);
}

TEST(ContentionFacts, WsortNeverFailsOnTheFourCube) {
  EXPECT_EQ(failures_of_all_sets("wsort", routing_on("hypercube:4")), none);
}

TEST(ContentionFacts, NothingFailsOnSmallerCubes) {
  for (const char* shape : {"hypercube:2", "hypercube:3"}) {
    for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "sbt", "separate"}) {
      EXPECT_EQ(failures_of_all_sets(algorithm, routing_on(shape)), none) << algorithm;
    }
  }
}

TEST(ContentionFacts, Definition4OverlooksSiblingsOfTheSameStep) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({4, 10, 11, 12, 13}));
  const Schedule schedule = planned("ucube", cube, goal);

  const ScheduleReport report = checked(schedule, cube, goal);

  EXPECT_TRUE(report.definition4.ok());
  ASSERT_EQ(report.theorem1.violations, 1U);
  const PairViolation& pair = report.theorem1.pairs.front();
  EXPECT_EQ(describe(schedule.unicasts[pair.a], cube.topology()), "unicast 0 -> 11 (step 1)");
  EXPECT_EQ(describe(schedule.unicasts[pair.b], cube.topology()), "unicast 4 -> 10 (step 2)");
  EXPECT_EQ(pair.channel, (Channel{node_id(8), port_id(1)}));
}

// One line of the golden file: the destinations up to the colon, then the pair as found.
std::string refutation_of(const std::string& destinations, const Routing& cube) {
  std::istringstream words(destinations);
  std::vector<NodeId> list;
  for (std::size_t id = 0; words >> id;) list.push_back(node_id(id));
  const Multicast goal = multicast(cube.topology(), node_id(0), list);
  const Schedule schedule = planned("ucube", cube, goal);
  const ScheduleReport report = checked(schedule, cube, goal);
  std::ostringstream text;
  for (const Finding& finding : {report.stepwise, report.definition4, report.theorem1}) {
    for (const PairViolation& pair : finding.pairs) {
      const Schedule two{{schedule.unicasts[pair.a], schedule.unicasts[pair.b]}};
      text << ' ' << printed(two) << ' ' << index(pair.channel.node) << '.'
           << index(pair.channel.port);
    }
  }
  return text.str();
}

TEST(ContentionFacts, OnTheFiveCubeUcubeIsRefutedByAllThreeCriteria) {
  const Routing cube = routing_on("hypercube:5");
  std::istringstream lines(golden("ucube_refuted.txt"));
  int sets = 0;
  for (std::string line; std::getline(lines, line); ++sets) {
    const std::size_t colon = line.find(':');
    const std::string pair = line.substr(colon + 1);
    EXPECT_EQ(refutation_of(line.substr(0, colon), cube), pair + pair + pair) << line;
  }
  EXPECT_EQ(sets, 22);
}

TEST(ContentionFacts, MaxportCombineAndWsortPassOnRandomSetsUpToTenDimensions) {
  for (int n = 5; n <= 10; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      const std::size_t others = cube.topology().node_count() - 1;
      for (std::size_t size = 7; size < others; size += 1 + others / 6) {
        DestinationSampler sampler(others, size, 3);
        const NodeId source = node_id(size * 37 % (others + 1));
        std::vector<NodeId> destinations;
        for (const std::uint32_t relative : sampler.next()) {
          destinations.push_back(cube.topology().absolute(relative, source));
        }
        const Multicast goal = multicast(cube.topology(), source, destinations);
        for (const char* algorithm : {"maxport", "combine", "wsort", "sbt", "separate"}) {
          EXPECT_TRUE(checked(planned(algorithm, cube, goal), cube, goal).ok())
              << algorithm << " on " << shape << ", " << size << " destinations";
        }
      }
    }
  }
}

}  // namespace
}  // namespace allport
