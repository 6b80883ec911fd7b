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

struct ChildResult {
  Json json;                    ///< what the work returned
  std::string problem;          ///< empty, or why there is nothing: an error, or a crash
  std::int64_t peak_bytes = 0;  ///< the most memory it had
};

/// Runs `work` in a child process and waits for it. Once `stop` is set the child is told to end, by
/// SIGTERM, of which it dies unless the work catches it.
ChildResult run_in_child(const std::function<Json()>& work, const std::atomic<bool>* stop);

}  // namespace allport
