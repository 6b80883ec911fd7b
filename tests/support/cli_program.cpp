// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace allport::test {

namespace fs = std::filesystem;

namespace {

// Copies the file into the folder that ALLPORT_KEPT_JSON names, if it is JSON: tests of the schemas
// want all that the program prints.
void keep(const fs::path& file) {
  const char* kept = std::getenv("ALLPORT_KEPT_JSON");
  if (kept == nullptr) return;
  std::ifstream text(file);
  if (!nlohmann::json::accept(text)) return;
  static int count = 0;
  const std::string name = std::to_string(getpid()) + "." + std::to_string(++count) + ".json";
  fs::copy_file(file, fs::path(kept) / name);
}

}  // namespace

Cli::Cli() : folder_(fs::path(testing::TempDir()) / ("allport_cli." + std::to_string(getpid()))) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

Cli::~Cli() {
  std::error_code gone;  // a test may have removed its folder
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, gone)) {
    if (!file.is_regular_file() || file.path().extension() != ".json") continue;
    const std::string name = file.path().filename();
    if (content(name) != written_[name]) keep(file.path());
  }
  fs::remove_all(folder_);
}

Outcome Cli::shell(const std::string& line) const {
  const std::string command = "cd '" + folder_.string() + "' && program='" + ALLPORT_PROGRAM +
                              "' && allport() { \"$program\" \"$@\"; } && { " + line +
                              "; } >.out 2>.err";
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = content(".out");
  outcome.err = content(".err");
  keep(folder_ / ".out");
  return outcome;
}

Outcome Cli::allport(const std::string& arguments, const std::string& input) const {
  write(".in", input);
  return shell("allport " + arguments + " <.in");
}

std::string Cli::memory_limit(std::uint64_t kibibytes) const {
  const std::string line = "ulimit -v " + std::to_string(kibibytes) + "; ";
  return shell(line + "allport --version").status == 0 ? line : "";
}

nlohmann::json Cli::json(const std::string& arguments) const {
  const Outcome outcome = allport(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << outcome.out;
  return json;
}

void Cli::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  written_[name] = text;
}

std::string Cli::content(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace allport::test
