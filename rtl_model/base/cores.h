// SPDX-License-Identifier: Apache-2.0
// How many cores there are to be used.
#pragma once

#include <algorithm>
#include <thread>
#ifdef __linux__
#include <sched.h>
#endif

namespace allport {

/// The cores on which this process may run, which taskset and batch systems may have limited; at
/// least 1.
inline int usable_cores() {
#ifdef __linux__
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(CPU_COUNT(&cores), 1);
#endif
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

}  // namespace allport
