// SPDX-License-Identifier: Apache-2.0
// Text is folded to the width of the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace allport {

/// Columns of the terminal: COLUMNS of the environment, what the terminal of stdout says, or 80; at
/// least 40.
std::size_t columns_of_stdout();
/// The same of a list whose lines are to stay whole where another program reads them: no limit
/// unless stdout is a terminal.
std::size_t columns_of_list();

/// `text`, which follows `at` characters of a line, in lines of at most `width` columns, broken at
/// spaces; each line but the first begins with `indent` spaces. A word that is longer stands alone.
std::string folded(const std::string& text, std::size_t at, std::size_t indent, std::size_t width);

}  // namespace allport
