// SPDX-License-Identifier: Apache-2.0
// What a command reads: stdin and pipes once, numbers as numbers, lists that name their option, and
// of a scenario what the algorithm of the command line takes.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using CliInputs = Cli;

// One sentence on stderr, nothing on stdout.
void expect_refused(const Outcome& outcome, const std::string& sentence, const std::string& what) {
  EXPECT_EQ(outcome.status, 2) << what;
  EXPECT_EQ(outcome.out, "") << what;
  EXPECT_THAT(outcome.err, HasSubstr(sentence)) << what;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << what;
}

TEST_F(CliInputs, StdinIsReadOnceOnly) {
  write("empty", "");
  write("s.toml", "[fabric]\ntopology = \"ring:4\"\n[traffic]\nschedule = \"-\"\n");
  const std::string end = ", which can be read only once; give one of them as a file\n";
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"run --topology ring:4 --schedule - --counts - --collective alltoall",
           "--counts and --schedule are both stdin" + end},
          {"run --topology ring:4 --tasks - --flows - --cycles 9",
           "--tasks and --flows are both stdin" + end},
          {"run --topology ring:4 --schedule /dev/stdin --counts - --collective alltoall",
           "--counts and --schedule are both stdin" + end},
          {"run --topology ring:4 --algorithm ring-allgather --place /dev/stdin --group /dev/stdin",
           "--place and --group are both stdin" + end},
          {"run --topology ring:4 --missing-links /dev/stdin --schedule /dev/fd/0",
           "--missing-links and --schedule are both stdin" + end},
          {"run --topology ring:4 --link-attributes /dev/stdin --schedule -",
           "--link-attributes and --schedule are both stdin" + end},
          {"check - --topology ring:4 --counts -", "--counts and --schedule are both stdin" + end},
          {"run s.toml --missing-links /dev/stdin",
           "s.toml:4:12: schedule and --missing-links are both stdin" + end},
          {"run /dev/stdin --schedule - --topology ring:4",
           "the scenario and the schedule are both stdin" + end},
          {"program template --input - --template -",
           "--input and --template are both stdin" + end},
          {"replay - - --topology ring:4", "the trace - and the trace - are both stdin" + end},
          {"replay --job -@0,1 --job /dev/stdin@2,3 --topology ring:4",
           "--job - and --job /dev/stdin are both stdin" + end}}) {
    expect_refused(shell("printf '[fabric]\\ntopology = \"ring:4\"\\n' | allport " + arguments),
                   sentence, arguments);
    expect_refused(shell("allport " + arguments + " < s.toml"), sentence, arguments);
  }
  expect_refused(
      shell("mkfifo pipe; exec 3<>pipe; timeout 60 \"$program\" run --topology ring:4 --place pipe "
            "--group pipe --algorithm ring-allgather"),
      "--place and --group are both the same pipe" + end, "a pipe");
}

TEST_F(CliInputs, WhatASweepReadsForEachPointIsNoPipe) {
  write("counts.csv", "1,2\n3,4\n");
  const std::string sweep =
      "timeout 60 \"$program\" sweep --topology ring:4 --algorithm separate --flits 1,2 ";
  for (const char* key :
       {"schedule", "tasks", "flows", "counts", "block", "place", "group", "groups",
        "missing-links", "missing-nodes", "link-attributes", "rtl", "file-list", "declaration"}) {
    const std::string option = std::string("--") + key;
    const std::string pipe = std::string("pipe-of-") + key;
    expect_refused(
        shell("mkfifo " + pipe + "; exec 3<>" + pipe + "; " + sweep + option + " " + pipe),
        option + ": " + pipe +
            " is a pipe, which can be read only once, and each point of a sweep reads "
            "it; give a file",
        key);
    expect_refused(shell("true | " + sweep + option + " /dev/stdin"),
                   option + ": /dev/stdin is stdin, which can be read only once", key);
  }
  expect_refused(shell(sweep + "--flows - --cycles 9"), "--flows: - is stdin", "-");
  EXPECT_FALSE(exists("allport.sweep"));
}

// A byte order mark of UTF-8 is no part of a file, and UTF-16 is named, whatever the file is for.
TEST_F(CliInputs, FilesOfNodesAndLinksMayHaveAMark) {
  const std::string run = "run --topology torus:4x4 ";
  for (const auto& [option, text] : std::vector<std::pair<std::string, std::string>>{
           {"--algorithm separate --missing-links", "0-1\n"},
           {"--algorithm separate --missing-nodes", "3\n"},
           {"--algorithm ring-allgather --place", "3 2 1 0 4 5 6 7 8 9 10 11 12 13 14 15\n"},
           {"--algorithm ring-allgather --group", "3 2 1 0\n"},
           {"--algorithm ring-allgather --groups", "3 2 1 0\n4 5 6\n"},
           {"--algorithm separate --retry --flit-errors", "0.0@20\n"},
           {"--algorithm separate --link-attributes", "0,1,3\n"}}) {
    write("plain", text);
    write("marked", "\xef\xbb\xbf" + text);
    std::string wide = "\xff\xfe";
    for (const char one : text) wide += std::string(1, one) + '\0';
    write("wide", wide);
    const Outcome plain = allport(run + option + " plain --json plain.json");
    const Outcome marked = allport(run + option + " marked --json marked.json");
    EXPECT_EQ(plain.status, 0) << option << plain.err;
    EXPECT_EQ(marked.status, 0) << option << marked.err;
    EXPECT_THAT(allport(run + option + " wide").err, HasSubstr("it is text in UTF-16 or UTF-32"))
        << option;
  }
  write("wide.json", std::string("{\0}\0", 4));
  EXPECT_THAT(allport("diff wide.json wide.json").err, HasSubstr("it is text in UTF-16"));
}

// What the other commands read once may be a pipe.
TEST_F(CliInputs, APipeIsAsGoodAsAFile) {
  shell("allport schedule --topology torus:4x4 --algorithm dcf > block.jsonl");
  write("counts.csv", "0,9,2,3\n1,0,2,3\n1,2,0,3\n1,2,3,0\n");
  write("nodes", "3 2 1 0\n");
  write("links", "0-1\n");
  write("attributes.csv", "0,1,3\n");
  for (const auto& [arguments, file] : std::vector<std::pair<std::string, std::string>>{
           {"run --topology torus:8x8 --algorithm block --block", "block.jsonl"},
           {"run --topology torus:4x4 --schedule", "block.jsonl"},
           {"explain --topology torus:4x4 --schedule", "block.jsonl"},
           {"schedule --topology torus:8x8 --algorithm block --block", "block.jsonl"},
           {"check --topology torus:8x8 --block", "block.jsonl"},
           {"compare --topology torus:4x4 --algorithms block,dcf --block", "block.jsonl"},
           {"compare --topology ring:4 --collective alltoall --counts", "counts.csv"},
           {"run --topology ring:4 --algorithm ring-alltoall --counts", "counts.csv"},
           {"compare --topology ring:4 --collective allgather --place", "nodes"},
           {"schedule --topology ring:4 --algorithm synthesized-allgather --missing-links",
            "links"},
           {"run --topology torus:4x4 --algorithm separate --missing-nodes", "nodes"},
           {"run --topology ring:4 --algorithm separate --link-attributes", "attributes.csv"},
           {"show tree --topology torus:4x4", "block.jsonl"}}) {
    const auto text = [&](const std::string& before, const std::string& folder) {
      const Outcome outcome =
          shell("rm -rf file pipe; mkdir file pipe; cp " + file + " file/x; mkfifo pipe/x; " +
                before + " timeout 60 \"$program\" " + arguments + " " + folder +
                "/x | grep -v '^took' | sed 's,[a-z]*/x,F,g'");
      EXPECT_THAT(outcome.err, testing::Not(HasSubstr("allport: "))) << arguments;
      return outcome.out;
    };
    const std::string from_file = text("", "file");
    EXPECT_NE(from_file, "") << arguments;
    EXPECT_EQ(text("cat file/x >pipe/x &", "pipe"), from_file) << arguments;
  }
}

TEST_F(CliInputs, AnEmptyListNamesItsOption) {
  for (const char* zip : {"''", "'flits,'", "',ts'"}) {
    const Outcome outcome = allport(
        std::string("sweep --topology ring:4 --algorithm separate --flits 1,2 --ts 1,2 --zip ") +
        zip);
    EXPECT_EQ(outcome.status, 2) << zip;
    EXPECT_THAT(outcome.err, StartsWith("allport: --zip: ")) << zip;
  }
}

TEST_F(CliInputs, OneShapeIsOneValueHoweverItsNumbersAreWritten) {
  for (const auto& [option, values, first, second] :
       std::vector<std::tuple<std::string, std::string, std::string, std::string>>{
           {"topology", "ring:4,ring:04", "ring:4", "ring:04"},
           {"topology", "torus:4x4,torus:04x004", "torus:4x4", "torus:04x004"},
           {"topology", "hypercube:2..3,hypercube:03", "hypercube:3", "hypercube:03"},
           {"ranks", "ring:4,ring:04", "ring:4", "ring:04"},
           {"embed", "ring:4,ring:04", "ring:4", "ring:04"},
           {"group", "box:2,box:02", "box:2", "box:02"},
           {"groups", "dim:0,dim:00", "dim:0", "dim:00"},
           {"missing-links", "random:2:3,random:02:03", "random:2:3", "random:02:03"},
           {"missing-links", "0-1,00-01", "0-1", "00-01"},
           {"missing-nodes", "'1;01'", "1", "01"},
           {"place", "random:3,random:03", "random:3", "random:03"},
           {"ties", "random:3,random:03", "random:3", "random:03"}}) {
    const std::string fabric = option == "topology" ? "" : "--topology ring:4 ";
    expect_refused(
        allport("sweep " + fabric + "--algorithm ring-allgather --" + option + " " + values),
        "--" + option + ": '" + first + "' and '" + second + "' are the same value", values);
  }
  allport("sweep --topology ring:04,ring:05 --algorithm separate --output o");
  EXPECT_THAT(content("o/results.csv"), HasSubstr("\nring:4,"));
  EXPECT_THAT(content("o/results.csv"), HasSubstr("\nring:5,"));
  const std::string run = "run --algorithm ring-allgather --json - ";
  EXPECT_EQ(json(run + "--topology ring:04 --group box:03@01")["config"],
            json(run + "--topology ring:4 --group box:3@1")["config"]);
}

// An algorithm of the command line drops what it does not take, and keeps what it takes.
TEST_F(CliInputs, AnotherAlgorithmDropsWhatOfAScenarioItDoesNotTake) {
  shell("allport schedule --topology torus:4x4 --algorithm dcf > block.jsonl");
  write("counts.csv", "0,9,2,3\n1,0,2,3\n1,2,0,3\n1,2,3,0\n");
  for (const auto& [topology, before, key, value, now] :
       std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>>{
           {"torus:4x4", "block", "block", "\"block.jsonl\"", "separate"},
           {"hypercube:3", "maxport", "chain", "[0, 3, 7]", "sbt"},
           {"ring:4", "ring-alltoall", "counts", "\"counts.csv\"", "separate"},
           {"hypercube:3", "ucube", "pieces", "4", "tree"},
           {"hypercube:3", "sbt-allreduce", "parts", "2", "sbt"},
           {"hypercube:4", "ucube", "steps", "\"aware\"", "tree"},
           {"hypercube:3", "ucube", "address_flits", "2", "tree"},
           {"hypercube:3", "join-reduce", "join_operation", "\"min\"", "sbt"},
           {"hypercube:3", "join-reduce", "join_type", "\"u64\"", "sbt"}}) {
    const bool is_of_message = key != "block" && key != "chain" && key != "steps";
    const std::string line = key + " = " + value + "\n";
    write("s.toml", "[fabric]\ntopology = \"" + topology + "\"\n[message]\n" +
                        (is_of_message ? line : "") + "flit_bytes = 8\n[traffic]\nalgorithm = \"" +
                        before + "\"\n" + (is_of_message ? "" : line));
    EXPECT_EQ(allport("run s.toml").status, 0) << key;
    const nlohmann::json plain =
        json("run --flit-bytes 8 --json - --topology " + topology + " --algorithm " + now);
    const nlohmann::json run = json("run s.toml --json - --algorithm " + now);
    EXPECT_EQ(run["digest"], plain["digest"]) << key;
    EXPECT_EQ(run["config"], plain["config"]) << key;
    // What the command line itself asks for is refused all the same.
    if (key != "block" && key != "chain" && key != "counts") continue;
    std::string text = value;
    text.erase(std::remove_if(
                   text.begin(), text.end(),
                   [](char one) { return one == '"' || one == '[' || one == ']' || one == ' '; }),
               text.end());
    EXPECT_EQ(allport("run s.toml --algorithm " + now + " --" + key + " " + text).status, 2) << key;
  }
}

TEST_F(CliInputs, AnotherAlgorithmKeepsWhatOfAScenarioItTakes) {
  write("s.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[message]\npieces = 4\n[traffic]\n"
        "algorithm = \"maxport\"\nchain = [0, 3, 7]\n");
  const nlohmann::json kept = json("run s.toml --json - --algorithm ucube");
  EXPECT_THAT(kept["config"]["chain"], testing::ElementsAre(0, 3, 7));
  EXPECT_EQ(kept["config"]["pieces"], 4);
  write("t.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[traffic]\nalgorithms = [\"maxport\"]\n"
        "chain = [0, 3, 7]\n");
  EXPECT_EQ(allport("compare t.toml --algorithms sbt,ucube").status, 2)
      << "one of them takes the chain";
  EXPECT_EQ(allport("compare t.toml --algorithms sbt,separate").status, 0);
  write("u.toml", "[fabric]\ntopology = \"hypercube:3\"\n[traffic]\nchain = [0, 3, 7]\n");
  EXPECT_THAT(allport("run u.toml --algorithm sbt").err, HasSubstr("algorithm sbt takes no chain"))
      << "the chain belongs to no algorithm of the scenario";
  write("g.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[traffic]\nalgorithm = [\"maxport\", \"ucube\"]\n"
        "chain = [[0, 3, 7], [0, 1, 5]]\n");
  EXPECT_THAT(allport("sweep g.toml --algorithm sbt,separate --output o").out,
              StartsWith("points      2, of which 2 computed now"));
  EXPECT_THAT(allport("sweep g.toml --algorithm ucube --output p").out,
              StartsWith("points      2, of which 2 computed now"));
}

// The system would read the file `nodes`.
TEST_F(CliInputs, ANameOfAFileHasNoZeroByte) {
  write("nodes", "3 2 1 0\n");
  for (const char* key : {"schedule", "block", "flows", "place", "group"}) {
    write("s.toml", std::string("[fabric]\ntopology = \"ring:4\"\n[traffic]\n") + key +
                        " = \"nodes\\u0000x\"\n");
    expect_refused(allport("run s.toml"), "is no name of a file: it has a zero byte", key);
  }
}

// Otherwise they would be files that are called so.
TEST_F(CliInputs, ANumberOrAFlagIsNoNameOfAFile) {
  for (const char* value : {"true", "3", "1.5", "[true]", "{ a = 1 }"}) {
    for (const char* key : {"schedule", "block", "tasks", "flows", "place"}) {
      write("s.toml", std::string("[fabric]\ntopology = \"ring:4\"\n[traffic]\n") + key + " = " +
                          value + "\n");
      for (const char* command : {"run", "sweep"}) {
        const Outcome outcome = allport(std::string(command) + " s.toml");
        EXPECT_EQ(outcome.status, 2) << command << key << value;
        EXPECT_THAT(outcome.err, StartsWith("allport: s.toml:4:")) << command << key << value;
        EXPECT_THAT(outcome.err, HasSubstr(key)) << command << key << value;
      }
    }
    write("s.toml", std::string("[fabric]\ntopology = \"ring:4\"\n[traffic]\nalgorithm = "
                                "\"separate\"\n[observe]\njson = ") +
                        value + "\n");
    EXPECT_THAT(allport("run s.toml").err, StartsWith("allport: s.toml:6:")) << value;
    EXPECT_FALSE(exists(value));
  }
}

// What a sentence says of a number is true of it, and it says where the number stands.
TEST_F(CliInputs, NumbersOutOfRangeAreNamedAsTheyAre) {
  write("h.goal", "num_ranks 2\nrank 0 {\nl1: calc -5\n}\nrank 1 {\n}\n");
  const std::string fault = allport("replay h.goal --topology ring:4").err;
  EXPECT_THAT(fault, HasSubstr("a time in ns must be 0..9223372036854775807, not -5"));
  write("pairs.csv", "0,8000000000\n8000000000,0\n");
  EXPECT_THAT(
      allport("run --topology ring:2 --algorithm direct-alltoall --counts pairs.csv").err,
      HasSubstr(
          "--counts pairs.csv: its largest pair has 8000000000 bytes, which are 2000000000 flits of 4 bytes, and a message has 1..1000000000"));
  write("s.jsonl", R"({"u":2,"v":10,"step":1,"order":0,"blocks":[4294967295]})"
                   "\n");
  const std::string blocks = "a message has at most 1000000 pieces, so its blocks are 0..999999";
  EXPECT_THAT(allport("run --topology torus:4x4 --schedule s.jsonl --source 2 --flits 5").err,
              HasSubstr(blocks));
  EXPECT_THAT(allport("check --topology torus:4x4 --schedule s.jsonl --source 2 --flits 5").err,
              HasSubstr(blocks));
}

// What is known of a run is not found out by it.
TEST_F(CliInputs, TooManyRowsAreRefusedBeforeTheRun) {
  const Outcome outcome = allport(
      "run --topology torus:4x4 --pattern uniform --rate 0.000001 --cycles 1000000000000 --channel-load z.csv --every 1");
  expect_refused(outcome, "--channel-load: 1000000000000 cycles have", "--every 1");
  EXPECT_FALSE(exists("z.csv"));
}

// Each kind of file that a program works on tells what is wrong with it, and where.
TEST_F(CliInputs, AProblemFileNamesTheLineThatIsWrong) {
  write("ragged", "s..\n..\n..t\n");
  write("image", "P2\n4 4\n9\n1 2 3 4\n5 6 7 8\n1 2 3 x\n1 2 3 4\n");
  write("loads", "1\n2\n# three\n3 4\n");
  write("objects", "5 4\n6\n");
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"maze --input ragged",
           "ragged:2: it has 2 cells, and line 1 has 3; all lines of a maze have the same number\n"},
          {"template --input image",
           "image:6: value 12 of 16 is 'x', and must be a whole number 0..9\n"},
          {"template --template image", "image:6: value 12 of 16 is 'x'"},
          {"load-balance --input loads", "loads:4: it has 2 words, and must have 1"},
          {"knapsack --input objects", "objects:2: it has 1 word, and must have 2"}}) {
    expect_refused(allport("program " + arguments), sentence, arguments);
  }
}

}  // namespace
}  // namespace allport::test
