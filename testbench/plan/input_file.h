// SPDX-License-Identifier: Apache-2.0
// These functions read the input files that the user names, stdin among them.
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>

namespace allport {

/// Calls `read` with the file `path`, or stdin for `-`, and its name for messages. `what` names its
/// role, `the schedule`. Throws std::invalid_argument, one sentence, if it cannot be read.
void read_input(const std::string& path, const std::string& what,
                const std::function<void(std::istream&, const std::string&)>& read);

/// It looks at the beginning of an input, which may be a pipe, before anybody reads it.
class InputHead final : private std::streambuf {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;  ///< bytes of the beginning

  /// Takes the beginning of `in`, which must outlive it.
  explicit InputHead(std::istream& in);

  /// Its first bytes.
  std::string_view head() const { return head_; }
  /// All of it, from the first byte on.
  std::istream& all() { return all_; }

 private:
  int_type underflow() override;

  std::istream& in_;
  std::string head_;
  std::string part_;  // what is read after the head
  std::istream all_;
};

}  // namespace allport
