// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all, on any file system and also when the machine dies: it is
// written under a temporary name in a folder of the same file system, brought to the disk, and
// renamed.
#pragma once

#include <string>
#include <string_view>

namespace allport {

class WholeFile {
 public:
  /// A file `target` to be, written in `folder` until then. Throws as append() does.
  WholeFile(const std::string& folder, std::string target);
  /// Without commit(): nothing is left.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Throws std::runtime_error, one sentence that names the target, when it cannot be written.
  void append(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail() const;
  void flush();

  std::string target_;
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
};

/// Writes `content` into `target` by way of `folder`.
void write_whole(const std::string& folder, const std::string& target, std::string_view content);

}  // namespace allport
