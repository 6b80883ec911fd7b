// SPDX-License-Identifier: Apache-2.0
// These recorded workloads are run from the command line: GOAL, SimGrid, Chakra and several jobs at
// once. What is counted here is counted in the files by awk, or from how the files were made.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/traffic/tasks/wire.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class CliReplay : public Cli {
 protected:
  // A binomial broadcast of 300 bytes on 16 ranks, each of which works before it sends on.
  std::string tree_goal() const {
    std::string text = "num_ranks 16\n";
    for (int rank = 0; rank < 16; ++rank) {
      text += "rank " + std::to_string(rank) + " {\n";
      const int low = rank == 0 ? 16 : rank & -rank;
      if (rank > 0) {
        text += "  r: recv 300b from " + std::to_string(rank - low) + " tag 3\n";
        text += "  c: calc " + std::to_string(50 + rank) + "\n  c requires r\n";
      }
      for (int bit = low / 2; bit > 0; bit /= 2) {
        const std::string to = std::to_string(rank + bit);
        text += "  s" + to + ": send 300b to " + to + " tag 3\n";
        if (rank > 0) text += "  s" + to + " requires c\n";
      }
      text += "}\n";
    }
    return text;
  }

  // A solver on 16 ranks: borders to both neighbours in a ring, a vector summed up, three times.
  std::string solver() const {
    std::string text = "# a solver\n";
    for (int rank = 0; rank < 16; ++rank) {
      const std::string r = std::to_string(rank);
      const std::string left = std::to_string((rank + 15) % 16);
      const std::string right = std::to_string((rank + 1) % 16);
      text += r + " init 1\n";
      for (int i = 0; i < 3; ++i) {
        text += r + " irecv " + left + " 1 64\n" + r + " irecv " + right + " 2 512 6\n";
        text += r + " isend " + right + " 1 64\n" + r + " isend " + left + " 2 512 6\n";
        text += r + " compute " + std::to_string(900 + 10 * rank) + "\n" + r + " waitall\n";
        text += r + " allreduce 100 40\n";
      }
      text += r + " reduce 10 5 3 1\n" + r + " barrier\n" + r + " finalize\n";
    }
    return text;
  }

  // A ring of 8 ranks: each sends, and computes what it gets before it sends that on, 7 times.
  // `received`: the bytes of its receives, of those of the messages 1000.
  void write_ring(const std::string& prefix, std::uint64_t received = 1000) const {
    for (int rank = 0; rank < 8; ++rank) {
      std::string text = delimited(wire_text(1, "0.0.4"));
      int id = 0;
      const auto add = [&](const std::string& rest) {
        text += delimited(wire_number(1, static_cast<std::uint64_t>(id)) +
                          (id == 0 ? "" : wire_text(5, varint(id - 1))) + rest);
        ++id;
      };
      for (int step = 0; step < 7; ++step) {
        add(wire_number(3, 5) + attribute("comm_size", 9, 1000) +
            attribute("comm_dst", 7, static_cast<std::uint64_t>((rank + 1) % 8)));
        add(wire_number(3, 6) + attribute("comm_size", 9, received) +
            attribute("comm_src", 7, static_cast<std::uint64_t>((rank + 7) % 8)));
        add(wire_number(3, 4) + wire_number(7, 2));
      }
      write(prefix + "." + std::to_string(rank) + ".et", text);
    }
  }

  Json run(const std::string& arguments) const {
    return Cli::json("replay " + arguments + " --json -");
  }

  // Runs it on both models and three fabrics; the results of both models must be the same.
  void expect_same_on_both_models(const std::string& file,
                                  const std::vector<std::string>& fabrics) const {
    for (const std::string& fabric : fabrics) {
      SCOPED_TRACE(file + " on " + fabric);
      const std::string arguments = file + " --ts 20 --tr 5 --topology " + fabric;
      const Json flits = run(arguments);
      const Json worms = run(arguments + " --model worm");
      EXPECT_EQ(flits["digest"], worms["digest"]);
      EXPECT_EQ(flits["tasks"], worms["tasks"]);
      EXPECT_GT(flits["tasks"]["makespan"], 0);
    }
  }

  // The number that `program` of awk prints of `file`.
  std::uint64_t awk(const std::string& program, const std::string& file) const {
    return std::stoull(shell("awk '" + program + "' " + file).out);
  }
};

TEST_F(CliReplay, AGoalFileSendsWhatAwkCounts) {
  write("tree.goal", tree_goal());
  const Json replay = run("tree.goal --topology hypercube:4")["config"]["replay"][0];
  const std::string send = R"($0 ~ /send/ { for (i = 1; i < NF; ++i) if ($i == "send") )";
  EXPECT_EQ(replay["messages"], awk(send + "++n } END { print n }", "tree.goal"));
  EXPECT_EQ(replay["bytes"], awk(send + "n += $(i + 1) } END { print n }", "tree.goal"));
  EXPECT_EQ(replay["compute"], awk("/calc/ { n += $3 } END { print n }", "tree.goal"));
  EXPECT_EQ(replay["ranks"], 16);
  expect_same_on_both_models("tree.goal", {"hypercube:4", "torus:4x4", "mesh:4x4", "mesh:5x5"});
}

TEST_F(CliReplay, ASimgridTraceSendsWhatAwkCounts) {
  write("solver.txt", solver());
  const Json replay = run("solver.txt --topology torus:4x4")["config"]["replay"][0];
  EXPECT_EQ(replay["messages"], awk("$2 == \"isend\" { ++n } END { print n }", "solver.txt"));
  // Without a datatype an element is a double, and 6 is a byte.
  EXPECT_EQ(replay["bytes"],
            awk("$2 == \"isend\" { n += $5 * ($6 == 6 ? 1 : 8) } END { print n }", "solver.txt"));
  EXPECT_EQ(
      replay["compute"],
      awk("$2 == \"compute\" { n += $3 } $2 == \"allreduce\" || $2 == \"reduce\" { n += $4 } END { print n }",
          "solver.txt"));
  EXPECT_EQ(replay["collectives"][0]["times"],
            awk("$2 == \"allreduce\" { ++n } END { print n / 16 }", "solver.txt"));
  EXPECT_EQ(replay["collectives"][1]["operation"], "reduce");
  EXPECT_EQ(replay["collectives"][1]["bytes"], 15 * 10 * 4);  // up a tree, 10 integers each
  expect_same_on_both_models("solver.txt", {"hypercube:4", "torus:4x4", "mesh:4x4", "mesh:5x5"});
}

TEST_F(CliReplay, AChakraTraceSendsWhatItWasMadeOf) {
  write_ring("ring");
  const Json replay = run("ring --topology hypercube:3 --clock 2")["config"]["replay"][0];
  EXPECT_EQ(replay["format"], "Chakra");
  EXPECT_EQ(replay["files"], 8);
  EXPECT_EQ(replay["messages"], 56);
  EXPECT_EQ(replay["bytes"], 56000);
  EXPECT_EQ(replay["compute"], 56 * 4000);  // 2 us at 2 GHz
  EXPECT_EQ(run("ring.*.et --topology hypercube:3 --clock 2")["digest"],
            run("ring --topology hypercube:3 --clock 2")["digest"]);
  expect_same_on_both_models("ring", {"hypercube:3", "torus:4x4", "mesh:3x3"});
}

// By hand: 100 cycles of work, then 64 bytes, 16 flits, from 0 to 1 at rest take what a message of
// as many flits takes, and then 70 cycles of work.
TEST_F(CliReplay, AMakespanIsWorkAndWay) {
  write("two.goal",
        "num_ranks 2\nrank 0 {\na: calc 100\nb: send 64b to 1\nb requires a\n}\n"
        "rank 1 {\na: recv 64b from 0\nb: calc 70\nb requires a\n}\n");
  const Json one = Cli::json(
      "run --topology hypercube:3 --algorithm separate --destinations 1 --flits 16 --ts 11 --tr 7 --json -");
  const int way = one["latency"]["max"];
  const Json both = run("two.goal --topology hypercube:3 --ts 11 --tr 7");
  EXPECT_EQ(both["tasks"]["makespan"], 100 + way + 70);
  EXPECT_EQ(run("two.goal --topology hypercube:3 --ts 11 --tr 7 --clock 2")["tasks"]["makespan"],
            200 + way + 140);
  EXPECT_EQ(both["tasks"]["ranks"][1]["compute"], 70);
}

TEST_F(CliReplay, AnotherAlgorithmChangesWhatItCarriesOutOnly) {
  write("solver.txt", solver());
  const std::string arguments = "solver.txt --topology hypercube:4 --model worm";
  const Json plain = run(arguments);
  const Json other = run(arguments + " --map allreduce=sbt-allreduce");
  Json before = plain["config"]["replay"][0];
  Json after = other["config"]["replay"][0];
  EXPECT_EQ(before["collectives"][0]["algorithm"], "rabenseifner");
  EXPECT_EQ(after["collectives"][0]["algorithm"], "sbt-allreduce");
  EXPECT_EQ(after["collectives"][0]["bytes"], 3 * 2 * 15 * 800);  // up a tree and down
  EXPECT_NE(plain["tasks"]["makespan"], other["tasks"]["makespan"]);
  for (Json* one : {&before, &after}) {
    one->erase("tasks");
    (*one)["collectives"].erase(0);
  }
  EXPECT_EQ(before, after);
  for (std::size_t rank = 0; rank < 16; ++rank) {
    EXPECT_EQ(plain["tasks"]["ranks"][rank]["compute"], other["tasks"]["ranks"][rank]["compute"]);
  }
}

TEST_F(CliReplay, JobsRunSideBySide) {
  write("tree.goal", tree_goal());
  write("solver.txt", solver());
  const std::string jobs = "--job tree.goal@box:4x4@0,0 --job solver.txt@box:4x4@4,0";
  const Json flits = run(jobs + " --topology mesh:8x4");
  EXPECT_EQ(flits["digest"], run(jobs + " --topology mesh:8x4 --model worm")["digest"]);
  EXPECT_EQ(flits["config"]["replay"].size(), 2U);
  EXPECT_EQ(flits["tasks"]["ranks"].size(), 32U);
  EXPECT_EQ(flits["tasks"]["ranks"][16]["node"], 4);
  // Boxes of a mesh share no channel: each job is as fast as alone.
  const Json tree = run("--job tree.goal@box:4x4@0,0 --topology mesh:8x4");
  const Json solver = run("--job solver.txt@box:4x4@4,0 --topology mesh:8x4");
  EXPECT_EQ(flits["tasks"]["makespan"],
            std::max(tree["tasks"]["makespan"].get<int>(), solver["tasks"]["makespan"].get<int>()));
  EXPECT_THAT(
      allport("replay --job tree.goal@box:4x4@0,0 --job tree.goal@box:4x4@3,0 --topology mesh:8x4")
          .err,
      HasSubstr("node 3"));
}

// Each job has its calls, and each its bandwidths: bytes per cycle are GB/s at the clock.
TEST_F(CliReplay, CallsHaveBandwidths) {
  write("solver.txt", solver());
  const std::string one = "--job solver.txt@box:4x4@0,0";
  const Json alone = run(one + " --topology mesh:8x4")["tasks"]["collectives"];
  const Json both = run(one + " --job solver.txt@box:4x4@4,0 --topology mesh:8x4 --clock 2");
  const Json& calls = both["tasks"]["collectives"];
  ASSERT_EQ(alone.size(), 3U);
  ASSERT_EQ(calls.size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (const char* key : {"operation", "ranks", "calls", "mean", "max", "best_bus"}) {
      EXPECT_EQ(calls[i][key], alone[i][key]) << key;
      EXPECT_EQ(calls[i + 3][key], alone[i][key]) << key;
    }
  }
  EXPECT_EQ(alone[0]["operation"], "allreduce");
  EXPECT_EQ(alone[0]["calls"], 3);
  EXPECT_EQ(alone[0]["bandwidth"].count("gigabytes_per_second"), 0U);
  const double bus = calls[0]["bandwidth"]["bus"];
  EXPECT_DOUBLE_EQ(calls[0]["bandwidth"]["gigabytes_per_second"]["bus"], 2 * bus);
  EXPECT_DOUBLE_EQ(calls[0]["bandwidth"]["algorithm"].get<double>() * 2 * 15 / 16, bus);
  EXPECT_TRUE(alone[2]["bandwidth"].is_null());  // a barrier
  EXPECT_THAT(allport("replay " + one + " --topology mesh:8x4 --clock 2").out,
              HasSubstr("calls       allreduce among 16 ranks: "));
}

TEST_F(CliReplay, AScaleShortensTimesAndLengths) {
  write("two.goal",
        "num_ranks 2\nrank 0 {\ncalc 1000\nsend 640b to 1\n}\nrank 1 {\nrecv 640b from 0\n}\n");
  const Json replay = run("two.goal --topology ring:4 --scale 0.1")["config"]["replay"][0];
  EXPECT_EQ(replay["compute"], 100);
  EXPECT_EQ(replay["bytes"], 64);
}

TEST_F(CliReplay, ListsAndFoldersNameTheFilesOfRanks) {
  shell("mkdir traces");
  write("traces/r0", "0 init\n0 send 1 0 8\n0 finalize\n");
  write("traces/r1", "1 init\n1 recv 0 0 8\n1 finalize\n");
  write("traces.lst", "# ranks\ntraces/r0\ntraces/r1\n");
  for (const char* files : {"traces", "traces.lst", "traces/r1 traces/r0"}) {
    EXPECT_EQ(run(std::string(files) + " --topology ring:4")["tasks"]["messages"], 1) << files;
  }
  EXPECT_EQ(
      allport("replay - --topology ring:4", content("traces/r0") + content("traces/r1")).status, 0);
}

// A rank without a file is a gap, however the files are named; files that begin alike are not
// meant.
TEST_F(CliReplay, APrefixNamesTheFilesOfAllRanks) {
  write_ring("ring");
  write("ring.old.et", "none");
  write("ring.0.et.bak", "none");
  write("ring.-1.et", "none");
  shell("mkdir folder && cp ring.[0-7].et folder/");
  const std::string fabric = " --topology hypercube:3";
  for (const char* name : {"ring", "./ring", "folder/ring"}) {
    EXPECT_EQ(run(name + fabric)["config"]["replay"][0]["files"], 8) << name;
  }
  shell("rm ring.2.et folder/ring.0.et");
  EXPECT_THAT(allport("replay ring" + fabric).err,
              HasSubstr("ring.3.et: it is the trace of rank 3, and rank 2 has none"));
  EXPECT_THAT(allport("replay folder/ring" + fabric).err,
              HasSubstr("folder/ring.1.et: it is the trace of rank 1, and rank 0 has none"));
  EXPECT_THAT(allport("replay folder/none" + fabric).err,
              HasSubstr("the trace folder/none cannot be read"));
}

TEST_F(CliReplay, AReceiveThatIsTooShortIsRefused) {
  write("short.goal", "num_ranks 2\nrank 0 {\nsend 16b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
  const Outcome outcome = allport("replay short.goal --topology ring:4");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "short.goal:6: rank 1 receives up to 8 bytes from rank 0 with tag 0, but the message sent at short.goal:3 has 16"));
  write_ring("short", 999);
  EXPECT_THAT(
      allport("replay short --topology hypercube:3").err,
      HasSubstr(
          "short.0.et:2: rank 0 receives up to 999 bytes from rank 7 with tag 0, but the message sent at short.7.et:1 has 1000"));
  write_ring("long", 1001);
  EXPECT_EQ(allport("replay long --topology hypercube:3").status, 0);
  // Both fit somewhere; that the first receive takes the longer message shows in the run.
  write("late.goal",
        "num_ranks 3\nrank 0 {\nsend 12b to 2\n}\nrank 1 {\nc: calc 1000\ns: send 8b to 2\n"
        "s requires c\n}\nrank 2 {\na: recv 8b from -1\nb: recv 12b from -1\nb requires a\n}\n");
  const Outcome late = allport("replay late.goal --topology ring:4");
  EXPECT_EQ(late.status, 3);
  EXPECT_THAT(
      late.err,
      HasSubstr(
          "late.goal:11: rank 2 receives up to 8 bytes from rank 0 with tag 0, but the message sent at late.goal:3 has 12"));
}

// 40 MB are 10^7 flits of 4 bytes; routers move 10^6.
TEST_F(CliReplay, WhatIsTooLongForRoutersNamesTheWaysOut) {
  const auto write_sends = [&](const std::string& bytes) {
    write("long.goal", "num_ranks 2\nrank 0 {\nsend " + bytes + "b to 1\n}\nrank 1 {\nrecv " +
                           bytes + "b from 0\n}\n");
  };
  const std::string command = "replay long.goal --topology ring:2";
  write_sends("40000000");
  EXPECT_THAT(
      allport(command).err,
      HasSubstr(
          "a message of 10000000 flits, but a fabric of routers moves messages of up to 1000000; take --model worm, --flit-bytes 40 or a smaller --scale\n"));
  for (const char* way : {" --model worm", " --flit-bytes 40", " --scale 0.1"}) {
    EXPECT_EQ(allport(command + way).status, 0) << way;
  }
  write_sends("4000000000");
  EXPECT_THAT(allport(command).err,
              HasSubstr("up to 1000000; take --model worm or a smaller --scale\n"));
  write_sends("80000000000");
  EXPECT_THAT(allport(command + " --model worm").err,
              HasSubstr("up to 1000000000; take a smaller --scale\n"));
}

TEST_F(CliReplay, WhatIsWrongIsSaidAndNothingRuns) {
  write("tree.goal", tree_goal());
  write("circle.goal",
        "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n");
  write("lonely.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 5\n}\n");
  write("early.goal", "num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\n");
  write("other.txt", "\n\nhello world\n");
  write("solver.txt", solver());
  shell("head -c 500 solver.txt > torn.txt");
  write(
      "long.goal",
      "num_ranks 2\nrank 0 {\nsend 20000000000000b to 1\n}\nrank 1 {\nrecv 20000000000000b from 0\n}\n");
  write("long.txt", "0 init 1\n0 allreduce 1e15 5\n0 finalize\n");
  const std::pair<std::string, std::string> faults[] = {
      {"tree.goal --topology hypercube:3",
       "tree.goal: the trace has 16 ranks, and hypercube:3 has 8 nodes"},
      {"circle.goal --topology ring:4", "circle.goal:"},
      {"lonely.goal --topology ring:4", "lonely.goal:3"},
      {"early.goal --topology ring:4", "early.goal:3"},
      {"other.txt --topology ring:4", "other.txt:3: this is not the beginning of a GOAL file"},
      {"torn.txt --topology ring:16", "torn.txt:"},
      {"none.goal --topology ring:4", "the trace none.goal cannot be read"},
      {"--topology ring:4", "there is nothing to replay: name a file, or give --job"},
      {"tree.goal --job tree.goal@0,1 --topology ring:4", "give them or --job, not both"},
      {"--job tree.goal --topology ring:4", "--job: it must be FILE@GROUP, not 'tree.goal'"},
      {"tree.goal --topology ring:16 --map allreduce=sbt",
       "--map: sbt is an algorithm for bcast, not for allreduce"},
      {"solver.txt --topology torus:4x4 --map allreduce=sbt-allreduce",
       "--map allreduce=sbt-allreduce: algorithm sbt-allreduce is for hypercubes; torus:4x4 is not one, for which there are rabenseifner, rabenseifner-near, "},
      {"tree.goal --topology ring:16 --map bcast=sbt",
       "--map bcast=sbt: no bcast is called in what is replayed"},
      {"solver.txt --topology torus:4x4 --map bcast=tree",
       "--map: tree sends worms to several nodes, and tasks send to one"},
      {"long.goal --topology ring:4 --scale 1000000",
       "long.goal:3: its length, scaled, is more than 2^62 bytes"},
      {"long.txt --topology ring:4 --scale 30000",
       "long.txt:2: its length, scaled, is more than 2^62 bytes"},
      {"solver.txt --topology torus:4x4 --ranks ring:4",
       "--ranks ring:4: it has 4 nodes, but solver.txt has 16 ranks"},
  };
  EXPECT_EQ(allport("replay solver.txt --topology torus:4x4 --json solver.txt").status, 2);
  EXPECT_THAT(content("solver.txt"), StartsWith("# a solver"));
  for (const auto& [arguments, complaint] : faults) {
    const Outcome outcome = allport("replay " + arguments + " --json results.json");
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(complaint)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_FALSE(exists("results.json")) << arguments;
  }
}

// Two groups of four ranks sum up 1024 bytes: 2 x 2 x 3 x 1024 bytes, whatever names them.
TEST_F(CliReplay, GroupsOfChakraHaveNamesOfAnyType) {
  for (const bool is_text : {false, true}) {
    for (int rank = 0; rank < 8; ++rank) {
      const std::string value = is_text ? wire_text(29, std::to_string(rank / 4))
                                        : wire_number(9, static_cast<std::uint64_t>(rank / 4));
      const std::string node = wire_number(1, 0) + wire_number(3, 7) +
                               attribute("comm_type", 9, 0) + attribute("comm_size", 9, 1024) +
                               wire_text(10, wire_text(1, "pg_name") + value);
      write("g." + std::to_string(rank) + ".et",
            delimited(wire_text(1, "0.0.4")) + delimited(node));
    }
    const nlohmann::json results = json("replay g --topology ring:8 --model worm --json -");
    EXPECT_EQ(results["config"]["replay"][0]["collectives"][0]["bytes"], 12288) << is_text;
    EXPECT_EQ(results["config"]["replay"][0]["collectives"][0]["ranks"], 4) << is_text;
  }
}

// The form in JSON, with what recorders write: callers that are not there, a call and what it calls
// that wait for each other, the half of a host, and a group of one rank.
TEST_F(CliReplay, ReadsChakraInJson) {
  for (const std::string rank : {"0", "1"}) {
    write("app." + rank + ".json", R"({"workload_graph": [
      {"Id": 4, "NodeType": 4, "runtime": 2, "ctrlDeps": [3], "is_cpu_op": true},
      {"Id": 5, "NodeType": 7, "runtime": 1, "ctrlDeps": [5], "data_deps": [4], "is_cpu_op": true},
      {"Id": 6, "NodeType": 7, "ctrlDeps": [5], "comm_type": 0, "comm_size": 1024},
      {"Id": 7, "NodeType": 7, "data_deps": [6], "comm_type": 5, "comm_size": 64, "pg_name": ")" +
                                       rank + R"("}]})");
  }
  const std::string on = " --topology hypercube:1 --model worm";
  const Outcome run = allport("replay app" + on);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("app.0.json and 1 more, Chakra: 2 ranks that compute 6000 cycles"));
  EXPECT_THAT(run.out, HasSubstr("1 allreduce among 2 ranks by "));
  EXPECT_THAT(run.out, HasSubstr("2 bcast among 1 rank: 0 messages, 0 bytes\n"));
  EXPECT_THAT(
      run.out,
      HasSubstr(
          "4 control dependencies are left out: the node that each names is not in the file, or waits for this one\n"));
  const Json result = json("replay app.*.json --json -" + on);
  EXPECT_EQ(result["config"]["replay"][0]["left_out"], 4);
  EXPECT_GT(result["tasks"]["makespan"], 3000);
  write("app.json", content("app.0.json"));
  EXPECT_EQ(
      allport("replay app.json" + on).err,
      "allport: app.json: the files of a Chakra trace must be called PREFIX.RANK.et, or PREFIX.RANK.json\n");
}

}  // namespace
}  // namespace allport::test
