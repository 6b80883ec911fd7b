// SPDX-License-Identifier: Apache-2.0
// These tests run random collectives of kinds of messages that can deadlock, and of kinds that
// cannot.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/observe/monitors/deadlocks.h"

namespace allport::test {
namespace {

// Random collectives of random kinds at once.
struct Mix {
  explicit Mix(std::uint64_t seed) : draw(seed) {
    dimension = 2 + draw.below(3);
    config = Experiment()
                 .on(With().depth(1 + draw.below(3)).link_delay(draw.below(2)))
                 .length(1 + draw.below(20))
                 .with_jitter(draw.one_of<int>({0, 30}))
                 .with_seed(seed);
  }
  std::size_t node() { return static_cast<std::size_t>(draw.below(1 << dimension)); }
  /// `count` messages between random nodes.
  std::vector<PlannedCollective> messages(int count, MessageKind kind, const Routing& routing) {
    std::vector<PlannedCollective> planned;
    while (static_cast<int>(planned.size()) < count) {
      const std::size_t u = node();
      const std::size_t v = node();
      if (u != v) planned.push_back(single(u, v, routing, kind));
    }
    return planned;
  }

  Draw draw;
  int dimension;
  SimulationConfig config;
};

// Whether the waits of `deadlock` are a cycle of messages that were really sent.
std::string fault_of_report(const Deadlock& deadlock, const std::set<std::string>& sent) {
  if (deadlock.waits.size() < 2) return "no cycle";
  for (std::size_t i = 0; i < deadlock.waits.size(); ++i) {
    const DeadlockWait& wait = deadlock.waits[i];
    const DeadlockWait& next = deadlock.waits[(i + 1) % deadlock.waits.size()];
    if (printed(wait.held_by) != printed(next.message)) return "the chain is broken";
    if (printed(wait.held_by) == printed(wait.message)) return "a message waits for itself";
    if (sent.count(printed(wait.message)) == 0) return "nobody sent " + printed(wait.message);
    if (std::set<std::string>{"vc", "credit", "buffer"}.count(wait.waits_for) == 0)
      return "for what";
  }
  if (deadlock.stuck_messages < deadlock.waits.size()) return "too few are stuck";
  return fault_of_graph(deadlock);
}

TEST(Deadlock, ReportsAlwaysNameACycleOfMessagesThatWereSent) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Mix mix(seed);
    const std::string found = forked([&]() -> std::string {
      const Routing routing = routing_on(cube(mix.dimension));
      std::vector<PlannedCollective> planned;
      std::set<std::string> sent;
      while (planned.size() < 4) {
        const std::size_t root = mix.node();
        if (sent.count(std::to_string(root) + ">all#0") > 0) continue;  // trees with the same name
        planned.push_back(tree_from(root, routing));
        for (int order = 0; order < 4; ++order) {
          sent.insert(std::to_string(root) + ">all#" + std::to_string(order));
        }
      }
      Simulation simulation(mix.config, routing);
      const Results results = simulation.run({planned});
      if (!results.deadlock) return "none";
      const std::string fault = fault_of_report(*results.deadlock, sent);
      return fault.empty() ? results.deadlock->waits.front().waits_for : fault;
    });
    seen.insert(found);
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const std::string& found) {
    return std::set<std::string>{"none", "vc", "credit", "buffer"}.count(found) > 0;
  })) << *seen.begin();
  EXPECT_GT(seen.count("vc"), 0U);
}

// The number of deadlocks in `cases` runs of `count` messages of `kind` (and, if `has_tree`, a
// tree).
int deadlocks(int cases, MessageKind kind, int ports, bool has_tree) {
  int found = 0;
  for (int seed = 0; seed < cases; ++seed) {
    Mix mix(static_cast<std::uint64_t>(seed));
    mix.config.fabric.internal_ports = ports;
    const std::string fault = forked([&] {
      const Routing routing = routing_on(cube(mix.dimension));
      auto planned = mix.messages(12, kind, routing);
      if (has_tree) planned.push_back(tree_from(mix.node(), routing));
      Simulation simulation(mix.config, routing);
      return fault_of(simulation.run({planned}));
    });
    if (!fault.empty()) ++found;
    EXPECT_TRUE(fault.empty() || fault.rfind("deadlock", 0) == 0) << "seed " << seed << fault;
  }
  return found;
}

TEST(Deadlock, NeverComesFromOneTreeAmongUnicasts) {
  EXPECT_EQ(deadlocks(150, MessageKind::unicast, 0, true), 0);
}

TEST(Deadlock, NeverComesFromDepositsWithAllPortsAndOneVirtualChannel) {
  EXPECT_EQ(deadlocks(150, MessageKind::deposit, 0, false), 0);
}

TEST(Deadlock, CanComeFromDepositsThatShareAnEjectionChannel) {
  EXPECT_GT(deadlocks(100, MessageKind::deposit, 1, false), 0);
}

}  // namespace
}  // namespace allport::test
