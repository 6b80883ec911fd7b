// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/flow_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

FlowTable read(const std::string& text) {
  std::istringstream in(text);
  return read_flows(in, "f.csv");
}

std::string complaint(const std::string& text) {
  return complaint_of([&] { read(text); });
}

TEST(FlowFile, HasFourSixOrEightCellsInALine) {
  const FlowTable four = read("0,1,0.5,16\n2,3,1e-3,4\n");
  ASSERT_EQ(four.flows.size(), 2U);
  EXPECT_EQ(index(four.flows[1].source), 2U);
  EXPECT_EQ(index(four.flows[1].destination), 3U);
  EXPECT_EQ(four.flows[1].rate, 1e-3);
  EXPECT_EQ(four.flows[1].flits, 4);
  EXPECT_EQ(four.flows[1].from, 0);
  EXPECT_EQ(four.flows[1].to, limits::cycles.high);
  EXPECT_EQ(four.flows[1].on, 0);
  EXPECT_EQ(four.place_of(1), "f.csv:2");
  const Flow six = read("0,1,0.5,16,100,199").flows.front();
  EXPECT_EQ(six.from, 100);
  EXPECT_EQ(six.to, 199);
  const Flow eight = read("0,1,0.5,16,100,,20,80").flows.front();
  EXPECT_EQ(eight.to, limits::cycles.high);
  EXPECT_EQ(eight.on, 20);
  EXPECT_EQ(eight.off, 80);
}

TEST(FlowFile, MayNameItsColumns) {
  const FlowTable table = read(
      "\xef\xbb\xbf# of a trace\r\n\r\n source , destination,rate,flits,on,off\r\n"
      "0, 1, 0.5 ,16, 20,80\r\n#\r\n1,2,0,1,,\r\n");
  ASSERT_EQ(table.flows.size(), 2U);
  EXPECT_EQ(table.flows[0].on, 20);
  EXPECT_EQ(table.flows[0].line, 4U);
  EXPECT_EQ(table.flows[1].on, 0);
  EXPECT_EQ(table.flows[1].line, 6U);
  EXPECT_EQ(index(read("flits,rate,destination,source\n8,0.1,3,2").flows[0].source), 2U);
  EXPECT_EQ(read("\"source\",\"destination\",\"rate\",\"flits\"\n\"0\",\"1\",\"0.5\",\"16\"\n")
                .flows[0]
                .flits,
            16);
}

TEST(FlowFile, SaysWhatIsWrongAndWhere) {
  const std::string form = "source,destination,rate,flits[,from,to][,on,off]";
  EXPECT_EQ(complaint("# nothing\n"), "f.csv: there is no flow in it; a line is " + form);
  EXPECT_EQ(complaint("source,destination,rate,flits\n"),
            "f.csv: there is no flow in it; a line is " + form);
  EXPECT_EQ(complaint("0,1,0.5\n"), "f.csv:1: 3 cells, but a line has 4, 6 or 8: " + form);
  EXPECT_EQ(complaint("7\n"), "f.csv:1: 1 cell, but a line has 4, 6 or 8: " + form);
  EXPECT_EQ(
      complaint("\"0\"1,1,0.5,4\n"),
      "f.csv:1: behind a cell in quotes stands '1,1,0.5,4', and no comma; a quote in a cell in "
      "quotes is written twice");
  EXPECT_EQ(complaint("0,1,0.5,4\n0,1,0.5,4,7,8\n"),
            "f.csv:2: 6 cells, but the lines of this table have 4");
  EXPECT_EQ(complaint("source,destination,rate\n0,1,1\n"),
            "f.csv:1: column flits is missing; the columns are " + form);
  EXPECT_EQ(complaint("source,destination,rate,flits,to,to\n"),
            "f.csv:1: column to is given twice");
  EXPECT_EQ(complaint("source,destination,rate,flits,on\n"),
            "f.csv:1: columns on and off are given together, or neither");
  EXPECT_EQ(complaint("source,destinations,rate,flits\n"),
            "f.csv:1: unknown column 'destinations': did you mean 'destination'?");
  EXPECT_EQ(complaint("0,1,,4\n"), "f.csv:1: rate is missing");
  EXPECT_EQ(complaint("0,1,x,4\n"),
            "f.csv:1: rate: 'x' is not a number of flits per cycle, 0 or more");
  EXPECT_EQ(complaint("0,1,-1,4\n"),
            "f.csv:1: rate: '-1' is not a number of flits per cycle, 0 or more");
  EXPECT_EQ(complaint("0,1,nan,4\n"),
            "f.csv:1: rate: 'nan' is not a number of flits per cycle, 0 or more");
  EXPECT_EQ(complaint("0,1,1,0\n"), "f.csv:1: flits: '0' is not a whole number in 1..1000000000");
  EXPECT_EQ(complaint("0,1,1,1,5,x\n"),
            "f.csv:1: to: 'x' is not a whole number in 0..1000000000000");
  EXPECT_EQ(complaint("0,1,1,1,,,5,\n"), "f.csv:1: on and off are given together, or neither");
}

}  // namespace
}  // namespace allport
