// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/csv_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/csv_columns.h"
#include "rtl_model/base/split_mix.h"

namespace allport {
namespace {

using Row = std::pair<std::size_t, std::vector<std::string>>;  // the line and the cells

// The rows of a text, of which a stream has the same.
std::vector<Row> csv_rows_of(const std::string& text) {
  std::vector<Row> rows;
  for_each_csv_row("t.csv", std::string_view(text), [&](const CsvCells& cells, std::size_t line) {
    rows.emplace_back(line, std::vector<std::string>(cells.begin(), cells.end()));
  });
  std::istringstream in(text);
  std::size_t count = 0;
  for_each_csv_row("t.csv", in, [&](const CsvCells& cells, std::size_t line) {
    EXPECT_EQ(rows.at(count++), Row(line, std::vector<std::string>(cells.begin(), cells.end())));
  });
  EXPECT_EQ(count, rows.size());
  return rows;
}

std::string csv_fault(const std::string& text) {
  try {
    csv_rows_of(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CsvRows, HaveCellsBetweenCommasWithoutBlanks) {
  EXPECT_EQ(csv_rows_of("\xef\xbb\xbf# names\r\n a , b\tc ,\r\n\n \t\r\n#x,y\n,5'6\"\n"),
            (std::vector<Row>{{2, {"a", "b\tc", ""}}, {6, {"", "5'6\""}}}));
  EXPECT_EQ(csv_rows_of("a"), (std::vector<Row>{{1, {"a"}}}));
  EXPECT_TRUE(csv_rows_of("").empty());
}

TEST(CsvRows, HaveCellsInQuotesAsRfc4180Has) {
  EXPECT_EQ(csv_rows_of("\"a, b\" , \"\",\" \"\n"), (std::vector<Row>{{1, {"a, b", "", " "}}}));
  EXPECT_EQ(csv_rows_of("\"say \"\"yes\"\"\",\"\"\"\"\n"),
            (std::vector<Row>{{1, {"say \"yes\"", "\""}}}));
  EXPECT_EQ(csv_rows_of("x,\"one\n# two\n\"\r\ny,z\n"),
            (std::vector<Row>{{1, {"x", "one\n# two\n"}}, {4, {"y", "z"}}}));
  EXPECT_EQ(csv_rows_of("\"#a\",b\n"), (std::vector<Row>{{1, {"#a", "b"}}}));
}

TEST(CsvRows, NameTheLineInWhichAWrongOneBegins) {
  EXPECT_EQ(csv_fault("a,b\n\"c\" d,e\n"),
            "t.csv:2: behind a cell in quotes stands 'd,e', and no comma; a quote in a cell in "
            "quotes is written twice");
  EXPECT_EQ(csv_fault("a\n\"b,c\nd\n"), "t.csv:2: a cell in quotes does not end");
}

TEST(CsvRows, AreReadAsTheyAreWritten) {
  constexpr std::string_view letters = "ab\xc3\xa4,\"# \t\r\n;'\\";
  SplitMix64 draws(7);
  const auto drawn = [&draws](std::size_t below) {
    return static_cast<std::size_t>(draws.next() % below);
  };
  std::vector<Row> rows;
  std::string text;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> cells(1 + drawn(4));
    for (std::string& cell : cells) {
      for (std::size_t length = drawn(6); length > 0; --length) {
        cell += letters[drawn(letters.size())];
      }
    }
    rows.emplace_back(1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
                      cells);
    text += csv_line(cells);
  }
  EXPECT_EQ(csv_rows_of(text), rows);
}

TEST(CsvRows, AreQuotedOnlyWhereTheyMustBe) {
  EXPECT_EQ(csv_line({"a b", "5\t6", "x#", "", "it's"}), "a b,5\t6,x#,,it's\n");
  EXPECT_EQ(csv_line({"a,b", "#x", " y", "say \"so\""}),
            "\"a,b\",\"#x\",\" y\",\"say \"\"so\"\"\"\n");
}

class Columns {
 public:
  Columns() { columns_.also_call("u", "source"); }
  // The columns that a first row names, or the sentence; `usual`: it names none.
  std::string taken(const CsvCells& cells, bool names_some = false) {
    try {
      if (!columns_.take(cells, 3, names_some)) return "usual";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    std::string words;
    for (std::size_t i = 0; i < cells.size(); ++i) words += std::string(columns_[i]) + " ";
    return words;
  }

 private:
  const std::string path_ = "-";
  CsvColumns columns_{path_, {"u", "v", "delay"}, 2};
};

TEST(CsvColumns, AreThoseThatAFirstRowNames) {
  EXPECT_EQ(Columns().taken({"v", "delay", "source"}), "v delay u ");
  EXPECT_EQ(Columns().taken({"v", "w"}), "usual");
  EXPECT_EQ(Columns().taken({"v", "w"}, true),
            "stdin:3: unknown column 'w': choose one of u, v, delay");
  EXPECT_EQ(Columns().taken({"u", "v", "source"}), "stdin:3: column u is given twice");
  EXPECT_EQ(Columns().taken({"v", "delay"}, true),
            "stdin:3: column u is missing; the columns are u,v,delay");
}

}  // namespace
}  // namespace allport
