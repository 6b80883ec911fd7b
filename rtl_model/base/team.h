// SPDX-License-Identifier: Apache-2.0
// A Team is a number of threads that do one job after the other together, the caller among them.
// Between two jobs the others look for the next one for some microseconds, and sleep then.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace allport {

class Team {
 public:
  /// How the caller waits for the others.
  struct Patience {
    int looks = 0;  ///< times that it looks whether they are done before it lets go
    std::function<void()> yield = std::this_thread::yield;  ///< lets other threads have its core
  };

  /// `size` >= 1 members, of which the thread that calls run() is one. Throws std::runtime_error,
  /// one sentence, if the machine gives no more threads.
  explicit Team(int size);
  Team(int size, Patience patience);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Whether in the last job the caller waited so long for the others that it let other threads
  /// have its core: the machine has fewer cores to spare than the team has members.
  bool was_kept_waiting() const { return was_kept_waiting_; }
  int size() const { return static_cast<int>(faults_.size()); }
  /// Calls `job`(m) for each member m = 0 .. size() - 1, for 0 in this thread, and returns when all
  /// are done. What a job throws is thrown here, that of the first such member. Members see what
  /// was written before, and the caller what they wrote.
  template <class Job>
  void run(const Job& job) {
    start({&call<Job>, &job});
    attempt(0);
    finish();
  }

 private:
  struct Order {  // without a std::function, which would be made anew for each job
    void (*call)(const void*, int) = nullptr;
    const void* job = nullptr;
  };
  template <class Job>
  static void call(const void* job, int member) {
    (*static_cast<const Job*>(job))(member);
  }

  void start(const Order& order);
  void attempt(int member);
  void finish();
  void end();
  void serve(int member);
  std::uint64_t next_round(std::uint64_t last);

  const Patience patience_;
  bool was_kept_waiting_ = false;
  Order order_;
  std::vector<std::exception_ptr> faults_;  // by member
  std::atomic<std::uint64_t> round_{0};     // the number of jobs so far
  std::atomic<int> at_work_{0};             // members that have not done the present one
  std::atomic<int> asleep_{0};
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
  std::vector<std::thread> threads_;
};

}  // namespace allport
