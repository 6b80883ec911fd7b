// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace allport {
namespace {

namespace fs = std::filesystem;

class TablesTest : public testing::Test {
 protected:
  TablesTest() { fs::create_directories(folder + "/partial"); }
  ~TablesTest() override { fs::remove_all(folder); }

  std::string content(const std::string& name) const {
    std::ifstream file(folder + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Tables tables(const std::vector<std::string>& keys) const {
    return {folder, folder + "/partial", keys};
  }
  static Point point(const char* name) { return {name, {{"flits", 16}}, {}, ""}; }

  const std::string folder = testing::TempDir() + "/tables." + std::to_string(getpid());
};

TEST_F(TablesTest, VariedKeysComeFirstThenSingleValuesByTheirPaths) {
  Tables it = tables({"rate"});
  it.add({"0.1"}, point("a"),
         {0,
          "",
          {{"steps", 3},
           {"traffic", {{"latency", {{"mean", 2.5}}}, {"saturated", false}}},
           {"trials", {1, 2}},
           {"static", nullptr},
           {"by_destination", {{"1", 4}}},
           {"digest", "ff"},
           {"wall_seconds", 0.3},
           {"static_wall_seconds", 0.1}}});
  it.commit();

  EXPECT_EQ(content("results.csv"),
            "rate,exit,error,steps,traffic.latency.mean,traffic.saturated,digest\n"
            "0.1,0,,3,2.5,false,ff\n");
  EXPECT_EQ(content("results.jsonl"),
            R"({"point":{"rate":"0.1"},"name":"a","exit":0,"error":"","config":{"flits":16},)"
            R"("result":{"steps":3,"traffic":{"latency":{"mean":2.5},"saturated":false},)"
            R"("trials":[1,2],"static":null,"by_destination":{"1":4},"digest":"ff"}})"
            "\n");
}

// A key and a number may be called alike: the cycles that were asked for, and those that passed.
TEST_F(TablesTest, NoTwoColumnsHaveOneName) {
  Tables it = tables({"cycles"});
  it.add({"50"}, point("a"), {3, "late", {{"cycles", 72}, {"error", "late"}, {"steps", 0}}});
  it.commit();

  EXPECT_EQ(content("results.csv"),
            "cycles,exit,error,result.cycles,result.error,steps\n50,3,late,72,late,0\n");
}

TEST_F(TablesTest, AFailedPointHasItsLine) {
  Tables it = tables({"ts", "flits"});
  it.add({"1", "2"}, point("a"), {137, "killed, \"hard\"", nullptr});
  it.add({"1", "3"}, point("b"), {0, "", {{"steps", 4}}});
  it.commit();

  EXPECT_EQ(content("results.csv"),
            "ts,flits,exit,error,steps\n1,2,137,\"killed, \"\"hard\"\"\",\n1,3,0,,4\n");
}

TEST_F(TablesTest, AValueWithACommaIsQuoted) {
  Tables it = tables({"destinations"});
  it.add({"1,3"}, point("a"), {});
  it.commit();

  EXPECT_EQ(content("results.csv"), "destinations,exit,error\n\"1,3\",0,\n");
}

TEST_F(TablesTest, WhatWasThereStaysUntilTheNewOnesAreWhole) {
  std::ofstream(folder + "/results.csv") << "old";
  {
    Tables it = tables({"ts"});
    it.add({"1"}, point("a"), {});
  }
  EXPECT_EQ(content("results.csv"), "old");
  EXPECT_TRUE(fs::is_empty(folder + "/partial"));
}

}  // namespace
}  // namespace allport
