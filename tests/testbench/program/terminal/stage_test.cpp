// SPDX-License-Identifier: Apache-2.0
// A terminal is told what the program is at once that takes long, and nobody else is.
#include "testbench/program/terminal/stage.h"

#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "testbench/files/standard_streams.h"

namespace allport {
namespace {

using namespace std::chrono_literals;

// While it lives, stderr is a terminal, or a pipe.
class OtherStderr {
 public:
  explicit OtherStderr(bool is_terminal) : before_(dup(STDERR_FILENO)) {
    std::array<int, 2> ends{-1, -1};
    const int failed =
        is_terminal ? openpty(ends.data(), &ends[1], nullptr, nullptr, nullptr) : pipe(ends.data());
    if (failed != 0) throw std::runtime_error("there is no other stderr");
    read_end_ = ends[0];
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
  }
  OtherStderr(const OtherStderr&) = delete;
  OtherStderr& operator=(const OtherStderr&) = delete;
  ~OtherStderr() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    close(read_end_);
  }

  // What has come since the last call, up to and with `last`, for which it waits.
  std::string text_until(const std::string& last) const {
    std::string text;
    while (text.find(last) == std::string::npos) {
      char byte = 0;
      if (read(read_end_, &byte, 1) != 1) throw std::runtime_error("nothing more comes");
      text += byte;
    }
    return text;
  }
  // All that has come since the last call.
  std::string text() const {
    write_on_stderr(".");
    return text_until(".");
  }

 private:
  int before_;
  int read_end_ = -1;
};

// No test here waits for less or more than what it looks for, however busy the machine is.
constexpr auto erasing = "\r\x1b[K";

TEST(Stage, IsSaidAfterTwoSecondsAndErased) {
  const OtherStderr terminal(true);
  {
    const Stage stage("writing", 1ms);
    EXPECT_EQ(terminal.text_until(" s"), erasing + std::string("writing  2 s"));
    EXPECT_EQ(terminal.text_until(" s"), erasing + std::string("writing  3 s"));
    terminal.text_until("writing  9 s");
  }
  EXPECT_THAT(terminal.text(), testing::EndsWith(std::string(erasing) + "."));
}

TEST(Stage, IsNotSaidOfShortWork) {
  const OtherStderr terminal(true);
  { const Stage stage("writing", 1h); }
  EXPECT_EQ(terminal.text(), ".");
}

TEST(Stage, IsNotSaidWhereThereIsNoTerminal) {
  const OtherStderr pipe(false);
  {
    const Stage stage("writing", 1us);
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(pipe.text(), ".");
}

}  // namespace
}  // namespace allport
