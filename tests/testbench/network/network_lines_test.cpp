// SPDX-License-Identifier: Apache-2.0
// A network by lines: what each line answers, and that a wrong one changes nothing.
#include "testbench/network/network_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "testbench/network/network_options.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

NetworkLines lines_of(const std::string& options) {
  return NetworkLines(Network(read_network_request(options)));
}

TEST(NetworkLines, AnswerEachCall) {
  NetworkLines lines = lines_of("topology=torus:4x4 ports=1 queue_limit=20");
  EXPECT_EQ(lines.answer("send 0 5 64 at 100 user 18446744073709551615"), R"({"line":1,"id":0})");
  EXPECT_EQ(lines.answer(""), "");
  EXPECT_EQ(lines.answer(" \t\r"), "");
  EXPECT_EQ(lines.answer("next"), R"({"line":4,"cycle":102})");
  EXPECT_EQ(lines.answer("queued 0\r"), R"({"line":5,"flits":16})");
  EXPECT_EQ(lines.answer("try-send 0 5 20"), R"({"line":6,"id":null})");
  EXPECT_EQ(lines.answer("try-send 0 1 0 flits 3 at 7"), R"({"line":7,"id":1})");
  EXPECT_EQ(
      lines.answer("advance-to-delivery 1000"),
      R"({"line":8,"now":11,"deliveries":[{"id":1,"user":0,"source":0,"destination":1,"port":0,"class":0,"injected":7,"head":9,"tail":11}]})");
  EXPECT_EQ(lines.answer("idle"), R"({"line":9,"idle":false})");
  EXPECT_EQ(
      lines.answer("advance 1000"),
      R"({"line":10,"now":1001,"deliveries":[{"id":0,"user":18446744073709551615,"source":0,"destination":5,"port":0,"class":0,"injected":100,"head":103,"tail":118}]})");
  EXPECT_EQ(lines.answer("now"), R"({"line":11,"now":1001})");
  EXPECT_EQ(lines.answer("next"), R"({"line":12,"cycle":null})");
  EXPECT_EQ(lines.answer("idle"), R"({"line":13,"idle":true})");
  EXPECT_EQ(lines.answer("lookahead 0 5"), R"({"line":14,"cycles":3})");
  EXPECT_EQ(lines.answer("expected 0 5 64"), R"({"line":15,"cycles":18})");
  EXPECT_EQ(lines.answer("deadlock"), R"({"line":16,"deadlock":null})");
  EXPECT_FALSE(lines.has_failed());
}

// Of the 16 flits of the first message one leaves in every cycle from 0 on, so that there is room
// for 10 more from cycle 6 on.
TEST(NetworkLines, TellOfRoomAndStopThere) {
  NetworkLines lines = lines_of("topology=mesh:2 ports=1 queue_limit=20");
  lines.answer("send 0 1 64");
  EXPECT_EQ(lines.answer("try-send 0 1 0 flits 10"), R"({"line":2,"id":null})");
  EXPECT_EQ(lines.answer("advance-to-event 100"),
            R"({"line":3,"now":6,"deliveries":[],"space":{"node":0,"class":0}})");
  EXPECT_EQ(lines.answer("try-send 0 1 0 flits 10"), R"({"line":4,"id":1})");
  EXPECT_THAT(lines.answer("advance-to-event 100"),
              testing::AllOf(HasSubstr(R"("id":0)"), HasSubstr(R"("now":17,)")));
  EXPECT_THAT(lines.answer("advance-to-event 100"),
              testing::AllOf(HasSubstr(R"("id":1)"), HasSubstr(R"("now":27,)")));
  EXPECT_EQ(lines.answer("advance-to-event 100"), R"({"line":7,"now":101,"deliveries":[]})");
}

// Another line has let the cycle pass: the next line that asks is told, and no cycle passes.
TEST(NetworkLines, TellLaterOfRoomThatNobodyHasAwaited) {
  NetworkLines lines = lines_of("topology=mesh:2 ports=1 queue_limit=4");
  lines.answer("send 0 1 0 flits 4");
  lines.answer("send 1 0 0 flits 4");
  lines.answer("try-send 0 1 0 flits 1");
  lines.answer("try-send 1 0 0 flits 1");
  EXPECT_THAT(lines.answer("advance 50"), HasSubstr(R"("now":51,)"));
  EXPECT_THAT(lines.answer("advance-to-event 50"), HasSubstr("that cycle is past"));
  EXPECT_EQ(lines.answer("advance-to-event 60"),
            R"({"line":7,"now":51,"deliveries":[],"space":{"node":0,"class":0}})");
  EXPECT_EQ(lines.answer("advance-to-event 60"),
            R"({"line":8,"now":51,"deliveries":[],"space":{"node":1,"class":0}})");
  EXPECT_EQ(lines.answer("advance-to-event 60"), R"({"line":9,"now":61,"deliveries":[]})");
}

TEST(NetworkLines, SendTreesAndTellOfTheirDeadlock) {
  NetworkLines lines = lines_of("topology=hypercube:2 buffer_depth=1");
  lines.answer("send-tree 0 4 free 1");
  EXPECT_THAT(lines.answer("advance 99"), HasSubstr(R"("destination":2)"));
  lines.answer("send-tree 0 12 at 100");
  lines.answer("send-tree 2 12 at 100");
  EXPECT_EQ(lines.answer("advance 200"), R"({"line":5,"now":201,"deliveries":[]})");
  EXPECT_EQ(
      lines.answer("deadlock"),
      R"({"line":6,"deadlock":{"cycle":105,"messages":2,"circle":[{"id":1,"held_by":2,"words":"0 -> all waits for channel 2 -> 3 (dimension 0), held by 2 -> all"},{"id":2,"held_by":1,"words":"2 -> all waits for channel 0 -> 1 (dimension 0), held by 0 -> all"}]}})");
}

TEST(NetworkLines, TakeAndTellWhatIsAwaited) {
  NetworkLines lines = lines_of("topology=mesh:2 classes=2 vcs=2 reception_limit=8");
  lines.answer("send 0 1 32 class 1");
  lines.answer("send 0 1 32 class 1 at 50");
  EXPECT_THAT(lines.answer("queued 0 1"), HasSubstr(R"("flits":16)"));
  EXPECT_THAT(lines.answer("queued 0"), HasSubstr(R"("flits":0)"));
  EXPECT_THAT(lines.answer("advance 30"), HasSubstr(R"("class":1)"));
  EXPECT_EQ(lines.answer("waits-for 1 0 1"), R"({"line":6,"awaited":1})");
  EXPECT_EQ(lines.answer("take 0 1"), R"({"line":7,"taken":0})");
  EXPECT_THAT(lines.answer("take 0 1"), HasSubstr("has taken it"));
  EXPECT_THAT(lines.answer("send 0 1 4 class 2"), HasSubstr("class 2: must be 0..1"));
}

TEST(NetworkLines, TellResults) {
  NetworkLines lines = lines_of("topology=mesh:4 record=true");
  lines.answer("send 0 3 32");
  lines.answer("send 1 3 32");
  lines.answer("advance 4");
  EXPECT_THAT(
      lines.answer("results"),
      testing::AllOf(HasSubstr(R"({"line":4,"results":{"version":")"),
                     HasSubstr(R"("messages":2,"contention":{"events":1,"blocked_cycles":4,)"),
                     HasSubstr(R"("digest":"cbf29ce484222325")")));  // of no delivery
  EXPECT_THAT(lines.answer("results 1"), HasSubstr("'1': results takes no further word"));
  NetworkLines without = lines_of("topology=mesh:4");
  EXPECT_THAT(without.answer("results"), HasSubstr("the network keeps no record"));
}

TEST(NetworkLines, Explain) {
  NetworkLines lines = lines_of("topology=mesh:4 explain=true");
  lines.answer("send 0 3 32");
  lines.answer("send 1 3 32");
  lines.answer("advance 99");
  EXPECT_THAT(
      lines.answer("explain"),
      testing::AllOf(HasSubstr(R"({"line":4,"results":{"version":")"),
                     HasSubstr(R"("explanation":{"receipts":2,)"), HasSubstr(R"("order":0,)")));
  EXPECT_THAT(lines.answer("explain slowest:1"),
              HasSubstr(R"("blamed":{"u":1,"v":3,"order":0},"cycles":7)"));
  EXPECT_THAT(lines.answer("explain slowest"), HasSubstr("must be all, slowest:N, or a message"));
  EXPECT_THAT(lines.answer("explain all 1"), HasSubstr("'1': explain takes no further word"));
  EXPECT_THAT(lines.answer("results"), HasSubstr(R"("messages":2,)"));
  NetworkLines without = lines_of("topology=mesh:4 record=true");
  EXPECT_THAT(without.answer("explain"), HasSubstr("the network keeps no movement of its flits"));
}

TEST(NetworkLines, AWrongOneIsAnsweredInASentenceAndChangesNothing) {
  NetworkLines lines = lines_of("topology=ring:4");
  const auto error = [&](const std::string& line) {
    const std::string answer = lines.answer(line);
    EXPECT_TRUE(lines.has_failed());
    const std::size_t at = answer.find("\"error\":\"");
    return at == std::string::npos ? answer : answer.substr(at + 9, answer.size() - at - 11);
  };
  EXPECT_EQ(error("sen 0 1 4"),
            "unknown command 'sen': did you mean one of send, send-tree, "
            "send-deposit, send-path?");
  EXPECT_EQ(error("send 0 1"), "bytes: it is missing");
  EXPECT_EQ(error("send 0 x 4"), "destination: 'x' is not a whole number in 0..3");
  EXPECT_EQ(error("send 0 7 4"), "destination 7 is not a node of ring:4, which has the nodes 0..3");
  EXPECT_EQ(error("send 0b1 1 4"), "source: '0b1' is not a whole number in 0..3");
  EXPECT_EQ(error("send 0 1 -5"), "bytes: '-5' is not a whole number in 0..8000000000");
  EXPECT_EQ(error("send 0 1 4kB"), "bytes: '4kB' is not a whole number in 0..8000000000");
  EXPECT_EQ(error("next 3"), "'3': next takes no further word");
  EXPECT_EQ(error("send 0 1 4 at"), "at: it is missing");
  EXPECT_EQ(error("send 0 1 4 at -1"), "at -1: that cycle is past, and now is cycle 0");
  EXPECT_EQ(error("send 0 1 4 at 1 at 2"), "'at': it is given twice");
  EXPECT_EQ(error("send-tree 0 4 free 0,0"), "free: dimension 0 is there twice");
  EXPECT_EQ(error("send-tree 0 4 free 32"), "free: '32' is not a whole number in 0..31");
  EXPECT_THAT(error("send 0 1 4 free 0"), HasSubstr("unknown option of a message 'free'"));
  EXPECT_EQ(error("advance 5 6"), "'6': advance takes no further word");
  EXPECT_EQ(error("advance 1e3"), "cycle: '1e3' is not a whole number in 0..1000000000000000000");
  EXPECT_EQ(error(std::string(NetworkLines::longest + 1, 'a')),
            "the line is longer than 4096 bytes");
  EXPECT_THAT(error("\xff\x01"), HasSubstr("unknown command"));
  EXPECT_EQ(lines.answer("now"), R"({"line":19,"now":0})");
  EXPECT_EQ(lines.answer("idle"), R"({"line":20,"idle":true})");
  EXPECT_EQ(lines.answer_torn(),
            R"({"line":21,"error":"the input ends within the line, which is not obeyed"})");
}

}  // namespace
}  // namespace allport::test
