// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM ask long work to end and to report what it has; the third signal ends the
// program at once.
#pragma once

#include "rtl_model/base/stop_flag.h"

namespace allport {

/// From now on the two signals set the flag that is returned.
StopFlag catch_interrupts();

/// From now on this process and the children that it forks see the signals of this one; children
/// are in process groups of their own, so that they get none.
StopFlag share_interrupts();

/// While it lives, the first signal ends the program at once, with the word and status 3: for long
/// work of a command that has no results until it is done, such as planning.
class EndAtOnce {
 public:
  /// Throws Stopped if there was a signal before.
  EndAtOnce();
  ~EndAtOnce();
  EndAtOnce(const EndAtOnce&) = delete;
  EndAtOnce& operator=(const EndAtOnce&) = delete;
};

/// Also catches the signals, and throws Stopped if there was one; to be called between two
/// pieces of long work.
void give_up_if_interrupted();

}  // namespace allport
