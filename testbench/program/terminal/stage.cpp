// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/stage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "testbench/files/standard_streams.h"

namespace allport {

Stage::Stage(std::string what, std::chrono::microseconds second)
    : what_(std::move(what)), second_(second) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { show(); });
}

Stage::~Stage() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void Stage::show() {
  std::unique_lock lock(mutex_);
  constexpr int unseen = 2;  // seconds
  const auto has_ended = [this] { return has_ended_; };
  for (int seconds = unseen;; ++seconds) {
    if (end_.wait_for(lock, (seconds == unseen ? unseen : 1) * second_, has_ended)) {
      if (seconds > unseen) write_on_stderr("\r\x1b[K");
      return;
    }
    write_on_stderr(fmt::format("\r\x1b[K{}  {} s", what_, seconds));
  }
}

}  // namespace allport
