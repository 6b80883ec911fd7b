// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/child_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

using Pipe = std::array<int, 2>;

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(
      fmt::format("there is no {} for a child process: {}", what, std::strerror(errno)));
}

Pipe open_pipe() {
  Pipe ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return ends;
}

// Runs in the child. A process group of its own keeps the terminal's Ctrl-C away: the parent
// decides.
[[noreturn]] void become(const char* program, char* const* argv, pid_t parent, int out, int err) {
  constexpr int no_such_program = 127;
  setpgid(0, 0);
  std::signal(SIGXFSZ, SIG_DFL);  // this program ignores it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (getppid() == parent && nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execvp(program, argv);
  }
  _exit(no_such_program);
}

int exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ChildPool::~ChildPool() {
  for (const Child& child : children_) {
    kill(-child.process, SIGKILL);
    kill(child.process, SIGKILL);  // before it has its group
  }
  for (const Child& child : children_) {
    while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (child.out >= 0) close(child.out);
    if (child.err >= 0) close(child.err);
  }
}

void ChildPool::start(std::uint64_t tag, const std::string& program,
                      const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program == this_program ? "allport" : program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const Pipe out = open_pipe();
  const Pipe err = open_pipe();
  const pid_t parent = getpid();
  Child child;
  child.process = fork();
  if (child.process == 0) become(program.c_str(), argv.data(), parent, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  if (child.process < 0) fail("process");
  child.out = out[0];
  child.err = err[0];
  child.end.tag = tag;
  children_.push_back(std::move(child));
}

void ChildPool::read_from(int& pipe, std::string& text) {
  std::array<char, std::size_t{1} << 16> buffer{};
  const ssize_t count = read(pipe, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    return;
  }
  close(pipe);
  pipe = -1;
}

std::vector<ChildEnd> ChildPool::wait(std::chrono::milliseconds limit) {
  std::vector<pollfd> pipes;  // two for each child; poll passes over those that are closed
  for (const Child& child : children_) {
    pipes.push_back({child.out, POLLIN, 0});
    pipes.push_back({child.err, POLLIN, 0});
  }
  std::vector<ChildEnd> ended;
  if (poll(pipes.data(), pipes.size(), static_cast<int>(limit.count())) <= 0) return ended;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (pipes[2 * i].revents != 0) read_from(child.out, child.end.out);
    if (pipes[2 * i + 1].revents != 0) read_from(child.err, child.end.err);
    if (child.end.err.size() > enough) child.end.err.erase(0, enough / 2);
    if (child.out >= 0 || child.err >= 0) continue;
    int status = 0;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
    }
    child.end.exit = exit_status(status);
    ended.push_back(std::move(child.end));
    child.process = 0;
  }
  children_.erase(std::remove_if(children_.begin(), children_.end(),
                                 [](const Child& child) { return child.process == 0; }),
                  children_.end());
  return ended;
}

std::string file_argument(const std::string& path) {
  return path.substr(0, 1) == "/" ? path : "./" + path;
}

ChildEnd run_and_wait(const std::string& program, const std::vector<std::string>& arguments) {
  ChildPool pool;
  pool.start(0, program, arguments);
  while (true) {
    std::vector<ChildEnd> ended = pool.wait(std::chrono::seconds(1));
    if (!ended.empty()) return std::move(ended.front());
  }
}

}  // namespace allport
