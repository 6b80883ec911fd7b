// SPDX-License-Identifier: Apache-2.0
// Stdin and pipes can be read only once, so no two inputs of a command may be the same one.
#pragma once

#include <string>
#include <vector>

#include "testbench/files/own_files.h"

namespace allport {

/// What a file is that can be read only once, in a word: `stdin`, under any name, or `a pipe`;
/// empty: it can be read again, or is not there.
std::string read_once(const std::string& path);

/// Throws std::invalid_argument, one sentence with both roles, when two of the inputs are stdin or
/// the same pipe.
void require_read_once(const std::vector<NamedFile>& inputs);

}  // namespace allport
