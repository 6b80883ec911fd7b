// SPDX-License-Identifier: Apache-2.0
// An OutputFile is a file that a user named for results. It is written whole or not at all: opening
// it proves that it can be written and leaves nothing behind; commit() puts the new content in its
// place in one step. A symbolic link stays, and the file it leads to is written. `-` is stdout;
// devices and pipes are written as they are.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace allport {

class OutputFile {
 public:
  /// Throws std::invalid_argument, one sentence, when `path` cannot be written.
  explicit OutputFile(const std::string& path);
  /// Leaves everything as it was unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes `content`; throws std::runtime_error, one sentence, when that fails.
  void commit(const std::string& content);
  /// Takes a piece of the content.
  using Append = std::function<void(std::string_view)>;
  /// Writes the pieces that `write` hands over, for a content that is larger than memory should
  /// be. When `write` throws, nothing is written, except on a device or a pipe.
  void commit(const std::function<void(const Append&)>& write);

 private:
  void open_stdout();
  void open_in_place();
  void try_to_write() const;
  void write_in_place(const std::function<void(const Append&)>& write);

  std::string path_;  // the path as given
  bool is_stdout_ = false;
  std::string target_;  // with links resolved; empty: written in place
  unsigned mode_ = 0;   // permissions of the target
  int file_ = -1;       // descriptor of a file that is written in place
};

/// The file that an option names, opened; none if `path` is empty. Throws as the constructor does.
std::optional<OutputFile> wanted_file(const std::string& path);

/// Where a chain of symbolic links leads, even if nothing is there; `path` itself if it is not a
/// link.
std::string end_of_links(const std::string& path);

/// Writes `content` on stdout; throws std::runtime_error, one sentence, when that fails.
void print(const std::string& content);

}  // namespace allport
