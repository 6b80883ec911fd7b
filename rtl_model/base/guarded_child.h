// SPDX-License-Identifier: Apache-2.0
// These functions give a child process a guard: a small process between this one and the child
// that outlives neither. When this process ends, for whatever reason, the guard ends the child and
// everything that the child has started (a compiler's driver starts the compiler).
#pragma once

#include <sys/types.h>

#include <functional>

namespace allport {

/// Runs `work` in a child; a child that returns from it ends with status 0. The child has a process
/// group of its own, so it sees no signal of the terminal. Returns the process number of its guard,
/// which ends after it with its exit status, 128 + n if signal n killed it; -1 and errno: there is
/// no process left.
pid_t start_guarded(const std::function<void()>& work);

/// Asks the guard to end the child: with SIGTERM, and after a moment with SIGKILL.
void end_guarded(pid_t guard);

}  // namespace allport
