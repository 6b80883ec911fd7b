// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace allport {

namespace {

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw std::invalid_argument(fmt::format("{} cannot be written: {}", path, why));
}

// Where a chain of symbolic links leads, so that the link stays and its target is replaced.
std::string resolved(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

mode_t creation_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  if (path == "-") {
    path_ = "stdout";
    file_ = dup(STDOUT_FILENO);
    if (file_ < 0) reject(path_, std::strerror(errno));
    return;
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) reject(path, "it is a folder");
  if (exists && access(path.c_str(), W_OK) != 0) reject(path, std::strerror(errno));
  if (exists && !S_ISREG(status.st_mode)) {
    open_in_place();
  } else {
    target_ = resolved(path);
    open_temporary(exists ? status.st_mode & 07777 : creation_mode());
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::open_in_place() {
  file_ = open(path_.c_str(), O_WRONLY);
  if (file_ < 0) reject(path_, std::strerror(errno));
}

void OutputFile::open_temporary(unsigned mode) {
  const std::filesystem::path target(target_);
  if (!target.has_filename()) reject(path_, "it names a folder");
  std::string name =
      (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) reject(path_, std::strerror(errno));
  temporary_ = name;
  if (fchmod(file_, mode) == 0) return;
  const int fault = errno;
  unlink(temporary_.c_str());
  close(file_);
  reject(path_, std::strerror(fault));
}

void OutputFile::commit(const std::string& content) {
  const auto fail = [this] {
    throw std::runtime_error(fmt::format("{} cannot be written: {}", path_, std::strerror(errno)));
  };
  for (std::size_t written = 0; written < content.size();) {
    const ssize_t count = write(file_, content.data() + written, content.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    written += static_cast<std::size_t>(count);
  }
  const int closed = close(file_);
  file_ = -1;
  if (closed != 0) fail();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void print(const std::string& content) { OutputFile("-").commit(content); }

}  // namespace allport
