// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/tasks/task_check.h"

namespace allport {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TaskGraph read_task_text(const std::string& text) {
  std::istringstream in(text);
  return read_tasks(in, "f.jsonl", 4).graph;
}

std::string task_complaint(const std::string& text) {
  return complaint_of([&] {
    const TaskGraph graph = read_task_text(text);
    if (std::string fault = task_fault(graph); !fault.empty()) throw std::invalid_argument(fault);
  });
}

TEST(TaskFile, ReadsEveryKey) {
  const TaskGraph graph = read_task_text(
      "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0,\"tag\":7,\"cpu\":2}\n"
      "\n"
      "{\"node\":0,\"task\":\"s\",\"send\":true,\"to\":1,\"flits\":3,\"tag\":7,\"nic\":1,\"class\":3,\"after\":[\"c\"],\"after_start\":[\"c\"],\"at\":5}\n"
      "{\"node\":0,\"task\":\"c\",\"compute\":100}\n");
  EXPECT_EQ(graph.ranks, 2U);
  ASSERT_EQ(graph.tasks.size(), 3U);
  EXPECT_EQ(graph.tasks[0].kind, TaskKind::receive);
  EXPECT_EQ(graph.tasks[0].cpu, 2);
  EXPECT_EQ(graph.tasks[1].amount, 12U);  // three flits of four bytes
  EXPECT_EQ(graph.tasks[1].nic, 1);
  EXPECT_EQ(graph.tasks[1].message_class, 3);
  EXPECT_EQ(graph.tasks[0].message_class, 0);
  EXPECT_EQ(graph.tasks[1].at, 5);
  EXPECT_EQ(graph.tasks[1].origin.line, 3U);
  EXPECT_EQ(graph.tasks[2].amount, 100U);
  ASSERT_EQ(graph.dependencies.size(), 2U);
  EXPECT_EQ(graph.dependencies[0].task, 1U);
  EXPECT_EQ(graph.dependencies[0].on, 2U);
  EXPECT_EQ(task_fault(graph), "");
}

TEST(TaskFile, DefaultsOfTags) {
  const TaskGraph graph = read_task_text(
      "{\"node\":0,\"send\":true,\"to\":1,\"bytes\":0}\n"
      "{\"node\":1,\"receive\":true}\n");
  EXPECT_EQ(graph.tasks[0].tag, 0U);
  EXPECT_EQ(graph.tasks[1].tag, any_tag);
  EXPECT_EQ(graph.tasks[1].peer, any_rank);
}

TEST(TaskFile, RefusesWithFileAndLine) {
  const std::string sound = "{\"node\":0,\"task\":\"a\",\"compute\":1}\n";
  const auto about = [&](const std::string& line) { return task_complaint(sound + line + "\n"); };
  EXPECT_THAT(about("{\"node\":0,\"compute\":1"), StartsWith("f.jsonl:2: torn"));
  EXPECT_THAT(about("{\"node\":0,\"compute\":-1}"), StartsWith("f.jsonl:2: compute must be"));
  EXPECT_THAT(about("{\"node\":0,\"compute\":1,\"taks\":\"b\"}"),
              StartsWith("f.jsonl:2: unknown key 'taks'"));
  EXPECT_THAT(about("{\"node\":0,\"task\":\"a\",\"compute\":1}"),
              HasSubstr("has a task 'a' already, in line 1"));
  EXPECT_THAT(about("{\"node\":1,\"compute\":1,\"after\":[\"a\"]}"),
              StartsWith("f.jsonl:2: node 1 has no task 'a'"));
  EXPECT_THAT(about("{\"node\":0}"),
              HasSubstr("give one of compute, send, receive and collective"));
  EXPECT_THAT(about("{\"node\":0,\"send\":true,\"to\":0}"),
              HasSubstr("a send has either flits or bytes"));
  EXPECT_THAT(about("{\"node\":0,\"compute\":1,\"to\":1}"), HasSubstr("to is for a send"));
  EXPECT_THAT(about("{\"node\":1,\"receive\":true,\"class\":1}"), HasSubstr("class is for a send"));
  EXPECT_THAT(about("{\"node\":0,\"send\":true,\"to\":0,\"flits\":1,\"class\":8}"),
              HasSubstr("class must be an integer in 0..7, not 8"));
  EXPECT_THAT(about("{\"node\":0,\"send\":true,\"to\":3,\"flits\":1}"),
              StartsWith("f.jsonl:2: it sends to rank 3, which has no tasks"));
  EXPECT_THAT(task_complaint(""), HasSubstr("it has no tasks"));
}

TEST(TaskCheck, NamesACircleOfDependencies) {
  EXPECT_EQ(task_complaint("{\"node\":0,\"task\":\"a\",\"compute\":1,\"after\":[\"b\"]}\n"
                           "{\"node\":0,\"task\":\"b\",\"compute\":1,\"after_start\":[\"a\"]}\n"),
            "f.jsonl:1: the task waits for itself, by way of f.jsonl:2");
}

TEST(TaskCheck, NamesReceivesAndMessagesThatAreLeft) {
  const std::string send = "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2}\n";
  const std::string receive = "{\"node\":1,\"receive\":true,\"from\":0,\"tag\":2}\n";
  const std::string any = "{\"node\":1,\"receive\":true}\n";
  EXPECT_EQ(task_complaint(send + receive), "no complaint");
  EXPECT_EQ(task_complaint(send + any), "no complaint");
  EXPECT_THAT(task_complaint(send + receive + receive),
              StartsWith("f.jsonl:3: rank 1 receives 2 messages from rank 0 with tag 2, but 1"));
  EXPECT_THAT(task_complaint(send + send + receive),
              StartsWith("f.jsonl:2: rank 0 sends rank 1 2 messages with tag 2"));
  EXPECT_THAT(task_complaint(send + any + any), StartsWith("f.jsonl:3: rank 1 receives 2"));
}

}  // namespace
// Only a program can leave the tag out: files have 0 then.
TEST(TaskGraphs, HaveATagInEachSend) {
  TaskGraph graph;
  graph.ranks = 2;
  graph.tasks.resize(1);
  graph.tasks.front().kind = TaskKind::send;
  graph.tasks.front().peer = 1;
  EXPECT_THAT(task_fault(graph),
              HasSubstr("it sends without a tag, which receives of any tag alone do"));
  graph.tasks.front().tag = 0;
  EXPECT_THAT(task_fault(graph), testing::Not(HasSubstr("without a tag")));
}

}  // namespace allport
