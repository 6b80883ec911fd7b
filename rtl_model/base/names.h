// SPDX-License-Identifier: Apache-2.0
// These functions choose which name to offer when a name is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// The candidate that `word` may be a slip for: the nearest, of equals one that goes on from the
/// word or else the first, if at most two letters and at most a third of them differ, where two
/// neighbours in the wrong order count as one; otherwise the first one of which the word, of three
/// letters or more, is the beginning. Case does not matter. Empty: no candidate is near.
std::string_view near_name(std::string_view word, const std::vector<std::string_view>& candidates);

/// The error sentence: `unknown algorithm 'wsrt': did you mean 'wsort'?`, all candidates that go on
/// from the word, or else in which it is, if there are several, or the first of all if none is
/// near.
std::string unknown_name(std::string_view what, std::string_view word,
                         const std::vector<std::string_view>& candidates);

}  // namespace allport
