// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/whole_file.h"

namespace allport {

void prepare_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free, which is that of the stream.
    const int unusable = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (unusable != stream) std::abort();
  }
}

bool has_no_reader() {
  struct pollfd stream = {STDOUT_FILENO, POLLOUT, 0};
  return poll(&stream, 1, 0) == 1 && (stream.revents & (POLLERR | POLLHUP)) != 0;
}

void require_stdout() {
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return;
  throw std::invalid_argument("stdout cannot be written: it is closed or was opened for reading");
}

void write_on_stderr(std::string_view text) { write_all(STDERR_FILENO, text); }

void say(std::string_view sentence) {
  std::string text = "allport: ";
  for (std::string_view rest = sentence;;) {  // what tools say may have several lines
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    text += shown(line, line.size()) + "\n";
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  write_on_stderr(text);
}

}  // namespace allport
