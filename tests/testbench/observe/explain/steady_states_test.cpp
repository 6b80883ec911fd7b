// SPDX-License-Identifier: Apache-2.0
// A steady state is followed once (testbench/observe/explain/steady.h): what is found must be the
// same where each of its cycles is followed. Random runs of long messages are explained in both
// ways. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/observe/explain/channel_uses.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/explain/roots.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/run_session.h"
#include "tests/properties/reference/random_case.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/reference/simulated_case.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "traffic/algorithms/algorithms.h"

namespace allport::test {
namespace {

// What is said of a wait, but for its cycles.
bool is_of_one_kind(const Wait& a, const Wait& b) {
  return a.cause == b.cause && a.blamed == b.blamed && a.place == b.place && a.found == b.found &&
         a.holding == b.holding && a.lag == b.lag && a.messages == b.messages &&
         a.first_blamed == b.first_blamed;
}

// Every cycle, where those of one kind that follow one another are one wait.
Waits::List each_cycle(const Waits::List& waits) {
  Waits::List all;
  const auto add = [&](Wait wait) {
    if (!all.empty() && is_of_one_kind(all.back(), wait) &&
        wait.first + wait.cycles == all.back().first) {
      all.back().first = wait.first;
      all.back().cycles += wait.cycles;
    } else {
      all.push_back(wait);
    }
  };
  for (std::size_t row = 0; row < waits.size(); row += waits[row].row) {
    for (Cycle time = 0; time < waits[row].times; ++time) {
      for (std::size_t i = row; i < row + waits[row].row; ++i) {
        Wait wait = waits[i];
        wait.first -= time * wait.every;
        wait.times = 1;
        wait.every = 0;
        wait.row = 1;
        add(wait);
      }
    }
  }
  return all;
}

// All that is explained of a trial, in words.
class Account {
 public:
  Account(const ShownTrial& shown, const Routing& routing, Cycle every, SteadyStates steady_states)
      : trial_(shown.explained.history.movement(), routing, shown.log, shown.tr, steady_states),
        roots_(trial_.waits, shown.log) {
    for (const Reception& one : shown.receptions) add(trial_.explain(one));
    visit_under_way(trial_, shown.end, [&](CrossingIndex, int, const auto& waits) { add(waits); });
    for (const auto& [root, cycles] : roots_.sums()) {
      out_ << "root " << to_string(root.cause) << " " << root.place << ": " << cycles << "\n";
    }
    const MeasurementWindow all{0, shown.end};
    for (const ChannelUse& use : channel_uses(trial_, shown.log, shown.end, all, every)) {
      out_ << "channel " << index(use.resource.node) << "." << static_cast<int>(use.resource.kind)
           << use.resource.port << " from " << use.from << ": " << use.used << " " << use.lost
           << " " << use.no_credit << " " << use.empty << " " << use.idle << " " << use.flits << " "
           << use.messages << " " << use.most_waiting << "\n";
    }
  }
  std::string text() const { return out_.str(); }
  /// Waits that stand for many, of a steady state.
  std::size_t repeated() const { return repeated_; }

 private:
  void add(const Waits::List& waits) {
    out_ << "message\n";
    for (const Wait& one : waits) {
      roots_.add(one);
      if (one.times > 1) ++repeated_;
    }
    for (const Wait& one : each_cycle(waits)) {
      out_ << one.first << " " << one.cycles << " " << to_string(one.cause) << " "
           << static_cast<std::uint32_t>(one.blamed) << " at " << one.place << ", "
           << to_string(one.found) << " " << one.holding << " " << one.lag << "\n";
    }
  }

  ExplainedTrial trial_;
  Roots roots_;
  std::size_t repeated_ = 0;
  std::ostringstream out_;
};

// How often something was skipped; or what differs.
std::string compared(const ShownTrial& shown, const Routing& routing, Cycle every) {
  const Account once(shown, routing, every, SteadyStates::skipped);
  const Account all(shown, routing, every, SteadyStates::followed);
  if (all.repeated() > 0) return "steady states are skipped where they must not be";
  if (once.text() == all.text()) return std::to_string(once.repeated());
  std::istringstream found(once.text());
  std::istringstream expected(all.text());
  std::string line;
  std::string right;
  while (std::getline(found, line) && std::getline(expected, right) && line == right) {
  }
  return line + " instead of " + right;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

ExplainRequest movement() {
  ExplainRequest request;
  request.movement = true;
  return request;
}

// A case of the properties whose messages are long.
DrawnCase long_case(Traffic traffic, std::uint64_t seed) {
  DrawnCase drawn = draw_case(traffic, seed);
  Draw draw(seed + 1);
  const int longer = 1000 + draw.below(1500);
  const bool is_buffered = drawn.config.mode == reference::Mode::cut_through ||
                           drawn.config.mode == reference::Mode::store_and_forward;
  if (is_buffered) drawn.config.buffer_depth += longer;
  drawn.config.flits += longer;
  drawn.config.trial = 0;
  drawn.pattern.cycles *= 20;
  return drawn;
}

std::string compared(const DrawnCase& drawn, Traffic traffic, bool as_worms) {
  return forked([&] {
    std::string found;
    const Cycle every = drawn.config.seed % 3 == 0 ? 100 : 0;
    simulate(drawn, traffic, as_worms, movement(), [&](const ShownTrial& shown) {
      found = compared(shown, routing_of(drawn.config), every);
    });
    return found;
  });
}

TEST(SteadyStates, AreFollowedOnceInSchedulesAndPatterns) {
  const RandomCases cases(4);
  unsigned long skipped = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    for (const Traffic traffic :
         {Traffic::schedule, Traffic::kinds, Traffic::modes, Traffic::groups, Traffic::narrow,
          Traffic::uniform, Traffic::uniform_modes, Traffic::uniform_narrow}) {
      const DrawnCase drawn = long_case(traffic, seed);
      const bool may_be_worms = traffic == Traffic::schedule || traffic == Traffic::uniform;
      for (const bool as_worms : {false, true}) {
        if (as_worms && !may_be_worms) continue;
        const std::string found = compared(drawn, traffic, as_worms);
        ASSERT_TRUE(is_number(found))
            << found << "; " << (as_worms ? "worms" : "flits") << ", " << drawn.config.flits
            << " flits, " << describe_case(traffic, seed);
        skipped += std::stoul(found);
      }
    }
  }
  EXPECT_GT(skipped, cases.end - cases.first);  // the test has something to see
}

// A run as an architect asks for it.
RunRequest long_request(std::uint64_t seed) {
  Draw draw(seed);
  RunRequest request;
  request.fabric.topology = parse_topology(draw.one_of<std::string>(
      {"hypercube:3", "hypercube:4", "torus:4x4", "mesh:3x4", "ring:6", "torus:3x2x2"}));
  const bool wraps = request.fabric.topology->wraps();
  request.router.vcs = draw.one_of<int>(wraps ? std::vector<int>{2, 4} : std::vector<int>{1, 2, 4});
  request.router.vc_use = wraps && draw.below(2) == 0 ? VcUse::balanced : VcUse::strict;
  request.router.buffer_depth = draw.one_of<int>({1, 2, 3, 4, 16});
  request.router.link_delay = draw.one_of<int>({0, 0, 1, 3});
  if (draw.below(3) == 0) request.fabric.ports = 1;
  request.message.flits = 1000 + draw.below(1500);
  request.node.ts = draw.one_of<int>({0, 0, 50, 3000});
  request.node.tr = draw.one_of<int>({0, 7});
  request.model = draw.one_of<Model>({Model::systemc, Model::worm});
  request.explain = movement();
  if (request.fabric.topology->is_hypercube() && draw.below(3) == 0) {
    request.fabric.routing = RoutingOrder::adaptive;
    request.router.vcs = std::max(request.router.vcs, 2);
    request.model = Model::systemc;
  }
  const auto nodes = static_cast<std::uint32_t>(request.fabric.topology->node_count());
  SplitMix64 graph(seed);
  const std::vector<Algorithm>& all = algorithms();
  switch (draw.below(3)) {
    case 0:
      request.traffic.algorithm =
          &all[static_cast<std::size_t>(draw.below(static_cast<int>(all.size())))];
      for (const std::size_t one :
           draw.subset(nodes, 1 + static_cast<std::size_t>(draw.below(4)))) {
        request.traffic.sources.push_back({one});
      }
      break;
    case 1:
      request.traffic.graph = std::make_shared<TaskGraph>(random_graph(graph, nodes, {2000, 8000}));
      break;
    default:
      request.traffic.pattern = draw.one_of<std::string>({"uniform", "transpose", "hotspot"});
      request.traffic.rate = 0.1 * (1 + draw.below(6));
      request.traffic.cycles = 6000;
      request.traffic.seed = seed;
  }
  return request;
}

// The same; empty: there is no such run.
std::string compared(const RunRequest& request, Cycle every) {
  return forked([&] {
    std::string found;
    try {
      const RunPlan planned = plan(request);
      SessionRequest session;
      session.show_trial = [&](const ShownTrial& shown, const Results&) {
        found = compared(shown, planned.routing, every);
      };
      run_session(planned, nullptr, session);
    } catch (const std::invalid_argument&) {
    }
    return found;
  });
}

TEST(SteadyStates, AreFollowedOnceInAlgorithmsTasksAndPatterns) {
  const RandomCases cases(30);
  unsigned long skipped = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const std::string found = compared(long_request(seed), seed % 3 == 0 ? 100 : 0);
    if (found.empty()) continue;
    ASSERT_TRUE(is_number(found)) << found << "; seed " << seed;
    skipped += std::stoul(found);
  }
  EXPECT_GT(skipped, cases.end - cases.first);
}

// An error, or a credit that is lost, is an end of what repeats.
TEST(SteadyStates, AreFollowedOnceWhereChannelsErr) {
  const RandomCases cases(30);
  unsigned long skipped = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    RunRequest request = long_request(seed);
    Draw draw(seed + 5);
    request.model = Model::systemc;
    request.router.errors.flit_rate = draw.one_of<double>({0, 0.0003, 0.001, 0.01, 0.1});
    if (draw.below(2) == 0) {
      ErrorPlaces::Place credit{"0"};
      credit.cycle = draw.below(3000);
      credit.is_next = true;
      request.router.errors.credits.listed = {credit};
    }
    const std::string found = compared(request, seed % 3 == 0 ? 100 : 0);
    if (found.empty()) continue;
    ASSERT_TRUE(is_number(found)) << found << "; seed " << seed;
    skipped += std::stoul(found);
  }
  EXPECT_GT(skipped, cases.end - cases.first);
}

}  // namespace
}  // namespace allport::test
