// SPDX-License-Identifier: Apache-2.0
// What to offer when a name is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// The candidate with the least edit distance to `word` (case aside), the first of equals; empty
/// when there are no candidates.
std::string_view nearest_name(std::string_view word,
                              const std::vector<std::string_view>& candidates);

/// Whether `word` may be a slip for `name`: a third of its letters differ at most, or the one is
/// the beginning of the other.
bool is_slip(std::string_view word, std::string_view name);

/// The error sentence: `unknown algorithm 'wsrt': did you mean 'wsort'?`
std::string unknown_name(std::string_view what, std::string_view word,
                         const std::vector<std::string_view>& candidates);

}  // namespace allport
