// SPDX-License-Identifier: Apache-2.0
#include "testbench/processes/child_process.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/sentence.h"

namespace allport {

namespace {

// The exit status by which the child reports.
constexpr int has_result = 0;
constexpr int has_failed = 1;
constexpr int first_signal = 128;

int run_and_tell(const std::function<std::string()>& work, int pipe) {
  std::string text;
  int status = has_result;
  try {
    text = work();
  } catch (const std::exception& error) {
    text = sentence_of(error);
    status = has_failed;
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(pipe, text.data() + sent, text.size() - sent);
    if (count <= 0) return has_failed;
    sent += static_cast<std::size_t>(count);
  }
  return status;
}

/// Sees that the steps of a child go on.
class Patience {
 public:
  explicit Patience(const ChildLimits& limits) : limits_(limits) {}

  bool is_over() {
    if (limits_.steps == nullptr) return false;
    const std::uint64_t steps = limits_.steps->load();
    if (steps != steps_) {
      steps_ = steps;
      since_ = Clock::now();
    }
    const bool is_in_step = !limits_.counts_ends || steps % 2 == 1;
    return is_in_step && Clock::now() - since_ > limits_.longest_step;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const ChildLimits& limits_;
  std::uint64_t steps_ = 0;
  Clock::time_point since_ = Clock::now();
};

ChildText result_of(ChildEnd end) {
  ChildText result;
  result.peak_bytes = end.peak_bytes;
  if (end.exit > first_signal) {
    result.end = WorkEnd::crash;
    result.problem = fmt::format("it crashed ({})", strsignal(end.exit - first_signal));
  } else if (end.exit != has_result) {
    result.end = WorkEnd::error;
    result.problem = end.out.empty() ? "it ended without a result" : end.out;
  } else if (end.out.empty()) {  // by exit(0) in what it has called
    result.end = WorkEnd::error;
    result.problem = "it ended its process";
  } else {
    result.text = std::move(end.out);
  }
  return result;
}

ChildText hung(const ChildLimits& limits) {
  ChildText result;
  result.end = WorkEnd::hang;
  result.problem = fmt::format("it hangs: a step took more than {} s", limits.longest_step.count());
  return result;
}

}  // namespace

SharedCounter::SharedCounter() {
  void* memory =
      mmap(nullptr, sizeof *value_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  value_ = new (memory) std::atomic<std::uint64_t>(0);
}

SharedCounter::~SharedCounter() { munmap(value_, sizeof *value_); }

ChildText text_of_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::fflush(stdout);
  ChildPool pool;
  pool.start(0, [&work](int out) { return run_and_tell(work, out); });
  Patience patience(limits);
  while (true) {
    heed(limits.stop);
    if (patience.is_over()) return hung(limits);
    std::vector<ChildEnd> ended = pool.wait(look_up);
    if (!ended.empty()) return result_of(std::move(ended.front()));
  }
}

ChildResult run_in_child(const std::function<Json()>& work, const ChildLimits& limits) {
  const ChildText ended = text_of_child([&work] { return work().dump(); }, limits);
  return {ended.problem.empty() ? Json::parse(ended.text) : Json{}, ended.problem, ended.peak_bytes,
          ended.end};
}

}  // namespace allport
