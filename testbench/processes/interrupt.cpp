// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace allport {

namespace {

// A signal handler can reach nothing but a global. The program has one other, the table of lists of
// rtl_model/base/via_list.cpp.
std::atomic<bool> was_interrupted{false};
std::atomic<int> without_results{0};  // pieces of work under way that have no results
static_assert(std::atomic<bool>::is_always_lock_free);

// As the program ends when it is interrupted.
[[noreturn]] void end_at_once() {
  constexpr int incomplete = 3;
  constexpr const char* sentence = "allport: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, sentence, std::strlen(sentence));
  _exit(incomplete);
}

// A request to stop is met at the next opportunity; the third request ends the program at once. (It
// is not the second, because `timeout` sends its signal twice.)
void on_signal(int signal) {
  static std::atomic<int> requests{0};
  if (without_results.load() > 0) end_at_once();
  was_interrupted.store(true);
  if (++requests < 3) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

StopFlag catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &was_interrupted;
}

EndAtOnce::EndAtOnce() {
  ++without_results;
  if (!is_set(catch_interrupts())) return;
  --without_results;
  throw Stopped();
}
EndAtOnce::~EndAtOnce() { --without_results; }

void give_up_if_interrupted() {
  static const StopFlag flag = catch_interrupts();
  heed(flag);
}

}  // namespace allport
