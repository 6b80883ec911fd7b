// SPDX-License-Identifier: Apache-2.0
// These functions prepare and check stdin, stdout and stderr. Results go to stdout, everything else
// to stderr; a stderr that cannot be written changes neither the results nor the exit status.
#pragma once

#include <string>
#include <string_view>

namespace allport {

/// Must be called before anything is opened: replaces each of the three streams that is closed by
/// one that can be neither read nor written, because the first file opened would get its number.
/// From now on a file that becomes too large is an error of writing instead of a signal.
void prepare_standard_streams();

/// Throws std::invalid_argument, one sentence, when stdout is closed.
void require_stdout();

/// Writes `text` on stderr as it is.
void write_on_stderr(std::string_view text);

/// Writes `allport: SENTENCE` on stderr, without anything that a terminal would obey.
void say(std::string_view sentence);

}  // namespace allport
