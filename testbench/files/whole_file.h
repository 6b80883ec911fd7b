// SPDX-License-Identifier: Apache-2.0
// A WholeFile appears whole or not at all, on any file system and even if the machine dies: it is
// written under a hidden temporary name in a folder of the same file system, flushed to the disk,
// and renamed.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace allport {

/// The permissions of a new file: those that the user's mask leaves.
unsigned new_file_mode();

/// Whether a file of this name is one that a WholeFile writes before it has its own name.
bool is_partial_name(std::string_view name);

class WholeFile {
 public:
  /// The future file `target`, written in `folder` until then. Throws as append() does.
  WholeFile(const std::string& folder, std::string target, unsigned mode = new_file_mode());
  /// Leaves nothing behind unless commit() was called.
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

/// Writes all of `text`; false, with errno set, when that fails.
bool write_all(int file, std::string_view text);
/// The content of the file `path`; none, and errno says why, if it cannot be read to its end, EFBIG
/// if it has more than `most` bytes.
std::optional<std::string> whole_text(const std::string& path,
                                      std::size_t most = std::numeric_limits<std::size_t>::max());

/// The same of an input that the user names, where `-` is stdin.
std::optional<std::string> whole_input(const std::string& path,
                                       std::size_t most = std::numeric_limits<std::size_t>::max());

/// Why neither of them returned a text: by `fault`, what errno was.
std::string reading_fault(int fault, std::size_t most);

/// Writes `content` into `target`, with a temporary file in `folder`.
void write_whole(const std::string& folder, const std::string& target, std::string_view content);

/// The folder that contains `path`.
std::string folder_of(const std::string& path);

}  // namespace allport
