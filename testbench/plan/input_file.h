// SPDX-License-Identifier: Apache-2.0
// These functions read the input files that the user names, stdin among them.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace allport {

/// Calls `read` with the file `path`, or stdin for `-`, and its name for messages. `what` names its
/// role, `the schedule`. Throws std::invalid_argument, one sentence, if it cannot be read.
void read_input(const std::string& path, const std::string& what,
                const std::function<void(std::istream&, const std::string&)>& read);

}  // namespace allport
