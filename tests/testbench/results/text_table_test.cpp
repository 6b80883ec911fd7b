// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/text_table.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

struct Row {
  std::string name;
  int number = 0;
  std::string problem;
};

std::vector<TableColumn<Row>> columns(std::size_t width) {
  using Side = TextTable::Side;
  return {{{"name", Side::left}, [](const Row& row) { return row.name; }},
          {{"number", Side::right, "how many", width},
           [](const Row& row) { return std::to_string(row.number); }}};
}

TEST(TextTable, IsAsWideAsWhatItHasToShow) {
  const std::vector<Row> rows{{"a long name", 5, ""}, {"b", 12345678, "failed"}};
  EXPECT_EQ(text_table(columns(0), rows, &Row::problem).text(),
            "name           number\n"
            "a long name         5\n"
            "b            12345678  failed\n");
}

TEST(TextTable, CountsSignsAndNotBytes) {
  const std::vector<Row> rows{{"größe ☃", 5, ""}, {"a size", 12345678, ""}};
  EXPECT_EQ(text_table(columns(0), rows, &Row::problem).text(),
            "name       number\n"
            "größe ☃         5\n"
            "a size   12345678\n");
}

TEST(TextTable, HasWidthsAndAGapOfItsOwn) {
  const std::vector<Row> rows{{"a", 5, ""}, {"b", 123456789, ""}};
  EXPECT_EQ(text_table(columns(8), rows, 1).text(),
            "name   number\n"
            "a           5\n"
            "b    123456789\n");
}

TEST(TextTable, EndsNoLineWithSpaces) {
  const std::vector<TableColumn<Row>> one{
      {{"a title", TextTable::Side::left}, [](const Row& row) { return row.name; }}};
  EXPECT_EQ(text_table(one, std::vector<Row>{{"b", 0, ""}}).lines(),
            (std::vector<std::string>{"a title", "b"}));
}

TEST(TextTable, SaysWhatItsColumnsMean) {
  EXPECT_EQ(text_table(columns(0), std::vector<Row>{}).meanings(), "number      how many\n");
}

TEST(TextTable, NumbersRows) {
  EXPECT_EQ(row_numbers(3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(row_numbers(0).empty());
}

}  // namespace
}  // namespace allport
