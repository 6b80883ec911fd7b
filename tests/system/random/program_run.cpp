// SPDX-License-Identifier: Apache-2.0
#include "tests/system/random/program_run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace allport::test {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Under sanitizers a program takes about twenty times as long, and a second until it hears of
// signals.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::chrono::seconds patience{40};
#else
constexpr std::chrono::seconds patience{3};
#endif
constexpr std::chrono::seconds grace{60};

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void connect(int stream, const fs::path& file, int flags) {
  const int descriptor = open(file.c_str(), flags, 0666);
  if (descriptor < 0 || dup2(descriptor, stream) < 0) _exit(126);
  close(descriptor);
}

// The program that is tried: that of the build, or another one, which may need any memory.
const char* other_program() { return std::getenv("ALLPORT_TRIED_PROGRAM"); }

[[noreturn]] void become_program(const fs::path& folder,
                                 const std::vector<std::string>& arguments) {
  connect(STDIN_FILENO, folder / "../in", O_RDONLY);
  connect(STDOUT_FILENO, folder / "../out", O_WRONLY | O_CREAT | O_TRUNC);
  connect(STDERR_FILENO, folder / "../err", O_WRONLY | O_CREAT | O_TRUNC);
  if (chdir(folder.c_str()) != 0) _exit(126);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, rlim_t{64} << 20);
#if !defined(__SANITIZE_ADDRESS__)
  if (other_program() == nullptr) limit(RLIMIT_AS, rlim_t{4} << 30);
#endif
  setenv("PATH", "/nonexistent", 1);
  setenv("ALLPORT_CACHE", (folder / "../cache").c_str(), 1);
  std::vector<std::string> words{"allport"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(other_program() == nullptr ? ALLPORT_PROGRAM : other_program(), argv.data());
  _exit(126);
}

// Whether the program ends in time; sets its status if it does.
bool ends_within(std::chrono::seconds time, pid_t child, int& status) {
  const Clock::time_point end = Clock::now() + time;
  for (std::chrono::microseconds pause{500}; Clock::now() < end;
       pause = std::min(2 * pause, std::chrono::microseconds{20000})) {
    if (waitpid(child, &status, WNOHANG) == child) return true;
    std::this_thread::sleep_for(pause);
  }
  return false;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

ProgramRun run_program(const fs::path& folder, const std::vector<std::string>& arguments,
                       const std::string& input) {
  std::ofstream(folder / "../in", std::ios::binary) << input;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become_program(folder, arguments);
  ProgramRun run;
  int status = 0;
  if (!ends_within(patience, child, status)) {
    run.was_told = true;
    kill(child, SIGINT);
    if (!ends_within(grace, child, status)) {
      run.did_not_stop = true;
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
  }
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = content(folder / "../out");
  run.err = content(folder / "../err");
  return run;
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "allport";
  for (const std::string& argument : arguments) {
    line += " '";
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += "'";
  }
  return line;
}

}  // namespace allport::test
