// SPDX-License-Identifier: Apache-2.0
// These texts are in every page: the files of testbench/show/page/parts, and D3 as it is installed.
// The build puts them into the program (CMakeLists.txt).
#pragma once

#include <string_view>

namespace allport {

extern const std::string_view page_style;    ///< CSS
extern const std::string_view page_library;  ///< D3, JavaScript
extern const std::string_view page_scripts;  ///< JavaScript that draws the pictures

}  // namespace allport
