// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/quote.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

TEST(Quote, LeavesWhatCanBePrinted) {
  EXPECT_EQ(in_quotes("hypercube:4"), "'hypercube:4'");
  EXPECT_EQ(in_quotes("größe \xE2\x88\x9E \xF0\x9F\x9A\x80"),
            "'größe \xE2\x88\x9E \xF0\x9F\x9A\x80'");
  EXPECT_EQ(shown_path("a b/'c'"), "a b/'c'");
  EXPECT_EQ(in_quotes(""), "''");
}

TEST(Quote, KnowsWhatCanBePrinted) {
  EXPECT_TRUE(is_printable(""));
  EXPECT_TRUE(is_printable("größe, \"(0, 0)\" \xE2\x88\x9E"));
  for (const char* const text : {"a\nb", "\x1b", "\x7f", "\xC2\x9B", "a\xE9", "\xE2\x88"}) {
    EXPECT_FALSE(is_printable(text)) << in_quotes(text);
  }
  EXPECT_EQ(shown_input("-"), "stdin");
  EXPECT_EQ(shown_input("a b"), "a b");
}

TEST(Quote, EscapesControlCharacters) {
  EXPECT_EQ(in_quotes("uc\nube"), "'uc\\nube'");
  EXPECT_EQ(in_quotes("\r\t\x1b[31m\x7f"), "'\\r\\t\\x1b[31m\\x7f'");
  EXPECT_EQ(in_quotes(std::string_view("\0", 1)), "'\\x00'");
  EXPECT_EQ(in_quotes("\xC2\x9B"), "'\\xc2\\x9b'");  // a control character of Unicode
}

TEST(Quote, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(in_quotes("\xFF\xC3"), "'\\xff\\xc3'");
  EXPECT_EQ(in_quotes("\xC3("), "'\\xc3('");
  EXPECT_EQ(in_quotes("\xE2\x88"), "'\\xe2\\x88'");
}

// RFC 3629, section 4, says which bytes may follow each other.
TEST(Quote, EscapesWhatOnlyLooksLikeUtf8) {
  EXPECT_FALSE(is_printable("\xE0\x9F\xBF")) << "it could be shorter";
  EXPECT_FALSE(is_printable("\xF0\x8F\xBF\xBF"));
  EXPECT_FALSE(is_printable("\xED\xA0\x80")) << "a surrogate";
  EXPECT_FALSE(is_printable("\xF4\x90\x80\x80")) << "beyond U+10FFFF";
  EXPECT_TRUE(is_printable("\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80"));
  EXPECT_TRUE(is_printable("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(Quote, CutsWhatIsTooLongToRead) {
  EXPECT_EQ(in_quotes(std::string(100, 'a')), "'" + std::string(100, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(5000, 'a')), "'" + std::string(100, 'a') + "..' (5000 bytes)");
  EXPECT_EQ(shown("abc\xC3\xA4", 4), "abc.. (5 bytes)");  // not in the middle of a letter
  EXPECT_EQ(shown_path(std::string(300, 'a')), std::string(300, 'a'));
}

}  // namespace
}  // namespace allport
