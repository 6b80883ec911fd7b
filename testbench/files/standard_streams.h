// SPDX-License-Identifier: Apache-2.0
// These functions prepare and check stdin, stdout and stderr. Results go to stdout, everything else
// to stderr; a stderr that cannot be written changes neither the results nor the exit status, and
// nor does a stdout whose reader has left.
#pragma once

#include <string>
#include <string_view>

namespace allport {

/// Must be called before anything is opened: replaces each of the three streams that is closed by
/// one that can be neither read nor written, because the first file opened would get its number.
/// From now on a file that becomes too large, and a pipe that nobody reads, are errors of writing
/// instead of signals.
void prepare_standard_streams();

/// Whether stdout is a pipe or a socket that nobody reads any more.
bool has_no_reader();

/// Throws std::invalid_argument, one sentence, when stdout is closed.
void require_stdout();

/// Writes `text` on stderr as it is.
void write_on_stderr(std::string_view text);

/// Writes `allport: SENTENCE` on stderr, without anything that a terminal would obey.
void say(std::string_view sentence);

}  // namespace allport
