// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/whole_file.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw std::invalid_argument(fmt::format("{} cannot be written: {}", shown_path(path), why));
}

// While it exists, signals that would end the program wait until a temporary file has been removed.
class SignalsWait {
 public:
  SignalsWait() : SignalsWait({SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {}
  explicit SignalsWait(std::initializer_list<int> list) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : list) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    open_stdout();
    return;
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) reject(path, std::strerror(errno));
  if (exists && S_ISDIR(status.st_mode)) reject(path, "it is a folder");
  if (exists && access(path.c_str(), W_OK) != 0) reject(path, std::strerror(errno));
  if (exists && !S_ISREG(status.st_mode)) {
    open_in_place();
    return;
  }
  if (path.back() == '/') reject(path, "it names a folder");
  target_ = end_of_links(path);
  mode_ = exists ? status.st_mode & 07777 : new_file_mode();
  try_to_write();
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
}

void OutputFile::open_stdout() {
  path_ = "stdout";
  is_stdout_ = true;
  file_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (file_ < 0) reject(path_, std::strerror(errno));
}

void OutputFile::open_in_place() {
  file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) reject(path_, std::strerror(errno));
}

void OutputFile::try_to_write() const {
  const SignalsWait wait;
  try {
    const WholeFile attempt(folder_of(target_), target_, mode_);
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(error.what());
  }
}

void OutputFile::commit(const std::string& content) {
  if (!target_.empty()) {
    const SignalsWait wait;
    WholeFile file(folder_of(target_), target_, mode_);
    file.append(content);
    return file.commit();
  }
  write_in_place([&](const Append& append) { append(content); });
}

// Long work heeds SIGINT and SIGTERM itself (testbench/processes/interrupt.h).
void OutputFile::commit(const std::function<void(const Append&)>& write) {
  if (target_.empty()) return write_in_place(write);
  const SignalsWait wait({SIGHUP, SIGQUIT});
  WholeFile file(folder_of(target_), target_, mode_);
  write([&](std::string_view piece) { file.append(piece); });
  file.commit();
}

void OutputFile::write_in_place(const std::function<void(const Append&)>& write) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  const auto require = [this](bool is_done) {
    if (is_done || (errno == EPIPE && is_stdout_)) return;
    throw std::runtime_error(
        fmt::format("{} cannot be written: {}", shown_path(path_), std::strerror(errno)));
  };
  std::string buffer;
  write([&](std::string_view piece) {
    buffer += piece;
    if (buffer.size() < enough) return;
    require(write_all(file_, buffer));
    buffer.clear();
  });
  require(write_all(file_, buffer));
  const int closed = close(file_);
  file_ = -1;
  require(closed == 0);
}

std::optional<OutputFile> wanted_file(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return std::optional<OutputFile>(std::in_place, path);
}

std::string end_of_links(const std::string& path) {
  constexpr int longest_chain = 40;  // the limit of Linux
  fs::path place(path);
  std::error_code error;
  for (int i = 0; i < longest_chain && fs::is_symlink(place, error); ++i) {
    const fs::path next = fs::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / next;
  }
  return place.string();
}

void print(const std::string& content) { OutputFile("-").commit(content); }

}  // namespace allport
