// SPDX-License-Identifier: Apache-2.0
// On the command line MSCCL XML is written, read, proved, refuted and run on both models.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using CliMsccl = Cli;

std::string step(int number, const std::string& type, int offset, int count,
                 const std::string& rest = R"(depid="-1" deps="-1" hasdep="0")") {
  const std::string at = std::to_string(offset);
  return "<step s=\"" + std::to_string(number) + "\" type=\"" + type + "\" srcbuf=\"o\" srcoff=\"" +
         at + "\" dstbuf=\"o\" dstoff=\"" + at + "\" cnt=\"" + std::to_string(count) + "\" " +
         rest + "/>\n";
}

std::string algo(int gpus, const std::string& body) {
  const std::string count = std::to_string(gpus);
  return "<algo name=\"test\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"" + count +
         "\" ngpus=\"" + count + "\" coll=\"allgather\" inplace=\"1\">\n" + body + "</algo>\n";
}

std::string thread_block(int id, int send, int receive, const std::string& steps) {
  return "<tb id=\"" + std::to_string(id) + "\" send=\"" + std::to_string(send) + "\" recv=\"" +
         std::to_string(receive) + "\" chan=\"0\">\n" + steps + "</tb>\n";
}

std::string gpu(int id, int gpus, const std::string& blocks) {
  return "<gpu id=\"" + std::to_string(id) + "\" i_chunks=\"0\" o_chunks=\"" +
         std::to_string(gpus) + "\" s_chunks=\"0\">\n" + blocks + "</gpu>\n";
}

// One thread block sends, receives and sends on.
std::string ring_allgather(int gpus) {
  std::string body;
  for (int id = 0; id < gpus; ++id) {
    std::string steps = step(0, "s", id, 1);
    for (int i = 1; i < gpus; ++i) {
      steps += step(i, i + 1 < gpus ? "rcs" : "r", (id - i + gpus) % gpus, 1);
    }
    body += gpu(id, gpus, thread_block(0, (id + 1) % gpus, (id + gpus - 1) % gpus, steps));
  }
  return algo(gpus, body);
}

// A thread block for each bit exchanges with the peer that differs in it, after those before.
std::string doubling_allgather(int bits) {
  const int gpus = 1 << bits;
  std::string body;
  for (int id = 0; id < gpus; ++id) {
    std::string blocks;
    for (int bit = 0; bit < bits; ++bit) {
      const int peer = id ^ (1 << bit);
      const auto after = [&](int block) {
        return "depid=\"" + std::to_string(block) + "\" deps=\"" +
               std::to_string(block == 0 ? 1 : block) + "\" hasdep=\"0\"";
      };
      std::string steps;
      for (int block = 0; block + 1 < bit; ++block) {
        steps += "<step s=\"" + std::to_string(block) +
                 R"(" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" )" +
                 after(block) + "/>\n";
      }
      const int sends = bit == 0 ? 0 : bit - 1;  // the step after those that wait
      const int own = id >> bit << bit;
      const int others = peer >> bit << bit;
      steps +=
          bit == 0 ? step(sends, "s", own, 1) : step(sends, "s", own, 1 << bit, after(bit - 1));
      steps += step(sends + 1, "r", others, 1 << bit, R"(depid="-1" deps="-1" hasdep="1")");
      blocks += thread_block(bit, peer, peer, steps);
    }
    body += gpu(id, gpus, blocks);
  }
  return algo(gpus, body);
}

TEST_F(CliMsccl, EqualAlgorithmsOfOthersHaveTheDigestOfOurs) {
  write("ring.xml", ring_allgather(8));
  write("doubling8.xml", doubling_allgather(3));
  write("doubling64.xml", doubling_allgather(6));
  const auto digest = [&](const std::string& run) {
    return json("run --json - --topology " + run)["digest"];
  };

  EXPECT_EQ(digest("ring:8 --schedule ring.xml"), digest("ring:8 --algorithm ring-allgather"));
  EXPECT_EQ(digest("hypercube:3 --schedule doubling8.xml"),
            digest("hypercube:3 --algorithm exchange-allgather"));
  EXPECT_EQ(digest("hypercube:6 --schedule doubling64.xml --ts 9"),
            digest("hypercube:6 --algorithm exchange-allgather --ts 9"));
}

TEST_F(CliMsccl, RunsOnOtherFabricsAndBothModels) {
  write("doubling64.xml", doubling_allgather(6));
  const std::string run = "run --topology torus:8x8 --schedule doubling64.xml --json - --model ";
  const nlohmann::json flits = json(run + "systemc");
  const nlohmann::json worms = json(run + "worm");

  EXPECT_EQ(flits["config"]["collective"], "allgather");
  EXPECT_EQ(flits["static"]["collective"]["ok"], true);
  EXPECT_GT(flits["contention"]["events"], 0);
  EXPECT_EQ(flits["digest"], worms["digest"]);
  EXPECT_EQ(flits["contention"], worms["contention"]);
}

TEST_F(CliMsccl, SchedulesAreWrittenAndReadWithTheirDigest) {
  for (const std::string plan :
       {"hypercube:3 --algorithm rabenseifner", "hypercube:3 --algorithm rotated-allreduce",
        "hypercube:3 --algorithm exchange-alltoall", "hypercube:3 --algorithm sbt --source 5",
        "hypercube:3 --algorithm sbt-barrier", "torus:2x4 --algorithm bucket-allgather",
        "torus:4x4 --algorithm swing-allreduce", "mesh:3x2 --algorithm dims-reduce --source 4",
        "ring:6 --algorithm ring-scatter --source 2", "ring:6 --algorithm ring --pieces 3",
        "torus:4x4 --algorithm dcf", "ring:5 --algorithm ring-allreduce --parts 2"}) {
    const std::string shape = plan.substr(0, plan.find(' '));
    const Outcome written = shell("allport schedule --format msccl --topology " + plan + " > x");
    ASSERT_EQ(written.status, 0) << plan << written.err;
    // Some blocks of a vector of seven flits are empty.
    for (const std::string run : {" --ts 7 --tr 3 --flits 40 --json -", " --flits 7 --json -"}) {
      EXPECT_EQ(json("run --topology " + plan + run)["digest"],
                json("run --schedule x --topology " + shape + run)["digest"])
          << plan << run;
    }
    const Outcome checked = allport("check x --require collective --json - --topology " + shape);
    EXPECT_EQ(checked.status, 0) << plan << checked.out << checked.err;
    EXPECT_EQ(nlohmann::json::parse(checked.out)["program"]["ok"], true);
  }
}

// Where ranks are placed the steps are new, but programs keep their order, also without the parts
// that are empty.
TEST_F(CliMsccl, PlacedSchedulesOfShortBlocksAreWrittenAndReadWithTheirDigest) {
  for (const auto& [plan, place] :
       {std::pair{"hypercube:4 --algorithm rotated-allgather --flits 1 ", "--place random:2 "},
        {"torus:4x2 --algorithm bucket-allgather --flits 2 ", "--place random:3 "},
        {"torus:3x2x2 --algorithm bucket-allgather --flits 4 ", "--place random:3 "},
        {"torus:4x2x2 --algorithm bucket-allgather --flits 2 --tr 9 ", "--place random:3 "}}) {
    const std::string words = plan;
    const std::string run = words.substr(0, words.find(' ')) + words.substr(words.find(" --fl"));
    const auto written = [&](const std::string& options) {
      shell("allport schedule --format msccl --topology " + words + options + " > x");
    };
    const nlohmann::json planned = json("run --json - --topology " + words + place);

    written(place);
    const nlohmann::json read = json("run --json - --schedule x --topology " + run);
    written("");
    const nlohmann::json placed = json("run --json - --schedule x --topology " + run + place);

    EXPECT_EQ(read["digest"], planned["digest"]) << plan;
    EXPECT_EQ(read["latency"]["max"], planned["latency"]["max"]) << plan;
    EXPECT_EQ(placed["latency"]["max"], planned["latency"]["max"]) << plan;
  }
}

// They are planned for the length and the times of the run.
TEST_F(CliMsccl, SynthesizedPlansAreThoseOfTheRun) {
  for (const std::string plan :
       {"hypercube:3 --algorithm synthesized-reduce --flits 40",
        "hypercube:3 --algorithm synthesized-allreduce --flits 40 --ts 9",
        "hypercube:3 --algorithm synthesized-allreduce --flits 5",
        "torus:4x3 --algorithm synthesized-allgather --bytes 100 --ts 200 --tr 20",
        "mesh:3x3 --algorithm synthesized-bcast --flits 7",
        "ring:5 --algorithm synthesized-barrier",
        "torus:3x3 --algorithm synthesized-alltoall --flits 1 --seed 5"}) {
    const std::string rest = plan.substr(plan.find(' ')) + " ";
    const std::string run = rest.substr(rest.find(' ', rest.find("synth")));
    const Outcome written = shell("allport schedule --format msccl --topology " + plan + " > x");
    ASSERT_EQ(written.status, 0) << plan << written.err;

    EXPECT_EQ(json("run --json - --topology " + plan)["digest"],
              json("run --json - --schedule x --topology " + plan.substr(0, plan.find(' ')) +
                   run)["digest"])
        << plan;
  }
}

TEST_F(CliMsccl, IsKnownByItsContentAlsoFromStdin) {
  const std::string xml = "\n \t\n" + ring_allgather(4);
  const Outcome run = allport("run --topology ring:4 --schedule - --json -", xml);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["config"]["collective"], "allgather");

  // Blanks before lines of JSON are no part of them, but count.
  write("late", "\n\n  {\"u\":0,\"v\":1,\"step\":0,\"order\":0}\n");
  EXPECT_THAT(allport("check --topology ring:4 late").err, HasSubstr("late:3: step must be"));
  write("torn", "\n   {\"u\" 0}\n");
  EXPECT_THAT(allport("check --topology ring:4 torn").err,
              HasSubstr("torn:2: torn or malformed JSON at column 9"));
}

TEST_F(CliMsccl, IsRefutedByGpuThreadBlockAndStep) {
  std::string xml = ring_allgather(4);
  const std::size_t last = xml.rfind("<step");
  xml.erase(last, xml.find('\n', last) - last);
  write("few.xml", xml);
  const std::string fault =
      "gpu 2, tb 0, step 2: it is number 3 to send to gpu 3 on channel 0, which receives 2 times there";

  const Outcome checked = allport("check --topology ring:4 few.xml --json -");
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_EQ(nlohmann::json::parse(checked.out)["program"]["first"][0], fault);
  const Outcome run = allport("run --topology ring:4 --schedule few.xml");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "allport: few.xml: " + fault + "\n");
}

// Some editors write it in front of a file in UTF-8.
TEST_F(CliMsccl, AByteOrderMarkSaysNothing) {
  write("x", ring_allgather(4));
  write("marked", "\xef\xbb\xbf" + ring_allgather(4));
  write("torn", "\xef\xbb" + ring_allgather(4));
  const std::string run = "run --topology ring:4 --json - --schedule ";
  EXPECT_EQ(json(run + "marked")["digest"], json(run + "x")["digest"]);
  EXPECT_EQ(allport(run + "torn").status, 2);
  shell("allport schedule --topology ring:4 --algorithm ring >plain");
  write("lines", "\xef\xbb\xbf" + content("plain"));
  EXPECT_EQ(allport("check --topology ring:4 lines").status, 0);
}

// With and without a mark, in XML and in JSON Lines, and where a trace is read.
TEST_F(CliMsccl, TextInUtf16IsNamedForWhatItIs) {
  const auto wide = [](const std::string& text, bool is_little, const std::string& mark) {
    std::string bytes = mark;
    for (const char one : text)
      bytes += is_little ? std::string{one, '\0'} : std::string{'\0', one};
    return bytes;
  };
  const std::string lines = "{\"step\":1,\"u\":0,\"v\":1}\n";
  for (const std::string& text : {ring_allgather(4), "\n" + ring_allgather(4), lines}) {
    for (const bool is_little : {true, false}) {
      for (const bool is_marked : {true, false}) {
        const std::string mark = is_marked ? (is_little ? "\xff\xfe" : "\xfe\xff") : "";
        write("wide", wide(text, is_little, mark));
        for (const std::string command :
             {"run --topology ring:4 --schedule wide", "check --topology ring:4 wide",
              "replay --topology ring:4 wide"}) {
          const Outcome run = allport(command);
          EXPECT_EQ(run.status, 2);
          EXPECT_EQ(run.out, "");
          EXPECT_THAT(run.err, HasSubstr("text in UTF-16 or UTF-32; save it as UTF-8\n"))
              << command;
        }
      }
    }
  }
}

// It says what its steps do, and not what for.
TEST_F(CliMsccl, CustomIsWhatIsAskedFor) {
  write("x", ring_allgather(4));
  std::string custom = content("x");
  custom.replace(custom.find("\"allgather\""), 11, "\"custom\"");
  write("custom", custom);
  const std::string run = "run --topology ring:4 --json - --collective allgather --schedule ";
  EXPECT_EQ(json(run + "custom")["digest"], json(run + "x")["digest"]);
  EXPECT_EQ(json(run + "custom --model worm")["digest"], json(run + "x")["digest"]);
  EXPECT_EQ(allport("check --topology ring:4 custom --collective allgather").status, 0);
  EXPECT_EQ(allport("check --topology ring:4 custom --collective alltoall").status, 1);
  EXPECT_EQ(
      allport("run --topology ring:4 --schedule custom").err,
      "allport: custom: coll \"custom\" does not say what it is to achieve; give --collective with one of bcast, scatter, gather, allgather, alltoall, reduce, allreduce, reduce_scatter, barrier\n");
  EXPECT_THAT(
      allport("check --topology ring:4 custom --collective neighbor").err,
      HasSubstr("custom: a program of MSCCL carries out no neighbor; the collectives are bcast, "));
}

TEST_F(CliMsccl, CustomIsWhatIsAskedForInAnExecutionPlanToo) {
  const std::string ring = "--topology ring:4 --algorithm ring-allgather";
  ASSERT_EQ(shell("allport schedule " + ring + " --format mscclpp > plan.json").status, 0);
  ASSERT_EQ(shell("jq '.collective = \"custom\"' plan.json > custom.json").status, 0);
  const std::string run = "run --topology ring:4 --json - --collective allgather --schedule ";
  EXPECT_EQ(json(run + "custom.json")["digest"], json(run + "plan.json")["digest"]);
  EXPECT_THAT(allport("check --topology ring:4 custom.json").err,
              HasSubstr("collective \"custom\" does not say what it is to achieve"));
  EXPECT_THAT(allport("check --topology ring:4 plan.json --collective gather").err,
              HasSubstr("it carries out allgather, but --collective asks for gather"));
}

TEST_F(CliMsccl, OptionsMustAgreeWithTheFile) {
  write("x", ring_allgather(4));
  const auto complaint = [&](const std::string& options) {
    const Outcome run = allport("run --schedule x " + options);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    return run.err;
  };

  EXPECT_THAT(complaint("--topology ring:5"), HasSubstr("x: it is for 4 gpus, but ring:5 has 5"));
  EXPECT_THAT(complaint("--topology ring:4 --collective alltoall"),
              HasSubstr("x: it carries out allgather, but --collective asks for alltoall"));
  EXPECT_THAT(complaint("--topology ring:4 --parts 2"), HasSubstr("--parts 2: the file has 1"));
  EXPECT_THAT(complaint("--topology ring:4 --blocks 3"), HasSubstr("--blocks 3: the file has 4"));
  EXPECT_THAT(complaint("--topology ring:4 --destinations 1"),
              HasSubstr("the destinations must be 'all'"));
  EXPECT_EQ(allport("run --topology ring:4 --schedule x --collective allgather").status, 0);
}

// A plan does to the cycle what the algorithm does, in one line or several, from a file or a pipe.
TEST_F(CliMsccl, ExecutionPlansAreReadAndWritten) {
  const std::string ring = "--topology ring:4 --algorithm ring-allreduce --flits 10";
  ASSERT_EQ(shell("allport schedule " + ring + " --format mscclpp > plan.json").status, 0);
  ASSERT_EQ(shell("jq -c . plan.json > line.json").status, 0);
  const std::string digest = json("run " + ring + " --json -")["digest"];
  for (const std::string file : {"plan.json", "line.json", "- < plan.json", "- < line.json"}) {
    const Outcome run =
        shell("allport run --topology ring:4 --flits 10 --json - --schedule " + file);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out)["digest"], digest);
  }
  const nlohmann::json verdict = json("check --topology ring:4 plan.json --json -");
  EXPECT_TRUE(verdict["program"]["ok"]);
  EXPECT_TRUE(verdict["collective"]["ok"]);
  // Without a signal somebody waits for ever.
  ASSERT_EQ(
      shell(
          "jq 'del(.gpus[1].threadblocks[].ops[] | select(.name == \"signal\"))' plan.json > silent.json")
          .status,
      0);
  const Outcome check = allport("check --topology ring:4 silent.json --json -");
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.out, HasSubstr("it waits for signal number 1 of gpu"));
  EXPECT_EQ(allport("run --topology ring:4 --schedule silent.json").status, 2);
  EXPECT_THAT(allport("run --topology ring:6 --schedule plan.json").err,
              HasSubstr("it is for 4 gpus, but ring:6 has 6 nodes"));
}

// A node that the fabric has not, wherever a line names it and whatever is asked for beside.
TEST_F(CliMsccl, NodesBeyondTheFabricAreNamedWithItsRange) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"36", R"({"u":14,"v":36,"step":1,"order":0})"},
      {"40", R"({"u":40,"v":3,"step":1,"order":0})"},
      {"99", R"({"u":0,"v":3,"step":1,"order":0,"kind":"multidestination","via":[99]})"},
      {"36", R"({"u":0,"v":36,"step":1,"order":0,"flits":3})"},
      {"36", R"({"u":0,"v":36,"step":1,"order":0,"blocks":[0]})"}};
  for (const auto& [node, line] : lines) {
    write("b.jsonl", line + "\n");
    for (const std::string rest : {"", " --destinations 0,5", " --group box:2x2"}) {
      if (!rest.empty() && line.find("flits") != std::string::npos) continue;
      const Outcome outcome = allport("run --topology mesh:6x6 --schedule b.jsonl" + rest);
      EXPECT_EQ(outcome.status, 2);
      EXPECT_THAT(outcome.err, HasSubstr(": node " + node + " is not one of 0..35 of mesh:6x6\n"))
          << line << rest;
    }
  }
}

// A file without an end of its last line, and one whose first line is no message.
TEST_F(CliMsccl, FirstLinesOfSchedulesAreReadWhole) {
  write("one", "\n {\"u\":0,\"v\":1,\"step\":1,\"order\":0}");
  EXPECT_EQ(allport("check --topology ring:4 --destinations 1 one").status, 0);
  write("first", "{\"v\":1}\n{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  EXPECT_EQ(allport("check --topology ring:4 first").err, "allport: first:1: key 'u' is missing\n");
}

TEST_F(CliMsccl, BadXmlIsOneSentence) {
  const std::string whole = ring_allgather(4);
  write("torn.xml", whole.substr(0, whole.size() / 2));
  std::string other = whole;
  write("coll.xml", other.replace(other.find("allgather"), 9, "alltonext"));

  EXPECT_THAT(allport("run --topology ring:4 --schedule torn.xml").err,
              StartsWith("allport: torn.xml: torn or malformed XML in line "));
  EXPECT_THAT(allport("check --topology ring:4 coll.xml").err,
              StartsWith("allport: coll.xml: unknown coll 'alltonext'"));
  for (const std::string command : {"run --schedule ", "check "}) {
    for (const std::string file : {"torn.xml", "coll.xml"}) {
      const Outcome outcome = allport(command + file + " --topology ring:4");
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
  }
}

TEST_F(CliMsccl, WhatItHasNoWordForIsNotWritten) {
  const auto complaint = [&](const std::string& plan) {
    const Outcome outcome = allport("schedule --format msccl --topology hypercube:3 " + plan);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };

  EXPECT_THAT(complaint("--algorithm tree"), HasSubstr("tree sends one tree worm"));
  EXPECT_THAT(complaint("--algorithm hamiltonian"), HasSubstr("sends one path worm"));
  EXPECT_THAT(complaint("--algorithm disjoint-paths --destinations 7"),
              HasSubstr("disjoint-paths sends worms to several nodes"));
  EXPECT_THAT(complaint("--algorithm ucube --destinations 1,5"), HasSubstr("goes to some nodes"));
}

}  // namespace
}  // namespace allport::test
