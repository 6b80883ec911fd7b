// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_window.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace allport {

WaveWindow::WaveWindow(std::unique_ptr<WaveFile> file, Cycle from, Cycle to)
    : file_(std::move(file)), from_(from), to_(to) {}

WaveWindow::~WaveWindow() {
  try {
    finish(cycle_);
  } catch (const std::runtime_error&) {
  }
}

WaveSignal WaveWindow::declare(const std::string& name, int width, WaveValue initial) {
  signals_.push_back({initial, initial, false});
  return file_->declare(name, width);
}

void WaveWindow::set(WaveSignal signal, WaveValue value) {
  Signal& entry = signals_[static_cast<std::size_t>(signal)];
  if (entry.value == value) return;
  entry.value = value;
  if (entry.is_listed) return;
  entry.is_listed = true;
  changed_.push_back(signal);
}

void WaveWindow::at(Cycle cycle) {
  if (cycle == cycle_) return;
  if (has_begun_) {
    if (!is_over()) write();
  } else if (cycle > from_) {
    write_all();
  }
  cycle_ = cycle;
}

// Writes what has changed in the present cycle.
void WaveWindow::write() {
  bool is_time_set = false;
  for (const WaveSignal signal : changed_) {
    Signal& entry = signals_[static_cast<std::size_t>(signal)];
    entry.is_listed = false;
    if (entry.value == entry.written) continue;
    if (!is_time_set) file_->set_time(cycle_);
    is_time_set = true;
    file_->change(signal, entry.value);
    entry.written = entry.value;
  }
  changed_.clear();
}

void WaveWindow::write_all() {
  has_begun_ = true;
  file_->set_time(from_);
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    Signal& entry = signals_[i];
    file_->change(static_cast<WaveSignal>(i), entry.value);
    entry.written = entry.value;
    entry.is_listed = false;
  }
  changed_.clear();
}

void WaveWindow::finish(Cycle end) {
  if (is_finished_) return;
  is_finished_ = true;
  at(std::max(end, cycle_) + 1);
  if (!has_begun_) write_all();
  last_ = std::max(from_, std::min(to_, cycle_ - 1));
  file_->set_time(last_ + 1);
  file_->close();
}

}  // namespace allport
