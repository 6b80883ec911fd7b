// SPDX-License-Identifier: Apache-2.0
// These functions count instructions, which unlike times are the same on a busy machine and on an
// idle one. They are counted by valgrind's callgrind, which runs this program once more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace allport {

/// Throws std::invalid_argument, one sentence, when valgrind is not installed.
void require_valgrind();

/// The instructions spent in timed() (testbench/simulation/stopwatch.h) when this program runs with
/// `arguments`, its child processes included. Throws std::runtime_error, one sentence, when it
/// fails.
std::uint64_t count_instructions(const std::vector<std::string>& arguments);

/// The sum of the totals of callgrind's output in `text`; 0 where there is none.
std::uint64_t callgrind_total(const std::string& text);

}  // namespace allport
