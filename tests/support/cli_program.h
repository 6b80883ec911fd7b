// SPDX-License-Identifier: Apache-2.0
// Cli runs the program in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace allport::test {

struct Outcome {
  int status = -1;  ///< exit status; 128 + n if signal n ended it
  std::string out;
  std::string err;
};

/// Each test has a new folder, in which the program runs.
class Cli : public testing::Test {
 protected:
  Cli();
  ~Cli() override;

  /// `arguments` as a shell takes them; `input` is the program's stdin.
  Outcome allport(const std::string& arguments, const std::string& input = "") const;
  /// Any line of shell, with the program as `allport`, and its path as `$program`.
  Outcome shell(const std::string& line) const;
  /// A line of shell that limits memory to so many KiB; empty for a program with sanitizers, which
  /// asks for more addresses than a machine has memory.
  std::string memory_limit(std::uint64_t kibibytes) const;
  /// The JSON that the program prints; the test fails if it is not JSON.
  nlohmann::json json(const std::string& arguments) const;

  void write(const std::string& name, const std::string& text) const;
  std::string content(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

 private:
  std::filesystem::path folder_;
  mutable std::map<std::string, std::string> written_;  // files of the test, by name
};

}  // namespace allport::test
