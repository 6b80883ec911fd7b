// SPDX-License-Identifier: Apache-2.0
// Options whose meaning a version has changed: the same command line may give other cycles since.
// CHANGELOG.md says each at length.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

struct ChangedMeaning {
  std::string_view version;  ///< the first with the new meaning
  std::vector<std::string_view>
      keys;  ///< of the configuration; a run with one of them is concerned
  std::vector<std::string_view> values;  ///< those of the keys that are concerned; empty: all
  std::string_view words;                ///< what has changed
};

/// All of them, the oldest first.
const std::vector<ChangedMeaning>& changed_meanings();

/// Whether version `a` is older than `b`, both MAJOR.MINOR.PATCH.
bool is_older(std::string_view a, std::string_view b);

}  // namespace allport
