// SPDX-License-Identifier: Apache-2.0
// The tools that make a model of RTL, Verilator and the C++ compiler: how they are called, and what
// a user is told when they refuse.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rtl_model/verilated/process.h"
#include "rtl_model/verilated/rtl_source.h"

namespace allport {

using Arguments = std::vector<std::string>;

/// Throws std::invalid_argument when it cannot be read.
std::string read_file(const std::filesystem::path& path);
/// Throws std::invalid_argument when it cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);

/// The words of CXX, or g++.
Arguments compiler();
Arguments compiler_with(const Arguments& arguments);
/// Throws std::invalid_argument when there is no Verilator.
ProcessResult run_verilator(const Arguments& arguments);

std::string first_line_of(const ProcessResult& result);
/// The first lines of what a tool printed, those that name an error before all others.
std::string first_lines(const std::string& output);
/// The files of a source in a sentence.
std::string names(const RtlSource& source);
/// Top module, parameters and files, as Verilator wants them.
Arguments source_arguments(const RtlSource& source);

/// Throws std::invalid_argument: what Verilator says against `source`.
[[noreturn]] void refuse(const RtlSource& source, const ProcessResult& result);

}  // namespace allport
