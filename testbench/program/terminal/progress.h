// SPDX-License-Identifier: Apache-2.0
// A ProgressBar is shown on stderr, for work that takes longer than a second, on a terminal only.
// It is erased at the end. Where there is no terminal, somebody else may hear of it.
#pragma once

#include <chrono>
#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

/// Hears what a ProgressBar would show.
using ProgressListener = void (*)(const std::string& what, double fraction,
                                  const std::string& detail);

/// From now on `listener` hears of all progress, in place of the terminal.
void tell_progress(ProgressListener listener);

class ProgressBar {
 public:
  /// `what`: one word before the bar.
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` is the part done, 0 .. 1, or negative if it is not known; `detail` follows the bar.
  /// It is cheap to call: the bar is drawn at most ten times a second.
  void update(double fraction, const std::string& detail);
  void update(double fraction, Cycle cycle);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();

  std::string what_;
  bool is_seen_;
  bool is_drawn_ = false;
  Clock::time_point next_;
};

}  // namespace allport
