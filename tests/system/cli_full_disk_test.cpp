// SPDX-License-Identifier: Apache-2.0
// These tests write waves on a disk that is full, or for a user whose files are limited in size.
#include <gmock/gmock.h>

#include <string>

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
