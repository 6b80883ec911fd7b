// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM ask long work to end and to report what it has; the third signal ends the
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

/// Also catches the signals, and throws Interrupted if there was one; to be called between two
/// pieces of long work.
void give_up_if_interrupted();

}  // namespace allport
