// SPDX-License-Identifier: Apache-2.0
// A WaveOn names the finding of a run that waves are to show, as a user asks for it.
#pragma once

#include <cstddef>

#include "testbench/results/message_name.h"

namespace allport {

struct WaveOn {
  enum class Kind { contention, deadlock, message, slowest };
  Kind kind = Kind::deadlock;
  std::size_t number = 1;  ///< which contention event, in the order of the results, from 1
  MessageName message{};   ///< the message
  Cycle margin = 50;       ///< cycles recorded before and after it
};

}  // namespace allport
