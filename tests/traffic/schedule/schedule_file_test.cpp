// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

Schedule read(const std::string& text, const std::string& shape = "torus:4x4") {
  std::istringstream in(text);
  return read_schedule(in, "plan.jsonl", *parse_topology(shape));
}

std::string written(const Schedule& schedule, const std::string& shape = "torus:4x4") {
  std::ostringstream out;
  write_schedule(out, schedule, *parse_topology(shape));
  return out.str();
}

std::string complaint_about(const std::string& text, const std::string& shape = "torus:4x4") {
  return complaint_of([&] { read(text, shape); });
}

const std::string sound = "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n";

TEST(ScheduleFile, ReadsWhatItWrites) {
  for (const char* shape : {"torus:2x2", "torus:8x8"}) {
    const Routing torus = routing_on(shape);
    const Schedule schedule = planned("dcf", torus, broadcast(torus.topology(), node_id(3)));
    const std::string text = written(schedule, shape);
    EXPECT_EQ(written(read(text, shape), shape), text);
    EXPECT_EQ(printed(read(text, shape)), printed(schedule));
  }
  const Routing cube = routing_on("hypercube:5");
  const Schedule schedule = planned("wsort", cube, broadcast(cube.topology(), node_id(3)));
  EXPECT_EQ(printed(read(written(schedule, "hypercube:5"), "hypercube:5")), printed(schedule));
}

TEST(ScheduleFile, WritesOneUnicastALine) {
  const Routing torus = routing_on("torus:2x2");

  EXPECT_EQ(written(planned("dcf", torus, broadcast(torus.topology(), node_id(0))), "torus:2x2"),
            "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n"
            "{\"u\":0,\"v\":2,\"step\":1,\"order\":1}\n"
            "{\"u\":0,\"v\":3,\"step\":1,\"order\":2,\"dx\":-1,\"dy\":1}\n");
}

TEST(ScheduleFile, WritesDisplacementsAndKinds) {
  Schedule schedule;
  schedule.unicasts = {{node_id(0), node_id(2), 1, 0, MessageKind::deposit, {-2}},
                       {node_id(0), node_id(0), 2, 1, MessageKind::tree, {}}};
  const std::string text =
      "{\"u\":0,\"v\":2,\"step\":1,\"order\":0,\"displacement\":[-2],\"kind\":\"deposit\"}\n"
      "{\"u\":0,\"v\":null,\"step\":2,\"order\":1,\"kind\":\"tree\"}\n";

  EXPECT_EQ(written(schedule, "ring:4"), text);
  EXPECT_EQ(written(read(text, "ring:4"), "ring:4"), text);
}

TEST(ScheduleFile, ReadsBothFormsOfADisplacementOnTwoDimensions) {
  const Schedule schedule = read(
      "{\"u\":0,\"v\":2,\"step\":1,\"order\":0,\"dx\":-2,\"dy\":0}\n"
      "{\"u\":0,\"v\":8,\"step\":1,\"order\":1,\"displacement\":[0,-2]}\n");

  EXPECT_THAT(schedule.unicasts.at(0).displacement, ElementsAre(-2, 0));
  EXPECT_THAT(schedule.unicasts.at(1).displacement, ElementsAre(0, -2));
}

TEST(ScheduleFile, ReadsTreesWithoutADestination) {
  const Schedule schedule = read(
      "{\"u\":5,\"step\":1,\"order\":0,\"kind\":\"tree\"}\n"
      "{\"u\":5,\"v\":null,\"step\":2,\"order\":1,\"kind\":\"tree\"}\n",
      "hypercube:3");

  EXPECT_EQ(schedule.unicasts.size(), 2U);
  EXPECT_EQ(schedule.unicasts[0].kind, MessageKind::tree);
}

TEST(ScheduleFile, SortsLinesAndSkipsBlankOnes) {
  const Schedule schedule = read("\n{\"step\":2,\"u\":1,\"v\":3,\"order\":0}\r\n \t\n" + sound +
                                 "{\"u\":0,\"v\":2,\"step\":1,\"order\":1}");

  EXPECT_EQ(printed(schedule), "(0,1,1) (0,2,1) (1,3,2)");
}

TEST(ScheduleFile, ReadsNodesThatTheFabricDoesNotHave) {
  EXPECT_EQ(printed(read("{\"u\":4294967295,\"v\":99,\"step\":2147483647,\"order\":0}")),
            "(4294967295,99,2147483647)");
}

TEST(ScheduleFileErrors, NameTheLineThatIsTornOrNoJson) {
  EXPECT_EQ(complaint_about(sound + "{\"u\":0,\"v\":1,\"st"),
            "plan.jsonl:2: torn or malformed JSON at column 17: expected a key in double quotes");
  EXPECT_THAT(complaint_about("{\"u\":0,\"v\":1,\"step\":1,\"order\":0"),
              StartsWith("plan.jsonl:1: torn or malformed JSON at column"));
  EXPECT_THAT(complaint_about("garbage"), StartsWith("plan.jsonl:1: torn or malformed JSON"));
  EXPECT_THAT(complaint_about("{\"u\":0}{\"u\":1}"),
              StartsWith("plan.jsonl:1: torn or malformed JSON"));
  EXPECT_THAT(complaint_about(std::string("\0\xff{\"u\"", 6)),
              StartsWith("plan.jsonl:1: torn or malformed JSON"));
}

// Deep enough to overflow a stack wherever a value is printed by recursion.
TEST(ScheduleFileErrors, NameTheLineThatIsTooDeep) {
  const std::string too_deep = "plan.jsonl:2: lists and objects are nested more than 8 deep";
  for (const char* key : {"u", "via", "blocks", "no_key"}) {
    const std::string begin = sound + "{\"" + key + "\":";
    EXPECT_EQ(complaint_about(begin + std::string(100000, '[') + std::string(100000, ']') + "}"),
              too_deep);
  }
  EXPECT_EQ(complaint_about(sound + std::string(100000, '[')), too_deep);
  EXPECT_EQ(complaint_about(sound + "{\"u\":[[[[[[[]]]]]]]}"),
            "plan.jsonl:2: u must be an integer in 0..4294967295, not [[[[[[[]]]]]]]");
}

TEST(ScheduleFileErrors, NameTheLineWhoseNumberIsTooLarge) {
  EXPECT_EQ(complaint_about(sound + R"({"u":0,"v":7,"step":1e999,"order":0})"),
            "plan.jsonl:2: a number is beyond the range of a double, which ends at 1.8e308");
}

TEST(ScheduleFileErrors, NameALineThatIsNotAnObject) {
  for (const char* text : {"[1,2]", "7", "null", "\"u\""}) {
    EXPECT_THAT(complaint_about(text), StartsWith("plan.jsonl:1: expected an object like {"))
        << text;
  }
}

TEST(ScheduleFileErrors, NameAMissingAnUnknownOrARepeatedKey) {
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":1,\"step\":1}"),
            "plan.jsonl:1: key 'order' is missing");
  EXPECT_EQ(complaint_about("{\"u\":0,\"step\":1,\"order\":0}"),
            "plan.jsonl:1: key 'v' is missing");
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":1,\"stepp\":1,\"order\":0}"),
            "plan.jsonl:1: unknown key 'stepp': did you mean 'step'?");
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":1,\"u\":2,\"step\":1,\"order\":0}"),
            "plan.jsonl:1: key 'u' is given twice");
}

TEST(ScheduleFileErrors, NameAValueOfTheWrongTypeOrRange) {
  const auto with_step = [](const std::string& step) {
    return complaint_about("{\"u\":0,\"v\":1,\"step\":" + step + ",\"order\":0}");
  };
  const std::string range = "plan.jsonl:1: step must be an integer in 1..2147483647, not ";

  for (const char* step : {"0", "-1", "1.5", "1.0", "\"1\"", "null", "true", "[1]", "2147483648",
                           "99999999999999999999", "1e3"}) {
    EXPECT_THAT(with_step(step), StartsWith(range)) << step;
  }
  EXPECT_EQ(with_step("\"one\""), range + "\"one\"");
  EXPECT_EQ(complaint_about("{\"u\":-1,\"v\":1,\"step\":1,\"order\":0}"),
            "plan.jsonl:1: u must be an integer in 0..4294967295, not -1");
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":4294967296,\"step\":1,\"order\":0}"),
            "plan.jsonl:1: v must be an integer in 0..4294967295, not 4294967296");
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":null,\"step\":1,\"order\":0}"),
            "plan.jsonl:1: v must be an integer in 0..4294967295, not null");
  EXPECT_EQ(complaint_about("{\"u\":0,\"v\":1,\"step\":1,\"order\":-2}"),
            "plan.jsonl:1: order must be an integer in 0..2147483647, not -2");
  EXPECT_EQ(complaint_about(R"({"u":0,"v":1,"step":1,"order":0,"class":8})"),
            "plan.jsonl:1: class must be an integer in 0..7, not 8");
  EXPECT_EQ(complaint_about(R"({"u":0,"v":1,"step":1,"order":0,"class":0})"),
            "plan.jsonl:1: flits, at and class are for runs, not for checks of a collective");
}

TEST(ScheduleFileErrors, NameADisplacementThatDoesNotFitTheFabric) {
  const auto with = [](const std::string& more, const std::string& shape) {
    return complaint_about("{\"u\":0,\"v\":1,\"step\":1,\"order\":0," + more + "}", shape);
  };

  EXPECT_EQ(with("\"dx\":1", "torus:4x4"), "plan.jsonl:1: key 'dy' is missing");
  EXPECT_EQ(with("\"dy\":1", "torus:4x4"), "plan.jsonl:1: key 'dx' is missing");
  EXPECT_EQ(with("\"dx\":1,\"dy\":0", "torus:4x4x4"),
            "plan.jsonl:1: dx and dy are for two dimensions; give displacement, a list of 3");
  EXPECT_EQ(with("\"dx\":1,\"dy\":0,\"displacement\":[1,0]", "torus:4x4"),
            "plan.jsonl:1: give dx and dy or displacement, not both");
  EXPECT_EQ(with("\"displacement\":[1]", "torus:4x4"),
            "plan.jsonl:1: displacement must be a list of 2 integers");
  EXPECT_EQ(with("\"displacement\":1", "ring:4"),
            "plan.jsonl:1: displacement must be a list of 1 integers");
  EXPECT_EQ(with("\"displacement\":[0.5]", "ring:4"),
            "plan.jsonl:1: displacement must be an integer in -2147483647..2147483647, not 0.5");
}

TEST(ScheduleFile, ReadsAndWritesPathsAndListsOfDestinations) {
  const std::string text =
      "{\"u\":0,\"v\":6,\"step\":1,\"order\":0,\"kind\":\"multidestination\",\"via\":[1,5]}\n"
      "{\"u\":0,\"v\":null,\"step\":2,\"order\":1,\"kind\":\"path\"}\n";
  const Schedule schedule = read(text, "hypercube:3");

  EXPECT_THAT(schedule.unicasts.at(0).via, ElementsAre(node_id(1), node_id(5)));
  EXPECT_EQ(schedule.unicasts.at(1).kind, MessageKind::path);
  EXPECT_EQ(written(schedule, "hypercube:3"), text);
}

TEST(ScheduleFile, ReadsAndWritesLabelWorms) {
  const std::string text =
      "{\"u\":6,\"v\":13,\"step\":1,\"order\":0,\"kind\":\"label\",\"via\":[5,8],\"first_dimension\":0}\n"
      "{\"u\":6,\"v\":11,\"step\":1,\"order\":1,\"kind\":\"label\"}\n";
  const Schedule schedule = read(text, "mesh:4x4");

  EXPECT_EQ(schedule.unicasts.at(0).first_dimension, 0);
  EXPECT_EQ(schedule.unicasts.at(1).first_dimension, -1);
  EXPECT_EQ(written(schedule, "mesh:4x4"), text);
  EXPECT_EQ(
      complaint_about(
          "{\"u\":6,\"v\":13,\"step\":1,\"order\":0,\"kind\":\"label\",\"first_dimension\":-1}"),
      "plan.jsonl:1: first_dimension must be an integer in 0..15, not -1");
}

TEST(ScheduleFile, ReadsAndWritesJoinsAndGroups) {
  const std::string text =
      R"({"u":5,"v":1,"step":1,"order":0,"kind":"join","free":[0,2],"tag":7,"operation":"max","type":"float32"})"
      "\n"
      R"({"u":4,"v":null,"step":2,"order":0,"kind":"tree","free":[1]})"
      "\n"
      R"({"u":3,"v":3,"step":3,"order":0,"kind":"join-tree","tag":0,"operation":"sum","type":"u32"})"
      "\n";
  const Schedule schedule = read(text, "hypercube:3");

  EXPECT_EQ(schedule.unicasts[0].free, 5U);
  EXPECT_EQ(schedule.unicasts[0].join, JoinTag(7, JoinOperation::max, LaneType::float32));
  EXPECT_EQ(schedule.unicasts[1].free, 2U);
  EXPECT_EQ(written(schedule, "hypercube:3"), text);
  EXPECT_EQ(read(R"({"u":3,"v":3,"step":1,"order":0,"kind":"join","free":[2,0,1]})", "hypercube:3")
                .unicasts[0]
                .free,
            0U);  // all dimensions
}

TEST(ScheduleFileErrors, NameAGroupOrAJoinThatIsNone) {
  const std::string join = R"({"u":0,"v":1,"step":1,"order":0,"kind":"join",)";
  EXPECT_EQ(
      complaint_about(join + R"("free":[]})"),
      "plan.jsonl:1: free must be a list of at least one dimension: a group without a free dimension is one node");
  EXPECT_EQ(complaint_about(join + R"("free":[1,1]})"),
            "plan.jsonl:1: free names dimension 1 twice");
  EXPECT_THAT(complaint_about(join + R"("free":[2]})"),
              StartsWith("plan.jsonl:1: free must be an integer in 0..1"));
  EXPECT_THAT(complaint_about(join + R"("tag":2048})"),
              StartsWith("plan.jsonl:1: tag must be an integer in 0..2047"));
  EXPECT_THAT(complaint_about(join + R"("operation":"mean"})"),
              StartsWith("plan.jsonl:1: unknown operation 'mean'"));
  EXPECT_EQ(complaint_about(R"({"u":0,"v":1,"step":1,"order":0,"tag":1})"),
            "plan.jsonl:1: tag is for the kinds join and join-tree, not for unicast");
}

TEST(ScheduleFileErrors, NameAnUnknownKindAndAnInvalidList) {
  const auto with_kind = [](const std::string& kind) {
    return complaint_about("{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"kind\":" + kind + "}");
  };

  EXPECT_EQ(with_kind("\"multidestination\",\"via\":3"),
            "plan.jsonl:1: via must be a list of nodes");
  EXPECT_EQ(with_kind("\"multidestination\",\"via\":[2,-1]"),
            "plan.jsonl:1: via must be an integer in 0..4294967295, not -1");
  EXPECT_EQ(with_kind("\"depsit\""),
            "plan.jsonl:1: unknown kind 'depsit': did you mean 'deposit'?");
  EXPECT_EQ(with_kind("3"), "plan.jsonl:1: kind must be a string");
}

TEST(ScheduleFileErrors, NameADestinationOfAWormToAll) {
  for (const std::string kind : {"tree", "path"}) {
    EXPECT_EQ(complaint_about(sound + R"({"u":0,"v":3,"step":2,"order":1,"kind":")" + kind + "\"}"),
              "plan.jsonl:2: a " + kind + " worm goes to all nodes, so v must be null or left out");
  }
}

TEST(ScheduleFileErrors, NameASumWithoutBlocks) {
  EXPECT_EQ(complaint_about(R"({"u":0,"v":1,"step":1,"order":0,"adds":true})"),
            "plan.jsonl:1: adds is for a message with blocks, and this one has none");
  EXPECT_EQ(read(R"({"u":0,"v":1,"step":1,"order":0,"adds":false})").unicasts.size(), 1U);
}

TEST(ScheduleFileErrors, NameAnEmptyFile) {
  EXPECT_EQ(complaint_about(""), "plan.jsonl: the schedule holds no unicasts");
  EXPECT_EQ(complaint_about("\n\n"), "plan.jsonl: the schedule holds no unicasts");
}

}  // namespace
}  // namespace allport
