// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/interrupt.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <new>

namespace allport {

namespace {

// A signal handler can reach nothing but globals. The program has one other, the table of lists of
// rtl_model/base/via_list.cpp.
std::atomic<bool> was_interrupted{false};
std::atomic<std::atomic<bool>*> shared_flag{nullptr};  // in memory that children share
std::atomic<int> without_results{0};  // pieces of work under way that have no results
static_assert(std::atomic<bool>::is_always_lock_free);

// As the program ends when it is interrupted.
[[noreturn]] void end_at_once() {
  constexpr int incomplete = 3;
  constexpr const char* sentence = "allport: interrupted\n";
  constexpr const char* erased = "\r\x1b[K";  // what a terminal shows of the progress
  [[maybe_unused]] ssize_t ignored = 0;
  if (isatty(STDERR_FILENO) != 0) ignored = write(STDERR_FILENO, erased, std::strlen(erased));
  ignored = write(STDERR_FILENO, sentence, std::strlen(sentence));
  _exit(incomplete);
}

// A request to stop is met at the next opportunity; the third request ends the program at once. (It
// is not the second, because `timeout` sends its signal twice.)
void on_signal(int signal) {
  static std::atomic<int> requests{0};
  if (without_results.load() > 0) end_at_once();
  was_interrupted.store(true);
  if (std::atomic<bool>* shared = shared_flag.load()) shared->store(true);
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
  const std::atomic<bool>* shared = shared_flag.load();
  return shared != nullptr ? shared : &was_interrupted;
}

StopFlag share_interrupts() {
  if (shared_flag.load() == nullptr) {
    void* memory = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared_flag.store(new (memory) std::atomic<bool>(was_interrupted.load()));
  }
  return catch_interrupts();
}

EndAtOnce::EndAtOnce() {
  ++without_results;
  if (!is_set(catch_interrupts())) return;
  --without_results;
  throw Stopped();
}
EndAtOnce::~EndAtOnce() { --without_results; }

void give_up_if_interrupted() {
  static const bool catches = catch_interrupts() != nullptr;
  const std::atomic<bool>* shared = shared_flag.load();
  heed(catches && shared != nullptr ? shared : &was_interrupted);
}

}  // namespace allport
