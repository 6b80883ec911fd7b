// SPDX-License-Identifier: Apache-2.0
// The default place of ranks may be spelt out: ranks by identity, a fabric of ranks like that of
// the nodes, and a group of all nodes leave every plan as it is. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include "testbench/plan/places.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/static_plan.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/program/options/option_setting.h"
#include "traffic/schedule/schedule_file.h"

namespace allport::test {
namespace {

using Words = std::map<std::string, std::string>;

std::string options_in_words(const Words& words) {
  std::string text;
  for (const auto& [option, value] : words) text += " --" + option + " " + value;
  return text;
}

RunPlan plan_with(const Words& words) {
  return allport::plan(options({words.begin(), words.end()}).run);
}

// What is sent, and what is said of it.
std::string planned_with(const Words& words) {
  try {
    const RunPlan plan = plan_with(words);
    std::ostringstream text;
    for (const PlannedCollective& one : plan.trials().front()) {
      for (const NodeId node : one.sources) text << index(node) << " ";
      text << "to";
      for (const NodeId node : one.destinations) text << " " << index(node);
      text << ", kind " << static_cast<int>(one.kind) << " in " << one.free << "\n";
      write_schedule(text, one.schedule, plan.routing.topology());
    }
    return text.str();
  } catch (const std::invalid_argument& error) {
    return std::string("refused: ") + error.what();
  }
}

std::string all_nodes(const Topology& topology) {
  std::string list;
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    list += (i == 0 ? "" : ",") + std::to_string(i);
  }
  return list;
}

std::string whole_group(const Topology& topology) {
  if (topology.is_hypercube()) {
    return "subcube:0b" + std::string(topology.dimension_count(), 'x');
  }
  std::string box;
  for (const int side : topology.sides()) {
    box += (box.empty() ? "box:" : "x") + std::to_string(side);
  }
  return box;
}

Words drawn_options(std::uint64_t seed, std::shared_ptr<const Topology>& topology) {
  Draw draw(seed);
  const std::string shape = draw.one_of<std::string>(
      {"hypercube:3", "hypercube:4", "hypercube:5", "torus:4x4", "torus:3x4", "mesh:3x4",
       "mesh:4x4", "ring:8", "ring:5", "torus:4x3x3"});
  topology = parse_topology(shape);
  std::vector<std::string> names;
  for (const Algorithm& one : algorithms()) {
    if (one.is_for(*topology)) names.emplace_back(one.name);
  }
  Words words{{"topology", shape},
              {"algorithm", draw.one_of(names)},
              {"flits", draw.one_of<std::string>({"1", "7", "20", "96"})},
              {"seed", std::to_string(1 + draw.below(9))}};
  const Algorithm& algorithm = find_algorithm(words["algorithm"]);
  const auto nodes = static_cast<int>(topology->node_count());
  if (draw.below(2) == 0) words["source"] = std::to_string(draw.below(nodes));
  if (algorithm.destinations == Destinations::any && draw.below(3) > 0) {
    words["destinations"] = "random:" + std::to_string(1 + draw.below(nodes - 1));
  }
  if (draw.below(3) == 0) {
    words["ports"] = std::to_string(1 + draw.below(static_cast<int>(topology->port_count())));
  }
  if (draw.below(3) == 0) words["link_delay"] = "2";
  if (topology->is_hypercube()) {
    words["routing"] = draw.one_of<std::string>({"ascending", "ascending", "descending"});
  }
  if (topology->wraps() && draw.below(2) == 0) {
    words["ties"] = draw.one_of<std::string>({"alternate", "negative"});
  }
  if (algorithm.takes_step_rule() && draw.below(3) == 0) words["steps"] = "aware";
  return words;
}

TEST(Places, TheUsualOnesMayBeSpeltOut) {
  const RandomCases cases(50);
  int compared = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    std::shared_ptr<const Topology> topology;
    const Words words = drawn_options(seed, topology);
    const std::string expected = planned_with(words);
    if (expected.rfind("refused", 0) == 0) continue;
    ++compared;
    const auto with = [&](const Words& more) {
      Words both = words;
      both.insert(more.begin(), more.end());
      return both;
    };
    std::vector<Words> ways{with({{"group", all_nodes(*topology)}}),
                            with({{"group", whole_group(*topology)}})};
    const Algorithm& algorithm = find_algorithm(words.at("algorithm"));
    const bool may_have_ranks = algorithm.kind == MessageKind::unicast && !algorithm.is_synthesized;
    if (words.count("steps") == 0) {  // which excludes --place and --ranks
      ways.push_back(with({{"place", "identity"}}));
      ways.push_back(with({{"ranks", std::to_string(topology->node_count())}}));
      ways.push_back(with({{"group", whole_group(*topology)}, {"place", "identity"}}));
    }
    if (words.count("steps") == 0 && may_have_ranks) {
      ways.push_back(with({{"ranks", topology->name()}}));
      ways.push_back(with({{"ranks", topology->name()}, {"place", "identity"}}));
    }
    for (const Words& way : ways) {
      ASSERT_EQ(planned_with(way), expected) << "seed " << seed << ":" << options_in_words(way);
    }
  }
  EXPECT_GT(compared, static_cast<int>(cases.end - cases.first) / 3);
}

TEST(Places, TheFirstNodesAreAGroup) {
  const Words all{{"topology", "torus:4x4"}, {"algorithm", "ring-allreduce"}, {"flits", "20"}};
  Words counted = all;
  counted["ranks"] = "5";
  Words listed = all;
  listed["group"] = "0,1,2,3,4";
  EXPECT_EQ(planned_with(counted), planned_with(listed));
  EXPECT_NE(planned_with(counted), planned_with(all));
}

// On the 5-cube with ascending routing HK takes 67 cycles wherever its ranks are said to be.
TEST(Places, PlansAreForTheRoutingOfTheNodes) {
  const Words hk{
      {"topology", "hypercube:5"}, {"routing", "ascending"}, {"algorithm", "hk"}, {"flits", "20"}};
  Words on_half = hk;
  on_half["topology"] = "hypercube:6";
  on_half["group"] = "subcube:0b0xxxxx";
  EXPECT_EQ(planned_with(on_half), planned_with(hk));
  on_half["routing"] = "descending";
  EXPECT_NE(planned_with(on_half), planned_with(hk));
}

}  // namespace
}  // namespace allport::test
