// SPDX-License-Identifier: Apache-2.0
// The dotted keys of a TOML text. Each part of a key is a table within a table, which the library
// destroys by recursion, so that a long enough key would overflow the stack. The keys are therefore
// checked before the library parses anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace allport {

/// Largest number of parts of a key; the keys of scenarios and grids have two.
constexpr std::size_t max_key_parts = 16;

/// A place in a text; line and column count from 1, as the library counts them.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// Where a key with more than max_key_parts parts begins; none: there is no such key.
std::optional<TextPlace> find_deep_key(std::string_view text);

}  // namespace allport
