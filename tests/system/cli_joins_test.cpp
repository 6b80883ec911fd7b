// SPDX-License-Identifier: Apache-2.0
// These tests check joins, and trees on every fabric, from the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliJoins = Cli;

TEST_F(CliJoins, TakeTheCyclesThatTheirPageSays) {
  const auto latency = [&](const std::string& options) {
    return json("run --json - " + options)["latency"]["max"].get<int>();
  };
  EXPECT_EQ(latency("--topology hypercube:4 --algorithm join-reduce --source 5"), 20);
  EXPECT_EQ(
      latency(
          "--topology hypercube:6 --routing ascending --algorithm join-allreduce --flits 64 --combine-delay 1"),
      82);
  EXPECT_EQ(
      latency(
          "--topology torus:8x8 --algorithm join-reduce --groups dims:0 --flits 32 --combine-delay 1 --buffer-depth 2"),
      55);
  EXPECT_EQ(
      latency(
          "--topology torus:4x4x4 --algorithm tree --source 21 --flits 8 --replication-delay 2 --ports 1"),
      26);
  EXPECT_EQ(latency("--topology hypercube:3 --algorithm join-barrier --ts 5"), 5 + 2 * 3 + 1);
}

TEST_F(CliJoins, HaveOneFlitInABarrier) {
  EXPECT_THAT(allport("run --topology mesh:4x4 --algorithm join-barrier --flits 4").out,
              HasSubstr("\nmessage     1 flit (4 bytes), "));
}

// The contribution of node 1 holds the channel by which node 0 is to get the unicast first.
TEST_F(CliJoins, AreNotProvedAmongUnicastsForWhichTheyWait) {
  write("waits.jsonl",
        R"({"u":3,"v":0,"step":1,"order":0}
{"u":1,"v":0,"step":2,"order":0,"kind":"join","free":[0]}
{"u":0,"v":0,"step":2,"order":0,"kind":"join","free":[0]}
)");
  const std::string run =
      "run --topology hypercube:2 --schedule waits.jsonl --source 3 --destinations 0";
  const Outcome shared = allport(run);
  EXPECT_THAT(shared.out, HasSubstr("freedom from deadlock is not proved (the order of joins)"));
  EXPECT_THAT(shared.out, HasSubstr("\ndeadlock    in cycle 9,"));
  EXPECT_THAT(shared.err, Not(HasSubstr("contradiction")));
  EXPECT_THAT(allport(run + " --join-vcs 1").out, HasSubstr("freedom from deadlock holds"));
}

TEST_F(CliJoins, AreEqualToTheirTheoryAndStandBesideSoftware) {
  EXPECT_THAT(
      allport(
          "run --topology mesh:8x8 --algorithm join-allreduce --source 27 --ts 10 --tr 5 --link-delay 1 --combine-delay 2 --replication-delay 1 --buffer-depth 7")
          .out,
      HasSubstr("theory      max 87 cycles, equal to the simulation"));
  EXPECT_THAT(allport("compare --topology hypercube:4 --collective allreduce").out,
              HasSubstr("\njoin-allreduce             1      24   24 "));
}

TEST_F(CliJoins, AreOnWormsWhereTheyAreOnRouters) {
  for (
      const char* traffic :
      {"--topology mesh:8x8 --algorithm join-allreduce --source 27 --link-delay 1 --combine-delay 2 --replication-delay 1 --buffer-depth 4",
       "--topology torus:4x4 --algorithm join-reduce --groups dims:0 --join-vcs 1",
       "--topology torus:4x4 --algorithm tree --source 9 --flits 40",
       "--topology hypercube:4 --algorithm join-barrier --ts 5"}) {
    const auto lines = [&](const char* model) {
      const std::string out = allport(std::string("run ") + traffic + model).out;
      return out.substr(0, out.find("\ntook"));
    };
    EXPECT_THAT(lines(" --model worm"), HasSubstr("\ndigest")) << traffic;
    EXPECT_EQ(lines(" --model worm"), lines("")) << traffic;
  }
  EXPECT_THAT(
      allport("run --topology torus:32x32x32 --algorithm join-allreduce --flits 1000 --model auto")
          .out,
      HasSubstr("model       worm, chosen by --model auto: it moves this run exactly"));
}

// Two joins in different orders.
TEST_F(CliJoins, DeadlockOnWormsAsOnRouters) {
  write("crossed.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                         "\n"
                         R"({"u":1,"v":0,"step":1,"order":1,"kind":"join"})"
                         "\n"
                         R"({"u":0,"v":1,"step":1,"order":1,"kind":"join"})"
                         "\n"
                         R"({"u":1,"v":1,"step":1,"order":0,"kind":"join"})"
                         "\n");
  const std::string run = "run --topology hypercube:1 --schedule crossed.jsonl ";
  const auto outcome = [&](const char* model) {
    const Outcome one = allport(run + "--deadlock circle.dot --model " + model);
    EXPECT_EQ(one.status, 3);
    return one.out.substr(0, one.out.find("\ntook")) + one.err + content("circle.dot");
  };
  EXPECT_THAT(outcome("worm"),
              HasSubstr("2 messages can never be delivered; each waits for the next, in a circle"));
  EXPECT_EQ(outcome("worm"), outcome("systemc"));
  EXPECT_THAT(allport(run + "--model auto").out, HasSubstr("worm, chosen by --model auto"));
}

constexpr const char* reduce_floats =
    "run --topology hypercube:4 --algorithm join-reduce --join-type float32 --jitter 20 ";

TEST_F(CliJoins, YieldOtherSumsFromSeedToSeedInTheOrderOfArrival) {
  const auto combined = [&](const std::string& options) {
    return json(reduce_floats + options + " --combine arrival --json -");
  };
  const nlohmann::json one = combined("--seed 1");
  EXPECT_EQ(one["combine"]["order"], "arrival");
  EXPECT_EQ(one["combine"]["lanes"], 16);
  EXPECT_EQ(one["config"]["combine"], "arrival");
  EXPECT_GT(one["combine"]["differing_lanes"].get<int>(), 0);
  EXPECT_GT(one["combine"]["largest_difference"].get<int>(), 0);
  EXPECT_NE(one["combine"]["checksums"], combined("--seed 2")["combine"]["checksums"]);
  EXPECT_EQ(one["combine"]["checksums"], combined("--seed 1")["combine"]["checksums"]);
  EXPECT_GT(combined("--trials 9")["combine"]["distinct_results"].get<int>(), 1);
  EXPECT_EQ(one["digest"], json(std::string(reduce_floats) + "--seed 1 --json -")["digest"])
      << "time is what it was";
}

TEST_F(CliJoins, YieldTheSameIntegersInTheOrderOfArrival) {
  const std::string run = "run --topology torus:4x4 --algorithm join-allreduce --combine arrival ";
  for (const char* options : {"--jitter 9", "--join-operation xor --skew 30",
                              "--join-type float32 --join-operation max --skew 30"}) {
    EXPECT_THAT(
        allport(run + options).out,
        HasSubstr(
            "\ncombined    in the order of arrival: 0 of 16 lanes differ from what the order of ports yields; checksum "));
  }
}

TEST_F(CliJoins, AreCombinedByArrivalOnRoutersWhateverTheChoice) {
  EXPECT_THAT(allport(std::string(reduce_floats) + "--combine arrival --model auto").out,
              HasSubstr("systemc, chosen by --model auto: model worm combines nothing"));
}

TEST_F(CliJoins, AreRefusedWhereTheyAreNot) {
  const std::string join = "run --topology hypercube:3 --algorithm join-reduce ";
  const auto complaint = [&](const std::string& command) { return allport(command).err; };
  EXPECT_EQ(
      complaint(join + "--switching store-and-forward --buffer-depth 16"),
      "allport: switching store-and-forward has no joins, and this is a join message; wormhole and cut-through have them\n");
  EXPECT_EQ(
      complaint(join + "--group 0,1,2"),
      "allport: algorithm join-reduce is for aligned groups, all nodes that agree in some coordinates; this group has 3 of the 4 nodes that differ in dimensions 0, 1\n");
  EXPECT_THAT(
      complaint(join + "--model worm --explain all"),
      HasSubstr(
          "--model worm: it explains the latencies of unicasts only, and this run has joins; --model systemc explains them"));
}

// Node 1 starts last; a join-tree is one message of its root, and waits for node 1 everywhere.
TEST_F(CliJoins, AreExplainedFromTheContributionThatCameLast) {
  const std::string late = "--topology hypercube:3 --algorithm join-allreduce --skew 200 --ts 5 ";
  EXPECT_THAT(
      allport("explain --combine-delay 2 " + late).out,
      HasSubstr(
          "critical path: 29 cycles of 1 message to node 7, from the start of node 1 in cycle 180\n"
          "  0>7#0, 16 flits over 4 hops from node 1: 29 cycles\n"));
  const auto explanation = json("run --explain all --json - " + late)["explanation"];
  EXPECT_EQ(explanation["path"][0]["contributor"], 1);
  EXPECT_EQ(explanation["path"][0]["source"], 0);
  EXPECT_EQ(explanation["messages"].size(), 8U);
  EXPECT_EQ(explanation["by_source"].size(), 1U);
  EXPECT_EQ(explanation["by_source"][0]["source"], 1);
}

// Three steps: each message of the path waited for the join or tree before it.
TEST_F(CliJoins, AreOnTheCriticalPathOfASchedule) {
  std::string lines = R"({"u":3,"step":2,"order":1,"kind":"tree"})";
  for (int node = 0; node < 8; ++node) {
    const std::string line = "\n{\"u\":" + std::to_string(node) + ",\"v\":";
    lines += line + R"(3,"step":1,"order":0,"kind":"join"})";
    lines += line + R"(0,"step":3,"order":2,"kind":"join-tree"})";
  }
  write("steps.jsonl", lines);
  const auto results = json(
      "run --topology hypercube:3 --schedule steps.jsonl --join-vcs 1 --ts 10 --tr 3 --flits 4 --link-delay 1 --combine-delay 1 --explain all --json -");
  const auto& path = results["explanation"]["path"];
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0]["source"], 3);
  EXPECT_EQ(path[1]["created"], path[0]["has"]);
  EXPECT_EQ(path[2]["created"], path[1]["has"]);
  EXPECT_EQ(path[2]["contributor"], path[1]["destination"]);
  EXPECT_EQ(path[2]["has"], results["latency"]["max"]);
  EXPECT_EQ(path[0]["by_cause"]["combine"], 3);
}

// Contributions wait for ever for that of node 2, and another message for one of them.
TEST_F(CliJoins, ThatWaitForAProcessorAreExplainedUpToIt) {
  write("lack.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n"
                      R"({"u":1,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n"
                      R"({"u":3,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n"
                      R"({"u":0,"v":3,"step":1,"order":1})"
                      "\n");
  const Outcome outcome = allport(
      "explain --topology hypercube:2 --schedule lack.jsonl --ports 1 --flits 2 --json e.json");
  EXPECT_EQ(outcome.status, 3);
  const auto unfinished = nlohmann::json::parse(content("e.json"))["explanation"]["unfinished"];
  ASSERT_EQ(unfinished.size(), 3U);
  for (const auto& one : unfinished) {
    EXPECT_EQ(one["cycles"], one["until"].get<int>() - one["created"].get<int>());
    if (one["message"]["v"] == 0) {
      EXPECT_GT(one["by_cause"]["join"], 0) << one;
      EXPECT_EQ(one["blames"].size(), 0U);
    } else {
      EXPECT_EQ(one["blames"][0]["blamed"]["u"], 0);
    }
  }
}

TEST_F(CliJoins, AreInWavesOfRunsThatHaveThem) {
  allport("run --topology hypercube:2 --algorithm join-reduce --wave j.vcd");
  EXPECT_THAT(content("j.vcd"), HasSubstr("$scope module join $end"));
  EXPECT_THAT(content("j.gtkw"), HasSubstr("+{join} fabric.router_0.join.message[31:0]\n"));
  allport("run --topology torus:4x4 --algorithm tree --join-vcs 1 --wave t.vcd");
  EXPECT_THAT(content("t.vcd"), HasSubstr("$scope module router_0 $end"));
  EXPECT_THAT(content("t.vcd"), Not(HasSubstr("$scope module join $end")));
}

TEST_F(CliJoins, AreInTablesTimelinesAndPages) {
  const Outcome outcome = allport(
      "run --topology mesh:3x3 --algorithm join-allreduce --source 4 --ts 3 --tr 2 --skew 30 --combine-delay 2 --messages m.csv --channel-load c.csv --report r.html --timeline t.ftr");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      content("m.csv"),
      HasSubstr(
          ",combine,join,width,waiting_order,reception,pipeline,retry,contended,contributor\n0,4,"));
  EXPECT_THAT(content("r.html"), HasSubstr("\"combine\""));
  EXPECT_THAT(content("t.ftr"), HasSubstr("prepare 4>4#0"));
  EXPECT_THAT(content("c.csv"), HasSubstr("0,0,"));
}

TEST_F(CliJoins, ShareNoChannelsWithOtherMessagesUnlessItIsSafe) {
  std::string lines = R"({"u":1,"v":3,"step":1,"order":1})";
  for (const char* u : {"0", "1", "2", "3"}) {
    lines += std::string("\n{\"u\":") + u + R"(,"v":0,"step":1,"order":0,"kind":"join"})";
  }
  write("mix.jsonl", lines);
  const Outcome refused = allport("run --topology ring:4 --schedule mix.jsonl");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("give --join-vcs 1 or 2"));
  EXPECT_EQ(allport("run --topology ring:4 --schedule mix.jsonl --join-vcs 1").status, 0);
  EXPECT_EQ(allport("run --topology mesh:4 --schedule mix.jsonl").status, 0);
  const std::string by_table = "run --topology mesh:4 --routing table:updown --schedule mix.jsonl";
  EXPECT_THAT(allport(by_table).err,
              HasSubstr("under routing table:updown no join may share virtual channels with them"));
  EXPECT_EQ(allport(by_table + " --join-vcs 1").status, 0);
}

TEST_F(CliJoins, ThatWaitForAProcessorNameItsNode) {
  write("lack.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n"
                      R"({"u":1,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n");
  const Outcome outcome =
      allport("run --topology hypercube:2 --schedule lack.jsonl --combine-delay 2");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("can never be delivered; a processor has not sent:"));
  EXPECT_THAT(outcome.out, HasSubstr("node 2 has not sent its contribution"));
  const Outcome worms =
      allport("run --topology hypercube:2 --schedule lack.jsonl --combine-delay 2 --model worm");
  EXPECT_EQ(worms.status, 3);
  EXPECT_EQ(worms.out.substr(0, worms.out.find("\ntook")),
            outcome.out.substr(0, outcome.out.find("\ntook")));
  const Outcome check = allport("check --topology hypercube:2 lack.jsonl");
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("node 3 does not contribute, so it waits for ever"));
}

// The order of joins is part of the freedom from deadlock, and a check of its own.
TEST_F(CliJoins, AContributionThatIsMissingIsADeadlockForTheCheck) {
  write("late.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n");
  const Outcome outcome = allport("check --topology ring:2 late.jsonl --json -");
  EXPECT_EQ(outcome.status, 1);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["deadlock"]["ok"], false);
  EXPECT_EQ(json["joins"]["ok"], false);
  EXPECT_EQ(allport("check --topology ring:2 late.jsonl --require joins").status, 1);
  EXPECT_EQ(allport("check --topology ring:2 late.jsonl --require port_rule").status, 0);
}

TEST_F(CliJoins, TheDrawingOfAMissingContributionNamesTheNode) {
  write("late.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                      "\n");
  EXPECT_EQ(allport("run --topology ring:2 --schedule late.jsonl --deadlock d.dot").status, 3);
  EXPECT_THAT(content("d.dot"), HasSubstr("node 1 has not sent its contribution"));
}

// Two joins to node 0, which contributes to neither, so that nothing but the group tells them
// apart.
TEST_F(CliJoins, ThatCanNeverBeDeliveredAreNamedByTheirGroups) {
  write("two.jsonl", R"({"u":1,"v":0,"step":1,"order":0,"kind":"join","free":[0]})"
                     "\n"
                     R"({"u":2,"v":0,"step":1,"order":0,"kind":"join","free":[1],"tag":7})"
                     "\n");
  const std::string run = "run --topology mesh:2x2 --schedule two.jsonl --join-vcs 2 ";
  const Outcome outcome = allport(run + "--deadlock two.dot");
  const std::string row = "join to 0 over dimension 0 (tag 0)";
  const std::string column = "join to 0 over dimension 1 (tag 7)";
  const std::string has_not_sent = " waits for a processor: node 0 has not sent its contribution\n";
  EXPECT_THAT(outcome.out, HasSubstr("\n            " + row + ": node 0 does not contribute"));
  EXPECT_THAT(outcome.out, HasSubstr("\n            " + row + has_not_sent));
  EXPECT_THAT(outcome.out, HasSubstr("\n            " + column + has_not_sent));
  EXPECT_THAT(content("two.dot"), HasSubstr("m0 [label=\"" + row + "\""));
  EXPECT_THAT(content("two.dot"), HasSubstr("m1 [label=\"" + column + "\""));
  EXPECT_THAT(content("two.dot"), HasSubstr("f0 -> p0 [label=\"its contribution"));
  const auto messages =
      nlohmann::json::parse(allport(run + "--json -").out)["wait_for"]["messages"];
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0], nlohmann::json::parse(R"({"u":0,"v":0,"order":0,"join":
            {"kind":"join","root":0,"free":[0],"tag":0}})"));
  EXPECT_EQ(messages[1]["join"],
            nlohmann::json::parse(R"({"kind":"join","root":0,"free":[1],"tag":7})"));
  EXPECT_THAT(outcome.out, HasSubstr(" to 1 destination\n"));  // whether or not it contributes
  EXPECT_THAT(outcome.out, HasSubstr("\nlatency     none: no destination received\n"));
}

// The example of the contract: each node contributes to two joins, and each is behind another one.
TEST_F(CliJoins, ThatWaitForEachOtherAreNamedByTheirGroups) {
  const auto line = [](int node, int root, int order, int free) {
    return "{\"u\":" + std::to_string(node) + ",\"v\":" + std::to_string(root) +
           ",\"step\":1,\"order\":" + std::to_string(order) + R"(,"kind":"join","free":[)" +
           std::to_string(free) + "]}\n";
  };
  write("four.jsonl", line(0, 1, 0, 0) + line(0, 0, 1, 1) + line(2, 0, 0, 1) + line(2, 2, 1, 0) +
                          line(3, 2, 0, 0) + line(3, 1, 1, 1) + line(1, 1, 0, 1) +
                          line(1, 1, 1, 0));
  const Outcome outcome = allport(
      "run --topology mesh:2x2 --schedule four.jsonl --join-vcs 2 --deadlock four.dot --wave four.vcd");
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "join to 1 over dimension 0 (tag 0) waits for the turn of a contribution at injection channel 0 of node 1, VC 0, held by join to 1 over dimension 1 (tag 0)\n"));
  EXPECT_THAT(content("four.dot"), HasSubstr("[label=\"its turn at injection channel 0 of node 1"));
  EXPECT_THAT(content("four.gtkw"),
              HasSubstr(" waits for injection channel 0 of node 1, VC 0, held by "));
}

// In a switch every contribution waits for those that are missing, beyond other switches, too.
TEST_F(CliJoins, ThatWaitInSwitchesAreNamedWithWhatTheyLack) {
  const auto line = [](int node, int root, int order, int tag) {
    return "{\"u\":" + std::to_string(node) + ",\"v\":" + std::to_string(root) +
           ",\"step\":1,\"order\":" + std::to_string(order) + R"(,"kind":"join","tag":)" +
           std::to_string(tag) + "}\n";
  };
  write("star.dot", "graph { hub [processor=false]; a--hub; b--hub; c--hub }");
  write("crossed.jsonl", line(0, 2, 0, 1) + line(0, 2, 1, 2) + line(1, 2, 0, 2) + line(1, 2, 1, 1) +
                             line(2, 2, 0, 1) + line(2, 2, 1, 2));
  write("deep.dot",
        "graph { hub [processor=false]; far [processor=false] "
        "a--hub c--hub far--hub b--far d--far }");
  write("short.jsonl", line(0, 1, 0, 1) + line(1, 1, 0, 1));
  for (const std::string model : {"systemc", "worm"}) {
    const Outcome crossed =
        allport("run --topology graph:star.dot --schedule crossed.jsonl --model " + model);
    EXPECT_THAT(
        crossed.out,
        HasSubstr("joins wait for one another, for nodes send join to c (tag 1) before join to c "
                  "(tag 2) before join to c (tag 1)\n"));
    EXPECT_THAT(crossed.out,
                HasSubstr("deadlock    in cycle 9, 2 messages can never be delivered; each waits "
                          "for the next, in a circle:\n"
                          "            join to c (tag 1) waits for its turn in the buffer of "
                          "injection channel 0 of node b, held by join to c (tag 2)\n"));
    const Outcome missing =
        allport("run --topology graph:deep.dot --schedule short.jsonl --model " + model);
    for (const std::string node : {"b", "d"}) {
      EXPECT_THAT(missing.out, HasSubstr("join to c (tag 1) waits for a processor: node " + node +
                                         " has not sent its contribution\n"));
    }
  }
  const Outcome explained =
      allport("explain --topology graph:deep.dot --schedule short.jsonl --model systemc");
  EXPECT_THAT(explained.out, HasSubstr("toward channel a -> hub (port 0): join 8, hop 1\n"));
}

TEST_F(CliJoins, RefusesOperationsWhereNothingIsJoined) {
  write("two.jsonl", R"({"u":0,"v":0,"step":1,"order":0,"kind":"join"})"
                     "\n"
                     R"({"u":1,"v":0,"step":1,"order":0,"kind":"join"})"
                     "\n");
  for (const char* traffic :
       {"--topology ring:2 --schedule two.jsonl", "--topology hypercube:3 --algorithm ucube",
        "--topology hypercube:3 --pattern uniform --rate 0.1 --cycles 50"}) {
    const Outcome outcome = allport(std::string("run --join-operation max ") + traffic);
    EXPECT_EQ(outcome.status, 2) << traffic;
    EXPECT_THAT(outcome.err, HasSubstr("what joins compute is asked of the algorithms join-reduce"))
        << traffic;
  }
  EXPECT_THAT(allport("run --topology ring:2 --schedule two.jsonl --collective alltoall").err,
              HasSubstr("--collective alltoall: the schedule two.jsonl has joins"));
  EXPECT_THAT(allport("run --topology ring:4 --algorithm join-barrier --join-operation max").err,
              HasSubstr("a barrier computes and of u32"));
  EXPECT_THAT(allport("compare --topology mesh:4x4 --collective reduce --join-type u64").out,
              HasSubstr("left out join-reduce: "));
}

// Between the lengths of the table, too, joins have whole flits.
TEST_F(CliJoins, ACrossoverBetweenAJoinAndSoftwareIsFound) {
  const Outcome outcome = allport(
      "compare --topology hypercube:4 --collective allreduce --algorithms join-allreduce,rotated-allreduce --model systemc --ts 50 --sizes 64,16KiB");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(" bytes on rotated-allreduce"));
}

// Every fabric has routers that compute and algorithms of processors, of one message and over
// sizes.
TEST_F(CliJoins, CompareHasSoftwareBesideThemOnEveryFabric) {
  for (const std::string fabric : {"hypercube:3", "torus:4x3", "mesh:3x3", "ring:5"}) {
    for (const std::string collective : {"allreduce", "reduce", "barrier"}) {
      const std::string compare =
          "compare --json - --topology " + fabric + " --ts 20 --collective " + collective;
      const nlohmann::json rows = json(compare);
      ASSERT_GE(rows.size(), 2U) << fabric;
      EXPECT_EQ(rows.at(0)["algorithm"], "join-" + collective) << fabric;
      EXPECT_LT(rows.at(0)["max"], rows.at(1)["max"]) << fabric << " " << collective;
      const nlohmann::json sizes = json(compare + " --sizes 64");
      EXPECT_EQ(sizes["sizes"][0]["fastest"], "join-" + collective) << fabric;
      EXPECT_EQ(sizes["sizes"][0]["algorithms"].size(), rows.size()) << fabric;
    }
  }
}

}  // namespace
}  // namespace allport::test
