// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/packed_table.h"

#include <gmock/gmock.h>

namespace allport::test {
namespace {

TEST(PackedTable, WritesBase64WithPadding) {  // the examples of RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(PackedTable, HasEachColumnAsBytes) {
  PackedTable table({"plain", "line+"});
  table.add({0, 5});
  table.add({-1, 7});
  table.add({64, 3});
  EXPECT_EQ(table.rows(), 3U);
  // 0, 1 and 128 in two bytes; the differences 5, 2 and -4.
  EXPECT_EQ(table.take(), (Json{{"rows", 3},
                                {"plain", base64(std::string("\x00\x01\x80\x01", 4))},
                                {"line+", base64("\x0a\x04\x07")}}));
}

TEST(PackedTable, HasTheLargestNumbers) {
  PackedTable table({"n"});
  table.add({INT64_MIN});
  EXPECT_EQ(table.take()["n"], base64(std::string(9, '\xff') + "\x01"));
}

}  // namespace
}  // namespace allport::test
