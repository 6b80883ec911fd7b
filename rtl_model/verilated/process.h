// SPDX-License-Identifier: Apache-2.0
// These functions run the tools that make a model: Verilator and the compiler.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"

namespace allport {

struct ProcessResult {
  int status = 0;  ///< its exit status; 127: there is no such program; 128 + n: killed by signal n
  std::string output;  ///< stdout and stderr, in order
};

/// Runs `arguments`, the first one being the program (found by PATH), and waits for it. Throws
/// Stopped, and ends it with all that it has started, once `stop` is set.
ProcessResult run_process(const std::vector<std::string>& arguments, StopFlag stop = nullptr);

/// Runs several at once, at most `jobs` at a time; results in the same order.
std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& commands,
                                         unsigned jobs, StopFlag stop = nullptr);

}  // namespace allport
