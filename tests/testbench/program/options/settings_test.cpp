// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "testbench/plan/plan_run.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/report/results_json.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using test::settings;

Settings scenario(const std::vector<std::pair<std::string, std::string>>& values) {
  Settings list = settings(values);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].place = "run.toml:" + std::to_string(i + 1) + ":1: ";
  }
  return list;
}

TEST(Settings, WithoutAnyTheDefaultsHold) {
  const Options options = merge({}, {});

  EXPECT_EQ(options.run.message.flits, 16);
  EXPECT_EQ(options.run.router.buffer_depth, 4);
  EXPECT_EQ(options.run.traffic.trials, 1U);
  EXPECT_EQ(options.run.traffic.seed, 1U);
  EXPECT_FALSE(options.run.node.barrier);
  EXPECT_FALSE(options.run.fabric.topology);
  EXPECT_TRUE(options.run.traffic.destinations.is_all());
  EXPECT_TRUE(options.run.traffic.sources.empty());
}

// The help states each default in words, and a RunRequest has it as a value.
TEST(Settings, TheDefaultsInTheHelpAreThoseOfARun) {
  const auto config_of = [](const Settings& given) {
    return config_json(plan(merge({}, given).run)).dump();
  };
  const Settings collective = settings({{"topology", "hypercube:3"}, {"algorithm", "wsort"}});
  const Settings pattern = settings(
      {{"topology", "hypercube:3"}, {"pattern", "hotspot"}, {"rate", "0.1"}, {"cycles", "100"}});
  const Settings loop = settings({{"topology", "hypercube:3"},
                                  {"pattern", "hotspot"},
                                  {"outstanding", "2"},
                                  {"cycles", "100"}});
  const std::set<std::string_view> left_out{"routing", "vcs", "link_width", "algorithms",
                                            "collective"};
  int compared = 0;
  for (const OptionSpec& spec : option_table()) {
    const bool is_of_the_run = spec.table != "observe" && spec.table != "model";
    if (!is_of_the_run || spec.default_value.empty() || left_out.count(spec.key) != 0) continue;
    const bool is_of_patterns =
        std::find(pattern_keys().begin(), pattern_keys().end(), spec.key) != pattern_keys().end();
    Settings given = spec.key == "service" ? loop : is_of_patterns ? pattern : collective;
    const std::string expected = config_of(given);
    given.push_back({&spec, std::string(spec.default_value), ""});
    EXPECT_EQ(config_of(given), expected) << spec.key;
    ++compared;
  }
  EXPECT_GE(compared, 18);
}

TEST(Settings, TheCommandLineWins) {
  const Options options =
      merge(scenario({{"flits", "64"}, {"ts", "200"}}), settings({{"flits", "8"}}));

  EXPECT_EQ(options.run.message.flits, 8);
  EXPECT_EQ(options.run.node.ts, 200);
}

TEST(Settings, TheCommandLineDropsWhatItContradictsInTheScenario) {
  const Options options =
      merge(scenario({{"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "100"}, {"ts", "3"}}),
            settings({{"algorithm", "wsort"}}));

  EXPECT_TRUE(options.run.traffic.pattern.empty());
  EXPECT_FALSE(options.is_given("rate"));
  EXPECT_EQ(options.run.traffic.algorithm->name, "wsort");
  EXPECT_EQ(options.run.node.ts, 3);
}

TEST(Settings, WhatIsDroppedFromAScenarioMustBeRightAllTheSame) {
  EXPECT_EQ(complaint([] {
              merge(scenario({{"flits", "0"}}), settings({{"flits", "8"}}));
            }),
            "run.toml:1:1: flits: '0' is not a whole number in 1..1000000000");
}

TEST(Settings, ABadValueNamesItsOption) {
  EXPECT_EQ(complaint([] {
              merge({}, settings({{"buffer_depth", "0"}}));
            }),
            "--buffer-depth: '0' is not a whole number in 1..4096");
  EXPECT_EQ(complaint([] {
              merge({}, settings({{"topology", "torus:1x4"}}));
            }),
            "topology torus:1x4: side 1 is too small; every side must be at least 2");
}

// An empty value would be taken for none, and so be ignored.
TEST(Settings, AnEmptyValueIsRefusedByEveryOptionOfEveryCommand) {
  for (const Command& command : commands()) {
    for (const OptionSpec* spec : command.options) {
      if (spec->value.empty()) continue;
      Options options;
      const std::string sentence = complaint([&] { apply({spec, "", ""}, options); });
      const std::string name(spec->key.substr(0, spec->key.find('_')));
      EXPECT_NE(sentence.find(name), std::string::npos) << command.name << " " << spec->key;
    }
  }
}

struct Contradiction {
  std::vector<std::pair<std::string, std::string>> given;
  std::string sentence;
};

class Contradictions : public testing::TestWithParam<Contradiction> {};

TEST_P(Contradictions, AreErrors) {
  EXPECT_EQ(complaint([] { merge({}, settings(GetParam().given)); }), GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Contradictions,
    testing::Values(
        Contradiction{{{"algorithm", "wsort"}, {"schedule", "x"}},
                      "--algorithm and --schedule exclude each other"},
        Contradiction{{{"rate", "0.1"}, {"algorithm", "wsort"}},
                      "--rate and --algorithm exclude each other"},
        Contradiction{{{"flits", "1"}, {"bytes", "4"}}, "--flits and --bytes exclude each other"},
        Contradiction{{{"pattern", "uniform"}, {"rate", "1"}, {"cycles", "9"}, {"trials", "2"}},
                      "--pattern and --trials exclude each other"},
        Contradiction{{{"pattern", "uniform"}, {"rate", "1"}, {"cycles", "9"}, {"source", "1"}},
                      "--pattern and --source exclude each other"},
        Contradiction{{{"pattern", "uniform"}, {"rate", "1"}}, "--pattern needs --cycles"},
        Contradiction{{{"pattern", "uniform"}, {"cycles", "1"}}, "--pattern needs --rate"},
        Contradiction{{{"rate", "0.1"}}, "--rate needs --pattern"},
        Contradiction{{{"warmup", "3"}}, "--warmup needs --pattern, --flows or --collective-rate"},
        Contradiction{{{"hotspot", "3"}}, "--hotspot needs --pattern"},
        Contradiction{{{"every", "9"}}, "--every needs --channel-load"},
        Contradiction{{{"warmup", "3"}, {"algorithm", "wsort"}},
                      "--warmup and --algorithm exclude each other"},
        Contradiction{{{"hotspot_fraction", "1"}, {"schedule", "x"}},
                      "--hotspot-fraction and --schedule exclude each other"},
        Contradiction{{{"flits_long", "64"}}, "--flits-long needs --long-fraction"},
        Contradiction{{{"long_fraction", "0.1"}}, "--long-fraction needs --flits-long"},
        Contradiction{{{"flits_long", "64"}, {"bytes", "4"}},
                      "--flits-long and --bytes exclude each other"},
        Contradiction{{{"wave_from", "3"}}, "--wave-from needs --wave"},
        Contradiction{{{"wave_to", "3"}}, "--wave-to needs --wave"},
        Contradiction{{{"wave_nodes", "3"}}, "--wave-nodes needs --wave"},
        Contradiction{{{"wave_on", "deadlock"}}, "--wave-on needs --wave"},
        Contradiction{{{"wave_margin", "3"}}, "--wave-margin needs --wave-on"}));

TEST(Settings, APresetHasTheDefaultsAndWhatIsGivenWins) {
  const Options t3e = merge({}, settings({{"preset", "t3e"}}));
  EXPECT_EQ(t3e.run.node.ts, 345);
  EXPECT_EQ(t3e.run.message.flit_bytes, 1);
  EXPECT_EQ(t3e.run.router.replication_delay, 1);
  EXPECT_FALSE(t3e.run.fabric.routing);
  EXPECT_FALSE(t3e.is_given("ts"));

  const Options given = merge(scenario({{"ts", "7"}, {"preset", "ncube10"}}),
                              settings({{"flit_bytes", "8"}, {"preset", "t3e"}}));
  EXPECT_EQ(given.run.node.ts, 7);
  EXPECT_EQ(given.run.message.flit_bytes, 8);
  EXPECT_EQ(given.run.router.replication_delay, 1);
  EXPECT_EQ(given.run.node.preset->name, "t3e");

  EXPECT_EQ(merge({}, settings({{"preset", "ncube2"}})).run.fabric.routing,
            RoutingOrder::ascending);
  EXPECT_EQ(
      merge({}, settings({{"routing", "descending"}, {"preset", "ncube2"}})).run.fabric.routing,
      RoutingOrder::descending);
}

TEST(Settings, AContradictionWithinAScenarioNamesBothPlaces) {
  EXPECT_EQ(complaint([] {
              merge(scenario({{"algorithm", "wsort"}, {"pattern", "uniform"}}), {});
            }),
            "run.toml:1:1: algorithm and run.toml:2:1: pattern exclude each other");
}

TEST(Settings, OnlyTrafficTakesThePlaceOfTraffic) {
  const Settings uniform = scenario({{"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "9"}});
  const std::vector<std::pair<std::string, std::string>> others{
      {"trials", "2"}, {"source", "3"}, {"skew", "5"}};
  for (const auto& other : others) {
    EXPECT_EQ(complaint([&] { merge(uniform, settings({other})); }),
              "run.toml:1:1: pattern and --" + other.first + " exclude each other");
  }
  EXPECT_EQ(complaint([] {
              merge(scenario({{"tasks", "t.jsonl"}}), settings({{"flits", "2"}}));
            }),
            "run.toml:1:1: tasks and --flits exclude each other");
}

TEST(Settings, WhatBelongsToTheTrafficOfAScenarioGoesWithIt) {
  const Settings uniform = scenario({{"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "9"}});
  const std::vector<std::pair<std::string, std::string>> others{
      {"collective", "allreduce"}, {"algorithm", "sbt"}, {"schedule", "s.jsonl"}};
  for (const auto& other : others) {
    const Options merged = merge(uniform, settings({other}));
    EXPECT_TRUE(merged.run.traffic.pattern.empty()) << other.first;
    for (const char* gone : {"pattern", "rate", "cycles"}) {
      EXPECT_FALSE(merged.is_given(gone)) << other.first << gone;
    }
  }
}

}  // namespace
}  // namespace allport
