// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/fold.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace allport {

namespace {

std::size_t columns_told() {
  const char* const text = std::getenv("COLUMNS");
  const int columns = text == nullptr ? 0 : std::atoi(text);
  if (columns > 0) return static_cast<std::size_t>(columns);
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::size_t columns_of_stdout() { return std::max<std::size_t>(columns_told(), 40); }

std::size_t columns_of_list() {
  return isatty(STDOUT_FILENO) == 1 ? columns_of_stdout() : std::numeric_limits<std::size_t>::max();
}

std::string folded(const std::string& text, std::size_t at, std::size_t indent, std::size_t width) {
  std::string lines;
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    const bool fits = at + !is_first + word.size() <= width;
    if (!fits && at > indent) {
      lines += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (!is_first) {
      lines += ' ';
      ++at;
    }
    lines += word;
    at += word.size();
  }
  return lines;
}

}  // namespace allport
