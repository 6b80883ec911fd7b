// SPDX-License-Identifier: Apache-2.0
// Programs that run at the same time as children of this process. What they print is collected;
// they see no signal of the terminal, and none outlives this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace allport {

/// A child that has ended.
struct ChildEnd {
  std::uint64_t tag = 0;  ///< tag with which it was started
  int exit = 0;     ///< exit status; 127: there is no such program; 128 + n: signal n killed it
  std::string out;  ///< output on stdout
  std::string err;  ///< the end of its output on stderr
};

class ChildPool {
 public:
  ChildPool() = default;
  /// Kills the children that still run.
  ~ChildPool();
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  /// Starts `program` (found by PATH) with `arguments`. Throws std::runtime_error, one sentence,
  /// when the machine has no process or pipe left.
  void start(std::uint64_t tag, const std::string& program,
             const std::vector<std::string>& arguments);
  std::size_t running() const { return children_.size(); }
  /// The children that have ended; returns when one has, at a signal, or when the time is up.
  std::vector<ChildEnd> wait(std::chrono::milliseconds limit);

 private:
  struct Child {
    int process = 0;
    int out = -1;
    int err = -1;
    ChildEnd end;
  };
  static void read_from(int& pipe, std::string& text);

  std::vector<Child> children_;
};

/// This very program, even if its file was changed since it was started.
constexpr const char* this_program = "/proc/self/exe";

/// The name of a file as an argument of a program: absolute, or beginning with `./`, so that no
/// program takes it for an option, a command (gnuplot's `<`) or stdin.
std::string file_argument(const std::string& path);

/// Runs `program` and waits for it.
ChildEnd run_and_wait(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace allport
