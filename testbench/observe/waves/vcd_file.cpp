// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/vcd_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

constexpr std::size_t block_size = std::size_t{1} << 16;

// The i-th identifier code: printable characters, shortest first.
std::string code(std::size_t i) {
  constexpr std::size_t characters = 94;
  std::string text;
  for (std::size_t rest = i + 1; rest != 0; rest = (rest - 1) / characters) {
    text += static_cast<char>('!' + (rest - 1) % characters);
  }
  return text;
}

void append_binary(std::string& text, std::uint64_t value) {
  int bit = 63;
  while (bit > 0 && (value >> bit & 1U) == 0) --bit;
  for (; bit >= 0; --bit) text += static_cast<char>('0' + (value >> bit & 1U));
}

}  // namespace

VcdFile::VcdFile(const std::string& path) : path_(path) {
  errno = 0;
  file_.rdbuf()->pubsetbuf(nullptr, 0);
  file_.open(path, std::ios::binary | std::ios::trunc);
  if (!file_) {
    throw std::invalid_argument("wave file " + shown_path(path) +
                                ": cannot be written: " + std::strerror(errno));
  }
  text_ =
      "$version allport $end\n"
      "$comment the time unit stands for one clock cycle $end\n"
      "$timescale 1 ns $end\n";
}

VcdFile::~VcdFile() {
  try {
    close();
  } catch (const std::runtime_error&) {
  }
}

void VcdFile::open_scope(const std::string& name) { text_ += "$scope module " + name + " $end\n"; }

void VcdFile::close_scope() { text_ += "$upscope $end\n"; }

WaveSignal VcdFile::declare(const std::string& name, int width) {
  const std::size_t number = variables_.size();
  variables_.push_back({code(number), width});
  const std::string range = ranged_name("", width);
  text_ += "$var wire " + std::to_string(width) + " " + variables_.back().code + " " + name +
           (range.empty() ? "" : " " + range) + " $end\n";
  return static_cast<WaveSignal>(number);
}

void VcdFile::set_time(Cycle cycle) {
  if (!is_dumping_) text_ += "$enddefinitions $end\n";
  is_dumping_ = true;
  if (text_.size() >= block_size) flush();
  text_ += "#" + std::to_string(cycle) + "\n";
}

void VcdFile::change(WaveSignal signal, WaveValue value) {
  const Variable& variable = variables_[static_cast<std::size_t>(signal)];
  if (variable.width == 1) {
    text_ += value ? static_cast<char>('0' + (*value & 1U)) : 'z';
  } else {
    text_ += 'b';
    if (value) {
      append_binary(text_, *value);
    } else {
      text_ += 'z';
    }
    text_ += ' ';
  }
  text_ += variable.code;
  text_ += '\n';
}

void VcdFile::flush() {
  file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
}

void VcdFile::close() {
  if (is_closed_) return;
  is_closed_ = true;
  if (!is_dumping_) text_ += "$enddefinitions $end\n";
  flush();
  file_.close();
  if (file_) return;
  remove_incomplete(path_);
  throw std::runtime_error(incomplete_wave(path_));
}

}  // namespace allport
