// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/child_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

// The exit status by which the child reports.
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

enum class Wait { ended, hung, interrupted };

/// Reads what a child writes until it ends, or until a limit is reached.
class Listener {
 public:
  Listener(int pipe, const ChildLimits& limits) : pipe_(pipe), limits_(limits) {}

  Wait listen() {
    while (true) {
      if (limits_.interrupt != nullptr && limits_.interrupt->load()) return Wait::interrupted;
      if (has_hung()) return Wait::hung;
      struct pollfd end {
        pipe_, POLLIN, 0
      };
      constexpr int look_up_ms = 100;
      if (poll(&end, 1, look_up_ms) <= 0) continue;
      std::array<char, 4096> buffer{};
      const ssize_t count = read(pipe_, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return Wait::ended;
      text_.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
  const std::string& text() const { return text_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool has_hung() {
    if (limits_.steps == nullptr) return false;
    const std::uint64_t steps = limits_.steps->load();
    if (steps != steps_) {
      steps_ = steps;
      since_ = Clock::now();
    }
    return Clock::now() - since_ > limits_.longest_step;
  }

  int pipe_;
  const ChildLimits& limits_;
  std::string text_;
  std::uint64_t steps_ = 0;
  Clock::time_point since_ = Clock::now();
};

[[noreturn]] void be_child(const std::function<std::string()>& work, int pipe, pid_t parent) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(has_failed);  // the parent was gone before
  run_and_leave(work, pipe);
}

ChildText result_of(const std::string& text, int status) {
  ChildText result;
  if (WIFSIGNALED(status)) {
    result.end = ChildEnd::crash;
    result.problem = fmt::format("it crashed ({})", strsignal(WTERMSIG(status)));
  } else if (WEXITSTATUS(status) != has_result) {
    result.end = ChildEnd::error;
    result.problem = text.empty() ? "it ended without a result" : text;
  } else {
    result.text = text;
  }
  return result;
}

}  // namespace

SharedCounter::SharedCounter() {
  void* memory =
      mmap(nullptr, sizeof *value_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  value_ = new (memory) std::atomic<std::uint64_t>(0);
}

SharedCounter::~SharedCounter() { munmap(value_, sizeof *value_); }

ChildText text_of_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("there is no pipe for a child process");
  std::fflush(stdout);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process can be started");
  if (child == 0) {
    close(ends[0]);
    be_child(work, ends[1], parent);
  }
  close(ends[1]);
  Listener listener(ends[0], limits);
  const Wait wait = listener.listen();
  if (wait != Wait::ended) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  struct rusage usage {};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  if (wait == Wait::interrupted) throw Interrupted();
  ChildText result = result_of(listener.text(), status);
  result.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in kibibytes
  if (wait == Wait::hung) {
    result.end = ChildEnd::hang;
    result.problem =
        fmt::format("it hangs: a step took more than {} s", limits.longest_step.count());
  }
  return result;
}

ChildResult run_in_child(const std::function<Json()>& work, const ChildLimits& limits) {
  const ChildText ended = text_of_child([&work] { return work().dump(); }, limits);
  return {ended.problem.empty() ? Json::parse(ended.text) : Json{}, ended.problem, ended.peak_bytes,
          ended.end};
}

}  // namespace allport
