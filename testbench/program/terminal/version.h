// SPDX-License-Identifier: Apache-2.0
// This header has the version of the program.
#pragma once

namespace allport {

/// The version of the project, from the root CMakeLists.txt.
constexpr const char* program_version = ALLPORT_VERSION;

}  // namespace allport
