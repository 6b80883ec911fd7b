// SPDX-License-Identifier: Apache-2.0
// This header has the files of schemas/ as text, which the build puts into the program
// (CMakeLists.txt).
#pragma once

#include <string_view>

namespace allport {

/// A JSON list of objects: definitions by name.
extern const std::string_view schema_parts;

}  // namespace allport
