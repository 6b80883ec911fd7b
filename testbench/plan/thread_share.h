// SPDX-License-Identifier: Apache-2.0
// How many threads take part in a run, which is known before it begins.
#pragma once

#include <string>

#include "testbench/plan/plan_run.h"

namespace allport {

struct ThreadShare {
  int most = 1;       ///< threads that take part in a cycle, at most
  std::string why{};  ///< why they are fewer than were asked for; empty: they are not
};

/// Those of `plan`, which has `cores` to run on, 1 at least.
ThreadShare thread_share(const RunPlan& plan, int cores);
/// On those that this process may use.
ThreadShare thread_share(const RunPlan& plan);

/// `2 threads take part at most: the run has 2 cores`
std::string in_words(const ThreadShare& share);

}  // namespace allport
