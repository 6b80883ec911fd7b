// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/read_once.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <stdexcept>

namespace allport {

namespace {

// The names of stdin also where it is a file.
bool is_name_of_stdin(const std::string& path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

// A pipe, a socket or a terminal; the devices of memory, such as /dev/null, are always the same.
bool is_stream(const struct stat& status) {
  constexpr unsigned memory_devices = 1;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
         (S_ISCHR(status.st_mode) && major(status.st_rdev) != memory_devices);
}

// What tells a stream from all others: `stdin`, or the number of the pipe; empty: it is none.
std::string identity_of(const std::string& path) {
  if (is_name_of_stdin(path)) return "stdin";
  struct stat status {};
  if (path.empty() || stat(path.c_str(), &status) != 0 || !is_stream(status)) return "";
  struct stat of_stdin {};
  const bool is_stdin = fstat(STDIN_FILENO, &of_stdin) == 0 && of_stdin.st_dev == status.st_dev &&
                        of_stdin.st_ino == status.st_ino;
  return is_stdin ? "stdin" : fmt::format("{}:{}", status.st_dev, status.st_ino);
}

}  // namespace

std::string read_once(const std::string& path) {
  const std::string identity = identity_of(path);
  return identity.empty() || identity == "stdin" ? identity : "a pipe";
}

void require_read_once(const std::vector<NamedFile>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string identity = identity_of(inputs[i].path);
    if (identity.empty()) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (identity_of(inputs[j].path) != identity) continue;
      throw std::invalid_argument(fmt::format(
          "{} and {} are both {}, which can be read only once; give one of them as a file",
          inputs[j].role, inputs[i].role, identity == "stdin" ? identity : "the same pipe"));
    }
  }
}

}  // namespace allport
