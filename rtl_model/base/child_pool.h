// SPDX-License-Identifier: Apache-2.0
// A ChildPool has children of this process that run at the same time: other programs, or work of
// this one. What they print is collected; they see no signal of the terminal, and neither they nor
// what they start outlives this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"

namespace allport {

/// A child that has ended.
struct ChildEnd {
  std::uint64_t tag = 0;  ///< tag with which it was started
  int exit = 0;     ///< exit status; 127: there is no such program; 128 + n: signal n killed it
  std::string out;  ///< output on stdout
  std::string err;  ///< the end of its output on stderr
  std::int64_t peak_bytes = 0;  ///< largest memory, in bytes
};

/// Whether stderr is collected apart from stdout, or in `out` as well, in order.
enum class Streams { apart, together };

class ChildPool {
 public:
  ChildPool() = default;
  /// Ends the children that still run.
  ~ChildPool();
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  /// Starts `program` (found by PATH) with `arguments`, and `input` as its stdin. Throws
  /// std::runtime_error, one sentence, when the machine has no process or pipe left.
  void start(std::uint64_t tag, const std::string& program,
             const std::vector<std::string>& arguments, Streams streams = Streams::apart,
             const std::string& input = "");
  /// Starts `work` in a copy of this process: `out` is what it writes to the descriptor that it is
  /// given, `exit` what it returns. Throws as above.
  void start(std::uint64_t tag, const std::function<int(int out)>& work);
  std::size_t running() const { return children_.size(); }
  /// The children that have ended; returns when one has, at a signal, or when the time is up.
  std::vector<ChildEnd> wait(std::chrono::milliseconds limit);

 private:
  struct Child {
    int guard = 0;
    int out = -1;
    int err = -1;
    ChildEnd end;
  };
  static void read_from(int& pipe, std::string& text);

  std::vector<Child> children_;
};

/// A pause after which a stop flag is looked at again.
constexpr std::chrono::milliseconds look_up{100};

/// This very program, even if its file was changed since it was started.
constexpr const char* this_program = "/proc/self/exe";

/// The name of a file as an argument of a program: absolute, or beginning with `./`, so that no
/// program takes it for an option, a command (gnuplot's `<`) or stdin.
inline std::string file_argument(const std::string& path) {
  return path.substr(0, 1) == "/" ? path : "./" + path;
}

/// Runs `program` and waits for it. Throws Stopped, and ends it, once `stop` is set.
ChildEnd run_and_wait(const std::string& program, const std::vector<std::string>& arguments,
                      StopFlag stop = nullptr);

}  // namespace allport
