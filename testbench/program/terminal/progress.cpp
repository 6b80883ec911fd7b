// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "testbench/files/standard_streams.h"

namespace allport {

namespace {

ProgressListener heard_by = nullptr;

std::string drawn(double fraction) {
  constexpr int width = 30;
  if (fraction < 0) return {};
  const int filled = static_cast<int>(std::min(fraction, 1.0) * width);
  return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  ", "", filled, "", width - filled,
                     100 * std::min(fraction, 1.0));
}

}  // namespace

void tell_progress(ProgressListener listener) { heard_by = listener; }

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)),
      is_seen_(heard_by != nullptr || isatty(STDERR_FILENO) != 0),
      next_(Clock::now() + std::chrono::seconds(1)) {}

ProgressBar::~ProgressBar() { erase(); }

bool ProgressBar::is_due() {
  if (!is_seen_) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void ProgressBar::update(double fraction, const std::string& detail) {
  if (!is_due()) return;
  if (heard_by != nullptr) return heard_by(what_, fraction, detail);
  write_on_stderr(fmt::format("\r\x1b[K{}  {}{}", what_, drawn(fraction), detail));
  is_drawn_ = true;
}

void ProgressBar::update(double fraction, Cycle cycle) {
  update(fraction, fmt::format("cycle {}", cycle));
}

void ProgressBar::erase() {
  if (!is_drawn_) return;
  write_on_stderr("\r\x1b[K");
  is_drawn_ = false;
}

}  // namespace allport
