// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM ask the simulation to end and report what it has; a second one ends the
// program at once.
#pragma once

#include <atomic>

namespace allport {

/// From now on the two signals set the flag that is returned.
const std::atomic<bool>* catch_interrupts();

}  // namespace allport
