// SPDX-License-Identifier: Apache-2.0
// parse_sizes() reads the lengths of the message over which algorithms are compared.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace allport {

/// Ascending lengths in bytes: `8..64MiB`, each twice the one before, or a list such as `64,1KiB`.
/// Throws std::invalid_argument as option_values.h does.
std::vector<std::size_t> parse_sizes(std::string_view text);

}  // namespace allport
