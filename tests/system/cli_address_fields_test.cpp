// SPDX-License-Identifier: Apache-2.0
// These tests check lists of destinations in headers, --address-flits, on the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliAddressFields = Cli;

// From 0 to 2 with the list {3}, which takes 3 flits, and then to 1; from 2 to 3.
TEST_F(CliAddressFields, MakeMessagesLonger) {
  const std::string run = "run --topology hypercube:2 --algorithm ucube --ports 1 --flits 4 ";

  for (const std::string model : {"systemc", "worm"}) {
    const nlohmann::json plain = json(run + "--json - --model " + model);
    const nlohmann::json listed = json(run + "--json - --address-flits 3 --model " + model);
    EXPECT_EQ(plain["latency"]["max"], 5 + 5) << model;
    EXPECT_EQ(listed["latency"]["max"], 8 + 5) << model;
    EXPECT_EQ(plain["flit_hops"], 3 * 4) << model;
    EXPECT_EQ(listed["flit_hops"], 3 * 4 + 3) << model;
    EXPECT_EQ(listed["config"]["address_flits"], 3) << model;
    EXPECT_EQ(listed["config"]["flits"], 4) << model;
  }
  EXPECT_THAT(allport(run + "--address-flits 3").out, HasSubstr("max 13 cycles, equal to the"));
}

TEST_F(CliAddressFields, CountInTheTimesOfEachFlit) {
  const std::string run =
      "run --topology hypercube:2 --algorithm ucube --destinations 2,3 --flits 4 --json - --address-flits 3 --ts-per-flit 2 --tr-per-flit 1 --model ";

  // To 2 with 7 flits, and from there to 3 with 4.
  for (const std::string model : {"systemc", "worm"}) {
    EXPECT_EQ(json(run + model)["latency"]["max"], (14 + 1 + 7 + 7) + (8 + 1 + 4 + 4)) << model;
  }
}

TEST_F(CliAddressFields, AreNoneAsAWhole) {
  const std::string run = "run --topology hypercube:4 --algorithm wsort --ts 9 --json - ";
  nlohmann::json plain = json(run);
  nlohmann::json none = json(run + "--address-flits 0");

  EXPECT_EQ(none["config"], plain["config"]);
  EXPECT_EQ(none["digest"], plain["digest"]);
  EXPECT_FALSE(plain["config"].contains("address_flits"));
  const std::string direct = "run --topology torus:4x4 --algorithm separate --ts 9 --json - ";
  EXPECT_EQ(json(direct + "--address-flits 7")["digest"], json(direct)["digest"]);
}

TEST_F(CliAddressFields, AreThoseOfTheScheduleInAFileToo) {
  const std::string fabric = " --topology hypercube:4 --destinations 3,5,6,11,12 ";
  for (const std::string algorithm : {"sbt", "wsort"}) {
    const std::string run = "run" + fabric + "--ts 2 --address-flits 2 --json - ";
    write("plan.jsonl", allport("schedule" + fabric + "--algorithm " + algorithm).out);
    const nlohmann::json planned = json(run + "--algorithm " + algorithm);
    const nlohmann::json read = json(run + "--schedule plan.jsonl");
    EXPECT_EQ(read["digest"], planned["digest"]) << algorithm;
    EXPECT_EQ(read["latency"], planned["latency"]) << algorithm;
  }
}

TEST_F(CliAddressFields, StandInTheReport) {
  const Outcome report =
      allport("run --topology hypercube:3 --algorithm ucube --flits 8 --address-flits 2 --ts 100");

  EXPECT_THAT(report.out,
              HasSubstr("8 flits (32 bytes) and 2 flits for each address, 14 flits at most, "));
}

TEST_F(CliAddressFields, FindTheAlgorithmsThatNeedThem) {
  const Outcome table = allport("compare --topology hypercube:3 --address-flits 2");

  EXPECT_EQ(table.status, 0) << table.err;
  for (const char* name : {"ucube", "maxport", "combine", "wsort", "sbt", "separate"}) {
    EXPECT_THAT(table.out, HasSubstr(name));
  }
  EXPECT_THAT(table.out, Not(HasSubstr("binary-tree")));
  EXPECT_THAT(table.out, Not(HasSubstr("hamiltonian")));
}

TEST_F(CliAddressFields, AreRefusedWhereNobodyNeedsThem) {
  const std::string cube = "run --topology hypercube:3 --address-flits 2 ";
  const std::string what = ", or a schedule); ";
  EXPECT_THAT(
      allport(cube + "--algorithm hk").err,
      HasSubstr(
          "--address-flits 2: it is for multicasts by unicasts that carry the whole message and a list of destinations (ucube, maxport, combine, wsort, sbt, "));
  struct Refused {
    std::string given;
    std::string sentence;
  };
  write("worm.jsonl", "{\"u\":0,\"v\":3,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n");
  write("timed.jsonl", "{\"u\":0,\"v\":3,\"step\":1,\"order\":0,\"flits\":3}\n");
  write("twice.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n{\"u\":0,\"v\":1,\"step\":2,\"order\":1}\n");
  for (
      const Refused& one :
      {Refused{cube + "--algorithm hk", what + "the nodes of hk know by its rule what they send"},
       Refused{cube + "--algorithm tree", what + "tree sends worms to several nodes"},
       Refused{cube + "--algorithm exchange-allgather",
               what + "exchange-allgather is for allgather"},
       Refused{cube + "--algorithm ucube --pieces 4",
               what + "this message is sent in pieces or blocks"},
       Refused{cube + "--schedule worm.jsonl --destinations 3",
               what + "deposit worm 0 -> 3 (step 1) is no unicast"},
       Refused{cube + "--schedule twice.jsonl --destinations 1",
               "--address-flits 2: node 1 receives twice"},
       Refused{cube + "--schedule timed.jsonl",
               "its messages have flits, at or class, so --source"},
       Refused{cube + "--pattern uniform --rate 0.1 --cycles 90",
               "--pattern and --address-flits exclude each other"},
       Refused{"run --topology hypercube:3 --algorithm ucube --address-flits 257",
               "--address-flits"},
       Refused{
           "run --topology hypercube:3 --algorithm ucube --flits 1000000 --address-flits 1",
           "--address-flits 1: a message has 1000003 flits with its list; the model systemc moves messages of up to 1000000"}}) {
    const Outcome outcome = allport(one.given);
    EXPECT_EQ(outcome.status, 2) << one.given;
    EXPECT_THAT(outcome.err, HasSubstr(one.sentence)) << one.given;
  }
}

// A buffer must hold the longest of them, and the report says so.
TEST_F(CliAddressFields, NeedRoomInBuffers) {
  const Outcome outcome = allport(
      "run --topology hypercube:3 --algorithm ucube --switching store-and-forward --flits 4 --buffer-depth 8 --address-flits 2");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot hold a message of 10"));
}

}  // namespace
}  // namespace allport::test
