// SPDX-License-Identifier: Apache-2.0
// These functions find where a TOML text is too deep: in its dotted keys, each part of which is a
// table within a table, or in its lists and inline tables. The library reads and destroys them by
// recursion, so that a deep enough text would overflow the stack, or be refused in words of the
// library. The depth is therefore checked before the library parses anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace allport {

/// Largest number of parts of a key; the keys of scenarios and grids have two.
constexpr std::size_t max_key_parts = 16;

/// Largest depth of lists and inline tables; the values of scenarios and grids have two levels.
constexpr std::size_t max_value_depth = 16;

/// A place in a text; line and column count from 1, as the library counts them.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Where a key with more than max_key_parts parts begins; none: there is no such key.
std::optional<TextPlace> find_deep_key(std::string_view text);

/// Where a list or an inline table begins that is nested more than max_value_depth deep; none:
/// there is none.
std::optional<TextPlace> find_deep_value(std::string_view text);

}  // namespace allport
