// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/results_json.h"

#include <gtest/gtest.h>

#include <fstream>

#include "testbench/plan/verdict.h"
#include "tests/support/test_file.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::options;

std::vector<std::string> keys(const Json& json) {
  std::vector<std::string> list;
  for (const auto& [key, value] : json.items()) list.push_back(key);
  return list;
}

Json run(const Options& given, const Results& results) {
  const RunPlan plan = allport::plan(given.run);
  const StaticVerdict verdict = check_statically(plan, results, nullptr);
  return run_json(plan, results, verdict, problem_of(results, verdict));
}

Options reported_wsort() {
  return options({{"topology", "hypercube:3"}, {"algorithm", "wsort"}, {"destinations", "3,5"}});
}

Contention one_event() {
  Contention contention;
  contention.events = 1;
  contention.blocked_cycles = 4;
  contention.list.push_back({1,
                             12,
                             4,
                             {node_id(2), port_id(1)},
                             {node_id(0), node_id(3), 1},
                             {node_id(6), std::nullopt, 0}});
  return contention;
}

TEST(ResultsJson, ARunHasTheKeysThatScriptsRelyOn) {
  const Json json = run(reported_wsort(), Results{});

  EXPECT_EQ(keys(json),
            (std::vector<std::string>{"version", "config", "model", "latency", "bandwidth", "bound",
                                      "steps", "cycles", "flit_hops", "messages",
                                      "repeated_deliveries", "contention", "static", "deadlock",
                                      "digest", "wall_seconds", "static_wall_seconds"}));
  EXPECT_EQ(keys(json["latency"]),
            (std::vector<std::string>{"max", "mean", "by_destination", "completion", "histogram"}));
  EXPECT_EQ(keys(json["contention"]),
            (std::vector<std::string>{"events", "blocked_cycles", "list", "reception"}));
  EXPECT_EQ(json["model"], "systemc");
  EXPECT_TRUE(json["deadlock"].is_null());
}

TEST(ResultsJson, TheConfigHasEveryOptionThatDeterminesTheRun) {
  const Json config = run(reported_wsort(), Results{})["config"];

  EXPECT_EQ(keys(config), (std::vector<std::string>{"topology",
                                                    "routing",
                                                    "ports",
                                                    "vcs",
                                                    "buffer_depth",
                                                    "link_delay",
                                                    "replication_delay",
                                                    "switching",
                                                    "flits",
                                                    "bytes",
                                                    "flit_bytes",
                                                    "ts",
                                                    "tr",
                                                    "jitter",
                                                    "barrier",
                                                    "algorithm",
                                                    "steps",
                                                    "source",
                                                    "destinations",
                                                    "trials",
                                                    "relays",
                                                    "seed"}));
  EXPECT_EQ(config["ports"], 3);
  EXPECT_EQ(config["routing"], "descending");
  EXPECT_EQ(config["destinations"], Json::parse("[3,5]"));
  EXPECT_EQ(config["source"], Json::parse("[0]"));
}

TEST(ResultsJson, TheConfigOfASchedulesRunHoldsTheSchedule) {
  const std::string path = test::test_file("schedule.jsonl");
  std::ofstream(path) << R"({"u":0,"v":1,"step":1,"order":0})"
                      << "\n";
  const Json config =
      run(options({{"topology", "hypercube:1"}, {"schedule", path}}), Results{})["config"];

  EXPECT_EQ(config["schedule"], Json::parse(R"([{"u":0,"v":1,"step":1,"order":0}])"));
  EXPECT_FALSE(config.contains("algorithm"));
}

TEST(ResultsJson, LatenciesAreByDestination) {
  Results results;
  results.by_destination = {{node_id(3), 17}, {node_id(5), 18}};

  EXPECT_EQ(run(reported_wsort(), results)["latency"]["by_destination"],
            Json::parse(R"({"3":17,"5":18})"));
}

TEST(ResultsJson, AnEventNamesChannelAndMessages) {
  Results results;
  results.contention = one_event();
  results.reception = one_event();
  const Json contention = run(reported_wsort(), results)["contention"];

  EXPECT_EQ(contention["list"][0],
            Json::parse(R"({"cycle":12,"cycles":4,"channel":{"node":2,"port":1},
                            "waiting":{"u":0,"v":3},"holding":{"u":6,"v":null}})"));
  EXPECT_EQ(contention["reception"]["list"][0], contention["list"][0]);
}

TEST(ResultsJson, WithSeveralTrialsEventsNameTheirs) {
  Options given = reported_wsort();
  given.run.traffic.trials = 2;
  Results results;
  results.contention = one_event();
  results.trials = {{17, 16.5}, {18, 17.5}};
  const Json json = run(given, results);

  EXPECT_EQ(json["contention"]["list"][0]["trial"], 1);
  EXPECT_EQ(json["latency"]["trials"],
            Json::parse(R"([{"max":17,"mean":16.5},{"max":18,"mean":17.5}])"));
}

// Nothing was received at all, or in a trial: then there is no time either.
TEST(ResultsJson, ALatencyOfNothingIsNull) {
  Options given = reported_wsort();
  given.run.traffic.trials = 2;
  given.run.node.clock_ghz = 1;
  const Json none = run(given, Results{})["latency"];
  EXPECT_EQ(none["max"], nullptr);
  EXPECT_EQ(none["microseconds"], Json::parse(R"({"max":null,"mean":null})"));

  Results results;
  results.destinations = 4;
  results.missing = 2;
  results.latency = {17, 16.5};
  results.trials = {{17, 16.5}, {}};
  const Json one = run(given, results)["latency"];
  EXPECT_EQ(one["microseconds"]["max"], 0.017);
  EXPECT_EQ(one["trials"], Json::parse(R"([{"max":17,"mean":16.5},{"max":null,"mean":null}])"));
}

TEST(ResultsJson, ADeadlockIsItsCircle) {
  Results results;
  results.deadlock = Deadlock{};
  results.deadlock->waits = {{{node_id(0), std::nullopt, 0},
                              "vc",
                              {node_id(2), node_id(1), 3},
                              {node_id(2), port_id(0)},
                              1}};

  EXPECT_EQ(run(reported_wsort(), results)["deadlock"],
            Json::parse(R"([{"message":{"u":0,"v":null,"order":0},"waits_for":"vc",
                             "held_by":{"u":2,"v":1,"order":3},
                             "channel":{"node":2,"port":0},"vc":1}])"));
}

TEST(ResultsJson, APatternHasTrafficAndNoDestinations) {
  Results results;
  results.traffic = TrafficResults{0.1,
                                   0.09,
                                   0.01,
                                   {node_id(1), node_id(6)},
                                   {20.5, 19, 25, 30, 40},
                                   {18.5, 17, 23, 28, 38},
                                   {0.25, 0.5, {node_id(3), port_id(1)}, {}, 10},
                                   0,
                                   true,
                                   0,
                                   {1, 0, 2}};
  const Json json = run(
      options({{"topology", "ring:8"}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "10"}}),
      results);

  EXPECT_EQ(json["traffic"],
            Json::parse(R"({"offered":0.1,"accepted":0.09,"latency":{"mean":20.5,"p50":19,
                            "p95":25,"p99":30,"max":40},"network_latency":{"mean":18.5,"p50":17,
                            "p95":23,"p99":28,"max":38},"channel_load":{"mean":0.25,"max":0.5,
                            "channel":{"node":3,"port":1}},"queue_growth":0.01,
                            "growing_sources":2,"growing_nodes":[1,6],"saturated":true,
                            "telling_cycles":0,"latency_histogram":[
                            {"from":0,"to":1,"messages":1},{"from":2,"to":3,"messages":0},
                            {"from":4,"to":7,"messages":2}]})"));
  EXPECT_EQ(json["latency"]["by_destination"], Json::object());
  EXPECT_TRUE(json["static"].is_null());
  EXPECT_EQ(json["config"]["pattern"], "uniform");
}

TEST(ResultsJson, TheConfigOfAPatternHasWhatDeterminesIt) {
  std::vector<std::pair<std::string, std::string>> given{
      {"topology", "ring:8"}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "10"}};
  const Json plain = run(options(given), Results{})["config"];
  given[1].second = "hotspot";
  given.insert(
      given.end(),
      {{"hotspot", "2,6"}, {"warmup", "5"}, {"flits_long", "64"}, {"long_fraction", "0.5"}});
  const Json full = run(options(given), Results{})["config"];

  EXPECT_EQ(plain["warmup"], 0);
  for (const char* key : {"hotspot", "hotspot_fraction", "flits_long", "long_fraction"}) {
    EXPECT_FALSE(plain.contains(key)) << key;
  }
  EXPECT_EQ(full["warmup"], 5);
  EXPECT_EQ(full["hotspot"], Json::parse("[2,6]"));
  EXPECT_EQ(full["hotspot_fraction"], 0.1);
  EXPECT_EQ(full["flits_long"], 64);
  EXPECT_EQ(full["long_fraction"], 0.5);
}

TEST(ResultsJson, WhatCutTheRunShortIsTold) {
  Results results;
  results.was_interrupted = true;

  EXPECT_EQ(run(reported_wsort(), results)["error"], "interrupted");
}

Json check(const Options& given) {
  const RunPlan plan = allport::plan(given.run);
  const StaticVerdict verdict = check_statically(plan, Results{}, nullptr);
  return check_json(*verdict.report, verdict.messages, plan.routing.topology(), verdict.begins);
}

TEST(ResultsJson, ACheckHasAVerdictForEachCriterion) {
  const Json json = check(options(
      {{"topology", "hypercube:4"}, {"algorithm", "ucube"}, {"destinations", "4,10,11,12,13"}}));

  EXPECT_EQ(keys(json), (std::vector<std::string>{"exactly_once", "causality", "port_rule",
                                                  "routes_valid", "stepwise", "stepwise_vc",
                                                  "definition4", "theorem1", "collective"}));
  EXPECT_EQ(json["definition4"], Json::parse(R"({"ok":true,"violations":0,"first":[]})"));
  EXPECT_EQ(json["theorem1"],
            Json::parse(R"({"ok":false,"violations":1,"first":[{"a":{"u":0,"v":11,"step":1},
                            "b":{"u":4,"v":10,"step":2},"channel":{"node":8,"port":1}}]})"));
}

TEST(ResultsJson, ACheckOfWormsHasContentionAndTheCircleOfWaits) {
  const Json json =
      check(options({{"topology", "hypercube:3"}, {"algorithm", "tree"}, {"source", "0,6"}}));

  EXPECT_TRUE(json["theorem1"].is_null());
  EXPECT_EQ(json["contention"]["first"][0]["a"],
            Json::parse(R"({"u":0,"v":null,"step":1,"order":0,"kind":"tree","collective":0})"));
  EXPECT_EQ(json["deadlock"]["ok"], false);
  EXPECT_EQ(json["deadlock"]["waits"], 2);
  const Json& circle = json["deadlock"]["circle"];
  EXPECT_EQ(circle[0]["held_by"], circle[1]["message"]);
  EXPECT_EQ(circle[1]["held_by"], circle[0]["message"]);
}

TEST(ResultsJson, ACheckThatStopsCountingSaysSo) {
  Options given =
      options({{"topology", "hypercube:4"}, {"algorithm", "tree"}, {"source", "0,1,2,3,4,5,6,7"}});
  EXPECT_FALSE(check(given)["contention"].contains("truncated"));
  given.run.check.max_violations = 5;

  EXPECT_EQ(check(given)["contention"]["violations"], 5);
  EXPECT_EQ(check(given)["contention"]["truncated"], true);
}

TEST(ResultsJson, ARunWithoutACheckSaysWhy) {
  Options given = reported_wsort();
  given.run.check.no_static = true;
  EXPECT_TRUE(run(given, Results{})["static"].is_null());
  EXPECT_EQ(run(given, Results{})["no_static"], "--no-static");
  EXPECT_FALSE(run(given, Results{}).contains("static_wall_seconds"));

  given.run.check.no_static = false;
  EXPECT_FALSE(run(given, Results{}).contains("no_static"));
  EXPECT_GT(run(given, Results{})["static_wall_seconds"], 0);
}

}  // namespace
}  // namespace allport
