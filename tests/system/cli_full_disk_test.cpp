// SPDX-License-Identifier: Apache-2.0
// These tests write waves on a disk that is full, or for a user whose files are limited in size.
#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* uniform_traffic =
    "run --topology torus:8x8 --pattern uniform --rate .3 --cycles 300 --wave ";

class CliFullDisk : public Cli {
 protected:
  // The run goes on to its results, and no part of its waves stays.
  void expect_no_wave(const std::string& wave, const Outcome& outcome) const {
    EXPECT_EQ(outcome.status, 2) << wave << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("digest"));
    EXPECT_THAT(outcome.err, StartsWith("allport: wave file " + wave +
                                        ": it could not be written completely and was removed"));
    EXPECT_EQ(shell("find . -name 'w.*'").out, "");
  }
};

// SIGXFSZ would kill a program that does not ignore it. A shell counts in blocks of 512 bytes.
TEST_F(CliFullDisk, LimitedFilesLeaveNoPartOfAWave) {
  for (const char* wave : {"w.fst", "w.vcd"}) {
    for (const char* limit : {"ulimit -f 8", "ulimit -f 64", "trap '' XFSZ; ulimit -f 8"}) {
      expect_no_wave(wave,
                     shell("(" + std::string(limit) + "; allport " + uniform_traffic + wave + ")"));
    }
  }
}

// An output that cannot be written keeps no other from being written or from being complained of.
TEST_F(CliFullDisk, EveryOutputThatFailsIsNamedAndTheOthersAreKept) {
  const Outcome both = shell("(ulimit -f 8; allport " + std::string(uniform_traffic) +
                             "w.fst --channel-load loads.csv --json r.json)");
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.out, HasSubstr("digest"));
  EXPECT_THAT(both.err, HasSubstr("allport: r.json cannot be written: "));
  EXPECT_THAT(both.err, HasSubstr("allport: loads.csv cannot be written: "));
  EXPECT_THAT(both.err, HasSubstr("allport: wave file w.fst: it could not be written completely"));

  const Outcome one = shell(
      "allport run --topology hypercube:2 --pattern uniform --rate 0.1 --cycles 9 --wave k.vcd --json /dev/full");
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, StartsWith("allport: /dev/full cannot be written: "));
  EXPECT_TRUE(exists("k.vcd") && exists("k.gtkw"));

  EXPECT_EQ(
      shell(
          "allport run --topology hypercube:2 --pattern uniform --rate 0.1 --cycles 9 --json kept.json > /dev/full")
          .status,
      2);
  EXPECT_TRUE(nlohmann::json::accept(content("kept.json")));
}

// Of every command, each output in its turn is on a disk that is full, and then stdout.
TEST_F(CliFullDisk, OneOutputThatFailsKeepsNoOtherOfAnyCommand) {
  struct Case {
    std::string command;
    std::vector<std::string> options;
    std::vector<std::string> files;
  };
  using Names = std::vector<std::string>;
  write("k.jsonl", "{\"node\":0,\"task\":\"a\",\"compute\":5}\n");
  for (const char* flits : {"8", "9"}) {
    ASSERT_EQ(allport("run --topology ring:4 --algorithm separate --flits " + std::string(flits) +
                      " --json " + flits + ".json")
                  .status,
              0);
  }
  const std::string ring = " --topology ring:4 --algorithm separate";
  const Names json_and_page{"--json", "--report"};
  const Names json_and_html{"x.json", "y.html"};
  for (const Case& one : std::vector<Case>{
           {"run" + ring, {"--json", "--messages", "--report"}, {"x.json", "x.csv", "y.html"}},
           {"explain" + ring, json_and_page, json_and_html},
           {"compare --topology ring:4 --algorithms separate", json_and_page, json_and_html},
           {"compare --topology ring:4 --algorithms separate --sizes 16,64",
            {"--json", "--report", "--plot"},
            {"x.json", "y.html", "z.svg"}},
           {"compare --topology 'ring:4;mesh:4' --algorithms separate", json_and_page,
            json_and_html},
           {"whatif --budget 1" + ring, json_and_page, json_and_html},
           {"whatif --broken 1" + ring, json_and_page, json_and_html},
           {"diff 8.json 9.json", json_and_page, json_and_html},
           {"fit --topology ring:4 --sizes 1,8",
            {"--json", "--csv", "--plot"},
            {"x.json", "x.csv", "z.svg"}},
           {"show routes --topology ring:4 --routing table:shortest",
            {"--json", "--csv"},
            {"x.json", "x.csv"}},
           {"show fabric --topology ring:4", {"--json", "--dot"}, {"x.json", "x.dot"}},
           {"sweep --flits 1,2 --plot-x flits" + ring, {"--plot", "--report"}, {"z.svg", "y.html"}},
           {"replay k.jsonl --topology ring:4", {"--json", "--messages"}, {"x.json", "x.csv"}},
           {"program knapsack --topology hypercube:2",
            {"--json", "--messages"},
            {"x.json", "x.csv"}},
           {"check" + ring, {"--json"}, {"x.json"}},
           {"steps --sizes 2 --trials 2 --topology ring:4", {"--json"}, {"x.json"}}}) {
    for (std::size_t full = 0; full <= one.files.size(); ++full) {
      shell("rm -rf x.* y.* z.* allport.sweep");
      std::string line = "allport " + one.command;
      for (std::size_t i = 0; i < one.files.size(); ++i)
        line += " " + one.options[i] + " " + one.files[i];
      const bool is_stdout = full == one.files.size();
      const std::string name = is_stdout ? "stdout" : one.files[full];
      if (is_stdout) {
        line += " > /dev/full";
      } else {
        shell("ln -s /dev/full " + name);
      }
      const Outcome outcome = shell(line);
      EXPECT_EQ(outcome.status, 2) << line << ", " << name;
      EXPECT_THAT(outcome.err, HasSubstr("allport: " + name + " cannot be written: No space left"))
          << line;
      for (std::size_t i = 0; i < one.files.size(); ++i) {
        EXPECT_TRUE(i == full || !content(one.files[i]).empty())
            << line << ": no " << one.files[i] << " beside " << name;
      }
    }
  }
}

TEST_F(CliFullDisk, ASmallDiskLeavesNoPartOfAWave) {
  if (shell("mkdir small; unshare -m mount -t tmpfs -o size=64k tmpfs small").status != 0) {
    GTEST_SKIP() << "only root may mount a small disk, and not in every container";
  }
  for (const char* size : {"64k", "256k"}) {
    for (const char* wave : {"small/w.fst", "small/w.vcd"}) {
      expect_no_wave(
          wave,
          shell(
              "unshare -m sh -c 'mount -t tmpfs -o size=" + std::string(size) +
              " tmpfs small && \"$0\" \"$@\"; status=$?; ls small >&3; exit $status' \"$program\" " +
              uniform_traffic + wave + " --json r.json 3>left"));
      EXPECT_TRUE(nlohmann::json::accept(content("r.json")));
      EXPECT_EQ(content("left"), "") << wave << size;
    }
  }
}

}  // namespace
}  // namespace allport::test
