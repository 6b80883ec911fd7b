// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/toolchain.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/file_list.h"
#include "rtl_model/verilated/model_cache.h"

namespace allport {

namespace fs = std::filesystem;

namespace {

// Whether a file in the cache is as long as files may be: Verilator does not notice.
bool has_cut_file() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(cache_folder(), ignored)) {
    if (entry.is_regular_file(ignored) && entry.file_size(ignored) == limit.rlim_cur) return true;
  }
  return false;
}

// Why a tool with this output could not write its files, or why nothing can be written into the
// cache now, in the words of the system; empty: neither is known.
std::string disk_fault(const std::string& output) {
  for (const int fault : {ENOSPC, EDQUOT, EFBIG}) {
    const char* words = std::strerror(fault);
    if (output.find(words) != std::string::npos) return words;
  }
  if (has_cut_file()) return std::strerror(EFBIG);
  constexpr std::size_t little = std::size_t{1} << 20;  // not every tool says what it lost
  const fs::path attempt = cache_folder() / ("room." + std::to_string(getpid()));
  errno = 0;
  std::ofstream out(attempt, std::ios::binary);
  out << std::string(little, ' ');
  std::string why = out.flush() ? "" : std::strerror(errno);
  std::error_code ignored;
  fs::remove(attempt, ignored);
  return why;
}

}  // namespace

void require_file(const fs::path& path, const char* wanted) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return;
  throw std::invalid_argument(shown_path(path.string()) +
                              (fs::is_directory(path, ignored)
                                   ? ": it is a folder; name " + std::string(wanted) + " in it"
                                   : ": there is no such file"));
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::invalid_argument(shown_path(path.string()) +
                                ": cannot be read: " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (out.flush()) return;
  throw std::invalid_argument(shown_path(path.string()) +
                              ": cannot be written: " + std::strerror(errno));
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

std::string optimization() {
  const char* named = std::getenv("ALLPORT_OPTIMIZATION");
  const std::string level = named != nullptr && *named != '\0' ? named : "3";
  if (level.size() == 1 && level >= "0" && level <= "3") return "-O" + level;
  throw std::invalid_argument("ALLPORT_OPTIMIZATION is " + in_quotes(level) +
                              ": give a level of the compiler from 0 to 3");
}

ToolMessages errors_of(const std::string& output) {
  ToolMessages messages;
  std::string others;
  std::istringstream in(output);
  enum class Part { other, error, warning } part = Part::other;
  for (std::string line; std::getline(in, line);) {
    const bool is_warning =
        line.rfind("%Warning", 0) == 0 ||
        (line.rfind('%', 0) != 0 && line.find(" warning: ") != std::string::npos);
    const bool is_error = line.rfind("%Error", 0) == 0 || line.find("error: ") != std::string::npos;
    if (line.rfind("%Error: Exiting due to", 0) == 0) continue;  // the other errors say why
    if (is_warning) ++messages.warning_count;
    if (is_warning || is_error) part = is_warning ? Part::warning : Part::error;
    std::string& text = part == Part::error     ? messages.errors
                        : part == Part::warning ? messages.warnings
                                                : others;
    text += part == Part::warning ? line + "\n" : "\n  " + line;
  }
  if (messages.errors.empty()) messages.errors = others;
  return messages;
}

std::string names(const RtlSource& source) {
  if (source.is_own) return "the SystemVerilog of allport";
  if (source.files.empty() && source.lists.size() == 1) {
    return "the files of " + shown_path(source.lists.front().string());
  }
  if (source.files.size() == 1) return shown_path(source.files.front().string());
  return "the " + std::to_string(source.files.size()) + " files";
}

std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::ostringstream digits;
  digits << std::hex << hash;
  return digits.str();
}

ProcessResult run_verilator(const Arguments& arguments, StopFlag stop) {
  Arguments command{"verilator"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(command, stop);
  if (result.status == 127) {
    throw std::invalid_argument(
        "verilator is not installed or not in PATH: it is needed to simulate RTL (on Debian: apt-get install verilator)");
  }
  return result;
}

std::string first_line_of(const ProcessResult& result) {
  return result.output.substr(0, result.output.find('\n'));
}

namespace {

constexpr const char* package_file = "allport_pkg.sv";

// Whether the source has the package of this project itself.
bool lists_package(const RtlSource& source) {
  const auto is_it = [](const fs::path& file) { return file.filename() == package_file; };
  if (std::any_of(source.files.begin(), source.files.end(), is_it)) return true;
  const auto names_it = [](const fs::path& list) {
    return read_file(list).find(package_file) != std::string::npos;
  };
  return std::any_of(source.lists.begin(), source.lists.end(), [&](const fs::path& list) {
    const std::vector<fs::path> all = checked_lists(list);
    return std::any_of(all.begin(), all.end(), names_it);
  });
}

}  // namespace

Arguments source_arguments(const RtlSource& source) {
  Arguments arguments{"--top-module", source.top};
  for (const auto& [name, value] : source.parameters) {
    std::string argument = "-G" + name;
    arguments.push_back(argument += "=" + value);
  }
  arguments.emplace_back("-Wno-fatal");
  for (const std::string& macro : source.defines) arguments.push_back("-D" + macro);
  for (const fs::path& folder : source.includes) {
    arguments.push_back("-I" + fs::absolute(folder).string());
  }
  for (const fs::path& file : source.files) {  // for the files beside it
    arguments.push_back("-I" + fs::absolute(file).parent_path().string());
  }
  if (!source.is_own && !lists_package(source)) {  // for the adapters, found by their names
    arguments.push_back("-I" + rtl_folder().string());
    arguments.push_back((rtl_folder() / package_file).string());
  }
  for (const fs::path& list : source.lists) {
    arguments.insert(arguments.end(), {"-f", fs::absolute(list).string()});
  }
  for (const fs::path& file : source.files) arguments.push_back(fs::absolute(file).string());
  return arguments;
}

void require_room(const ProcessResult& result) {
  const std::string why = disk_fault(result.output);
  if (why.empty()) return;
  throw std::invalid_argument(
      "cache folder " + shown_path(cache_folder().string()) +
      ": a model library cannot be built in it, " + why +
      ": make room, also for temporary files, or name another one with ALLPORT_CACHE");
}

void refuse(const RtlSource& source, const ProcessResult& result) {
  constexpr int first_signal = 128;
  require_room(result);
  const ToolMessages messages = errors_of(result.output);
  const std::string what =
      names(source) + " with top " + in_quotes(source.top) + ":" + messages.errors;
  if (result.status >= first_signal || result.output.find("Internal Error") != std::string::npos) {
    throw std::invalid_argument("Verilator itself failed (status " + std::to_string(result.status) +
                                ") at " + what);
  }
  std::string rest;
  if (messages.warning_count > 0) {
    const fs::path file = cache_folder() / (source.top + ".warnings");
    write_file(file, messages.warnings);
    rest = "\n  (" + std::to_string(messages.warning_count) +
           (messages.warning_count == 1 ? " warning is in " : " warnings are in ") +
           shown_path(file.string()) + ")";
  }
  throw RtlRefused("Verilator does not accept " + what + rest);
}

}  // namespace allport
