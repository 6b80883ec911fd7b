// SPDX-License-Identifier: Apache-2.0
// Figures from given results: right ones, and wrong ones, which claims must find.
#include "testbench/reproduce/figure.h"
#include "testbench/reproduce/papers/papers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace allport::test {
namespace {

using testing::HasSubstr;

const Figure& figure(const std::string& name) { return *find_figures({name}).front(); }

// The value after option `--NAME` of a point.
std::string option(const Point& point, const std::string& name) {
  const auto at = std::find(point.arguments.begin(), point.arguments.end(), name);
  return at == point.arguments.end() ? "" : *(at + 1);
}

const Claim& claim(const FigureResult& result, const std::string& beginning) {
  for (const Claim& one : result.claims) {
    if (one.text.find(beginning) == 0) return one;
  }
  throw std::out_of_range(beginning);
}

// Results in which every algorithm takes ceil(log2(m + 1)) steps, minus `lead` for wsort.
Runs steps(const FigureRequest& request, double lead) {
  Runs runs;
  for (const Point& point : figure("robinson-9").points(request)) {
    const int size = std::stoi(option(point, "--sizes"));
    int height = 0;
    while ((1 << height) < size + 1) ++height;
    runs.add(point, {{"rows", Json::array({{{"m", size},
                                            {"ucube", height},
                                            {"maxport", height - 0.01 * size / 63},
                                            {"combine", height - 0.01 * size / 63},
                                            {"wsort", height - lead}}})}});
  }
  return runs;
}

TEST(Figures, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Figure& one : figures()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  EXPECT_EQ(find_figures({"all"}).size(), figures().size());
  EXPECT_EQ(find_figures({"hou-9", "robinson-3", "hou-9"}).size(), 2U);
}

TEST(Figures, AnUnknownNameOffersTheNearest) {
  try {
    find_figures({"robinson-33"});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown figure 'robinson-33': did you mean 'robinson-3'?");
  }
}

TEST(Figures, AverageAndMaximumComeFromTheSameRuns) {
  const auto average = figure("robinson-13").points({});
  const auto maximum = figure("robinson-14").points({});

  ASSERT_EQ(average.size(), maximum.size());
  for (std::size_t i = 0; i < average.size(); ++i) EXPECT_EQ(average[i].name, maximum[i].name);
  const auto large = std::count_if(average.begin(), average.end(), [](const Point& one) {
    return option(one, "--topology") == "hypercube:10" && option(one, "--trials") == "100";
  });
  EXPECT_EQ(large, 80);
}

TEST(Figures, WhatDeterminesAPointIsInItsName) {
  FigureRequest request;
  const std::string name = figure("robinson-11").points(request).front().name;
  for (const auto& change : std::vector<void (*)(FigureRequest&)>{
           [](FigureRequest& one) { one.seed = 2; }, [](FigureRequest& one) { one.trials = 3; },
           [](FigureRequest& one) { one.version = "other"; },
           [](FigureRequest& one) { one.models = {"worm"}; }}) {
    FigureRequest other;
    change(other);
    EXPECT_NE(figure("robinson-11").points(other).front().name, name);
  }
}

TEST(Figures, StepClaimsHoldForWhatThePaperSays) {
  const FigureResult result = figure("robinson-9").make({}, steps({}, 0.5));

  EXPECT_EQ(result.table.rows(), 63U);
  EXPECT_EQ(claim(result, "W-sort needs").outcome, Outcome::holds);
  EXPECT_EQ(claim(result, "U-cube's curve").outcome, Outcome::holds);
}

TEST(Figures, AFalseClaimIsSaidToBeFalse) {
  const FigureResult result = figure("robinson-9").make({}, steps({}, -0.5));

  EXPECT_EQ(claim(result, "W-sort needs").outcome, Outcome::fails);
  EXPECT_THAT(claim(result, "W-sort needs").measured, HasSubstr("more at 63 of 63 sizes"));
}

// Others take 100 cycles; W-sort takes 95 on the 10-cube, on the 5-cube 60 at every second size.
TEST(Figures, AnAdvantageAtMoreSizesIsNoLargerOne) {
  Runs runs;
  for (const Point& point : figure("robinson-14").points({})) {
    const int size = std::stoi(option(point, "--destinations").substr(7));
    const bool is_large = option(point, "--topology") == "hypercube:10";
    const int ahead = is_large ? 95 : size % 2 == 0 ? 60 : 100;
    const int latency = option(point, "--algorithm") == "wsort" ? ahead : 100;
    runs.add(point, {{"latency", {{"mean", latency}, {"max", latency}}}, {"digest", "d"}});
  }

  const FigureResult result = figure("robinson-14").make({}, runs);

  const Claim& advantage = claim(result, "W-sort's advantage");
  EXPECT_THAT(advantage.measured, HasSubstr("at 100 % of the sizes"));
  EXPECT_EQ(advantage.outcome, Outcome::not_reproduced);
}

// Results of a broadcast in pieces on the ring of 16, ts = 40, with or without overlapped
// start-ups.
Runs pipelined_runs(bool is_overlapped) {
  Runs runs;
  for (const Point& point : figure("casanova-pipelined").points({})) {
    const int r = std::stoi(option(point, "--pieces"));
    const int piece = std::stoi(option(point, "--flits")) / r;
    const int apart = is_overlapped ? std::max(40, piece) : 41 + piece;
    runs.add(point, {{"latency", {{"max", 15 * (41 + piece) + (r - 1) * apart}}}, {"digest", "d"}});
  }
  return runs;
}

TEST(Figures, TheBestPiecesAreJudgedByFormulaAndBySimulationApart) {
  const FigureResult bound = figure("casanova-pipelined").make({}, pipelined_runs(false));
  const FigureResult overlapped = figure("casanova-pipelined").make({}, pipelined_runs(true));

  EXPECT_EQ(claim(bound, "r* pieces are best, simulated").outcome, Outcome::holds);
  EXPECT_EQ(claim(overlapped, "r* pieces are best, simulated").outcome, Outcome::fails);
  for (const FigureResult& result : {bound, overlapped}) {
    EXPECT_EQ(claim(result, "r* = sqrt").outcome, Outcome::holds);
  }
}

// The latencies of the analysis, with `late` more cycles for the algorithm `whose`.
Runs torus_runs(const FigureRequest& request, const std::string& whose, int late) {
  Runs runs;
  for (const Point& point : figure("hou-timing").points(request)) {
    const std::string algorithm = option(point, "--algorithm");
    const std::string torus = option(point, "--topology");
    const int side = std::stoi(torus.substr(torus.find('x') + 1));
    const int ts = std::stoi(option(point, "--ts"));
    int k = 0;
    int power = 1;
    for (int rest = side; rest >= 4; rest /= 4) ++k, power *= 4;
    const bool is_odd = power != side;
    const int starts = (algorithm == "dcf" ? 5 : 6) * k + (is_odd ? 3 : 0);
    const int hops = is_odd ? 2 * (4 * power - 1) / 3 : 4 * (power - 1) / 3;
    const int latency = starts * ts + hops + (2 * k + (is_odd ? 1 : 0)) * (64 + ts);
    runs.add(point, {{"latency", {{"max", latency + (algorithm == whose ? late : 0)}}},
                     {"contention", {{"events", 0}}},
                     {"digest", algorithm + option(point, "--model")}});
  }
  return runs;
}

TEST(Figures, TheAnalysisOfTheTorusIsHeldToTheCycle) {
  const FigureResult right = figure("hou-timing").make({}, torus_runs({}, "", 0));
  const FigureResult late = figure("hou-timing").make({}, torus_runs({}, "dcf", 1));

  EXPECT_EQ(claim(right, "DCF takes").outcome, Outcome::holds);
  EXPECT_EQ(claim(right, "EDN spends").outcome, Outcome::not_tested);
  EXPECT_EQ(claim(late, "DCF takes").outcome, Outcome::fails);
}

TEST(Figures, DifferentDigestsOfTwoModelsAreAFalseClaim) {
  FigureRequest request;
  request.models = {"systemc", "worm"};
  Runs same;
  for (const Point& one : figure("hou-timing").points(request)) {
    same.add(one, {{"latency", {{"max", 1}}}, {"contention", {{"events", 0}}}, {"digest", "d"}});
  }

  const FigureResult equal = figure("hou-timing").make(request, same);
  const FigureResult other = figure("hou-timing").make(request, torus_runs(request, "", 0));

  EXPECT_EQ(claim(equal, "all models").outcome, Outcome::holds);
  EXPECT_EQ(equal.digests.at("systemc"), equal.digests.at("worm"));
  EXPECT_EQ(claim(other, "all models").outcome, Outcome::fails);
}

}  // namespace
}  // namespace allport::test
