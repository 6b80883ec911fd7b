// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_columns.h"

#include <gmock/gmock.h>

#include <fstream>

#include "testbench/plan/verdict.h"
#include "testbench/program/report/results_json.h"
#include "testbench/simulation/simulate.h"
#include "testbench/studies/sweep/axis_plot.h"
#include "testbench/studies/sweep/tables.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

using Columns = std::vector<std::pair<std::string, std::string>>;

SweepPlan plan_of(const Columns& values) {
  return SweepPlan(merge_grids({}, test::settings(values), {}), false);
}

// The columns of numbers of a run that has ended.
std::vector<std::string> columns_of(const Columns& values) {
  const RunPlan run = plan(test::options(values).run);
  const Results results = simulate(run);
  Json json = run_json(run, results, check_statically(run, results, nullptr), "");
  json.erase("config");
  std::vector<std::string> columns;
  visit_cells(json, [&](const std::string& path, const Json&) {
    if (number_in(json, path)) columns.push_back(path);
  });
  return columns;
}

Columns with(Columns values, const Columns& others) {
  values.insert(values.end(), others.begin(), others.end());
  return values;
}

TEST(SweepColumns, AreThoseOfEveryRun) {
  const Columns cube{{"topology", "hypercube:4"}};
  for (const Columns& run :
       {with(cube, {{"algorithm", "wsort"}}), with(cube, {{"algorithm", "tree"}}),
        with(cube, {{"algorithm", "wsort"}, {"trials", "3"}, {"destinations", "random:5"}}),
        with(cube, {{"algorithm", "wsort"}, {"source", "0,5"}, {"preset", "ncube2"}}),
        with(cube, {{"algorithm", "sbt"}, {"pieces", "best"}, {"no_static", "true"}}),
        with(cube,
             {{"algorithm", "ucube"}, {"destinations", "4,10,11,12,13"}, {"max_violations", "1"}}),
        with(cube, {{"algorithm", "exchange-allreduce"}}),
        with(cube,
             {{"pattern", "uniform"}, {"rate", "0.2"}, {"cycles", "200"}, {"preset", "ncube2"}})}) {
    EXPECT_THAT(number_columns(plan_of(run)), IsSupersetOf(columns_of(run))) << run.back().second;
  }
}

TEST(SweepColumns, AreThoseOfEveryValueThatVaries) {
  const Columns grid{{"topology", "hypercube:3"},
                     {"preset", "ncube10,ncube2"},
                     {"pieces", "1,best"},
                     {"trials", "1,4"},
                     {"algorithm", "wsort"}};
  for (const char* column : {"latency.microseconds.completion", "latency.completion.half_width_95",
                             "pieces.most", "static.theorem1.violations"}) {
    EXPECT_THAT(number_columns(plan_of(grid)), Contains(column));
    EXPECT_THAT(number_columns(plan_of(
                    {{"topology", "hypercube:3"}, {"no_static", "true"}, {"algorithm", "wsort"}})),
                Not(Contains(column)));
  }
}

// The first algorithm has no bandwidth, and the first preset no clock.
TEST(SweepColumns, AreThoseOfEveryPoint) {
  const Columns grid{{"topology", "hypercube:3"},
                     {"preset", "ncube10,ncube2"},
                     {"algorithm", "exchange-barrier,exchange-allreduce"}};
  for (const char* column : {"bandwidth.bus", "bandwidth.gigabytes_per_second.algorithm"}) {
    EXPECT_THAT(number_columns(plan_of(grid)), Contains(column));
    require_column(plan_of(grid), column);
  }
  EXPECT_THROW(require_column(plan_of(grid), "bandwidth.of_nobody"), std::invalid_argument);
  const Columns barrier{{"topology", "hypercube:3,hypercube:4"}, {"algorithm", "exchange-barrier"}};
  EXPECT_THROW(require_column(plan_of(barrier), "bandwidth.bus"), std::invalid_argument);
}

TEST(SweepColumns, AreNoWordsAndNotThoseOfTheConfiguration) {
  for (const char* column : {"digest", "config.ts", "ts", "wall_seconds", "traffic.offered"}) {
    EXPECT_THAT(number_columns(plan_of({{"topology", "ring:4"}, {"algorithm", "separate"}})),
                Not(Contains(column)));
  }
}

TEST(SweepColumns, AreNoneOfACheckThatTasksDoNotHave) {
  const std::string path = testing::TempDir() + "sweep_columns.jsonl";
  std::ofstream(path) << R"({"node":0,"task":"a","compute":100})"
                      << "\n";
  const Columns tasks{{"topology", "ring:4"}, {"tasks", path}};
  EXPECT_THAT(number_columns(plan_of(tasks)), IsSupersetOf(columns_of(tasks)));
  EXPECT_THAT(number_columns(plan_of(tasks)), Not(Contains("static.theorem1.violations")));
}

}  // namespace
}  // namespace allport
