// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/team.h"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

#include "rtl_model/base/cores.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

// How often a member looks before it sleeps, and the caller before it lets others run: for about a
// hundred microseconds, unless others of the team need the core.
int patience_of(int size) { return size <= usable_cores() ? 4000 : 10; }

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Team::Team(int size) : Team(size, Patience{patience_of(size)}) {}

Team::Team(int size, Patience patience)
    : patience_(std::move(patience)), faults_(static_cast<std::size_t>(size)) {
  threads_.reserve(static_cast<std::size_t>(size) - 1);
  try {
    for (int member = 1; member < size; ++member) {
      threads_.emplace_back([this, member] { serve(member); });
    }
  } catch (const std::system_error&) {
    end();
    throw std::runtime_error("the machine gives no more than " +
                             counted(threads_.size() + 1, "thread") + ", and " +
                             std::to_string(size) + " were asked for");
  }
}

Team::~Team() { end(); }

void Team::end() {
  is_over_ = true;
  start({});
  for (std::thread& thread : threads_) thread.join();
}

void Team::start(const Order& order) {
  order_ = order;
  at_work_.store(size() - 1, std::memory_order_relaxed);
  round_.fetch_add(1);
  if (asleep_.load() == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  woken_.notify_all();
}

void Team::attempt(int member) {
  try {
    order_.call(order_.job, member);
  } catch (...) {
    faults_[static_cast<std::size_t>(member)] = std::current_exception();
  }
}

void Team::finish() {
  was_kept_waiting_ = false;
  for (int looks = 0; at_work_.load(std::memory_order_acquire) > 0; ++looks) {
    if (looks < patience_.looks) {
      pause();
    } else {
      was_kept_waiting_ = true;
      patience_.yield();
    }
  }
  for (std::exception_ptr& fault : faults_) {
    if (fault == nullptr) continue;
    const std::exception_ptr first = fault;
    for (std::exception_ptr& one : faults_) one = nullptr;
    std::rethrow_exception(first);
  }
}

void Team::serve(int member) {
  for (std::uint64_t round = 0;;) {
    round = next_round(round);
    if (is_over_) return;
    attempt(member);
    at_work_.fetch_sub(1, std::memory_order_release);
  }
}

std::uint64_t Team::next_round(std::uint64_t last) {
  for (int looks = 0; looks < patience_.looks; ++looks) {
    const std::uint64_t round = round_.load(std::memory_order_acquire);
    if (round != last) return round;
    pause();
  }
  std::unique_lock<std::mutex> lock(mutex_);
  asleep_.fetch_add(1);
  woken_.wait(lock, [&] { return round_.load() != last; });
  asleep_.fetch_sub(1);
  return round_.load();
}

}  // namespace allport
