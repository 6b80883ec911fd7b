// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/child_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

// What the child tells by its exit status.
constexpr int has_result = 0;
constexpr int has_failed = 1;

[[noreturn]] void run_and_leave(const std::function<std::string()>& work, int pipe) {
  std::string text;
  int status = has_result;
  try {
    text = work();
  } catch (const std::exception& error) {
    text = error.what();
    status = has_failed;
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(pipe, text.data() + sent, text.size() - sent);
    if (count <= 0) _exit(has_failed);
    sent += static_cast<std::size_t>(count);
  }
  _exit(status);
}

// Looks at `stop` ten times a second: the signal that sets it may come just before a read begins.
std::string read_all(int pipe, pid_t child, const std::atomic<bool>* stop) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (bool is_told = false;;) {
    if (stop != nullptr && stop->load() && !is_told) {
      kill(child, SIGTERM);
      is_told = true;
    }
    pollfd end{pipe, POLLIN, 0};
    if (poll(&end, 1, 100) <= 0) continue;
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildText text_of_child(const std::function<std::string()>& work, const std::atomic<bool>* stop) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a child process");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    run_and_leave(work, ends[1]);
  }
  close(ends[1]);
  std::string text = read_all(ends[0], child, stop);
  close(ends[0]);
  int status = 0;
  struct rusage usage {};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ChildText result;
  result.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in kibibytes
  if (WIFSIGNALED(status)) {
    result.problem = fmt::format("it crashed ({})", strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) != has_result) {
    result.problem = text.empty() ? "it ended without a result" : text;
  } else {
    result.text = std::move(text);
  }
  return result;
}

ChildResult run_in_child(const std::function<Json()>& work, const std::atomic<bool>* stop) {
  const ChildText ended = text_of_child([&work] { return work().dump(); }, stop);
  return {ended.problem.empty() ? Json::parse(ended.text) : Json{}, ended.problem,
          ended.peak_bytes};
}

}  // namespace allport
