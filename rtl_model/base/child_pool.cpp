// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/child_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/guarded_child.h"

namespace allport {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("there is no ") + what +
                           " for a child process: " + std::strerror(errno));
}

// The two ends of a pipe. The writing end belongs to the child and is closed here.
struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  }
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int writing() const { return ends[1]; }
  int keep_reading() { return std::exchange(ends[0], -1); }

  std::array<int, 2> ends{-1, -1};
};

// What a child reads, from its beginning.
class Input {
 public:
  explicit Input(const std::string& text)
      : file_(text.empty() ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                           : memfd_create("input", MFD_CLOEXEC)) {
    std::size_t done = 0;
    while (file_ >= 0 && done < text.size()) {
      const ssize_t count = write(file_, text.data() + done, text.size() - done);
      if (count < 0 && errno != EINTR) fail("input");
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    if (file_ < 0 || lseek(file_, 0, SEEK_SET) < 0) fail("input");
  }
  ~Input() { close(file_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  int file() const { return file_; }

 private:
  int file_;
};

// Runs in the child. This process may have other threads, so the child makes system calls only.
[[noreturn]] void become(const char* program, char* const* argv, int in, int out, int err) {
  constexpr int no_such_program = 127;
  std::signal(SIGXFSZ, SIG_DFL);  // this program ignores it, ...
  std::signal(SIGPIPE, SIG_DFL);  // ... and this
  std::signal(SIGTTOU, SIG_DFL);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execvp(program, argv);
  const char* reason = strerrordesc_np(errno);
  for (const char* part : {program, ": ", reason, "\n"}) {
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  _exit(no_such_program);
}

int guard_of(const std::function<void()>& work) {
  const int guard = start_guarded(work);
  if (guard < 0) fail("process");
  return guard;
}

// Waits for a guard and takes the exit status and the memory of its child.
void reap(int guard, ChildEnd& end) {
  int status = 0;
  struct rusage usage {};
  while (wait4(guard, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  end.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  end.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in kibibytes
}

}  // namespace

ChildPool::~ChildPool() {
  for (const Child& child : children_) end_guarded(child.guard);
  for (Child& child : children_) {
    reap(child.guard, child.end);
    if (child.out >= 0) close(child.out);
    if (child.err >= 0) close(child.err);
  }
}

void ChildPool::start(std::uint64_t tag, const std::string& program,
                      const std::vector<std::string>& arguments, Streams streams,
                      const std::string& input) {
  std::vector<std::string> words{program == this_program ? "allport" : program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const Input in(input);
  Pipe out;
  std::optional<Pipe> err;
  if (streams == Streams::apart) err.emplace();
  const int complaints = err ? err->writing() : out.writing();
  const auto run = [&] {
    become(program.c_str(), argv.data(), in.file(), out.writing(), complaints);
  };
  Child child;
  child.guard = guard_of(run);
  child.out = out.keep_reading();
  if (err) child.err = err->keep_reading();
  child.end.tag = tag;
  children_.push_back(std::move(child));
}

void ChildPool::start(std::uint64_t tag, const std::function<int(int out)>& work) {
  Pipe out;
  Child child;
  child.guard = guard_of([&] { _exit(work(out.writing())); });
  child.out = out.keep_reading();
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
    reap(child.guard, child.end);
    ended.push_back(std::move(child.end));
    child.guard = 0;
  }
  children_.erase(std::remove_if(children_.begin(), children_.end(),
                                 [](const Child& child) { return child.guard == 0; }),
                  children_.end());
  return ended;
}

ChildEnd run_and_wait(const std::string& program, const std::vector<std::string>& arguments,
                      StopFlag stop) {
  ChildPool pool;
  pool.start(0, program, arguments);
  while (true) {
    heed(stop);
    std::vector<ChildEnd> ended = pool.wait(look_up);
    if (!ended.empty()) return std::move(ended.front());
  }
}

}  // namespace allport
