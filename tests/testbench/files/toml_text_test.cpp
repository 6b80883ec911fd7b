// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/toml_text.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  return complaint([&] { parse_toml(text, "f.toml"); });
}

TEST(TomlText, IsReadAsItIs) {
  EXPECT_EQ(parse_toml("[a]\nb = 1\n", "f.toml")["a"]["b"].value<int>(), 1);
  EXPECT_TRUE(parse_toml("", "f.toml").empty());
}

TEST(TomlText, SaysWhereAndWhatWasExpected) {
  EXPECT_EQ(refusal("garbage\n"), "f.toml:1:8: expected `key = value`, alone on its line");
  EXPECT_EQ(refusal("a = 1\n[b\n"),
            "f.toml:2:3: expected a table such as [traffic], alone on its line");
  EXPECT_EQ(
      refusal("[traffic]\nalgorithm = wsort\n"),
      "f.toml:2:13: expected a value: a word in quotes, a number, true or false, or a list such as [1, 2]");
  EXPECT_EQ(refusal("a = 1\na = 2\n"), "f.toml:2:5: 'a' is given twice");
  EXPECT_EQ(refusal("[b]\n[b]\n"), "f.toml:2:1: 'b' is given twice");
  EXPECT_THAT(refusal("a = \"torn\n"), HasSubstr("f.toml:1:10: expected a word in quotes"));
  EXPECT_THAT(refusal("a = [1, 2\n"), HasSubstr("expected a list such as [1, 2]"));
  EXPECT_THAT(refusal("a = 01\n"), HasSubstr("expected a number without a 0 before its digits"));
  EXPECT_THAT(refusal("a = 99999999999999999999\n"),
              HasSubstr("a larger one, as of a seed, must be in quotes"));
  EXPECT_THAT(refusal("a = \"\xff\"\n"), HasSubstr("expected a text in UTF-8"));
}

// Whatever is wrong, the sentence is one of ours.
TEST(TomlText, HasNoWordsOfTheLibrary) {
  const std::string sound =
      "[a]\nb = [1, 2]\nc = \"x\\u00e9\"\nd = { e = 1.5, f = true }\n"
      "g = 2020-01-02T03:04:05Z\n'h' = 0x1f # i\n[[j]]\nk.l = 1e3\n";
  ASSERT_EQ(refusal(sound), "");
  std::size_t refused = 0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (const char* piece : {"", "[", "]", "\"", "=", "x", "1", "\n", "\\", "\x01", "\xff", "."}) {
      std::string text = sound;
      text.replace(i, 1, piece);
      const std::string why = refusal(text);
      if (why.empty()) continue;
      ++refused;
      const bool is_ours = why.find(": expected ") != std::string::npos ||
                           why.find("' is given twice") != std::string::npos ||
                           why.find(": a key is given twice") != std::string::npos;
      EXPECT_TRUE(is_ours && why.find("Error while") == std::string::npos) << text << "\n" << why;
      EXPECT_EQ(why.substr(0, 7), "f.toml:");
    }
  }
  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace allport
