// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/interrupt.h"

#include <csignal>

namespace allport {

namespace {

// A signal handler can reach nothing but a global. The program has one other, the table of lists of
// rtl_model/base/via_list.cpp.
std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A request to stop is met at the next opportunity; the third request ends the program at once. (It
// is not the second, because `timeout` sends its signal twice.)
void on_signal(int signal) {
  static std::atomic<int> requests{0};
  was_interrupted.store(true);
  if (++requests < 3) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &was_interrupted;
}

void give_up_if_interrupted() {
  static const std::atomic<bool>* const flag = catch_interrupts();
  if (flag->load()) throw Interrupted();
}

}  // namespace allport
