// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/tasks/chakra_attributes.h"
#include "traffic/tasks/workload_format.h"

namespace allport {
namespace {

using testing::ElementsAre;

ApplicationTrace read_json(const std::string& text) {
  return chakra_format().read({{"t.0.json", text}}, {}, 4);
}

// What the format's jsonizer writes: 64-bit numbers in quotes, and types by their names.
const std::string metadata = R"({
  "version": "0.0.4",
  "attr": [{"name": "schema", "stringVal": "1.0.1"}]
})";
const std::string nodes = R"({
  "id": "432",
  "name": "c10d::broadcast_",
  "type": "COMM_COLL_NODE",
  "ctrlDeps": ["3"],
  "startTimeMicros": "7",
  "durationMicros": "85",
  "inputs": {"values": "[\"}\"]"},
  "attr": [{"name": "is_cpu_op", "boolVal": true}, {"name": "root", "int64Val": "-1"}]
}{
  "id": "435",
  "name": "ncclKernel_Broadcast",
  "type": "COMM_COLL_NODE",
  "ctrlDeps": ["432"],
  "dataDeps": ["432"],
  "attr": [
    {"name": "is_cpu_op", "docString": "who", "boolVal": false},
    {"name": "comm_type", "int64Val": "5"},
    {"name": "comm_size", "uint64Val": "212480"},
    {"name": "pg_name", "bytesVal": "YWI="},
    {"name": "involved_dim", "boolList": {"values": [true, true]}},
    {"name": "empty_rank", "int32List": {}},
    {"name": "odd", "doubleVal": "NaN"}
  ]
})";

void expect_both(const ApplicationTrace& trace) {
  ASSERT_EQ(trace.graph.tasks.size(), 2U);
  EXPECT_EQ(trace.graph.tasks[0].kind, TaskKind::compute);
  EXPECT_EQ(trace.graph.tasks[0].amount, 85000U);
  EXPECT_EQ(trace.graph.tasks[0].cpu, 1);
  ASSERT_EQ(trace.graph.dependencies.size(), 1U);
  ASSERT_EQ(trace.calls.size(), 1U);
  EXPECT_EQ(trace.calls[0].operation, Operation::bcast);
  EXPECT_THAT(trace.calls[0].sends, ElementsAre(212480));
  EXPECT_THAT(trace.groups, ElementsAre("", "ab"));
  EXPECT_EQ(trace.left_out, 1U);
}

TEST(ChakraJson, IsReadAsTheJsonizerWritesIt) {
  for (const std::string& first : {metadata, metadata + "\n", std::string("{}"), std::string()}) {
    EXPECT_TRUE(is_chakra_json(first + nodes)) << first;
    expect_both(read_json(first + nodes));
  }
}

TEST(ChakraJson, IsReadFromAListOfNodes) {
  std::string with_comma = nodes;
  with_comma.replace(with_comma.find("}{"), 2, "},\n{");
  for (const std::string& text :
       {"[" + metadata + "," + with_comma + "]", "[" + with_comma + "]"}) {
    EXPECT_TRUE(is_chakra_json(text));
    expect_both(read_json(text));
  }
}

// What the format's feeder reads: attributes are keys of their own.
TEST(ChakraJson, IsReadAsAWorkloadGraph) {
  const std::string text = R"({"workload_graph": [
    {"Id": 432, "Name": "c10d::broadcast_", "NodeType": 7, "ctrlDeps": [3], "data_deps": [],
     "runtime": 85, "is_cpu_op": true},
    {"Id": 435, "Name": "nccl", "NodeType": 7, "data_deps": [432], "is_cpu_op": false,
     "comm_type": "BROADCAST", "comm_size": 212480, "pg_name": "ab", "comm_priority": 0,
     "involved_dim": [true, 1], "tensor_size": 1.5}]})";
  EXPECT_TRUE(is_chakra_json(text));
  expect_both(read_json(text));
}

TEST(ChakraJson, EveryTypeOfAttributeIsUnderstood) {
  const auto value_of = [](const std::string& value) {
    const TraceFile file{"t.0.json", R"({}{"attr": [{"name": "a", )" + value + "}], \"id\": 1}"};
    return *find_attribute(read_chakra_json(file).front().second, "a");
  };
  for (const char* type : {"int32", "int64", "sint32", "sint64", "sfixed32", "sfixed64"}) {
    for (const char* ending : {"Val", "_val"}) {
      const std::string key = "\"" + std::string(type) + ending + "\": ";
      EXPECT_EQ(integer_of(value_of(key + "-12")), -12) << key;
      EXPECT_EQ(integer_of(value_of(key + "\"-12\"")), -12) << key;
    }
  }
  for (const char* type : {"uint32", "uint64", "fixed32", "fixed64"}) {
    const std::string key = "\"" + std::string(type) + "Val\": ";
    EXPECT_EQ(integer_of(value_of(key + "12")), 12) << key;
    EXPECT_EQ(text_of(value_of(key + "\"18446744073709551615\"")), "18446744073709551615") << key;
  }
  EXPECT_EQ(text_of(value_of(R"("bytesVal": "/+8")")), "\xff\xef");
  EXPECT_EQ(text_of(value_of(R"("bytesVal": "MA==")")), "0");
  EXPECT_EQ(text_of(value_of(R"("bytesVal": "MA")")), "0");
  EXPECT_EQ(text_of(value_of(R"("stringVal": "12")")), "12");
  EXPECT_EQ(value_of(R"("floatVal": 1.5)").as_double(), 1.5);
}

TEST(ChakraJson, SaysWhatIsWrongAndWhere) {
  const auto about = [](const std::string& text) { return complaint_of([&] { read_json(text); }); };
  EXPECT_EQ(about(""), "t.0.json: there is nothing in it");
  EXPECT_EQ(about(metadata + nodes.substr(0, nodes.size() - 1)),
            "t.0.json: what begins in line 13: torn or malformed JSON");
  EXPECT_EQ(about("{}[1]"),
            "t.0.json: node 1: it must be an object, with an id, a type and a name");
  EXPECT_EQ(about(R"({}{"id": -1})"), "t.0.json: node 1: id must be a whole number, from 0");
  EXPECT_EQ(about(R"({}{"id": "x"})"), "t.0.json: node 1: id must be a whole number, from 0");
  EXPECT_EQ(about(R"({}{"id": 1, "type": "COMM"})"),
            "t.0.json: node 1: type must be the name or the number of a type of node");
  EXPECT_EQ(about(R"({}{"id": 1, "ctrlDeps": 4})"),
            "t.0.json: node 1: ctrlDeps must be a list of ids");
  EXPECT_EQ(
      about(R"({}{"id": 1, "attr": [{"name": "comm_size", "int64Val": "1k"}]})"),
      "t.0.json: node 1: the value of its attribute 'comm_size' is not what its key 'int64Val' says");
  // Text in place of base64, and base64 with digits that say nothing.
  for (const char* bytes : {"group0", "0", "MA=", "MB==", "MA===", "====", "M A="}) {
    EXPECT_EQ(
        about(R"({}{"id": 1, "attr": [{"name": "pg_name", "bytesVal": ")" + std::string(bytes) +
              R"("}]})"),
        "t.0.json: node 1: the value of its attribute 'pg_name' is not what its key 'bytesVal' says")
        << bytes;
  }
  EXPECT_EQ(about(R"({"workload_graph": 4})"), "t.0.json: workload_graph must be a list of nodes");
  EXPECT_EQ(about(R"({"workload_graph": [{"Id": 4, "NodeType": 7, "Name": "n"}]})"),
            "t.0.json: node 1: id 4, n: comm_type is missing");
  EXPECT_EQ(about(std::string(100, '[') + std::string(100, ']')),
            "t.0.json: what begins in line 1: lists and objects are nested more than 64 deep");
  EXPECT_EQ(
      about(R"({"schema": "1.0.2-chakra.0.0.4", "nodes": []})"),
      "t.0.json: it is what PyTorch recorded of a host or linked, and not yet a Chakra trace; chakra_trace_link and chakra_converter make one of it");
}

TEST(ChakraJson, OtherFilesAreNoTraces) {
  for (const char* text :
       {"", "{", "[", "{}", "[]", "7 init", "num_ranks 2", R"({"node":0,"compute":5})",
        "{\"node\":0,\"compute\":5}\n{\"node\":1,\"compute\":5}", R"({"task":"a","id":3})",
        R"({"name":"plan","gpus":[]})"}) {
    EXPECT_FALSE(is_chakra_json(text)) << text;
  }
}

// Every beginning of a trace is refused in one sentence, or is whole.
TEST(ChakraJson, EveryCutIsNoticedOrWhole) {
  const std::string sound = metadata + nodes;
  std::size_t whole = 0;
  for (std::size_t length = 1; length < sound.size(); ++length) {
    const std::string complaint = complaint_of([&] { read_json(sound.substr(0, length)); });
    whole += complaint == "no complaint" ? 1 : 0;
  }
  EXPECT_EQ(whole, 2U);  // after the metadata, and between the nodes
}

}  // namespace
}  // namespace allport
