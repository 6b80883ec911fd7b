// SPDX-License-Identifier: Apache-2.0
// Work is done here in a process of its own: SystemC elaborates once in a process, the memory
// measured is that of the work alone, and RTL that crashes takes nothing with it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "rtl_model/base/stop_flag.h"
#include "testbench/results/json.h"

namespace allport {

/// A number that this process and its children share.
class SharedCounter {
 public:
  SharedCounter();
  ~SharedCounter();
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;

  std::atomic<std::uint64_t>& value() { return *value_; }

 private:
  std::atomic<std::uint64_t>* value_;
};

/// The conditions under which a child is given up.
struct ChildLimits {
  const std::atomic<std::uint64_t>* steps =
      nullptr;  ///< number of steps, counted by the child; null: no time limit
  std::chrono::seconds longest_step{0};
  StopFlag stop = nullptr;   ///< set when the work must end
  bool counts_ends = false;  ///< whether the end of a step counts too: an even number has no limit
};

/// How work in a child process ended.
enum class WorkEnd { done, error, crash, hang };

struct ChildText {
  std::string text;  ///< what the work returned
  std::string
      problem;  ///< why there is no result: an error, a crash or a hang; empty: there is one
  std::int64_t peak_bytes = 0;  ///< largest memory of the child, in bytes
  WorkEnd end = WorkEnd::done;
};

/// Runs `work` in a child process and waits for it; the child ends when this process does. Throws
/// Stopped once `limits.stop` is set.
ChildText text_of_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

struct ChildResult {
  Json json;                    ///< what the work returned
  std::string problem;          ///< why there is no result, as in ChildText
  std::int64_t peak_bytes = 0;  ///< largest memory of the child, in bytes
  WorkEnd end = WorkEnd::done;
};

/// The same for work that returns JSON.
ChildResult run_in_child(const std::function<Json()>& work, const ChildLimits& limits = {});

}  // namespace allport
