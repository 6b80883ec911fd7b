// SPDX-License-Identifier: Apache-2.0
// Many multicasts by label worms run at once: they never deadlock where every ejection channel
// serves one input VC and all messages go by labels, and they do where one of the two is missing
// (docs/router.md, section 7). ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "rtl_model/topology/label_order.h"
#include "testbench/plan/verdict.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

// A fabric and several multicasts at once on it.
struct Multicasts {
  explicit Multicasts(std::uint64_t seed)
      : draw(seed),
        routing(routing_on(draw.one_of<std::string>(
            {"mesh:4x4", "mesh:5x4", "mesh:6x6", "mesh:3x3x3", "mesh:4x3x2"}))),
        config(Experiment()
                   .on(With().depth(draw.one_of<int>({1, 2, 4})).link_delay(draw.below(2)))
                   .length(draw.one_of<int>({4, 12, 30, 60}))
                   .with_jitter(draw.one_of<int>({0, 20}))
                   .with_seed(seed)) {
    const auto nodes = routing.topology().node_count();
    const char* const algorithm = draw.below(2) == 0 ? "dual-path" : "multi-path";
    for (const std::size_t source : draw.subset(nodes, 4 + nodes / 4)) {
      std::vector<NodeId> goals;
      for (const std::size_t node : draw.subset(
               nodes, 2 + static_cast<std::size_t>(draw.below(static_cast<int>(nodes) - 2)))) {
        if (node != source) goals.push_back(node_id(node));
      }
      planned.push_back(
          collective(algorithm, routing, multicast(routing.topology(), node_id(source), goals)));
    }
  }

  /// One message from each node to another one.
  void add_singles(MessageKind kind) {
    const auto nodes = routing.topology().node_count();
    for (std::size_t u = 0; u < nodes; ++u) {
      const std::size_t v =
          (u + 1 + static_cast<std::size_t>(draw.below(static_cast<int>(nodes) - 1))) % nodes;
      planned.push_back(single(u, v, routing, kind));
    }
  }

  Draw draw;
  Routing routing;
  SimulationConfig config;
  std::vector<PlannedCollective> planned;
};

struct Counts {
  int cases = 0;
  int deadlocks = 0;
  int circles = 0;  ///< cases whose freedom the static check does not prove
};

bool has_circle(const Multicasts& given) {
  const RouterConfig router = router_config(given.config.fabric, given.routing);
  std::vector<CheckedPart> parts;
  for (const PlannedCollective& one : given.planned) {
    CheckRequest request{given.routing, router.internal_ports, one.sources, one.destinations};
    request.vcs = router.vcs;
    parts.push_back({one.schedule, request, 0});
  }
  return !check_together(parts).worms->circle.empty();
}

Counts count(std::uint64_t by_day, const std::function<void(Multicasts&)>& change) {
  Counts counts;
  const RandomCases cases(by_day);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const std::string found = forked([&]() -> std::string {
      Multicasts given(seed);
      change(given);
      Simulation simulation(given.config, given.routing);
      const Results results = simulation.run({given.planned});
      if (results.deadlock) return has_circle(given) ? "deadlock" : "a deadlock that was excluded";
      const std::string wrong = fault(results);  // payloads and copies included
      if (!wrong.empty()) return wrong;
      return has_circle(given) ? "circle" : "free";
    });
    EXPECT_TRUE(found == "deadlock" || found == "circle" || found == "free")
        << "seed " << seed << ": " << found;
    ++counts.cases;
    counts.deadlocks += found == "deadlock" ? 1 : 0;
    counts.circles += found == "free" ? 0 : 1;
  }
  std::cout << counts.deadlocks << " of " << counts.cases << " cases deadlock, " << counts.circles
            << " are not proved\n";
  return counts;
}

TEST(LabelWorms, NeverDeadlockWithAllPortsAndOneVirtualChannel) {
  const Counts counts = count(110, [](Multicasts&) {});
  EXPECT_EQ(counts.deadlocks, 0);
  EXPECT_EQ(counts.circles, 0);
}

TEST(LabelWorms, NeverDeadlockBesideMessagesThatGoByLabelsToo) {
  const Counts counts = count(40, [](Multicasts& given) { given.add_singles(MessageKind::label); });
  EXPECT_EQ(counts.deadlocks, 0);
  EXPECT_EQ(counts.circles, 0);
}

TEST(LabelWorms, CanDeadlockBesideUnicastsInTheOrderOfDimensions) {
  const Counts counts =
      count(40, [](Multicasts& given) { given.add_singles(MessageKind::unicast); });
  EXPECT_GT(counts.deadlocks, 0);
}

TEST(LabelWorms, CanDeadlockWithFewerPorts) {
  for (const int ports : {3, 2, 1}) {
    const Counts counts =
        count(40, [ports](Multicasts& given) { given.config.fabric.internal_ports = ports; });
    EXPECT_GT(counts.deadlocks, 0) << ports;
  }
}

TEST(LabelWorms, CanDeadlockWithTwoVirtualChannels) {
  EXPECT_GT(count(40, [](Multicasts& given) { given.config.fabric.vcs = 2; }).deadlocks, 0);
}

// The same lists, routed leg after leg in the order of dimensions.
TEST(LabelWorms, CanDeadlockWhereTheLegsAreNotByLabels) {
  const auto to_lists = [](Multicasts& given) {
    for (PlannedCollective& one : given.planned) {
      for (Unicast& worm : one.schedule.unicasts) {
        worm.kind = MessageKind::multidestination;
        worm.first_dimension = -1;
      }
      one.kind = MessageKind::unicast;
    }
  };
  EXPECT_GT(count(40, to_lists).deadlocks, 0);
}

}  // namespace
}  // namespace allport::test
