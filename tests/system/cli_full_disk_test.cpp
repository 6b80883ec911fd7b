// SPDX-License-Identifier: Apache-2.0
// Waves on a disk that is full, or for a user whose files are limited in size.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* traffic =
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
      expect_no_wave(wave, shell("(" + std::string(limit) + "; allport " + traffic + wave + ")"));
    }
  }
}

TEST_F(CliFullDisk, ASmallDiskLeavesNoPartOfAWave) {
  if (shell("mkdir small; unshare -m mount -t tmpfs -o size=64k tmpfs small").status != 0) {
    GTEST_SKIP() << "only root may mount a small disk, and not in every container";
  }
  for (const char* size : {"64k", "256k"}) {
    for (const char* wave : {"small/w.fst", "small/w.vcd"}) {
      expect_no_wave(wave,
                     shell("unshare -m sh -c 'mount -t tmpfs -o size=" + std::string(size) +
                           " tmpfs small && \"$0\" \"$@\"; status=$?; ls small >&3; exit $status' "
                           "\"$program\" " +
                           traffic + wave + " --json r.json 3>left"));
      EXPECT_TRUE(nlohmann::json::accept(content("r.json")));
      EXPECT_EQ(content("left"), "") << wave << size;
    }
  }
}

}  // namespace
}  // namespace allport::test
