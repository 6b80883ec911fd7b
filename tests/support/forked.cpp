// SPDX-License-Identifier: Apache-2.0
#include "tests/support/forked.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

namespace allport::test {

namespace {

[[noreturn]] void run_child(const std::function<std::string()>& body, int out) {
  std::string text;
  try {
    text = body();
  } catch (const std::exception& error) {
    text = std::string("exception: ") + error.what();
  }
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(out, text.data() + at, text.size() - at);
    if (written <= 0) _exit(1);
    at += static_cast<std::size_t>(written);
  }
  _exit(0);
}

}  // namespace

std::string forked(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    close(ends[0]);
    run_child(body, ends[1]);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> block{};
  while (true) {
    const ssize_t got = read(ends[0], block.data(), block.size());
    if (got <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  return "crashed: status " + std::to_string(status) + " after: " + text;
}

}  // namespace allport::test
