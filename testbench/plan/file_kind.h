// SPDX-License-Identifier: Apache-2.0
// What a file is, told by its beginning, so that one that is given to the wrong option is named for
// what it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace allport {

/// The first line of `text` that says something, without blanks and comments before it, and its
/// number.
std::string_view first_line(std::string_view text, std::uint32_t& number);
/// Whether GOAL, or a time-independent trace of SimGrid, may begin with `line`.
bool is_goal(std::string_view line);
bool is_simgrid(std::string_view line);

/// Whether `text` begins like an execution plan of MSCCL++.
bool is_execution_plan(std::string_view text);

/// What kind_in_words() says of a file of tasks.
std::string_view tasks_in_words();

/// What a file that begins with `text` is, and who reads it: `a GOAL file, which `allport replay`
/// reads`. Empty: it cannot be told.
std::string kind_in_words(std::string_view text);

}  // namespace allport
