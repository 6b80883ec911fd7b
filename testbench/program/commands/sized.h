// SPDX-License-Identifier: Apache-2.0
// Work for which the machine may lack memory is named, with what makes it smaller.
#pragma once

#include <new>
#include <stdexcept>

#include "testbench/program/report/shortage.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

/// What `work` makes of `large`, a plan or the request for one; says how large it is when there is
/// not enough memory for it.
template <class Large, class Task>
auto sized(const Large& large, const Task& work) {
  OutOfMemory shortage(size_in_words(large));  // there may be no memory for its words later
  try {
    return work();
  } catch (const OutOfMemory&) {  // somebody knew more
    throw;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than addresses of 32 bits reach
  }
  throw shortage;
}

}  // namespace allport
