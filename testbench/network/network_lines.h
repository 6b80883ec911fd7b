// SPDX-License-Identifier: Apache-2.0
// NetworkLines drives a network by lines of text, and answers each with a line of JSON
// (docs/guide/embed.md): the pipe of `allport network`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "testbench/network/network.h"

namespace allport {

class NetworkLines {
 public:
  /// Longest line, in bytes.
  static constexpr std::size_t longest = 4096;

  explicit NetworkLines(Network network) : network_(std::move(network)) {}

  /// Does what the next line says. Returns its answer, without the end of the line; empty: the line
  /// is blank. A wrong line is answered with its number and a sentence, and changes nothing.
  std::string answer(std::string_view line);
  /// The answer to a line that ended before its end: that of a text which was torn.
  std::string answer_torn();
  /// Whether a line was wrong.
  bool has_failed() const { return has_failed_; }

 private:
  std::string failure(const std::string& sentence);

  Network network_;
  std::size_t line_ = 0;  // number of the last line, from 1 on
  bool has_failed_ = false;
};

}  // namespace allport
