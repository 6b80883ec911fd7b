// SPDX-License-Identifier: Apache-2.0
// A Stage says on a terminal what the program is at, for work that does not tell how far it is:
// after two seconds, on stderr, with the time so far. It is erased at the end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace allport {

class Stage {
 public:
  /// `what`: a word or two, `planning`. The process must not fork while it lives. `second`: how
  /// long what it calls a second lasts; tests have other ones.
  explicit Stage(std::string what, std::chrono::microseconds second = std::chrono::seconds(1));
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  void show();

  const std::string what_;
  const std::chrono::microseconds second_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool has_ended_ = false;
  std::thread thread_;  // only where stderr is a terminal
};

}  // namespace allport
