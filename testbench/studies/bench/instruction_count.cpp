// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/instruction_count.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/child_pool.h"
#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

/// A temporary folder that exists as long as this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "allport-bench-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("--instructions: no folder for callgrind can be made under TMPDIR");
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "no output";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

}  // namespace

void require_valgrind() {
  if (run_and_wait("valgrind", {"--version"}).exit == 0) return;
  throw std::invalid_argument(
      "--instructions: valgrind is not installed; scripts/setup installs it");
}

std::uint64_t callgrind_total(const std::string& text) {
  std::istringstream lines(text);
  std::uint64_t total = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string key = "totals: ";
    if (line.compare(0, key.size(), key) == 0) total += std::stoull(line.substr(key.size()));
  }
  return total;
}

// Every process writes a file of its own; only the one that simulates has anything to count.
std::uint64_t count_instructions(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments_of_valgrind{
      "--tool=callgrind", "--toggle-collect=allport::timed(*",
      "--callgrind-out-file=" + (folder.path() / "%p").string(),
      fs::read_symlink(this_program).string()};
  arguments_of_valgrind.insert(arguments_of_valgrind.end(), arguments.begin(), arguments.end());
  const ChildEnd end = run_and_wait("valgrind", arguments_of_valgrind, catch_interrupts());
  if (end.exit != 0) {
    throw std::runtime_error(
        fmt::format("valgrind ended with status {}: {}", end.exit, last_line(end.err)));
  }
  std::uint64_t total = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path())) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    total += callgrind_total(text.str());
  }
  if (total > 0) return total;
  throw std::runtime_error("callgrind counted nothing: the program has lost its symbols (strip)");
}

}  // namespace allport
