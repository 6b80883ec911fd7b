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

/// Whether `text` begins like an execution plan of MSCCL++.
bool is_execution_plan(std::string_view text);

/// What a file is. Both `table` (CSV) and `toml` are read by several options; a `trace` is of any
/// format but files of tasks.
enum class FileKind {
  unknown,
  wide_text,
  trace,
  xml,
  execution_plan,
  schedule,
  tasks,
  table,
  toml
};

/// Throws std::invalid_argument for a file that begins with `text` and is known to be of another
/// kind than `expected`: `PLACE: this is no schedule but a GOAL file, which `allport replay`
/// reads`. `what` names the kind that the option takes.
void require_kind(std::string_view text, FileKind expected, const std::string& place,
                  std::string_view what);

}  // namespace allport
