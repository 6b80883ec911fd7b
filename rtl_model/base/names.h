// SPDX-License-Identifier: Apache-2.0
// Which name to offer when a name is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// The candidate with the smallest edit distance to `word` (ignoring case), the first of equals;
/// empty if there are no candidates.
std::string_view nearest_name(std::string_view word,
                              const std::vector<std::string_view>& candidates);

/// Whether `word` may be a slip for `name`: at most a third of its letters differ, or one is the
/// beginning of the other.
bool is_slip(std::string_view word, std::string_view name);

/// The error sentence: `unknown algorithm 'wsrt': did you mean 'wsort'?`
std::string unknown_name(std::string_view what, std::string_view word,
                         const std::vector<std::string_view>& candidates);

}  // namespace allport
