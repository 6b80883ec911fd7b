// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/program_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/verilated/rtl_source.h"
#include "testbench/files/whole_file.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;  // what cannot be read cannot be simulated either
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void add_sources(Fnv1a& hash) {
  try {
    for (const fs::path& folder : {rtl_folder(), wrapper_folder()}) {
      for (const fs::path& file : files_below(folder)) {
        hash.add(file.filename().string());
        hash.add(whole_text(file.string()).value_or(""));
      }
    }
  } catch (const std::invalid_argument&) {  // they are not installed
  }
}

}  // namespace

std::string program_build() {
  const std::optional<std::string> program = whole_text("/proc/self/exe");
  if (!program) {
    throw std::runtime_error(
        fmt::format("this program cannot read itself, /proc/self/exe: {}", std::strerror(errno)));
  }
  Fnv1a hash;
  hash.add(*program);
  add_sources(hash);
  return fmt::format("{:016x}", hash.value());
}

}  // namespace allport
