// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/whatif_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace allport::test {
namespace {

using Names = std::set<std::string>;

// What stands between backquotes.
Names quoted(const std::string& text) {
  Names names;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    names.insert(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t at = 1;
  for (std::size_t end; (end = line.find('|', at)) != std::string::npos; at = end + 1) {
    cells.push_back(line.substr(at, end - at));
  }
  return cells;
}

// The causes of each option in the table of the page that begins with `| option | values | against
// |`.
std::map<std::string, Names> on_the_page() {
  std::ifstream page(ALLPORT_DOCS_DIR "/guide/whatif.md");
  std::map<std::string, Names> causes;
  bool is_in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| option | values | against |", 0) == 0) is_in_table = true;
    if (line.empty()) is_in_table = false;
    const std::vector<std::string> cells = cells_of(line);
    if (!is_in_table || cells.size() != 3 || quoted(cells[2]).empty()) continue;
    for (std::string option : quoted(cells[0])) {
      option.erase(0, 2);
      std::replace(option.begin(), option.end(), '-', '_');
      causes[option].merge(quoted(cells[2]));
    }
  }
  return causes;
}

TEST(WhatifChanges, AreThoseOfThePage) {
  std::map<std::string, Names> rules;
  for (const auto& [option, causes] : causes_by_option()) {
    for (const Cause cause : causes) rules[option].insert(std::string(to_string(cause)));
  }
  const std::map<std::string, Names> page = on_the_page();
  ASSERT_FALSE(page.empty());
  EXPECT_EQ(page, rules);
}

}  // namespace
}  // namespace allport::test
