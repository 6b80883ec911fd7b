// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/toolchain.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/quote.h"

namespace allport {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::invalid_argument(path.string() + ": cannot be written");
}

Arguments compiler() {
  const char* named = std::getenv("CXX");
  std::istringstream words(named != nullptr ? named : "");
  Arguments command{std::istream_iterator<std::string>(words), {}};
  if (command.empty()) command.emplace_back("g++");
  return command;
}

Arguments compiler_with(const Arguments& arguments) {
  Arguments command = compiler();
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::string first_lines(const std::string& output) {
  constexpr std::size_t most = 8;
  std::istringstream in(output);
  Arguments errors;
  Arguments others;
  for (std::string line; std::getline(in, line);) {
    const bool is_error = line.find("rror") != std::string::npos || line.rfind("%Warning", 0) == 0;
    (is_error || !errors.empty() ? errors : others).push_back(line);
  }
  if (errors.empty()) errors = others;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, errors.size()); ++i) text += "\n  " + errors[i];
  return text;
}

std::string names(const RtlSource& source) {
  if (source.is_own) return "the SystemVerilog of allport";
  std::string text;
  for (const fs::path& file : source.files)
    text += (text.empty() ? "" : ",") + shown_path(file.string());
  return text;
}

ProcessResult run_verilator(const Arguments& arguments) {
  Arguments command{"verilator"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(command);
  if (result.status == 127) {
    throw std::invalid_argument(
        "verilator is not installed or not in PATH: it is needed to "
        "simulate RTL (on Debian: apt-get install verilator)");
  }
  return result;
}

std::string first_line_of(const ProcessResult& result) {
  return result.output.substr(0, result.output.find('\n'));
}

Arguments source_arguments(const RtlSource& source) {
  Arguments arguments{"--top-module", source.top};
  for (const auto& [name, value] : source.parameters) {
    std::string argument = "-G" + name;
    arguments.push_back(argument += "=" + value);
  }
  arguments.emplace_back("-Wno-fatal");
  for (const fs::path& file : source.files) {  // for what stands beside it
    arguments.push_back("-I" + fs::absolute(file).parent_path().string());
  }
  for (const fs::path& file : source.files) arguments.push_back(fs::absolute(file).string());
  return arguments;
}

void refuse(const RtlSource& source, const ProcessResult& result) {
  throw std::invalid_argument("Verilator does not accept " + names(source) + " with top " +
                              in_quotes(source.top) + ":" + first_lines(result.output));
}

}  // namespace allport
