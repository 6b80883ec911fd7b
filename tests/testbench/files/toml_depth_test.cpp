// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/toml_depth.h"

#include <gtest/gtest.h>

#include <string>

#include "testbench/program/options/scenario.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;

// `a.a.a` with the given number of parts.
std::string key(std::size_t parts, const std::string& part = "a", const std::string& dot = ".") {
  std::string text = part;
  for (std::size_t i = 1; i < parts; ++i) text += dot + part;
  return text;
}

// The line and column of a key that is too deep; empty if there is none.
std::string found(const std::string& text) {
  const auto place = find_deep_key(text);
  return place ? std::to_string(place->line) + ":" + std::to_string(place->column) : "";
}

TEST(TomlKeys, AreAsDeepAsTheyHaveParts) {
  for (const char* part : {"a", "'a b'", R"("a.\"b")", "_-9", "''", R"("")"}) {
    for (const char* dot : {".", " . ", "\t."}) {
      EXPECT_EQ(found("[" + key(16, part, dot) + "]\n"), "") << part << dot;
      EXPECT_EQ(found("[" + key(17, part, dot) + "]\n"), "1:2") << part << dot;
      EXPECT_EQ(found("x = 1\n  " + key(17, part, dot) + " = 1"), "2:3") << part << dot;
    }
  }
  EXPECT_EQ(found("a = { " + key(50000) + " = 1 }"), "1:7");
  EXPECT_EQ(found("'\xc3\xa4' = 1 \n[[" + key(50000) + "]]"), "2:3");
  EXPECT_EQ(found("# \xc3\xa4\n\xc3\xa4." + key(17)), "2:3");
}

TEST(TomlKeys, AreNotInCommentsStringsAndLists) {
  const std::string deep = key(100);
  std::string list = "rate = [0.1";
  for (int i = 0; i < 100; ++i) list += ", 0.5";

  for (const std::string& text :
       {"# " + deep, "x = '" + deep + "' # '\n", "x = \"\\\"" + deep + "\"\n",
        "x = \"\"\"\n\" " + deep + "\n\\\"\"\"\"\n", "x = '''\n' " + deep + "\n'''", list + "]\n",
        std::string("a.b = 1.5\r\n") + key(100, "a.b = 1\n", ""), key(100, "a", "\n."),
        std::string("x = 'torn ") + deep}) {
    EXPECT_EQ(found(text), "") << text;
  }
  EXPECT_EQ(found("x = 'torn\n" + deep), "2:1");
}

TEST(TomlKeys, TooDeepOnesAreRefusedBeforeTheyAreParsed) {
  const std::string why = ": a key has more than 16 parts joined by dots";
  const auto refusal = [](const std::string& text) {
    return complaint([&] { parse_scenario(text, "d.toml", options_read_by(use::all)); });
  };

  EXPECT_EQ(refusal("[" + key(50000) + "]"), "d.toml:1:2" + why);
  EXPECT_EQ(refusal(key(50000) + " = 1"), "d.toml:1:1" + why);
  EXPECT_EQ(refusal("[fabric]\ntopology = { " + key(50000) + " = 1 }"), "d.toml:2:14" + why);
  EXPECT_EQ(
      refusal("[" + key(16) + "]"),
      "d.toml:1:2: unknown table 'a': choose one of fabric, router, message, node, traffic, observe, model");
}

TEST(TomlValues, TooDeepOnesAreRefusedInOurWords) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text = "x = ";
    for (std::size_t i = 0; i < depth; ++i) text += open;
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  const auto refusal = [](const std::string& text) {
    return complaint(
        [&] { parse_scenario("[fabric]\n" + text, "d.toml", options_read_by(use::all)); });
  };

  const std::string why = ": lists and tables are nested more than 16 deep";
  EXPECT_EQ(refusal(nested(50000, "[", "]")), "d.toml:2:21" + why);
  EXPECT_EQ(refusal(nested(17, "[", "]")), "d.toml:2:21" + why);
  EXPECT_EQ(refusal(nested(17, "{a=", "}")), "d.toml:2:53" + why);
  EXPECT_EQ(refusal(nested(16, "[", "]")).substr(0, 23), "d.toml:2:1: unknown key");
  const std::string brackets(100, '[');
  for (const std::string& text :
       {"x = '" + brackets + "'", "# " + brackets, "x = \"\\\"" + brackets + "\"",
        nested(9, "[", "]") + "\ny = 1"}) {
    EXPECT_EQ(refusal(text).substr(0, 23), text[0] == '#' ? "" : "d.toml:2:1: unknown key") << text;
  }
}

}  // namespace
}  // namespace allport
