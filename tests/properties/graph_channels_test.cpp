// SPDX-License-Identifier: Apache-2.0
// The channels of a graph, cycle by cycle, on routers in SystemC (docs/router.md, message classes).
// The reference model has the same case in reference_graphs_test.cpp.
#include <gtest/gtest.h>

#include <memory>

#include "rtl_model/graphs/graph_file.h"
#include "testbench/plan/plan_run.h"
#include "tests/support/class_bench.h"

namespace allport::test {
namespace {

// A flit takes two cycles from 0 to 1, and three registers are on the way from 1 to 2. Output 0 of
// node 0 is busy for both classes; A needs credits that take long to come back.
TEST(GraphChannels, HaveDelayAndWidthOfTheirLink) {
  RunRequest request;
  request.fabric.topology =
      std::make_shared<Graph>(read_graph("row.csv", "u,v,delay,width\n0,1,0,2\n1,2,3,4\n"));
  request.fabric.ports = 1;
  request.router.classes = 2;
  request.router.vcs = 2;
  request.router.buffer_depth = 2;
  const RunPlan plan = plan_fabric(request);
  ClassBench bench(Blueprint(plan.routing, plan.simulation.fabric));
  bench.plan(0, 0, 2, 0, 4);
  bench.plan(1, 0, 1, 1, 2);
  bench.plan(0, 1, 2, 0, 2);

  bench.run();

  EXPECT_EQ(bench.table.injection(0), "A0(0)@0 B0(1)@1 A1(0)@2 B1(1)@3 A2(0)@4 A3(0)@6");
  EXPECT_EQ(bench.table.injection(1), "C0(0)@0 C1(0)@1");
  EXPECT_EQ(bench.table.channel(0, 0), "A0(0)@2 B0(1)@4 A1(0)@6 B1(1)@8 A2(0)@11 A3(0)@13");
  EXPECT_EQ(bench.table.channel(1, 1), "C0(0)@4 C1(0)@5 A0(0)@12 A1(0)@14 A2(0)@20 A3(0)@22");
  EXPECT_EQ(bench.table.ejection(1), "B0(1)@5 B1(1)@10");
  EXPECT_EQ(bench.table.ejection(2), "C0(0)@5 C1(0)@6 A0(0)@13 A1(0)@15 A2(0)@21 A3(0)@23");
  EXPECT_EQ(bench.table.credits(0, 0), "1@5 0@9 1@10 0@11 0@17 0@19");
  EXPECT_EQ(bench.table.credits(1, 1), "0@8 0@9 0@16 0@18 0@24 0@26");
  EXPECT_EQ(bench.table.ejection_credits(1), "1@6 1@11");
  EXPECT_EQ(bench.table.ejection_credits(2), "0@6 0@7 0@14 0@16 0@22 0@24");
}

}  // namespace
}  // namespace allport::test
