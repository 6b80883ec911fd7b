// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/playground/playground.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace allport {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const Words& words) {
  try {
    run_in_page(words, "/nowhere", PagePart::results);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "it was carried out";
}

TEST(Playground, RefusesWhatAPageHasNot) {
  const std::string files =
      ": a page reads and writes no files; the program does, on a machine of one's own";
  const std::string rtl =
      ": a page has no Verilator, which builds RTL; its models are systemc, worm and auto";
  const std::vector<std::pair<Words, std::string>> refused{
      {{"check", "--topology", "ring:4", "--faults", "1"},
       "--faults: each loss is run in a process of its own, which a page has not; the program has"},
      {{"sweep", "g.toml"},
       "'sweep' is no command of a page, which has list, run, compare, explain, show, schedule, check, steps; the program has more"},
      {{"run", "scenario.toml"}, "scenario.toml" + files},
      {{"run", "--topology", "ring:4", "--json", "r.json"}, "--json" + files},
      {{"run", "--topology", "ring:4", "--wave", "w.vcd"}, "--wave" + files},
      {{"run", "--topology", "ring:4", "--schedule", "-"}, "--schedule" + files},
      {{"run", "--topology", "graph:g.dot"}, "--topology graph:g.dot" + files},
      {{"run", "--topology", "ring:4", "--routing", "table:t.csv"},
       "--routing table:t.csv" + files},
      {{"run", "--topology", "ring:4", "--rtl", "r.sv"}, "--rtl" + rtl},
      {{"run", "--topology", "ring:4", "--include", "folder"}, "--include" + rtl},
      {{"run", "--topology", "ring:4", "--model", "rtl"}, "--model rtl" + rtl},
      {{"compare", "--topology", "ring:4;ring:8"},
       "--topology: several fabrics are compared in processes of their own, which a page has not; name one"}};
  for (const auto& [words, sentence] : refused) EXPECT_EQ(refusal(words), sentence) << words.back();
}

TEST(Playground, ItsControlsOfferNothingThatItRefuses) {
  const Json controls = page_controls();
  std::set<std::string> commands;
  for (const Json& command : controls["commands"]) {
    const std::string name = command["name"];
    commands.insert(name);
    for (const Json& option : command["options"]) {
      const std::string value = option["value"];
      Words words{name, option["name"]};
      if (!value.empty()) words.push_back("x");
      const std::string sentence = refusal(words);
      EXPECT_EQ(sentence.find("a page"), std::string::npos) << name << " " << sentence;
    }
  }
  EXPECT_EQ(commands.size(), page_commands().size());
}

}  // namespace
}  // namespace allport
