// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/tasks/execution.h"
#include "traffic/tasks/simgrid_datatypes.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

ApplicationTrace read_simgrid_text(const std::string& text, const TraceScale& scale = {}) {
  return simgrid_format().read({{"t.txt", text}}, scale, 4);
}

std::string simgrid_complaint(const std::string& text) {
  return complaint_of([&] { read_simgrid_text(text); });
}

// What task `i` of the graph waits for; starts are negative, counted from -1.
std::vector<int> waits_of(const TaskGraph& graph, std::uint32_t i) {
  std::vector<int> waits;
  for (const TaskDependency& one : graph.dependencies) {
    if (one.task != i) continue;
    waits.push_back(one.on_start ? -1 - static_cast<int>(one.on) : static_cast<int>(one.on));
  }
  return waits;
}

TEST(SimgridTrace, ActionsOfARankFollowEachOther) {
  const TaskGraph graph = read_simgrid_text(
                              "# a comment\n"
                              "0 init\n1 init\n"
                              "0 compute 1e3\n0 send 1 5 2e2\n"
                              "1 recv 0 5 200\n1 sleep 1e-6\n"
                              "0 finalize\n1 finalize\n",
                              {2, 4, 1})
                              .graph;
  ASSERT_EQ(graph.ranks, 2U);
  ASSERT_EQ(graph.tasks.size(), 4U);
  EXPECT_EQ(graph.tasks[0].amount, 250U);  // 1000 operations, 4 a cycle
  EXPECT_EQ(graph.tasks[1].kind, TaskKind::send);
  EXPECT_EQ(graph.tasks[1].amount, 200U);
  EXPECT_EQ(graph.tasks[1].tag, 5U);
  EXPECT_EQ(graph.tasks[2].kind, TaskKind::receive);
  EXPECT_EQ(graph.tasks[2].rank, 1U);
  EXPECT_EQ(graph.tasks[2].origin.line, 6U);
  EXPECT_EQ(graph.tasks[3].amount, 2000U);  // 1 us at 2 GHz
  EXPECT_THAT(waits_of(graph, 1), ElementsAre(0));
  EXPECT_THAT(waits_of(graph, 2), IsEmpty());
  EXPECT_THAT(waits_of(graph, 3), ElementsAre(2));
}

TEST(SimgridTrace, AReceiveMayBeLongerThanItsMessageButNotShorter) {
  const auto fault = [](const std::string& received) {
    return task_fault(read_simgrid_text("0 init 1\n1 init\n0 send 1 5 100 6\n1 recv 0 5 " +
                                        received + "\n0 finalize\n1 finalize\n")
                          .graph);
  };
  EXPECT_EQ(fault("100"), "");
  EXPECT_EQ(fault("-1"), "");    // of any length
  EXPECT_EQ(fault("13 0"), "");  // doubles
  EXPECT_EQ(
      fault("8"),
      "t.txt:4: rank 1 receives up to 8 bytes from rank 0 with tag 5, but the message sent at t.txt:3 has 100");
  EXPECT_THAT(fault("0"), HasSubstr("t.txt:4: rank 1 receives no bytes from rank 0"));
}

TEST(SimgridTrace, RequestsAreWaitedFor) {
  const TaskGraph graph = read_simgrid_text(
                              "0 init\n1 init\n"
                              "0 irecv 1 1 8\n"  // task 0
                              "0 isend 1 2 8\n"  // task 1
                              "0 test 1 0 1\n"
                              "0 compute 1\n"  // task 2
                              "0 wait 1 0 1\n"
                              "0 compute 2\n"  // task 3
                              "0 waitall\n"
                              "0 compute 3\n"  // task 4
                              "0 finalize\n"
                              "1 send 0 1 8\n1 recv 0 2 8\n1 finalize\n")
                              .graph;
  EXPECT_THAT(waits_of(graph, 1), UnorderedElementsAre(-1));  // posted before
  EXPECT_THAT(waits_of(graph, 2), UnorderedElementsAre(-2));  // a test waits for nothing
  EXPECT_THAT(waits_of(graph, 3), UnorderedElementsAre(2, 0));
  EXPECT_THAT(waits_of(graph, 4), UnorderedElementsAre(3, 1));  // 0 is done with
  EXPECT_EQ(finished_tasks(graph), graph.tasks.size());
}

TEST(SimgridTrace, RequestsOfOneKindEndInTheirOrder) {
  const TaskGraph graph =
      read_simgrid_text(
          "0 init\n0 irecv 0 1 8\n0 irecv 0 1 8\n0 wait 0 0 1\n0 compute 1\n0 wait 0 0 1\n"
          "0 wait 0 0 1\n0 compute 1\n0 finalize\n")
          .graph;
  EXPECT_THAT(waits_of(graph, 2), UnorderedElementsAre(-2, 0));
  EXPECT_THAT(waits_of(graph, 3), UnorderedElementsAre(2, 1));
}

TEST(SimgridTrace, AnExchangeSendsAndReceivesAtOnce) {
  const TaskGraph graph = read_simgrid_text(
                              "0 init\n1 init\n0 sendRecv 8 1 4 1 6 6\n1 sendRecv 4 0 8 0 6 6\n"
                              "0 compute 1\n0 finalize\n1 finalize\n")
                              .graph;
  ASSERT_EQ(graph.tasks.size(), 5U);
  EXPECT_EQ(graph.tasks[0].amount, 4U);
  EXPECT_EQ(graph.tasks[1].amount, 8U);
  EXPECT_THAT(waits_of(graph, 4), UnorderedElementsAre(1, 0));
  EXPECT_EQ(finished_tasks(graph), 5U);
}

TEST(SimgridTrace, DatatypesAreThoseOfSimgrid) {
  // init alone: bytes; init with a word: doubles; or the datatype of the action.
  const std::string rest = "1 init\n1 recv 0 0 100\n1 finalize\n0 finalize\n";
  EXPECT_EQ(read_simgrid_text("0 init\n0 send 1 0 100\n" + rest).graph.tasks[0].amount, 100U);
  EXPECT_EQ(read_simgrid_text("0 init 1\n0 send 1 0 100\n" + rest).graph.tasks[0].amount, 800U);
  EXPECT_EQ(read_simgrid_text("0 init 1\n0 send 1 0 100 1\n" + rest).graph.tasks[0].amount, 400U);
  EXPECT_EQ(simgrid_bytes("6"), 1U);
  EXPECT_EQ(simgrid_bytes("14"), 16U);
  EXPECT_EQ(simgrid_bytes("27"), 32U);
  EXPECT_EQ(simgrid_bytes("49"), 16U);
  EXPECT_EQ(simgrid_bytes("59"), 8U);
  EXPECT_EQ(simgrid_bytes("-1"), 0U);
  EXPECT_EQ(simgrid_bytes("60"), std::nullopt);
}

TEST(SimgridTrace, CollectivesHaveTheirLengths) {
  const ApplicationTrace trace = read_simgrid_text(
      "0 init\n1 init\n"
      "0 alltoallv 100 1 40 100 1 80\n1 alltoallv 100 80 1 100 40 1\n"
      "0 gatherv 3 3 5 1 1 6\n1 gatherv 5 3 5 1 1 1\n"
      "0 reducescatter 3 5 600 0\n1 reducescatter 3 5 700 0\n"
      "0 bcast 10 1 4\n1 bcast 10 1 4\n"
      "0 allgatherv 3 3 5 6 6\n1 allgatherv 5 3 5 6 6 0 3\n"
      "0 exscan 7 900\n1 exscan 7 900\n"
      "0 finalize\n1 finalize\n");
  ASSERT_EQ(trace.calls.size(), 12U);
  EXPECT_THAT(trace.calls[0].sends, ElementsAre(1, 40));
  EXPECT_THAT(trace.calls[0].receives, ElementsAre(1, 80));
  EXPECT_THAT(trace.calls[2].sends, ElementsAre(12));
  EXPECT_THAT(trace.calls[2].receives, IsEmpty());
  EXPECT_THAT(trace.calls[3].sends, ElementsAre(20));
  EXPECT_EQ(trace.calls[3].root, 1U);
  EXPECT_THAT(trace.calls[3].receives, ElementsAre(12, 20));
  EXPECT_THAT(trace.calls[4].sends, ElementsAre(24, 40));
  EXPECT_EQ(trace.graph.tasks[trace.calls[5].task].amount, 700U);
  EXPECT_THAT(trace.calls[6].sends, ElementsAre(80));
  EXPECT_THAT(trace.calls[9].receives, ElementsAre(3, 5));
  EXPECT_EQ(trace.calls[10].kind, CallKind::exscan);
}

TEST(SimgridTrace, ARankHasAFileOfItsOwn) {
  const ApplicationTrace trace = simgrid_format().read(
      {{"a", "1 init\n1 finalize\n"}, {"b", "0 init\n0 compute 1\n0 finalize\n"}}, {}, 4);
  EXPECT_EQ(trace.graph.ranks, 2U);
  EXPECT_EQ(in_words(trace.graph.tasks[0].origin, trace.graph.files), "b:2");
  EXPECT_EQ(complaint_of([] {
              simgrid_format().read({{"a", "0 init\n"}, {"b", "0 finalize\n"}}, {}, 4);
            }),
            "b:1: rank 0 has lines in a already");
}

TEST(SimgridTrace, SaysWhatIsWrongAndWhere) {
  const std::string end = "\n0 finalize\n";
  const std::pair<std::string, std::string> faults[] = {
      {"# nothing\n", "t.txt: there is no action in it"},
      {"p0 init\n", "t.txt:1: the line must begin with a rank, 0, 1, .., not 'p0'"},
      {"0\n", "t.txt:1: the line has a rank and no action"},
      {"1 init\n", "t.txt: rank 0 has no line, and rank 1 has; ranks must be 0, 1, .."},
      {"0 compute 1\n", "t.txt:1: the first action of a rank must be init"},
      {"0 init\n0 init\n", "t.txt:2: the rank has an init already"},
      {"0 init\n0 compute 1\n", "t.txt:2: rank 0 ends here without finalize, so the trace is torn"},
      {"0 init\n0 finalize\n0 compute 1\n", "t.txt:3: the rank has an action after its finalize"},
      {"0 init\n0 compute" + end, "t.txt:2: 'compute' takes 1 argument, and the line has 0"},
      {"0 init\n0 compute x" + end, "t.txt:2: a number of operations must be a number, not 'x'"},
      {"0 init\n0 compute -1" + end, "t.txt:2: a time must not be negative"},
      {"0 init\n0 send 0 1" + end, "t.txt:2: 'send' takes 3..4 arguments, and the line has 2"},
      {"0 init\n0 send 9 1 8" + end, "t.txt:2: a rank must be 0, not '9'"},
      {"0 init\n0 send -555 1 8" + end, "t.txt:2: a rank must be 0, not '-555'"},
      {"0 init\n0 send 0 1 8 99" + end, "t.txt:2: a datatype must be a number in -1..59, not '99'"},
      {"0 init\n0 wait 0 0 1" + end,
       "t.txt:2: the rank has no isend or irecv before this with that source, target and tag"},
      {"0 init\n0 bcast 1 3" + end, "t.txt:2: the root must be 0, not '3'"},
      {"0 init\n0 alltoallv 1 1 1" + end,
       "t.txt:2: 'alltoallv' takes 4..6 arguments, and the line has 3"},
      {"0 init\n0 isendd 0 0 1" + end, "t.txt:2: unknown action 'isendd': did you mean 'isend'?"},
  };
  for (const auto& [text, complaint] : faults)
    EXPECT_EQ(simgrid_complaint(text), complaint) << text;
}

}  // namespace
}  // namespace allport
