// SPDX-License-Identifier: Apache-2.0
// A terminal is told what the program is at once that takes long, and nobody else is.
#include "testbench/program/terminal/stage.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace allport {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

// While it lives, stderr is a terminal, or a pipe.
class OtherStderr {
 public:
  explicit OtherStderr(bool is_terminal) : before_(dup(STDERR_FILENO)) {
    std::array<int, 2> ends{-1, -1};
    const int failed =
        is_terminal ? openpty(ends.data(), &ends[1], nullptr, nullptr, nullptr) : pipe(ends.data());
    if (failed != 0) throw std::runtime_error("there is no other stderr");
    read_end_ = ends[0];
    fcntl(read_end_, F_SETFL, O_NONBLOCK);
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

  std::string text() const {
    std::array<char, 4096> bytes{};
    const ssize_t count = read(read_end_, bytes.data(), bytes.size());
    return {bytes.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
  }

 private:
  int before_;
  int read_end_ = -1;
};

std::string said_in(bool is_terminal, std::chrono::milliseconds time) {
  const OtherStderr other(is_terminal);
  {
    const Stage stage("writing");
    std::this_thread::sleep_for(time);
  }
  return other.text();
}

TEST(Stage, IsSaidAfterTwoSecondsAndErased) {
  const std::string said = said_in(true, std::chrono::milliseconds(2500));
  EXPECT_THAT(said, StartsWith("\r\x1b[Kwriting  2 s"));
  EXPECT_THAT(said, EndsWith("\r\x1b[K"));
}

TEST(Stage, IsNotSaidOfShortWorkOrWhereThereIsNoTerminal) {
  EXPECT_EQ(said_in(true, std::chrono::milliseconds(20)), "");
  EXPECT_EQ(said_in(false, std::chrono::milliseconds(2500)), "");
}

}  // namespace
}  // namespace allport
