// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own: SystemC elaborates once in a process, memory is that work's alone,
// and RTL that crashes takes nothing with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "testbench/results/json.h"

namespace allport {

/// What work in a child process came to.
struct ChildText {
  std::string text;             ///< what the work returned
  std::string problem;          ///< why there is nothing, an error or a crash; empty: there is
  std::int64_t peak_bytes = 0;  ///< most memory the child had
};

/// Runs `work` in a child process and waits for it. Once `stop` is set the child is told to end, by
/// SIGTERM, of which it dies unless the work catches it; null: it is let finish.
ChildText text_of_child(const std::function<std::string()>& work, const std::atomic<bool>* stop);

struct ChildResult {
  Json json;                    ///< what the work returned
  std::string problem;          ///< why there is nothing, an error or a crash; empty: there is
  std::int64_t peak_bytes = 0;  ///< most memory the child had
};

/// The same for work that returns JSON.
ChildResult run_in_child(const std::function<Json()>& work, const std::atomic<bool>* stop);

}  // namespace allport
