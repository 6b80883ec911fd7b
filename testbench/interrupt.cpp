// SPDX-License-Identifier: Apache-2.0
#include "testbench/interrupt.h"

#include <csignal>

namespace allport {

namespace {

// The one global of the program: a signal handler can reach nothing else.
std::atomic<bool> was_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) { was_interrupted.store(true); }

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &was_interrupted;
}

}  // namespace allport
