// SPDX-License-Identifier: Apache-2.0
// This header has a folder for the files of a test, and waves read back from it in the terms of
// docs/router.md: message A is 0, its flit A0 carries the data 0.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "testbench/results/results.h"
#include "tests/support/vcd_reader.h"
#include "tests/support/worm.h"

namespace allport::test {

/// An empty folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::path(testing::TempDir()) /
              ("allport_waves_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  bool is_empty() const { return std::filesystem::is_empty(path_); }

 private:
  std::filesystem::path path_;
};

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The flits shown on a channel, each with its cycle: `A0@1 A1@2`.
inline std::string flits_on(const VcdReader& wave, const std::string& channel) {
  std::string list;
  for (VcdReader::Time cycle = wave.first(); cycle < wave.last(); ++cycle) {
    const auto message = wave.at(channel + ".message", cycle);
    const auto data = wave.at(channel + ".data", cycle);
    EXPECT_EQ(message.has_value(), data.has_value()) << channel << " in cycle " << cycle;
    EXPECT_EQ(message.has_value(), wave.at(channel + ".flit", cycle) != 0U) << channel;
    if (!message) continue;
    note(list, std::string(1, static_cast<char>('A' + *message)) + std::to_string(*data), cycle);
  }
  return list;
}

/// The values of a variable with the cycles from which they hold: `0@0 2@5 z@7`.
inline std::string values_of(const VcdReader& wave, const std::string& name) {
  std::string list;
  for (const auto& [cycle, value] : wave.changes(name)) {
    note(list, value ? std::to_string(*value) : "z", cycle);
  }
  return list;
}

/// The name of message A: 0>0 #0, as if all came from node 0; that of B: 1>1 #0, and so on.
inline MessageName letter_name(MessageId id) {
  const auto node = node_id(static_cast<std::size_t>(id));
  return {node, node, 0};
}

}  // namespace allport::test
