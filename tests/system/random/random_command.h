// SPDX-License-Identifier: Apache-2.0
// Nobody would write these command lines: they have all commands and all of their options, with
// values that fit, values that do not, and damaged files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace allport::test {

struct RandomCommand {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> files;  ///< contents by name, in the folder in which it runs
  std::string input;                         ///< contents of its stdin
};

/// A command with random options; the files that it may read are sound.
RandomCommand random_options(std::uint64_t seed);

/// A command that reads a damaged scenario, grid or schedule.
RandomCommand random_files(std::uint64_t seed);

/// A command that reads files whose lines have every key for every kind, with numbers in range and
/// out of it (random_lines.h).
RandomCommand random_lines(std::uint64_t seed);

}  // namespace allport::test
