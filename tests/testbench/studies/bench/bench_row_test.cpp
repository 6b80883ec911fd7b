// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/bench_row.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "testbench/studies/bench/bench_case.h"
#include "testbench/studies/bench/instruction_count.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using testing::HasSubstr;
using testing::Not;

// A measurement of 100 cycles of 4 nodes and 50 flit hops in 2 microseconds.
BenchMeasurement measured(const char* model) {
  BenchMeasurement one;
  one.case_name = "case";
  one.model = model;
  one.nodes = 4;
  one.cycles = 100;
  one.messages = 10;
  one.flit_hops = 50;
  one.digest = "d";
  one.wall_seconds = 2e-6;
  return one;
}

TEST(BenchRow, DividesTimeAndInstructionsByWhatWasMoved) {
  BenchMeasurement one = measured("systemc");
  one.instructions = 8000;

  const Json row = bench_row(one, Json::array());

  EXPECT_NEAR(row["cycles_per_second"].get<double>(), 5e7, 1);
  EXPECT_NEAR(row["messages_per_second"].get<double>(), 5e6, 1);
  EXPECT_NEAR(row["ns_per_router_cycle"].get<double>(), 5, 1e-9);
  EXPECT_NEAR(row["ns_per_flit_hop"].get<double>(), 40, 1e-9);
  EXPECT_DOUBLE_EQ(row["instructions_per_router_cycle"].get<double>(), 20);
  EXPECT_DOUBLE_EQ(row["instructions_per_flit_hop"].get<double>(), 160);
}

TEST(BenchRow, HasNoInstructionsWhereNoneWereCounted) {
  const Json row = bench_row(measured("systemc"), Json::array());

  EXPECT_FALSE(row.contains("instructions_per_flit_hop"));
  EXPECT_THAT(bench_table(Json::array({row})), Not(HasSubstr("instr")));
}

TEST(BenchRow, TakesTheFlitHopsOfAModelThatCountsThem) {
  const Json rows = Json::array({bench_row(measured("systemc"), Json::array())});
  BenchMeasurement other = measured("rtl-fabric");
  other.flit_hops = 0;
  other.wall_seconds = 6e-6;

  const Json row = bench_row(other, rows);

  EXPECT_EQ(row["flit_hops"], 50);
  EXPECT_NEAR(row["ns_per_flit_hop"].get<double>(), 120, 1e-9);
}

TEST(BenchRow, RefusesAModelThatCameToAnotherDigest) {
  const Json rows = Json::array({bench_row(measured("systemc"), Json::array())});
  BenchMeasurement other = measured("rtl");
  other.digest = "e";

  EXPECT_THROW(bench_row(other, rows), std::runtime_error);
  other.case_name = "another case";
  EXPECT_NO_THROW(bench_row(other, rows));
}

TEST(BenchTable, SetsTheSpeedOfSystemcBesideTheOthers) {
  Json rows = Json::array({bench_row(measured("systemc"), Json::array())});
  BenchMeasurement slow = measured("rtl");
  slow.wall_seconds = 7e-6;
  rows.push_back(bench_row(slow, rows));

  EXPECT_THAT(bench_table(rows), HasSubstr(" 3.5 "));
}

TEST(BenchCases, AreRunsThatCanBePlanned) {
  for (const BenchCase& one : bench_cases()) {
    const RunPlan plan = plan_case(one, 0);
    EXPECT_EQ(plan.traffic() != nullptr, one.is_pattern()) << one.name;
  }
}

TEST(BenchCases, TakeOtherCyclesWherePatternsAreConcerned) {
  const RunPlan plan = plan_case(bench_cases().front(), 77);

  EXPECT_EQ(plan.traffic()->cycles, 77);
  EXPECT_EQ(plan_case(bench_cases().front(), 0).traffic()->cycles, 500'000);
}

// `allport bench --instructions` runs one case by its name.
TEST(BenchCases, HaveNamesThatAreNotPartsOfOneAnother) {
  for (const BenchCase& one : bench_cases()) {
    for (const BenchCase& other : bench_cases()) {
      EXPECT_EQ(one.name.find(other.name) != std::string::npos, &one == &other);
    }
  }
}

TEST(InstructionCount, SumsTheTotalsOfCallgrind) {
  EXPECT_EQ(callgrind_total("events: Ir\nfn=(1) main\n0 5\n\ntotals: 1200\n"), 1200U);
  EXPECT_EQ(callgrind_total("totals: 0\n"), 0U);
  EXPECT_EQ(callgrind_total(""), 0U);
}

}  // namespace
}  // namespace allport
