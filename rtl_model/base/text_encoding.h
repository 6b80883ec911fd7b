// SPDX-License-Identifier: Apache-2.0
// Files of text are read as UTF-8; those in the wider forms of Unicode are told by how they begin.
#pragma once

#include <string_view>

namespace allport {

/// Whether `text` begins as UTF-16 or UTF-32 does: with their mark, or with a character of ASCII in
/// two or four bytes.
inline bool is_wide_text(std::string_view text) {
  const std::string_view mark = text.substr(0, 2);
  const bool is_marked = mark == "\xff\xfe" || mark == "\xfe\xff";
  const bool has_nul = mark.find('\0') != std::string_view::npos;
  const bool is_text = text.substr(0, 4).find_first_not_of('\0') != std::string_view::npos;
  return is_marked || (has_nul && is_text);
}

constexpr std::string_view wide_text_in_words = "text in UTF-16 or UTF-32; save it as UTF-8";

}  // namespace allport
