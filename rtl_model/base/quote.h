// SPDX-License-Identifier: Apache-2.0
// These functions put text of a user into a message: on one line, without anything that a terminal
// would obey, and of a length that can be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace allport {

/// `text` with `\n`, `\x1b` and the like in place of control characters and of bytes that are not
/// UTF-8. A text of more than `most` bytes is cut after its beginning: `aaa.. (5000 bytes)`.
std::string shown(std::string_view text, std::size_t most);

/// A value between quotes, as in `unknown algorithm 'uc\nube'`.
std::string in_quotes(std::string_view value);

/// A word of a command line, as a shell reads it: in single quotes where it needs them.
std::string shell_word(std::string_view text);

/// The name of a file, without quotes.
std::string shown_path(std::string_view path);

/// The same of a file that is read, where `-` is stdin.
std::string shown_input(std::string_view path);

/// Whether all of `text` is UTF-8 without control characters, so that shown() leaves it as it is.
bool is_printable(std::string_view text);

}  // namespace allport
