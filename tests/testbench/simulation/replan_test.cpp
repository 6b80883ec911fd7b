// SPDX-License-Identifier: Apache-2.0
// Every collective is planned anew around links and nodes that are missing, whichever they are: it
// brings everything to all that can be reached, or a sentence says what it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/static_plan.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::string in_words(const Values& values) {
  std::string words = "allport run";
  for (const auto& [key, text] : values) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', '-');
    words += " --" + name + (text == "true" ? "" : " " + text);
  }
  return words;
}

// A fabric of 64 nodes without up to 10 links and 4 nodes, which may fall apart.
Values drawn_fabric(std::uint64_t seed, test::Draw& draw) {
  const std::vector<std::string> shapes{"hypercube:6", "torus:8x8", "mesh:8x8", "torus:4x4x4"};
  Values values{{"topology", shapes[seed % shapes.size()]}, {"replan", "true"}};
  const int links = draw.below(11);
  const int nodes = draw.below(5);
  const auto parts = [&](int count) {
    return draw.one_of<std::string>({"random:", "random-cut:"}) + std::to_string(count) + ":" +
           std::to_string(draw.below(1'000'000));
  };
  if (links > 0 || draw.below(2) == 0) values.emplace_back("missing_links", parts(links));
  if (nodes > 0 || draw.below(2) == 0) values.emplace_back("missing_nodes", parts(nodes));
  if (draw.below(3) == 0) values.emplace_back("ports", "1");
  if (draw.below(2) == 0) values.emplace_back("source", std::to_string(draw.below(64)));
  return values;
}

// The routers that a search finds from `first` which knows nothing of parts, tables or graphs: by
// names, on the channels that are there both ways.
std::size_t reachable(const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  std::vector<bool> is_reached(topology.router_count());
  std::vector<NodeId> reached{node_id(0)};
  is_reached[0] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Channel channel : topology.channels()) {
      if (channel.node != reached[i]) continue;
      if (std::binary_search(plan.missing.begin(), plan.missing.end(), channel)) continue;
      const NodeId to = *topology.neighbour(channel.node, channel.port);
      if (is_reached[index(to)]) continue;
      is_reached[index(to)] = true;
      reached.push_back(to);
    }
  }
  return reached.size();
}

// What is wrong with the plan; empty if nothing is.
std::string fault(const RunPlan& plan) {
  const CheckedFabric fabric{plan.routing,
                             plan.router.internal_ports,
                             plan.router.vcs_of_class(),
                             {},
                             plan.router.join_vcs};
  for (const PlannedCollective& one : plan.trials().front()) {
    if (one.destinations.empty()) return "nobody is to receive";
    for (const Unicast& unicast : one.schedule.unicasts) {
      if (one.is_one_message() || is_join(unicast.kind)) continue;
      for (const Channel channel : channels(unicast, plan.routing)) {
        if (!std::binary_search(plan.missing.begin(), plan.missing.end(), channel)) continue;
        return describe(unicast, plan.routing.topology()) + " crosses a missing link";
      }
    }
  }
  const ScheduleReport report =
      StaticPlan(plan.trials().front(), fabric, succession_of(plan)).check();
  for (const auto& [name, finding] :
       std::vector<std::pair<const char*, const Finding*>>{{"exactly once", &report.exactly_once},
                                                           {"causality", &report.causality},
                                                           {"port rule", &report.port_rule},
                                                           {"valid routes", &report.routes_valid},
                                                           {"collective", &report.collective}}) {
    // Plans for all ports break it on fewer; where nothing is missing they are as they were.
    if (finding == &report.port_rule && !plan.is_replanned()) continue;
    if (!finding->ok()) {
      return std::string(name) +
             " fails: " + (finding->first.empty() ? std::string() : finding->first.front());
    }
  }
  return {};
}

// A sentence that says what the algorithm needs.
bool says_what_is_needed(const std::string& why) {
  const auto has = [&](const char* words) { return why.find(words) != std::string::npos; };
  return has(" is for ") || has("sends worms to lists of nodes") || has("needs --block") ||
         has("no corners");
}

TEST(Replan, BringsEverythingToAllThatCanBeReached) {
  const test::RandomCases cases(40);
  std::map<std::string, int> planned;
  for (std::uint64_t seed = cases.first; seed < cases.end && !HasFailure(); ++seed) {
    test::Draw draw(seed);
    const Values fabric = drawn_fabric(seed, draw);
    Values probe = fabric;
    probe.emplace_back("algorithm", "separate");
    std::optional<RunPlan> base;
    const std::string cut = test::complaint([&] { base = plan(test::options(probe).run); });
    if (!base) {
      // The source itself has gone.
      EXPECT_NE(cut.find("the source, node "), std::string::npos) << in_words(probe) << "\n" << cut;
      continue;
    }
    const std::size_t nodes = base->routing.topology().node_count();
    EXPECT_EQ(reachable(*base), nodes) << in_words(probe);
    // A quarter of the algorithms, another one on the next fabric of this shape.
    for (std::size_t i = seed / 4 % 4; i < algorithms().size(); i += 4) {
      const Algorithm& algorithm = algorithms()[i];
      Values values = fabric;
      values.emplace_back("algorithm", std::string(algorithm.name));
      if (algorithm.destinations == Destinations::one) {
        values.emplace_back(
            "destinations",
            base->routing.topology().node_name(base->trials().front().front().destinations.back()));
      }
      std::optional<RunPlan> run;
      const std::string why = test::complaint([&] { run = plan(test::options(values).run); });
      if (!run) {
        EXPECT_TRUE(says_what_is_needed(why)) << in_words(values) << "\n" << why;
        continue;
      }
      EXPECT_EQ(fault(*run), "") << in_words(values);
      const PlannedCollective& one = run->trials().front().front();
      const bool is_to_all = algorithm.operation == Operation::allreduce ||
                             algorithm.operation == Operation::barrier ||
                             algorithm.operation == Operation::allgather ||
                             algorithm.operation == Operation::alltoall ||
                             algorithm.operation == Operation::reduce_scatter;
      if (is_to_all) {
        EXPECT_EQ(one.destinations.size(), nodes) << in_words(values);
      } else if (algorithm.operation == Operation::scatter ||
                 (algorithm.operation == Operation::bcast &&
                  algorithm.destinations != Destinations::one)) {
        EXPECT_EQ(one.destinations.size(), nodes - 1) << in_words(values);
      }
      ++planned[std::string(algorithm.name)];
    }
  }
  if (cases.end - cases.first < 40) return;
  // All but those whose worms no table routes, and one that needs a file.
  const std::set<std::string> never{"block",     "relay-routers", "hamiltonian",
                                    "dual-path", "multi-path",    "disjoint-paths"};
  for (const Algorithm& algorithm : algorithms()) {
    const std::string name(algorithm.name);
    if (never.count(name) == 0) {
      EXPECT_GT(planned[name], 0) << name;
    }
  }
}

}  // namespace
}  // namespace allport
