// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/own_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace allport {
namespace {

namespace fs = std::filesystem;

class OwnFiles : public testing::Test {
 protected:
  OwnFiles() : folder_(fs::path(testing::TempDir()) / ("own." + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "sub");
    fs::current_path(folder_);
    std::ofstream("there") << "text";
    fs::create_symlink("there", "link");
    fs::create_symlink("../there", "sub/link");
    fs::create_symlink("absent", "dangling");
  }
  ~OwnFiles() override { fs::remove_all(folder_); }

  static std::string problem(const std::vector<NamedFile>& inputs,
                             const std::vector<NamedFile>& outputs) {
    try {
      require_own_files(inputs, outputs);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(OwnFiles, AnOutputIsNoInputByAnyName) {
  for (const std::string& name :
       {std::string("there"), std::string("./sub/../there"), std::string("link"),
        std::string("sub/link"), (folder_ / "there").string()}) {
    EXPECT_EQ(problem({{"the scenario", "there"}}, {{"--json", name}}),
              "--json " + name + ": that file is the scenario, which this command reads");
    EXPECT_EQ(problem({{"the scenario", name}}, {{"--json", "there"}}),
              "--json there: that file is the scenario, which this command reads");
  }
  EXPECT_EQ(problem({{"the scenario", "there"}}, {{"--json", "absent"}}), "");
}

TEST_F(OwnFiles, TwoOutputsAreNotOneFile) {
  EXPECT_EQ(problem({}, {{"--json", "link"}, {"--csv", "sub/link"}}),
            "--csv sub/link: --json is written into that file");
  EXPECT_EQ(problem({}, {{"--json", "absent"}, {"--csv", "sub/../absent"}}),
            "--csv sub/../absent: --json is written into that file");
  EXPECT_EQ(problem({}, {{"--json", "dangling"}, {"--csv", "absent"}}),
            "--csv absent: --json is written into that file");
  EXPECT_EQ(problem({}, {{"--json", "-"}, {"--csv", "-"}}),
            "--csv -: --json is written into that file");
  EXPECT_EQ(problem({}, {{"--json", "absent"}, {"--csv", "sub/absent"}}), "");
}

TEST_F(OwnFiles, DevicesTakeSeveralAndNothingIsNoFile) {
  EXPECT_EQ(problem({{"the schedule", "/dev/null"}}, {{"--json", "/dev/null"}}), "");
  EXPECT_EQ(problem({}, {{"--json", "/dev/null"}, {"--csv", "/dev/null"}}), "");
  EXPECT_EQ(problem({{"the scenario", ""}}, {{"--json", ""}, {"--csv", ""}}), "");
}

}  // namespace
}  // namespace allport
