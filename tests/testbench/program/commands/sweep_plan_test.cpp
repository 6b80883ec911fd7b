// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_plan.h"

#include <gmock/gmock.h>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using test::settings;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

using Values = std::vector<std::pair<std::string, std::string>>;

SweepPlan plan(const Values& values, bool is_large_meant = false) {
  return SweepPlan(merge_grids({}, settings(values), {}), is_large_meant);
}

std::string name(const Values& values) { return plan(values).point(0).name; }

const Values multicast{{"topology", "hypercube:4"}, {"algorithm", "wsort"}};
const Values traffic{
    {"topology", "torus:4x4"}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "100"}};

Values with(Values values, const std::string& key, const std::string& text) {
  values.emplace_back(key, text);
  return values;
}

TEST(SweepPlan, APointHasOneNameHoweverItIsWritten) {
  EXPECT_EQ(name(traffic), name(with(traffic, "vcs", "2")));  // the default of a torus
  EXPECT_EQ(name(multicast), name(with(multicast, "ports", "4")));
  EXPECT_EQ(name(with(multicast, "bytes", "64")), name(with(multicast, "flits", "16")));
}

TEST(SweepPlan, WhateverDeterminesTheResultIsInTheName) {
  EXPECT_NE(name(traffic), name(with(traffic, "vcs", "4")));
  EXPECT_NE(name(traffic), name(with(traffic, "seed", "2")));
  EXPECT_NE(name(multicast), name(with(multicast, "destinations", "1,2")));
  EXPECT_NE(name(multicast), name(with(multicast, "model", "rtl")));
}

// Values are compared as values, and go on in the one form that they have.
TEST(SweepPlan, AValueIsTheSameHoweverItIsWritten) {
  const auto refusal = [](const Values& base, const std::string& key, const std::string& text) {
    return complaint([&] { plan(with(base, key, text)); });
  };
  EXPECT_EQ(refusal(multicast, "vcs", "1,01"), "--vcs: '1' and '01' are the same value");
  EXPECT_EQ(refusal(multicast, "vcs", "1,1"), "--vcs: the value '1' is twice in the list");
  EXPECT_EQ(refusal(multicast, "vcs", "1..3,02"), "--vcs: '2' and '02' are the same value");
  EXPECT_EQ(refusal(multicast, "bytes", "1KiB,1024"),
            "--bytes: '1KiB' and '1024' are the same value");
  EXPECT_EQ(refusal(multicast, "destinations", "1,2;01,2"),
            "--destinations: '1,2' and '01,2' are the same value");
  EXPECT_EQ(refusal(multicast, "destinations", "random:4;random:04"),
            "--destinations: 'random:4' and 'random:04' are the same value");
  EXPECT_EQ(refusal({{"topology", "torus:4x4"}, {"pattern", "uniform"}, {"cycles", "9"}}, "rate",
                    "0.1,1e-1"),
            "--rate: '0.1' and '1e-1' are the same value");
  EXPECT_EQ(refusal(multicast, "seed", "18446744073709551615,018446744073709551615"),
            "--seed: '18446744073709551615' and '018446744073709551615' are the same value");
  EXPECT_EQ(refusal(multicast, "vcs", "1,2"), "");
  EXPECT_THAT(plan(with(multicast, "bytes", "1KiB,2KiB")).varied_values(1), ElementsAre("2048"));
  EXPECT_THAT(plan(with(multicast, "vcs", "01,2")).varied_values(0), ElementsAre("1"));
}

TEST(SweepPlan, AConfigurationHasTheVersionOfTheProgram) {
  EXPECT_EQ(plan(traffic).point(0).config.at("version"), ALLPORT_VERSION);
}

TEST(SweepPlan, APointIsACommandLine) {
  const SweepPlan it = plan({{"topology", "ring:4"}, {"algorithm", "separate"}, {"ts", "1..3"}});

  EXPECT_THAT(it.point(2).arguments,
              ElementsAre("run", "--json=-", "--model=auto", "--topology=ring:4", "--ts=3",
                          "--algorithm=separate"));
  EXPECT_THAT(it.varied_keys(), ElementsAre("ts"));
  EXPECT_THAT(it.varied_values(2), ElementsAre("3"));
  EXPECT_EQ(it.fixed_in_words(), "topology ring:4, algorithm separate");
}

TEST(SweepPlan, AValueThatItsOptionCannotTakeIsAnErrorWhereverItStands) {
  EXPECT_EQ(complaint([] { plan(with(multicast, "flits", "1,2,x")); }),
            "--flits: 'x' is not a whole number in 1..1000000000");
}

TEST(SweepPlan, OptionsThatExcludeEachOtherAreAnError) {
  EXPECT_EQ(complaint([] { plan(with(traffic, "algorithm", "wsort,ucube")); }),
            "--algorithm and --pattern exclude each other");
}

TEST(SweepPlan, OptionsAboutARouterOfOnesOwnAreNotThoseOfOurs) {
  const Values texts{{"topology", "ring:4"}, {"algorithm", "separate"}, {"include", "."},
                     {"top", "absent"},      {"define", "A"},           {"parameter", "B=1"},
                     {"declaration", "a"},   {"file_list", "a.f"},      {"rtl_timeout", "9"}};
  EXPECT_THAT(plan(with(texts, "rtl", "ours;absent.sv")).point(0).arguments,
              ElementsAre("run", "--json=-", "--model=auto", "--topology=ring:4",
                          "--algorithm=separate", "--rtl=ours"));
  EXPECT_THAT(plan(with(texts, "rtl", "ours;absent.sv")).point(1).arguments,
              testing::IsSupersetOf({"--include=.", "--top=absent", "--define=A", "--parameter=B=1",
                                     "--declaration=a", "--file-list=a.f", "--rtl-timeout=9"}));
  EXPECT_EQ(
      complaint([] {
        plan(
            {{"topology", "ring:4"}, {"algorithm", "separate"}, {"rtl", "ours"}, {"include", "."}});
      }),
      "--include needs --rtl with the files of a router of your own");
}

TEST(SweepPlan, OnePointThatCannotBeLeavesTheOthers) {
  const SweepPlan it = plan(with({{"algorithm", "wsort"}, {"ports", "1,9"}}, "topology", "ring:4"));

  EXPECT_EQ(it.names().size(), 2U);
  EXPECT_TRUE(it.point(1).config.contains("given"));
}

TEST(SweepPlan, IfNoPointCanBeTheFirstSaysWhy) {
  const SweepPlan it = plan({{"topology", "ring:4"}, {"algorithm", "wsort"}, {"ports", "8,9"}});

  EXPECT_EQ(complaint([&] { it.names(); }),
            "--ports 8: a router of ring:4 has 2 external ports, so it must be 1..2 or all");
}

TEST(SweepPlan, AMillionPointsAreALotMoreMustBeMeant) {
  EXPECT_EQ(plan(with(traffic, "seed", "1..1000000")).size(), 1000000U);
  EXPECT_EQ(complaint([] { plan(with(traffic, "seed", "1..1000001")); }),
            "the grid has 1000001 points, more than 1000000: give --yes if that is intended");
  EXPECT_EQ(plan(with(traffic, "seed", "1..1000001"), true).size(), 1000001U);
  EXPECT_EQ(complaint([] { plan(with(traffic, "seed", "1..100000001"), true); }),
            "the grid has 100000001 points; it may have at most 100000000");
}

TEST(SweepPlan, AScheduleFromStdinIsRefused) {
  EXPECT_EQ(
      complaint([] {
        plan({{"topology", "ring:4"}, {"schedule", "-"}});
      }),
      "--schedule: - is stdin, which can be read only once, and each point of a sweep reads it; give a file");
}

TEST(SweepPlan, OutputsAreNoOptionsOfAGrid) {
  std::vector<std::string_view> keys;
  for (const OptionSpec* spec : grid_options()) keys.push_back(spec->key);

  EXPECT_THAT(keys, Contains("rate"));
  for (const char* key : {"json", "wave", "strict", "rtl_nodes", "algorithms"}) {
    EXPECT_THAT(keys, Not(Contains(key)));
  }
}

}  // namespace
}  // namespace allport
