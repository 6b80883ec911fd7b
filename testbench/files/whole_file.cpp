// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

mode_t creation_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

WholeFile::WholeFile(const std::string& folder, std::string target)
    : target_(std::move(target)), temporary_(folder + "/XXXXXX") {
  file_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) temporary_.clear();
  if (file_ < 0 || fchmod(file_, creation_mode()) != 0) fail();
}

WholeFile::~WholeFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::fail() const {
  throw std::runtime_error(fmt::format("{} cannot be written: {}", target_, std::strerror(errno)));
}

void WholeFile::append(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
}

void WholeFile::flush() {
  for (std::size_t written = 0; written < buffer_.size();) {
    const ssize_t count = write(file_, buffer_.data() + written, buffer_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    written += static_cast<std::size_t>(count);
  }
  buffer_.clear();
}

void WholeFile::commit() {
  flush();
  const bool is_on_disk = fsync(file_) == 0;
  if (!is_on_disk) fail();
  const int closed = close(file_);
  file_ = -1;
  if (closed != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void write_whole(const std::string& folder, const std::string& target, std::string_view content) {
  WholeFile file(folder, target);
  file.append(content);
  file.commit();
}

}  // namespace allport
