// SPDX-License-Identifier: Apache-2.0
// These functions call the tools that make a model of RTL, Verilator and the C++ compiler, and say
// what a user is told when they refuse their input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rtl_model/verilated/process.h"
#include "rtl_model/verilated/rtl_source.h"

namespace allport {

using Arguments = std::vector<std::string>;

/// Throws std::invalid_argument unless it is a file; for a folder it says what in it is `wanted`.
void require_file(const std::filesystem::path& path,
                  const char* wanted = "the SystemVerilog files");
/// Throws std::invalid_argument when it cannot be read.
std::string read_file(const std::filesystem::path& path);
/// Throws std::invalid_argument when it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);

/// The words of CXX, or g++.
Arguments compiler();
Arguments compiler_with(const Arguments& arguments);
/// How much the code of a model that runs every cycle is optimized: -O and ALLPORT_OPTIMIZATION, or
/// -O3. Throws std::invalid_argument unless that is 0..3.
std::string optimization();
/// Throws std::invalid_argument when there is no Verilator, and Stopped once `stop` is set.
ProcessResult run_verilator(const Arguments& arguments, StopFlag stop = nullptr);

std::string first_line_of(const ProcessResult& result);
/// The complaints of a tool about its input, split into messages of one or more lines.
struct ToolMessages {
  std::string errors;    ///< all errors, each indented and on a line of its own
  std::string warnings;  ///< all warnings, unchanged
  int warning_count = 0;
};
ToolMessages errors_of(const std::string& output);
/// The files of a source in a sentence: the name of the only one, or their number.
std::string names(const RtlSource& source);
/// FNV-1a, in hexadecimal digits.
std::string fingerprint(const std::string& text);
/// Top module, parameters and files, as arguments of Verilator.
Arguments source_arguments(const RtlSource& source);

/// Throws std::invalid_argument, one sentence with the reason of the system, if a tool that ended
/// with `result` could not write its files, or if nothing can be written into the cache now.
void require_room(const ProcessResult& result);

/// Throws RtlRefused with the errors that Verilator finds in `source` and the file that holds its
/// warnings, or, if Verilator itself failed or had no room, std::invalid_argument.
[[noreturn]] void refuse(const RtlSource& source, const ProcessResult& result);

}  // namespace allport
