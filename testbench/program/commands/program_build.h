// SPDX-License-Identifier: Apache-2.0
// Results are kept for the program that made them: a build of it is told by what it consists of.
#pragma once

#include <string>

namespace allport {

/// FNV-1a (64 bits) of this program's executable, and of the SystemVerilog of allport's routers and
/// of what drives them, where it is installed; 16 hexadecimal digits. Throws std::runtime_error,
/// one sentence, if the executable cannot be read.
std::string program_build();

}  // namespace allport
