// SPDX-License-Identifier: Apache-2.0
// Scripts rely on what the program's exit status means (docs/guide/errors.md).
#pragma once

#include <functional>
#include <new>
#include <string>

namespace allport {

enum ExitStatus : int {
  exit_clean = 0,
  exit_finding = 1,     ///< a check refuted, --strict and a contention event
  exit_wrong_use = 2,   ///< wrong use or configuration: one sentence on stderr
  exit_incomplete = 3,  ///< deadlock, broken invariant, interrupted; everything was reported
};

/// The machine does not have the memory for something whose size is known.
class OutOfMemory : public std::bad_alloc {
 public:
  /// `size`: how large it is, and what makes it smaller, in words.
  explicit OutOfMemory(const std::string& size);
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

/// The status that `work` returns; what it throws is said, and has a status too.
int status_of(const std::function<int()>& work);

}  // namespace allport
