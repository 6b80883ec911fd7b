// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

constexpr std::string_view partial_prefix = ".allport.";
constexpr std::size_t partial_suffix = 6;  // letters and digits behind it

}  // namespace

bool is_partial_name(std::string_view name) {
  return name.size() == partial_prefix.size() + partial_suffix &&
         name.substr(0, partial_prefix.size()) == partial_prefix;
}

unsigned new_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

WholeFile::WholeFile(const std::string& folder, std::string target, unsigned mode)
    : target_(std::move(target)),
      temporary_(folder + "/" + std::string(partial_prefix) + std::string(partial_suffix, 'X')) {
  file_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) {
    temporary_.clear();
    fail();
  }
  if (fchmod(file_, mode) == 0) return;
  const int fault = errno;
  close(file_);
  unlink(temporary_.c_str());
  errno = fault;
  fail();
}

WholeFile::~WholeFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::fail() const {
  throw std::runtime_error(
      fmt::format("{} cannot be written: {}", shown_path(target_), std::strerror(errno)));
}

void WholeFile::append(std::string_view text) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
}

void WholeFile::flush() {
  if (!write_all(file_, buffer_)) fail();
  buffer_.clear();
}

void WholeFile::commit() {
  flush();
  const bool is_on_disk = fsync(file_) == 0 || errno == EINVAL;  // not every file system can
  if (!is_on_disk) fail();
  const int closed = close(file_);
  file_ = -1;
  if (closed != 0 || std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

namespace {

// All that is left of `file`, which is closed unless it is stdin.
std::optional<std::string> rest_of(int file, std::size_t most) {
  std::string text;
  struct stat status {};
  const bool has_size = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const std::size_t size = has_size ? static_cast<std::size_t>(status.st_size) : 0;
  if (size > most) {
    if (file != STDIN_FILENO) close(file);
    errno = EFBIG;
    return std::nullopt;
  }
  text.reserve(size);
  std::array<char, std::size_t{1} << 16> block{};
  ssize_t count = 0;
  while ((count = read(file, block.data(), block.size())) > 0 || (count < 0 && errno == EINTR)) {
    if (count > 0) text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > most) break;
  }
  const int fault = count > 0 ? EFBIG : errno;
  if (file != STDIN_FILENO) close(file);
  errno = fault;
  if (count != 0) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> whole_text(const std::string& path, std::size_t most) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  return rest_of(file, most);
}

std::optional<std::string> whole_input(const std::string& path, std::size_t most) {
  return path == "-" ? rest_of(STDIN_FILENO, most) : whole_text(path, most);
}

std::string reading_fault(int fault, std::size_t most) {
  if (fault != EFBIG) return std::strerror(fault);
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  return fmt::format("it has more than {} MiB", most / mebibyte);
}

void write_whole(const std::string& folder, const std::string& target, std::string_view content) {
  WholeFile file(folder, target);
  file.append(content);
  file.commit();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace allport
