// SPDX-License-Identifier: Apache-2.0
// NetworkLines drives a network by lines of text, and answers each with a line of JSON
// (docs/guide/embed.md): the pipe of `allport network`.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "testbench/network/network.h"

namespace allport {

class NetworkLines {
 public:
  /// Longest line, in bytes.
  static constexpr std::size_t longest = 4096;

  explicit NetworkLines(Network network);

  /// Does what the next line says. Returns its answer, without the end of the line; empty: the line
  /// is blank. A wrong line is answered with its number and a sentence, and changes nothing.
  std::string answer(std::string_view line);
  /// The answer to a line that ended before its end: that of a text which was torn.
  std::string answer_torn();
  /// The network that it drives.
  Network& network() { return network_; }
  /// Whether a line was wrong.
  bool has_failed() const { return has_failed_; }

  /// The queues of `try-send` in which there is room again, and of which no line has been told.
  struct Spaces {
    struct Space {
      NodeId node{};
      int message_class = 0;
    };
    std::deque<Space> found;
    bool is_awaited = false;  // whether the first one ends the call that lets cycles pass
  };

 private:
  std::string failure(const std::string& sentence);

  Network network_;
  std::unique_ptr<Spaces> spaces_;  // the call of on_space fills it wherever this object is
  std::size_t line_ = 0;            // number of the last line, from 1 on
  bool has_failed_ = false;
};

}  // namespace allport
