// SPDX-License-Identifier: Apache-2.0
// `check` and `show` are used in several ways. Whatever option is given to one of them, either what
// it prints changes for some value on some fabric, or the option is refused with who reads it.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Lines = std::vector<std::string>;

struct Way {
  std::string name;   // as the refusals say it, and for the name of the test
  Lines lines;        // command lines on which what is read shows
  std::string reads;  // the options besides --topology and --json, with blanks around each
};

void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

class CliOptionsRead : public Cli, public testing::WithParamInterface<Way> {
 protected:
  CliOptionsRead() {
    shell("allport schedule --topology torus:4x4 --algorithm dcf > block.jsonl");
    shell("allport schedule --topology torus:4x4 --algorithm zblock > other.jsonl");
    shell("allport schedule --topology hypercube:3 --algorithm ucube > cube.jsonl");
    shell("allport schedule --topology ring:8 --algorithm separate > ring.jsonl");
    write("links.csv", "0,1,9,1\n");
    write("star.dot", "graph { hub [processor=false]; a -- hub; b -- hub [delay=3, width=2] }");
    shell("allport schedule --topology ring:8 --algorithm utorus --source 3 > utorus.jsonl");
  }
};

// Values of the options that these commands take.
const std::map<std::string, Lines>& values() {
  static const std::map<std::string, Lines> table{
      {"routing", {"ascending", "adaptive"}},
      {"ports", {"1", "2"}},
      {"vcs", {"4"}},
      {"vc-use", {"balanced"}},
      {"link-delay", {"7"}},
      {"link-width", {"1", "1,4"}},
      {"link-attributes", {"links.csv"}},
      {"flits", {"3", "1"}},
      {"bytes", {"3", "4KiB"}},
      {"flit-bytes", {"64", "1"}},
      {"ts", {"5000"}},
      {"tr", {"5000"}},
      {"steps", {"aware"}},
      {"ties", {"negative", "random:3"}},
      {"source", {"3", "1"}},
      {"destinations", {"1,3", "random:3"}},
      {"chain", {"0,1,3", "0,3,1"}},
      {"seed", {"7"}},
      {"block", {"other.jsonl"}},
      {"schedule", {"ring.jsonl", "utorus.jsonl"}},
      {"algorithm", {"sbt", "zblock"}},
      {"missing-links", {"0-1"}},
      {"csv", {"-"}},
      {"dot", {"-"}},
  };
  return table;
}

// What only `check` takes, besides; a schedule and an algorithm make another way of it.
const std::map<std::string, Lines>& values_of_check() {
  static const std::map<std::string, Lines> table = [] {
    std::map<std::string, Lines> all = values();
    all.erase("schedule");
    all.erase("algorithm");
    all.erase("csv");
    all.erase("dot");
    all.insert({{"max-violations", {"1"}},
                {"require", {"theorem1", "stepwise"}},
                {"switching", {"store-and-forward"}},
                {"missing-links", {"0-1"}},
                {"join-vcs", {"1"}},
                {"counts", {"counts.csv"}},
                {"pieces", {"2"}},
                {"parts", {"2"}},
                {"blocks", {"3"}},
                {"embed", {"ring:8"}},
                {"place", {"random"}},
                {"ranks", {"ring:8"}},
                {"group", {"0,1"}},
                {"groups", {"dim:0"}},
                {"collective", {"allgather"}}});
    return all;
  }();
  return table;
}

TEST_P(CliOptionsRead, ChangeWhatIsPrintedOrAreRefused) {
  const Way& way = GetParam();
  const bool is_check = way.name.substr(0, 5) == "check";
  for (const auto& [option, texts] : is_check ? values_of_check() : values()) {
    const bool is_read = way.reads.find(" " + option + " ") != std::string::npos;
    bool has_changed = false;
    for (const std::string& line : way.lines) {
      if (line.find("--" + option + " ") != std::string::npos) continue;
      for (const std::string& text : texts) {
        if (has_changed) break;
        const Outcome with = allport(line + " --" + option + " " + text);
        if (!is_read) {
          EXPECT_EQ(with.status, 2) << line << " --" << option << " " << text;
          EXPECT_EQ(with.out, "") << line << " --" << option << " " << text;
          EXPECT_THAT(with.err, HasSubstr(option)) << line;
          has_changed = true;
        } else {
          has_changed = with.out != allport(line).out;
        }
      }
    }
    const bool is_in_all =
        std::all_of(way.lines.begin(), way.lines.end(), [option = option](const std::string& line) {
          return line.find("--" + option + " ") != std::string::npos;
        });
    EXPECT_TRUE(has_changed || is_in_all) << "--" << option << " changes nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfOneCommand, CliOptionsRead,
    testing::Values(
        Way{"show route U V",
            {"show route 1 6 --topology hypercube:3", "show route 1 3 --topology ring:4",
             "show route 0 1 --topology ring:4 --routing table:updown"},
            " routing vcs vc-use ties missing-links "},
        Way{"show routes",
            {"show routes --topology hypercube:3", "show routes --topology ring:4",
             "show routes --topology ring:4 --routing table:updown",
             "show routes --topology graph:star.dot"},
            " routing vcs ties missing-links link-width link-attributes flit-bytes csv "},
        Way{"show fabric",
            {"show fabric --topology graph:star.dot", "show fabric --topology ring:4"},
            " link-delay link-width link-attributes flit-bytes dot "},
        Way{"show route FILE",
            {"show route cube.jsonl --topology hypercube:3",
             "show route ring.jsonl --topology ring:8",
             "show route --topology ring:8 --schedule utorus.jsonl",
             "show route ring.jsonl --topology ring:8 --routing table:updown"},
            " routing vcs vc-use ties schedule missing-links "},
        Way{"show route --algorithm",
            {"show route --topology hypercube:3 --algorithm ucube",
             "show route --topology hypercube:3 --algorithm ucube --destinations random:3",
             "show route --topology torus:4x4 --algorithm separate",
             "show route --topology torus:4x4 --algorithm synthesized-bcast",
             "show route --topology torus:4x4 --algorithm synthesized-bcast --bytes 64",
             "show route --topology hypercube:4 --algorithm ucube --destinations 4,10,11,12,13",
             "show route --topology torus:4x4 --algorithm block --block block.jsonl"},
            " routing ports vcs vc-use link-delay link-width link-attributes flits bytes flit-bytes ts tr steps ties source destinations chain seed block algorithm "},
        Way{"show chain",
            {"show chain --topology hypercube:3",
             "show chain --topology hypercube:3 --destinations random:3"},
            " routing source destinations chain seed "},
        Way{"show gray", {"show gray --topology hypercube:3"}, ""},
        Way{"show tree FILE",
            {"show tree ring.jsonl --topology ring:8",
             "show tree --topology ring:8 --schedule ring.jsonl"},
            " schedule source "},
        Way{"show tree --algorithm",
            {"show tree --topology hypercube:3 --algorithm ucube",
             "show tree --topology hypercube:3 --algorithm ucube --destinations random:3",
             "show tree --topology hypercube:4 --algorithm ucube --destinations 4,10,11,12,13",
             "show tree --topology torus:4x4 --algorithm utorus --destinations random:7",
             "show tree --topology torus:4x4 --algorithm block --block block.jsonl"},
            " algorithm routing ports steps ties source destinations chain seed block "},
        Way{"show sets", {"show sets --topology hypercube:3"}, " routing source "},
        Way{"show bounds",
            {"show bounds --topology hypercube:3", "show bounds --topology mesh:4x3",
             "show bounds --topology ring:4 --bytes 64"},
            " ports source flits bytes flit-bytes ts tr link-delay link-width link-attributes "},
        Way{"check --block FILE",
            {"check --block block.jsonl --topology torus:8x8",
             "check --block other.jsonl --topology torus:8x8"},
            " block ports max-violations require "},
        Way{"check --chain NODE,..",
            {"check --topology hypercube:3 --chain 0,1,3",
             "check --topology hypercube:3 --chain 0,4,1,5"},
            " chain routing "}),
    [](const testing::TestParamInfo<Way>& info) {
      std::string name = info.param.name;
      name.erase(std::remove_if(name.begin(), name.end(),
                                [](unsigned char one) { return std::isalpha(one) == 0; }),
                 name.end());
      return name;
    });

using CliOptionsOfWays = Cli;

TEST_F(CliOptionsOfWays, TheRefusalNamesWhoReadsTheOption) {
  shell("allport schedule --topology torus:4x4 --algorithm dcf > block.jsonl");
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"show gray --topology hypercube:3 --flits 4",
           "--flits: `show gray` does not read it; `show route --algorithm` and `show bounds` do\n"},
          {"show route 0 1 --topology ring:4 --schedule x",
           "give two nodes, as in `allport show route 5 14`, or else a schedule file or --algorithm"},
          {"show sets --topology hypercube:3 --block block.jsonl",
           "--block: `show sets` does not read it; `show route --algorithm` and `show tree --algorithm` do"},
          {"check --block block.jsonl --destinations 1",
           "--destinations: `check --block FILE` does not read it; `check FILE`, `check --algorithm` and `check --faults of a run` do"},
          {"check --topology hypercube:3 --chain 0,1 --ts 4",
           "--ts: `check --chain NODE,..` does not read it; `check FILE`, `check --algorithm` and `check --faults of a run` do"}}) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments;
  }
}

TEST_F(CliOptionsOfWays, AFileIsCheckedWithTheOptionsOfItsRun) {
  shell("allport schedule --topology ring:4 --algorithm ring-allgather > schedule.jsonl");
  const std::string options =
      "schedule.jsonl --topology ring:4 --collective allgather --flits 16 --ts 5 --tr 2 --link-delay 1";

  EXPECT_EQ(allport("run --schedule " + options).status, 0);
  EXPECT_EQ(allport("check " + options).status, 0);
}

}  // namespace
}  // namespace allport::test
