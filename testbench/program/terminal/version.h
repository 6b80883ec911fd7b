// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace allport {

/// The version of the project, from the root CMakeLists.txt.
constexpr const char* program_version = ALLPORT_VERSION;

}  // namespace allport
