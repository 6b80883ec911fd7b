// SPDX-License-Identifier: Apache-2.0
// A Style has the colours of what is printed.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace allport {

/// Colours of a terminal, or nothing.
class Style {
 public:
  explicit Style(bool is_terminal) : is_terminal_(is_terminal) {}
  std::string good(const std::string& text) const { return painted("32", text); }
  std::string bad(const std::string& text) const { return painted("31", text); }
  std::string label(const std::string& text) const { return painted("1", text); }

 private:
  std::string painted(const char* colour, const std::string& text) const {
    return is_terminal_ ? std::string("\x1b[") + colour + "m" + text + "\x1b[0m" : text;
  }
  bool is_terminal_;
};

/// That of stdout: colours on a terminal, unless the environment has NO_COLOR.
inline Style style_of_stdout() {
  return Style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
}

}  // namespace allport
