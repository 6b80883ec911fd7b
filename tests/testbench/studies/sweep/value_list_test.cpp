// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/value_list.h"

#include <gmock/gmock.h>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> all(const ValueList& list) {
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < list.size(); ++i) values.push_back(list.at(i));
  return values;
}

std::vector<std::string> values(const std::string& text, char separator = ',') {
  return all(parse_values(text, separator));
}

std::string list_complaint(const std::string& text) {
  return complaint([&] { values(text); });
}

TEST(ValueList, ARangeOfDecimalsIsExactAndHasBothEnds) {
  const ValueList rates = parse_values("0.02:0.5:0.02", ',');

  EXPECT_EQ(rates.size(), 25U);
  EXPECT_EQ(rates.at(2), "0.06");  // in doubles 0.02 + 0.02 + 0.02 is less
  EXPECT_EQ(rates.at(4), "0.1");
  EXPECT_EQ(rates.at(24), "0.5");
}

TEST(ValueList, EveryStepOfALongRangeIsTheDecimalThatWouldBeWritten) {
  const ValueList list = parse_values("0:100:0.001", ',');

  ASSERT_EQ(list.size(), 100001U);
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(std::stod(list.at(i)), static_cast<double>(i) / 1000) << i;
  }
}

TEST(ValueList, ARangeEndsBeforeAnEndThatNoStepMeets) {
  EXPECT_THAT(values("0.1:0.45:0.1"), ElementsAre("0.1", "0.2", "0.3", "0.4"));
}

TEST(ValueList, WholeNumbersCountByOnes) {
  EXPECT_THAT(values("8..11"), ElementsAre("8", "9", "10", "11"));
  EXPECT_THAT(values("7..7"), ElementsAre("7"));
}

TEST(ValueList, ARangeOfLengthsHasTheLeastOfItsUnits) {
  EXPECT_THAT(values("1KiB:4KiB:1KiB"), ElementsAre("1KiB", "2KiB", "3KiB", "4KiB"));
  EXPECT_THAT(values("512KiB:2MiB:1MiB"), ElementsAre("512KiB", "1536KiB"));
  EXPECT_THAT(values("64:1KiB:480B"), ElementsAre("64B", "544B", "1024B"));
  EXPECT_THAT(values("2GiB..4GiB"), ElementsAre("2GiB", "3GiB", "4GiB"));
  EXPECT_THAT(values("0.5KiB:4KiB:1KiB"), ElementsAre("0.5KiB:4KiB:1KiB"));
  EXPECT_THAT(values("1kB:4kB:1kB"), ElementsAre("1kB:4kB:1kB"));
  EXPECT_THAT(list_complaint("0.5:4KiB:1KiB"),
              HasSubstr("'0.5:4KiB:1KiB' has a length that is no "));
  EXPECT_THAT(list_complaint("1:9999999GiB:1"), HasSubstr("more than 15 digits"));
}

TEST(ValueList, AWordMayStandBeforeARange) {
  EXPECT_THAT(values("hypercube:4..6"), ElementsAre("hypercube:4", "hypercube:5", "hypercube:6"));
  EXPECT_THAT(values("random:4:12:4"), ElementsAre("random:4", "random:8", "random:12"));
}

TEST(ValueList, WhatOnlyResemblesARangeIsAValue) {
  EXPECT_THAT(values("torus:8x8,../a.jsonl,0.1:0.2,1..,..5,a:b:c"),
              ElementsAre("torus:8x8", "../a.jsonl", "0.1:0.2", "1..", "..5", "a:b:c"));
}

TEST(ValueList, ValuesAndRangesMix) {
  EXPECT_THAT(values("1,4..6,0.5:1:0.5,9"), ElementsAre("1", "4", "5", "6", "0.5", "1", "9"));
}

TEST(ValueList, SemicolonsSeparateWhatHasCommas) {
  EXPECT_THAT(values("1,3,5;random:2..3;all", ';'),
              ElementsAre("1,3,5", "random:2", "random:3", "all"));
}

TEST(ValueList, ARangeOfABillionCostsNothing) {
  const ValueList seeds = parse_values("1..1000000000", ',');

  EXPECT_EQ(seeds.size(), 1000000000U);
  EXPECT_EQ(seeds.at(999999999), "1000000000");
}

TEST(ValueList, AnEmptyRangeIsAnError) {
  EXPECT_EQ(list_complaint("0.5:0.02:0.02"),
            "the range '0.5:0.02:0.02' is empty: it ends before it begins");
  EXPECT_EQ(list_complaint("hypercube:8..4"),
            "the range 'hypercube:8..4' is empty: it ends before it begins");
}

TEST(ValueList, ARangeThatMakesNoSenseIsAnError) {
  EXPECT_EQ(list_complaint("1:2:0"), "the range '1:2:0' needs a step above 0");
  EXPECT_EQ(
      list_complaint("0.1..0.5"),
      "the range '0.1..0.5' counts by ones: give whole numbers, or a step, as in 0.1:0.5:0.1");
  EXPECT_EQ(list_complaint("0:1000000000000:0.0001"),
            "the range '0:1000000000000:0.0001' has numbers of more than 15 digits");
  EXPECT_EQ(list_complaint("1,,2"), "a value of the list is empty");
}

}  // namespace
}  // namespace allport
