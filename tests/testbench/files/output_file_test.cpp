// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace allport {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public testing::Test {
 protected:
  OutputFiles() : folder_(fs::path(testing::TempDir()) / ("output." + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~OutputFiles() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(OutputFiles, HoldWhatWasCommitted) {
  OutputFile(path("new")).commit("text");

  EXPECT_EQ(content("new"), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFiles, LeaveNothingBehindWithoutCommit) {
  { OutputFile file(path("new")); }

  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFiles, KeepWhatWasThereUntilTheCommit) {
  write("old", "old");

  OutputFile file(path("old"));
  EXPECT_EQ(content("old"), "old");
  file.commit("new");

  EXPECT_EQ(content("old"), "new");
}

TEST_F(OutputFiles, KeepTheModeOfTheFileTheyReplace) {
  write("old", "old");
  chmod(path("old").c_str(), 0604);

  OutputFile(path("old")).commit("new");

  struct stat status {};
  ASSERT_EQ(stat(path("old").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0604U);
}

TEST_F(OutputFiles, FollowALinkAndKeepIt) {
  write("target", "old");
  fs::create_symlink(path("target"), path("link"));

  OutputFile(path("link")).commit("new");

  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "new");
}

TEST_F(OutputFiles, WriteThroughALinkThatLeadsNowhereYet) {
  fs::create_directories(folder_ / "sub");
  fs::create_symlink("sub/second", path("first"));
  fs::create_symlink("../new", path("sub/second"));

  OutputFile(path("first")).commit("text");

  EXPECT_TRUE(fs::is_symlink(path("first")));
  EXPECT_TRUE(fs::is_symlink(path("sub/second")));
  EXPECT_EQ(content("new"), "text");
}

TEST_F(OutputFiles, RejectACircleOfLinks) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));

  EXPECT_THROW(OutputFile(path("a")), std::invalid_argument);
  EXPECT_TRUE(fs::is_symlink(path("a")));
}

TEST_F(OutputFiles, AreNowhereBeforeTheCommit) {
  const OutputFile file(path("new"));

  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFiles, MayHaveTheLongestNameThereIs) {
  const std::string name(255, 'n');

  OutputFile(path(name)).commit("text");

  EXPECT_EQ(content(name), "text");
}

TEST_F(OutputFiles, DoNotReplaceADevice) {
  OutputFile("/dev/null").commit("text");

  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFiles, RejectAPathThatCannotBeWritten) {
  EXPECT_THROW(OutputFile(path("missing/file")), std::invalid_argument);
  EXPECT_THROW(OutputFile(path("missing/")), std::invalid_argument);
  EXPECT_THROW(OutputFile(folder_.string()), std::invalid_argument);
}

TEST_F(OutputFiles, SayWhenTheDeviceIsFull) {
  OutputFile file("/dev/full");

  EXPECT_THROW(file.commit("text"), std::runtime_error);
}

}  // namespace
}  // namespace allport
