// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/tasks/execution.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

ApplicationTrace read_goal_text(const std::string& text, const TraceScale& scale = {}) {
  return goal_format().read({{"a.goal", text}}, scale, 4);
}

std::string goal_complaint(const std::string& text) {
  return complaint_of([&] { read_goal_text(text); });
}

TEST(GoalFile, HasTheTasksOfItsRanks) {
  const TaskGraph graph = read_goal_text(
                              "num_ranks 3\n"
                              "rank 0 {\n"
                              "  l1: calc 100 cpu 2\n"
                              "\tl2: send 8b to 1 tag 7 cpu 1 nic 3\n"
                              "  l2 requires l1\n"
                              "}\n\n"
                              "rank 2 { recv 16b from -1 tag -1 }\n"
                              "rank 1 {\n"
                              "recv 8b from 0 tag 7\n"
                              "a: send 16 b to 2\n"
                              "}\n")
                              .graph;
  ASSERT_EQ(graph.ranks, 3U);
  ASSERT_EQ(graph.tasks.size(), 5U);
  const Task& calc = graph.tasks[0];
  EXPECT_EQ(calc.kind, TaskKind::compute);
  EXPECT_EQ(calc.amount, 100U);
  EXPECT_EQ(calc.cpu, 2);
  EXPECT_EQ(calc.origin.line, 3U);
  const Task& send = graph.tasks[1];
  EXPECT_EQ(send.kind, TaskKind::send);
  EXPECT_EQ(send.amount, 8U);
  EXPECT_EQ(send.peer, 1U);
  EXPECT_EQ(send.tag, 7U);
  EXPECT_EQ(send.cpu, 1);
  EXPECT_EQ(send.nic, 3);
  const Task& any = graph.tasks[2];
  EXPECT_EQ(any.kind, TaskKind::receive);
  EXPECT_EQ(any.rank, 2U);
  EXPECT_EQ(any.peer, any_rank);
  EXPECT_EQ(any.tag, any_tag);
  const Task& plain = graph.tasks[4];
  EXPECT_EQ(plain.tag, 0U);
  EXPECT_EQ(plain.nic, any_nic);
  ASSERT_EQ(graph.dependencies.size(), 1U);
  EXPECT_EQ(graph.dependencies[0].task, 1U);
  EXPECT_EQ(graph.dependencies[0].on, 0U);
  EXPECT_FALSE(graph.dependencies[0].on_start);
  EXPECT_EQ(finished_tasks(graph), 5U);
}

TEST(GoalFile, AReceiveMayBeLongerThanItsMessageButNotShorter) {
  const auto fault = [](const std::string& sent, const std::string& received) {
    return task_fault(
        read_goal_text("num_ranks 2\nrank 0 {\n" + sent + "}\nrank 1 {\n" + received + "}\n")
            .graph);
  };
  EXPECT_EQ(fault("send 8b to 1\n", "recv 16b from 0\n"), "");
  EXPECT_EQ(
      fault("send 16b to 1\n", "recv 8b from 0\n"),
      "a.goal:6: rank 1 receives up to 8 bytes from rank 0 with tag 0, but the message sent at a.goal:3 has 16");
  EXPECT_EQ(
      fault("send 1b to 1 tag 4\n", "recv 0b from -1 tag -1\n"),
      "a.goal:6: rank 1 receives no bytes from rank 0 with tag 4, but the message sent at a.goal:3 has 1");
  // Either receive may take the long message.
  EXPECT_EQ(fault("send 16b to 1\nsend 8b to 1\n", "recv 8b from -1\nrecv 16b from 0\n"), "");
}

TEST(GoalFile, DependsOnStartsAndOnLaterLabels) {
  const TaskGraph graph =
      read_goal_text(
          "num_ranks 1 rank 0 { a irequires b b requires c a: calc 1 b: calc 2 c: calc 3 }")
          .graph;
  ASSERT_EQ(graph.dependencies.size(), 2U);
  EXPECT_TRUE(graph.dependencies[0].on_start);
  EXPECT_EQ(graph.dependencies[0].task, 0U);
  EXPECT_EQ(graph.dependencies[0].on, 1U);
  EXPECT_EQ(graph.dependencies[1].on, 2U);
}

TEST(GoalFile, LabelsAreThoseOfABlock) {
  const TaskGraph graph = read_goal_text(
                              "num_ranks 2\nrank 0 {\nl: calc 1\nm: calc 2\nm requires l\n}\n"
                              "rank 1 {\nm: calc 3\nl: calc 4\nl requires m\n}\n")
                              .graph;
  ASSERT_EQ(graph.dependencies.size(), 2U);
  EXPECT_EQ(graph.dependencies[1].task, 3U);
  EXPECT_EQ(graph.dependencies[1].on, 2U);
}

TEST(GoalFile, CommentsAreNoStatements) {
  const TaskGraph graph =
      read_goal_text(
          "// a\n# b\nnum_ranks 1 /* c\nrank 7 { */\nrank 0 { // d\ncalc 1 # calc 2\n/**/ }")
          .graph;
  ASSERT_EQ(graph.tasks.size(), 1U);
  EXPECT_EQ(graph.tasks[0].origin.line, 6U);
}

TEST(GoalFile, TimesAndLengthsAreScaled) {
  const TaskGraph graph =
      read_goal_text("num_ranks 1\nrank 0 {\ncalc 1000\nsend 5b to 0\n}\n", {2.5, 1, 0.1}).graph;
  EXPECT_EQ(graph.tasks[0].amount, 250U);  // 1000 ns at 2.5 GHz, times 0.1
  EXPECT_EQ(graph.tasks[1].amount, 1U);
}

TEST(GoalFile, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string, std::string> faults[] = {
      {"", "a.goal:1: num_ranks is missing"},
      {"rank 0 {\n}\n", "a.goal:1: num_ranks must come before the first rank"},
      {"num_ranks 0\n", "a.goal:1: the number of ranks must be 1..4294967294, not 0"},
      {"num_ranks 2\nnum_ranks 2\n", "a.goal:2: num_ranks is given twice"},
      {"num_ranks 2\nrank 2 {\n}\n", "a.goal:2: a rank must be 0..1, not 2"},
      {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n",
       "a.goal:4: rank 0 has a block already, in line 2"},
      {"num_ranks 2\nrank 1 {\ncalc 1\n",
       "a.goal:4: the file ends within the block of rank 1, which begins in line 2"},
      {"num_ranks 2\nrank 1 {\nsend 8 to 0\n}",
       "a.goal:3: expected b, for bytes, after the length, found 'to'"},
      {"num_ranks 2\nrank 1 {\nsend 8b from 0\n}", "a.goal:3: expected to, found 'from'"},
      {"num_ranks 2\nrank 1 {\nsend 8b to 5\n}", "a.goal:3: a rank must be 0..1, not 5"},
      {"num_ranks 2\nrank 1 {\nsend 8b to -1\n}", "a.goal:3: a rank must be 0..1, not -1"},
      {"num_ranks 2\nrank 1 {\nsend 8b to 0 tag -1\n}",
       "a.goal:3: a tag must be 0..4294967294, not -1"},
      {"num_ranks 2\nrank 1 {\nsend 8b to 0 tag 1 tag 2\n}", "a.goal:3: 'tag' is given twice"},
      {"num_ranks 1\nrank 0 {\nl: calc 1\nl: calc 2\n}",
       "a.goal:4: label 'l' is given already, in line 3"},
      {"num_ranks 1\nrank 0 {\nl: calc 1\nm requires l\n}",
       "a.goal:4: rank 0 has no task with the label 'm'"},
      {"num_ranks 1\nrank 0 {\nl: calc 99999999999999\n}",
       "a.goal:3: it takes more than 1000000000000 cycles"},
      {"num_ranks 1\nrank 0 {\nl calc 1\n}",
       "a.goal:3: expected :, requires or irequires, found 'calc'"},
      {"num_ranks 1\nrank 0 {\ncalc 1 cpu 256\n}", "a.goal:3: a cpu must be 0..255, not 256"},
      {"num_ranks 1\n/* rank 0 {\n", "a.goal:2: the comment that begins here has no end"},
      {"ranks 1\n", "a.goal:1: expected num_ranks or rank, found 'ranks'"},
  };
  for (const auto& [text, complaint] : faults) EXPECT_EQ(goal_complaint(text), complaint) << text;
}

}  // namespace
}  // namespace allport
