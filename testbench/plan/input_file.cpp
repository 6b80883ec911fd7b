// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

using Read = std::function<void(std::istream&, const std::string&)>;

// A stream takes a failure to read stdin for its end.
void read_stdin(const std::string& what, const Read& read) {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  const std::string is = what + (what.back() == 's' ? " are" : " is");
  if (flags < 0 || (flags & O_ACCMODE) == O_WRONLY) {
    throw std::invalid_argument(
        is + " to be read from stdin, which is closed or was opened for writing");
  }
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw std::invalid_argument(is + " to be read from stdin, which is a folder");
  }
  read(std::cin, "stdin");
  if (std::ferror(stdin) == 0) return;
  throw std::invalid_argument(
      fmt::format("stdin: it cannot be read to its end: {}", std::strerror(errno)));
}

void read_part(std::istream& in, std::string& part) {
  part.resize(InputHead::most);
  in.read(part.data(), static_cast<std::streamsize>(part.size()));
  part.resize(static_cast<std::size_t>(in.gcount()));
}

}  // namespace

void read_input(const std::string& path, const std::string& what, const Read& read) {
  if (path == "-") {
    read_stdin(what, read);
    return;
  }
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw std::invalid_argument(fmt::format("{} {} {} a folder", what, shown_path(path),
                                            what.back() == 's' ? "are" : "is"));
  }
  std::ifstream file(path);
  if (!file) {
    throw std::invalid_argument(
        fmt::format("{} {} cannot be read: {}", what, shown_path(path), std::strerror(errno)));
  }
  read(file, path);
}

InputHead::InputHead(std::istream& in) : in_(in), all_(nullptr) {
  read_part(in, head_);
  setg(head_.data(), head_.data(), head_.data() + head_.size());
  all_.rdbuf(this);
}

InputHead::int_type InputHead::underflow() {
  read_part(in_, part_);
  if (in_.bad()) all_.setstate(std::ios::badbit);
  if (part_.empty()) return traits_type::eof();
  setg(part_.data(), part_.data(), part_.data() + part_.size());
  return traits_type::to_int_type(*gptr());
}

}  // namespace allport
