// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM ask the simulation to end and report what it has; a second one ends the
// program at once.
#pragma once

#include <atomic>
#include <stdexcept>

namespace allport {

/// Work was given up because of a signal.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// From now on the two signals set the flag that is returned.
const std::atomic<bool>* catch_interrupts();

}  // namespace allport
