// SPDX-License-Identifier: Apache-2.0
// A ProgramRun is one run of the program within limits, so that none of its inputs can hold up or
// fill the machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace allport::test {

struct ProgramRun {
  int status = -1;            ///< exit status; 128 + n if signal n ended it
  bool was_told = false;      ///< whether it took long, and was sent SIGINT
  bool did_not_stop = false;  ///< whether it did not end then either, and was killed
  std::string out;
  std::string err;
};

/// Runs the program in `folder`, with `input` as stdin, without any other program in PATH, and with
/// at most 4 GB of address space and files of 64 MB. After three seconds it is sent SIGINT, and it
/// is killed if it does not end within a minute.
ProgramRun run_program(const std::filesystem::path& folder,
                       const std::vector<std::string>& arguments, const std::string& input);

/// The arguments as a shell takes them.
std::string command_line(const std::vector<std::string>& arguments);

}  // namespace allport::test
