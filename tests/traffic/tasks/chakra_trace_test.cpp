// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/tasks/execution.h"
#include "tests/traffic/tasks/wire.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

using testing::ElementsAre;

std::string chakra(std::initializer_list<std::string> nodes) {
  std::string text = delimited(wire_text(1, "0.0.4"));
  for (const std::string& node : nodes) text += delimited(node);
  return text;
}

std::string message(int id, int type, const char* peer, int rank, int bytes, int after = -1) {
  return wire_number(1, id) + wire_text(2, "n") + wire_number(3, type) +
         (after < 0 ? "" : wire_text(5, varint(after))) + attribute("comm_size", 9, bytes) +
         attribute(peer, 7, rank) + attribute("comm_tag", 7, 4);
}
std::string send(int id, int to, int bytes, int after = -1) {
  return message(id, 5, "comm_dst", to, bytes, after);
}
std::string receive(int id, int from, int bytes, int after = -1) {
  return message(id, 6, "comm_src", from, bytes, after);
}
std::string collective(int id, int type, int bytes, const std::string& group = "") {
  return wire_number(1, id) + wire_number(3, 7) + attribute("comm_type", 9, type) +
         attribute("comm_size", 9, bytes) +
         (group.empty() ? "" : wire_text(10, wire_text(1, "pg_name") + wire_text(29, group)));
}

ApplicationTrace read(const std::vector<std::string>& texts, const TraceScale& scale = {}) {
  std::vector<TraceFile> files;
  for (const std::string& text : texts) {
    files.push_back({"t." + std::to_string(files.size()) + ".et", text});
  }
  return chakra_format().read(files, scale, 4);
}

TEST(ChakraTrace, HasTheNodesOfItsFiles) {
  const std::string compute = wire_number(1, 2) + wire_number(3, 4) + wire_number(7, 3) +
                              wire_text(4, varint(1) + varint(0));
  const TaskGraph graph = read({chakra({send(0, 1, 100), receive(1, 1, 50, 0), compute}),
                                chakra({receive(7, 0, 100), send(3, 0, 50, 7)})},
                               {2, 1, 1})
                              .graph;
  ASSERT_EQ(graph.ranks, 2U);
  ASSERT_EQ(graph.tasks.size(), 5U);
  EXPECT_EQ(graph.tasks[0].kind, TaskKind::send);
  EXPECT_EQ(graph.tasks[0].peer, 1U);
  EXPECT_EQ(graph.tasks[0].tag, 4U);
  EXPECT_EQ(graph.tasks[0].amount, 100U);
  EXPECT_EQ(graph.tasks[2].kind, TaskKind::compute);
  EXPECT_EQ(graph.tasks[2].amount, 6000U);         // 3 us at 2 GHz
  EXPECT_EQ(graph.tasks[3].kind, TaskKind::send);  // id 3 before id 7
  EXPECT_EQ(graph.tasks[3].rank, 1U);
  EXPECT_EQ(graph.tasks[3].origin.line, 2U);
  EXPECT_EQ(graph.dependencies.size(), 4U);
  EXPECT_EQ(finished_tasks(graph), 5U);
}

TEST(ChakraTrace, OperationsCountWithoutATime) {
  const std::string compute = wire_number(1, 0) + wire_number(3, 4) + attribute("num_ops", 9, 1000);
  const std::string on_host = compute + attribute("is_cpu_op", 27, 1);
  EXPECT_EQ(read({chakra({compute})}, {1, 4, 1}).graph.tasks[0].amount, 250U);
  EXPECT_EQ(read({chakra({compute})}).graph.tasks[0].cpu, 0);
  EXPECT_EQ(read({chakra({on_host})}).graph.tasks[0].cpu, 1);
}

TEST(ChakraTrace, CollectivesAreCutAmongTheirGroup) {
  const auto file = [](const std::string& group) {
    return chakra({collective(0, 0, 1000), collective(1, 6, 7, group), collective(2, 2, 7)});
  };
  const ApplicationTrace trace = read({file("a"), file("b"), file("a"), file("b")});
  EXPECT_THAT(trace.groups, ElementsAre("", "a", "b"));
  EXPECT_EQ(trace.calls[0].operation, Operation::allreduce);
  EXPECT_THAT(trace.calls[0].sends, ElementsAre(1000));
  EXPECT_EQ(trace.calls[4].group, 2U);
  EXPECT_THAT(trace.calls[4].sends, ElementsAre(4, 3));
  EXPECT_THAT(trace.calls[5].sends, ElementsAre(7));
}

// The name of a group is a text in one trace and a number in another.
TEST(ChakraTrace, GroupsHaveNamesOfAnyType) {
  const auto group_of = [](const std::string& value) {
    const std::string name = wire_text(10, wire_text(1, "pg_name") + value);
    const std::string call = collective(0, 0, 1000);
    return read({chakra({call + name})}).groups.back();
  };
  EXPECT_EQ(group_of(wire_text(29, "a")), "a");
  EXPECT_EQ(group_of(wire_text(31, "a")), "a");
  for (const int field : {7, 9, 11, 13}) EXPECT_EQ(group_of(wire_number(field, 12)), "12");
  for (const int field : {15, 17}) EXPECT_EQ(group_of(wire_number(field, 24)), "12");
  EXPECT_EQ(group_of(wire_number(13, ~std::uint64_t{0})), "18446744073709551615");
  EXPECT_EQ(group_of(wire_number(9, ~std::uint64_t{0})), "-1");
  const auto fault_of = [&](const std::string& value) {
    return complaint_of([&] { group_of(value); });
  };
  for (const std::string& value :
       {wire_number(27, 1), wire_text(28, wire_text(1, "\1")), wire_text(30, "")}) {
    EXPECT_EQ(fault_of(value), "t.0.et: node 1: id 0: pg_name must be a text or a whole number");
  }
}

TEST(ChakraTrace, WhatSaysWhoTakesPartIsCarriedOutOrRefused) {
  const auto about = [](const std::string& node, const std::string& name,
                        const std::string& value) {
    return complaint_of(
        [&] { read({chakra({node + wire_text(10, wire_text(1, name) + value)})}); });
  };
  const std::string call = collective(0, 0, 1000);
  const std::string alone = send(0, 0, 1);
  for (const char* name : {"comm_group", "commGroup", "group_ranks", "comm_dst", "comm_src", "root",
                           "dims", "algorithm", "in_split_sizes", "pg_size", "global_rank_start",
                           "process_ids", "processes", "gpus"}) {
    EXPECT_EQ(about(call, name, wire_number(9, 3)),
              std::string("t.0.et: node 1: id 0: its attribute '") + name +
                  "' says who takes part or how, and is not carried out");
    EXPECT_EQ(about(call, name, wire_text(29, "")), "no complaint");
  }
  EXPECT_EQ(
      about(alone, "dst_rank", wire_number(9, 1)),
      "t.0.et: node 1: id 0, n: its attribute 'dst_rank' says who takes part or how, and is not carried out");
  for (const char* name :
       {"comm_priority", "op_schema", "stream", "pg_desc", "fw_tid", "pg_name"}) {
    EXPECT_EQ(about(call, name, wire_number(9, 3)), "no complaint") << name;
    EXPECT_EQ(about(alone, name, wire_number(9, 3)), "no complaint") << name;
  }
  for (const int list : {8, 10, 12, 14, 28}) {
    EXPECT_EQ(about(call, "involved_dim", wire_text(list, wire_text(1, "\1\1"))), "no complaint");
    EXPECT_EQ(
        about(call, "involved_dim", wire_text(list, wire_text(1, std::string("\1\0", 2)))),
        "t.0.et: node 1: id 0: involved_dim leaves dimension 1 out, but a collective is among all ranks, or those that name the same pg_name");
  }
  EXPECT_EQ(
      about(call, "involved_dim", wire_text(29, "all")),
      "t.0.et: node 1: id 0: involved_dim must be a list of truth values, one for each dimension");
  EXPECT_EQ(about(call, "comm_size", wire_number(9, 3)),
            "t.0.et: node 1: id 0: it has the attribute 'comm_size' twice");
}

// A recorder notes a collective twice: what the host does to start it, and what is moved.
TEST(ChakraTrace, TheHalfOfAHostIsComputation) {
  const std::string on_host = attribute("is_cpu_op", 27, 1);
  for (const int type : {5, 6, 7}) {
    const std::string half = wire_number(1, 3) + wire_number(3, type) + wire_number(7, 85);
    const ApplicationTrace trace = read({chakra({half + on_host})});
    EXPECT_TRUE(trace.calls.empty());
    EXPECT_EQ(trace.graph.tasks[0].kind, TaskKind::compute);
    EXPECT_EQ(trace.graph.tasks[0].amount, 85000U);
    EXPECT_EQ(trace.graph.tasks[0].cpu, 1);
    // Its attributes say nothing of who takes part in what is moved.
    EXPECT_EQ(read({chakra({half + on_host + attribute("root", 9, 1)})}).calls.size(), 0U);
    const std::string on_device = half + attribute("is_cpu_op", 27, 0);
    EXPECT_THAT(complaint_of([&] { read({chakra({on_device})}); }),
                testing::EndsWith(type == 5   ? "comm_dst is missing"
                                  : type == 6 ? "comm_src is missing"
                                              : "comm_type is missing"));
  }
  EXPECT_EQ(read({chakra({collective(0, 0, 8) + on_host})}).calls.size(), 1U);
}

TEST(ChakraTrace, ARootThatIsNotNamedIsTheFirstOfItsGroup) {
  const auto file = [](const std::string& group) {
    return chakra({collective(0, 5, 8), collective(1, 5, 8, group), collective(2, 4, 9, group)});
  };
  const ApplicationTrace trace = read({file("a"), file("b"), file("b")});
  std::vector<std::uint32_t> roots;
  for (const CollectiveCall& call : trace.calls) roots.push_back(call.root);
  EXPECT_THAT(roots, ElementsAre(0, 0, 0, 0, 1, 1, 0, 1, 1));
  EXPECT_THAT(trace.calls[2].sends, ElementsAre(9));  // alone
  EXPECT_THAT(trace.calls[5].sends, ElementsAre(5, 4));
  EXPECT_THAT(trace.calls[8].sends, ElementsAre());
}

TEST(ChakraTrace, SaysWhatIsWrongAndWhere) {
  const std::string sound = chakra({send(0, 0, 1)});
  const auto about = [](const std::string& text) { return complaint_of([&] { read({text}); }); };
  EXPECT_EQ(about(""), "t.0.et: it does not begin with the whole metadata of a Chakra trace");
  EXPECT_EQ(about(sound.substr(0, sound.size() - 3)),
            "t.0.et: node 1: it is torn, or no node of a Chakra trace");
  EXPECT_EQ(about(chakra({send(0, 5, 1)})),
            "t.0.et: node 1: id 0, n: comm_dst must be an integer in 0..0, not 5");
  EXPECT_EQ(about(chakra({wire_number(1, 4) + wire_number(3, 5)})),
            "t.0.et: node 1: id 4: comm_dst is missing");
  EXPECT_EQ(about(chakra({send(0, 0, 1), send(0, 0, 1)})),
            "t.0.et: node 2: id 0, n: another node has this id");
  EXPECT_EQ(about(chakra({send(0, 0, 1, 9)})),
            "t.0.et: node 1: id 0, n: it needs data of the id 9, which no node of the file has");
  EXPECT_EQ(about(chakra({wire_number(1, 4)})),
            "t.0.et: node 1: id 4: its type is 0, and must be 1..7");
  EXPECT_EQ(about(chakra({collective(0, 10, 1)})),
            "t.0.et: node 1: id 0: comm_type must be an integer in 0..9, not 10");
}

// Protocol Buffers would complain of it on stderr.
TEST(ChakraTrace, ANameMayBeAnyBytes) {
  testing::internal::CaptureStderr();
  const std::string node = wire_number(1, 0) + wire_text(2, "\xff\xfe") + wire_number(3, 4);
  EXPECT_EQ(read({chakra({node})}).graph.tasks.size(), 1U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ChakraTrace, EveryCutIsNoticedOrWhole) {
  const std::string sound = chakra({send(0, 0, 300), receive(1, 0, 300)});
  std::size_t whole = 0;
  for (std::size_t length = 0; length < sound.size(); ++length) {
    const std::string complaint = complaint_of([&] { read({sound.substr(0, length)}); });
    whole += complaint == "no complaint" ? 1 : 0;
  }
  EXPECT_EQ(whole, 2U);  // after the metadata, and between the nodes
}

}  // namespace
}  // namespace allport
