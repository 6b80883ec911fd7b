// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/option_values.h"

#include <gtest/gtest.h>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;

TEST(OptionValues, IntegersAreWholeAndWithinTheirRange) {
  EXPECT_EQ(parse_integer("16", {1, 100}), 16);
  EXPECT_EQ(parse_integer("1", {1, 100}), 1);
  EXPECT_EQ(parse_integer("100", {1, 100}), 100);
}

TEST(OptionValues, EverythingElseIsNoIntegerAndTheRangeIsNamed) {
  for (const char* text : {"0", "101", "-3", "1e9", "16x", "x", "", " 1", "1.5", "+1",
                           "99999999999999999999", "0x10"}) {
    EXPECT_EQ(complaint([&] {
                parse_integer(text, {1, 100});
              }),
              "'" + std::string(text) + "' is not a whole number in 1..100");
  }
}

TEST(OptionValues, LengthsInBytesHaveUnits) {
  EXPECT_EQ(parse_bytes("64", {1, 8000000000}), 64U);
  EXPECT_EQ(parse_bytes("64B", {1, 8000000000}), 64U);
  EXPECT_EQ(parse_bytes("1MiB", {1, 8000000000}), 1048576U);
  EXPECT_EQ(parse_bytes("7GiB", {1, 8000000000}), 7516192768U);
  for (const char* text : {"", "B", "KiB", "1KB", "1kib", "0", "8GiB", "1.5", "64.0",
                           "99999999999999999999", "-1", "1 KiB"}) {
    EXPECT_EQ(
        complaint([&] {
          parse_bytes(text, {1, 8000000000});
        }),
        "'" + std::string(text) +
            "' is not a length of 1..8000000000 bytes: give a whole number, alone or with B, KiB, MiB or GiB");
  }
}

TEST(OptionValues, ASeedMayBeAnySixtyFourBits) {
  EXPECT_EQ(parse_seed("18446744073709551615"), 18446744073709551615U);
  EXPECT_NE(complaint([] { parse_seed("18446744073709551616"); }), "");
  EXPECT_NE(complaint([] { parse_seed("-1"); }), "");
}

TEST(OptionValues, DecimalsAreFiniteAndWithinTheirRange) {
  EXPECT_EQ(parse_decimal("0.05", 0, 1), 0.05);
  EXPECT_EQ(parse_decimal("1e-3", 0, 1), 1e-3);
  for (const char* text : {"nan", "inf", "-0.1", "1.5", "", "0,5"}) {
    EXPECT_NE(complaint([&] { parse_decimal(text, 0, 1); }), "") << text;
  }
}

TEST(OptionValues, ListsHaveNoEmptyItems) {
  EXPECT_EQ(parse_list("a,b").size(), 2U);
  EXPECT_EQ(complaint([] { parse_list(""); }), "the list is empty; give at least one item");
  for (const char* text : {",", "1,", ",1", "1,,2"}) {
    EXPECT_NE(complaint([&] { parse_list(text); }), "") << text;
  }
}

TEST(OptionValues, NodesAreDecimalOrBinary) {
  const std::vector<NodeNumber> nodes = parse_nodes("5,0b101");

  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].id, 5U);
  EXPECT_FALSE(nodes[0].is_binary);
  EXPECT_EQ(nodes[1].id, 5U);
  EXPECT_TRUE(nodes[1].is_binary);
  for (const char* text : {"0b", "0b2", "x", "-1", "1 2"}) {
    EXPECT_NE(complaint([&] { parse_nodes(text); }), "") << text;
  }
}

TEST(OptionValues, DestinationsAreAllRandomOrAList) {
  EXPECT_TRUE(parse_destinations("all").is_all());
  EXPECT_EQ(parse_destinations("random:7").random, 7U);
  EXPECT_EQ(parse_destinations("1,3,5").listed.size(), 3U);
  EXPECT_EQ(complaint([] { parse_destinations("al"); }),
            "'al' must be all, random:M or a list of nodes such as 1,3,5");
  EXPECT_NE(complaint([] { parse_destinations("random:x"); }), "");
  EXPECT_EQ(
      complaint([] { parse_destinations("all,random:3"); }),
      "'all,random:3' is not one set of destinations: a comma separates nodes; `sweep` takes several sets, separated by semicolons as in 'all;random:3'");
}

TEST(OptionValues, AModuleHasTheNameOfOne) {
  EXPECT_EQ(parse_module("my_router$2"), "my_router$2");
  for (const char* name : {"", "2a", "$a", "a/b", "a b", "../a"}) {
    EXPECT_EQ(
        complaint([&] { parse_module(name); }),
        "'" + std::string(name) +
            "' must be the name of a module: letters, digits, _ and $, and no digit or $ first");
  }
}

TEST(OptionValues, APageEndsInHtml) {
  EXPECT_EQ(page_file("a.html"), "a.html");
  for (const char* name : {"a.htm", ".html", "html"}) {
    EXPECT_EQ(complaint([&] { page_file(name); }),
              std::string(name) + ": the name must end in .html");
  }
}

TEST(OptionValues, AnUnknownWordIsAnsweredWithANearOneOrWithAll) {
  EXPECT_EQ(complaint([] {
              parse_word("colour", "rad", {"green", "red"});
            }),
            "unknown colour 'rad': did you mean 'red'?");
  EXPECT_EQ(complaint([] {
              parse_word("colour", "blue", {"green", "red"});
            }),
            "unknown colour 'blue': choose one of green, red");
}

}  // namespace
}  // namespace allport
