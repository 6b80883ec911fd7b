// SPDX-License-Identifier: Apache-2.0
// These texts are in every page: the files of testbench/show/page/parts, D3 as it is installed, and
// of the glossary and the list of papers what the page needs.
// The build puts them into the program (CMakeLists.txt).
#pragma once

#include <string_view>

namespace allport {

extern const std::string_view page_style;    ///< CSS
extern const std::string_view page_library;  ///< D3, JavaScript
extern const std::string_view page_scripts;  ///< JavaScript that draws the pictures of a run
/// .. and what draws those of all other pages, besides.
extern const std::string_view page_study_scripts;
extern const std::string_view page_glossary;  ///< docs/glossary.md
extern const std::string_view page_papers;    ///< docs/papers.md

}  // namespace allport
