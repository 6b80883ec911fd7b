// SPDX-License-Identifier: Apache-2.0
// This header names files that a test writes: processes run side by side, and so each has its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace allport::test {

/// The folder of this process, which goes with it.
class TestFolder {
 public:
  TestFolder() : path_(testing::TempDir() + "allport_test_" + std::to_string(getpid())) {
    std::filesystem::create_directories(path_);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The path of a file of this process and the children that it forks.
inline std::string test_file(const std::string& name) {
  static const TestFolder folder;
  return folder.path() + "/" + name;
}

}  // namespace allport::test
