// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/statistics.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <set>
#include <string>

namespace allport {
namespace {

TEST(Statistics, HaveNamesOfTheirOwn) {
  for (const auto& [table, rows] : statistic_tables()) {
    std::set<std::string> names;
    for (const StatisticForm& one : rows) {
      EXPECT_TRUE(names.insert(one.name).second) << table << " " << one.name;
      EXPECT_TRUE(one.type.is_object() && !one.type.empty()) << table << " " << one.name;
    }
    EXPECT_FALSE(rows.empty()) << table;
  }
}

const std::shared_ptr<const Topology> ring = parse_topology("ring:8");

TEST(Statistics, AreNullWhereTheyAreNotKnown) {
  LoadResults load;
  load.collectives = 1;
  load.unfinished = 1;
  load.telling_cycles = 7;
  const Json unknown = json_of(load, *ring);
  EXPECT_EQ(unknown["latency"].dump(),
            R"({"mean":null,"p50":null,"p95":null,"p99":null,"max":null})");
  EXPECT_EQ(unknown["completion"]["mean"], nullptr);
  EXPECT_EQ(unknown["saturated"], nullptr);
  EXPECT_EQ(unknown["collectives"], 1);

  load.latency_histogram = {0, 3};
  load.latency.p50 = 2;
  load.unfinished = 0;
  load.telling_cycles = 0;
  const Json known = json_of(load, *ring);
  EXPECT_EQ(known["latency"]["p50"], 2);
  EXPECT_EQ(known["completion"]["max"], 0);
  EXPECT_EQ(known["saturated"], false);
  EXPECT_EQ(known["latency_histogram"].dump(),
            R"([{"from":0,"to":1,"destinations":0},{"from":2,"to":3,"destinations":3}])");
}

TEST(Statistics, AreKnownEverywhereInAnExample) {
  const Json example = json_of(TrafficResults{}, *ring, Known::everywhere);
  EXPECT_TRUE(example["latency"]["p99"].is_number());
  EXPECT_TRUE(example["saturated"].is_boolean());
  EXPECT_EQ(json_of(LatencySummary{}, Known::nowhere).dump(), R"({"max":null,"mean":null})");
}

TEST(Statistics, ThatAreNotAlwaysThereComeLast) {
  MessageAccount account;
  account.has = 9;
  EXPECT_FALSE(json_of(account, *ring).contains("contributor"));
  account.contributor = node_id(4);
  const Json json = json_of(account, *ring);
  EXPECT_EQ(std::prev(json.end()).key(), "contributor");

  Results results;
  EXPECT_TRUE(json_of(results).contains("repeated_deliveries"));
  results.traffic.emplace();
  EXPECT_FALSE(json_of(results).contains("repeated_deliveries"));
}

TEST(Statistics, HaveSchemas) {
  const auto schema = [](std::string_view table, std::string_view name) -> std::string {
    for (const StatisticForm& one : statistic_tables().at(table)) {
      if (one.name == name) return one.schema().dump();
    }
    return "";
  };
  EXPECT_EQ(schema("run", "steps"), R"({"$ref":"#/$defs/count"})");
  EXPECT_EQ(schema("traffic", "saturated"),
            R"({"description":"null: the window is too short to tell","type":["boolean","null"]})");
  EXPECT_EQ(schema("calls", "mean"),
            R"({"description":"cycles","anyOf":[{"type":"null"},{"$ref":"#/$defs/rate"}]})");
  EXPECT_EQ(
      schema("combine", "checksums"),
      R"({"description":"of the results of each trial","type":"array","items":{"$ref":"#/$defs/digest"}})");
}

}  // namespace
}  // namespace allport
