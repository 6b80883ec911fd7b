// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;

Settings settings_of(const std::string& text) {
  return parse_scenario(text, "run.toml", options_read_by(use::runs));
}

std::string scenario_complaint(const std::string& text) {
  return complaint([&] { merge(settings_of(text), {}); });
}

TEST(Scenario, SetsTheOptionsOfTheCommandLine) {
  const Options options = merge(settings_of(R"(
[fabric]
topology = "hypercube:6"
ports = 2
[router]
buffer_depth = 8
[message]
flits = 64
[node]
ts = 200
barrier = "none"
[traffic]
algorithm = "wsort"
source = 5
destinations = [1, 3, "0b111"]
[observe]
strict = true
model = "systemc"
)"),
                                {});

  EXPECT_EQ(options.run.fabric.topology->name(), "hypercube:6");
  EXPECT_EQ(options.run.fabric.ports, 2);
  EXPECT_EQ(options.run.router.buffer_depth, 8);
  EXPECT_EQ(options.run.message.flits, 64);
  EXPECT_EQ(options.run.node.ts, 200);
  EXPECT_EQ(options.run.traffic.algorithm->name, "wsort");
  EXPECT_EQ(options.run.traffic.sources.front().id, 5U);
  ASSERT_EQ(options.run.traffic.destinations.listed.size(), 3U);
  EXPECT_EQ(options.run.traffic.destinations.listed.back().id, 7U);
  EXPECT_TRUE(options.observe.strict);
}

TEST(Scenario, ReadsDecimalsAndDottedKeys) {
  const Options options = merge(settings_of("traffic.pattern = 'uniform'\n"
                                            "traffic.rate = 0.05\n"
                                            "traffic.cycles = 1_000\n"),
                                {});

  EXPECT_EQ(options.run.traffic.rate, 0.05);
  EXPECT_EQ(options.run.traffic.cycles, 1000);
}

TEST(Scenario, AnUnknownKeyIsAnsweredWithPlaceAndNearestKeyOfItsTable) {
  EXPECT_EQ(scenario_complaint("[fabric]\ntopology = 'ring:8'\n[router]\n  buffer_depht = 4\n"),
            "run.toml:4:3: unknown key 'buffer_depht': did you mean 'buffer_depth'?");
}

// Dashes are those of the command line, and a key may stand in any table or in none.
TEST(Scenario, AKeyWithDashesIsAnsweredWithItsNameAndTable) {
  EXPECT_EQ(scenario_complaint("[router]\nbuffer-depth = 4\n"),
            "run.toml:2:1: unknown key 'buffer-depth': did you mean 'buffer_depth'?");
  EXPECT_EQ(
      scenario_complaint("[fabric]\nbuffer-depth = 4\n"),
      "run.toml:2:1: unknown key 'buffer-depth': did you mean 'buffer_depth' of the table [router]?");
  EXPECT_EQ(
      scenario_complaint("[fabric]\nbuffer_dept = 4\n"),
      "run.toml:2:1: unknown key 'buffer_dept': did you mean 'buffer_depth' of the table [router]?");
  EXPECT_EQ(scenario_complaint("[buffer-depth]\n"),
            "run.toml:1:2: buffer_depth is a key of the table [router], not a table");
  EXPECT_EQ(scenario_complaint("message = 4\n"),
            "run.toml:1:1: message must be a table, as in [message]");
  for (const OptionSpec& spec : option_table()) {
    std::string name(spec.key);
    std::replace(name.begin(), name.end(), '_', '-');
    if (name == spec.key) continue;
    EXPECT_EQ(scenario_complaint(name + " = 4\n"),
              "run.toml:1:1: unknown key '" + name + "': did you mean '" + std::string(spec.key) +
                  "' of the table [" + std::string(spec.table) + "]?");
  }
}

// A number is judged as its text would be on the command line, with quotes or without.
TEST(Scenario, NumbersAreJudgedAsOnTheCommandLine) {
  const auto depth = [](const std::string& text) {
    return merge(settings_of("router.buffer_depth = " + text), {}).run.router.buffer_depth;
  };
  for (const char* text : {"16", "'16'", "'016'", "0x10", "+16", "1_6"}) {
    EXPECT_EQ(depth(text), 16) << text;
  }
  for (const char* text :
       {"16.0", "16.5", "1.6e1", "1e3", "'16.0'", "'1e3'", "'0x10'", "nan", "inf", "true", "''"}) {
    EXPECT_NE(scenario_complaint("router.buffer_depth = " + std::string(text)), "") << text;
  }
  for (const char* text : {"16.0", "'16.0'"}) {
    EXPECT_EQ(scenario_complaint("router.buffer_depth = " + std::string(text)),
              "run.toml:1:23: buffer_depth: '16.0' is not a whole number in 1..4096");
  }
  for (const char* text : {"0.1", "'0.1'", "1e-1", "'1e-1'", "'0.10'"}) {
    EXPECT_EQ(merge(settings_of("[traffic]\npattern = 'uniform'\ncycles = 9\nrate = " +
                                std::string(text)),
                    {})
                  .run.traffic.rate,
              0.1)
        << text;
  }
  EXPECT_EQ(merge(settings_of("message.bytes = '1MiB'"), {}).run.message.bytes, 1048576U);
}

TEST(Scenario, AnUnknownTableIsAnsweredWithTheNearest) {
  EXPECT_EQ(scenario_complaint("[mesage]\nflits = 4\n"),
            "run.toml:1:2: unknown table 'mesage': did you mean 'message'?");
}

TEST(Scenario, ATableOfAGridIsToldWhoReadsIt) {
  EXPECT_EQ(
      scenario_complaint("[sweep]\nzip = [['ts', 'tr']]\n"),
      "run.toml:1:2: the table [sweep] belongs to a grid, which `sweep` reads; a scenario has none");
}

// What takes a list with commas on the command line takes one of TOML.
TEST(Scenario, EveryOptionThatTakesAListTakesOneOfToml) {
  const std::string torus = "[fabric]\ntopology = 'torus:2x2'\n";
  for (const char* list : {"[0, 2]", "'0,2'", "['0', 2]"}) {
    EXPECT_EQ(
        merge(settings_of(torus + "[router]\nlink_delay = " + list), {}).run.router.link_delays,
        (std::vector<int>{0, 2}))
        << list;
  }
  for (const char* list : {"[4, 2]", "'4,2'"}) {
    EXPECT_EQ(
        merge(settings_of(torus + "[router]\nlink_width = " + list), {}).run.router.link_widths,
        (std::vector<int>{4, 2}))
        << list;
  }
  for (const char* list : {"[1, 2, 3, 0]", "'1,2,3,0'"}) {
    const auto place =
        merge(settings_of(torus + "[traffic]\nalgorithm = 'ring-allgather'\nplace = " + list), {})
            .run.traffic.place;
    ASSERT_TRUE(place) << list;
    EXPECT_EQ(place->file.lines.at(0).nodes.size(), 4U) << list;
  }
  EXPECT_EQ(scenario_complaint("[traffic]\nplace = 5\n"),
            "run.toml:2:9: place must be text in quotes");
}

TEST(Scenario, ASeedOf64BitsStandsInQuotes) {
  EXPECT_EQ(merge(settings_of("[traffic]\nseed = '18446744073709551615'\n"), {}).run.traffic.seed,
            18446744073709551615U);
  EXPECT_EQ(scenario_complaint("[traffic]\nseed = 18446744073709551615\n").substr(0, 13),
            "run.toml:2:28");
  EXPECT_NE(scenario_complaint("[traffic]\nseed = 18446744073709551615\n")
                .find("a larger one, as of a seed, must be in quotes"),
            std::string::npos);
}

TEST(Scenario, SeveralValuesAreToldWhoTakesThem) {
  EXPECT_EQ(
      scenario_complaint("[traffic]\nseed = [1, 2]\n"),
      "run.toml:2:8: seed takes one value in a scenario; in a grid, which `sweep` reads, it takes several");
  EXPECT_EQ(scenario_complaint("[traffic]\nalgorithm = ['wsort']\n").substr(0, 38),
            "run.toml:2:13: algorithm takes one val");
  EXPECT_EQ(
      scenario_complaint("[traffic]\ndestinations = [[1, 2], [3]]\n"),
      "run.toml:2:16: destinations takes one list in a scenario; in a grid, which `sweep` reads, it takes several");
  EXPECT_EQ(scenario_complaint(
                "[traffic]\nsource = [0, 6]\ndestinations = [1, 2]\n"
                "[observe]\nwave = 'w.vcd'\nwave_nodes = [1, 2]\n[model]\nrtl_nodes = [1]\n"
                "rtl = ['a.sv', 'b.sv']\ntop = 'a'\nparameter = ['A=1', 'B=2']\n"),
            "");
}

TEST(Scenario, AKeyInTheWrongTableIsToldTheRightOne) {
  EXPECT_EQ(scenario_complaint("[router]\nts = 4\n"),
            "run.toml:2:1: ts belongs to the table [node], not to [router]");
  EXPECT_EQ(scenario_complaint("ts = 4\n"),
            "run.toml:1:1: ts is outside its table, which is [node]");
  EXPECT_EQ(scenario_complaint("node = 4\n"), "run.toml:1:1: node must be a table, as in [node]");
}

TEST(Scenario, ABadValueIsNamedWithItsPlace) {
  EXPECT_EQ(scenario_complaint("[message]\nflits = 0\n"),
            "run.toml:2:9: flits: '0' is not a whole number in 1..1000000000");
  EXPECT_EQ(scenario_complaint("[message]\nflits = 1.5\n"),
            "run.toml:2:9: flits: '1.5' is not a whole number in 1..1000000000");
  EXPECT_EQ(scenario_complaint("[traffic]\nalgorithm = 'wsrt'\n"),
            "run.toml:2:13: algorithm: unknown algorithm 'wsrt': did you mean 'wsort'?");
  EXPECT_EQ(scenario_complaint("[traffic]\ndestinations = []\n"),
            "run.toml:2:16: destinations is an empty list: leave it out, or name what it is for");
  EXPECT_EQ(scenario_complaint("[observe]\nstrict = 1\n"),
            "run.toml:2:10: strict: '1' must be true or false");
  EXPECT_NE(scenario_complaint("[node]\nts = 1979-05-27\n"), "");
}

TEST(Scenario, WhatIsNoTomlIsNamedWithItsPlace) {
  EXPECT_EQ(scenario_complaint("[fabric]\ntopology = \n").substr(0, 11), "run.toml:2:");
  EXPECT_EQ(scenario_complaint("[fabric]\nports = 1\nports = 2\n").substr(0, 11), "run.toml:3:");
}

// The library quotes the file in its own words, with the end of the line.
TEST(Scenario, WhatIsNoTomlIsToldOnOneLine) {
  const std::string text = scenario_complaint("[router]\nvcs = i\nbuffer_depth = 8\n");
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, 11), "run.toml:2:");
}

TEST(Scenario, AnOptionOfAnotherCommandIsAnError) {
  EXPECT_EQ(scenario_complaint("[traffic]\nalgorithms = ['wsort']\n"),
            "run.toml:2:1: algorithms is not an option of this command");
}

TEST(Scenario, AFileThatIsNotThereIsAnError) {
  EXPECT_EQ(complaint([] { read_scenario("no/such.toml", {}); }),
            "the scenario no/such.toml cannot be read: No such file or directory");
}

}  // namespace
}  // namespace allport
