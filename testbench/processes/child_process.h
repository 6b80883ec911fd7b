// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own: SystemC elaborates once in a process, memory is that work's alone,
// and RTL that crashes takes nothing with it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

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

/// When a child is not waited for any longer.
struct ChildLimits {
  const std::atomic<std::uint64_t>* steps = nullptr;  ///< that it counts; null: any time is given
  std::chrono::seconds longest_step{0};
  const std::atomic<bool>* interrupt = nullptr;  ///< null: nobody interrupts
};

/// How work in a child process ended.
enum class ChildEnd { done, error, crash, hang };

struct ChildText {
  std::string text;     ///< what the work returned
  std::string problem;  ///< why there is nothing, an error, a crash, a hang; empty: there is
  std::int64_t peak_bytes = 0;  ///< most memory the child had
  ChildEnd end = ChildEnd::done;
};

/// Runs `work` in a child process and waits for it; the child ends when this process does. Throws
/// Interrupted when it has been interrupted.
ChildText text_of_child(const std::function<std::string()>& work, const ChildLimits& limits = {});

struct ChildResult {
  Json json;                    ///< what the work returned
  std::string problem;          ///< why there is nothing, as of a ChildText
  std::int64_t peak_bytes = 0;  ///< most memory the child had
  ChildEnd end = ChildEnd::done;
};

/// The same for work that returns JSON.
ChildResult run_in_child(const std::function<Json()>& work, const ChildLimits& limits = {});

}  // namespace allport
