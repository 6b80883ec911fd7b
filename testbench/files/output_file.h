// SPDX-License-Identifier: Apache-2.0
// A file that is written whole or not at all. Opening it proves that it can be written and touches
// nothing that is there; commit() puts the new content in its place in one step. `-` is stdout;
// devices and pipes are written as they are.
#pragma once

#include <string>

namespace allport {

class OutputFile {
 public:
  /// Throws std::invalid_argument, one sentence, when `path` cannot be written.
  explicit OutputFile(const std::string& path);
  /// Without commit(): leaves everything as it was.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes `content`; throws std::runtime_error, one sentence, when that fails.
  void commit(const std::string& content);

 private:
  void open_in_place();
  void open_temporary(unsigned mode);

  std::string path_;       // as given
  std::string target_;     // with links resolved
  std::string temporary_;  // empty: written in place
  int file_ = -1;
};

/// Writes `content` on stdout; throws std::runtime_error, one sentence, when that fails.
void print(const std::string& content);

}  // namespace allport
