// SPDX-License-Identifier: Apache-2.0
// A command that is used in several ways reads other options in each: an option that would change
// nothing is refused, with who reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/program/options/options.h"

namespace allport {

/// A way to use a command, and the keys of the options that it reads.
struct WayOfUse {
  std::string_view name;  ///< as in `show gray`
  std::vector<std::string_view> keys;
};

/// The keys of all options of `list` but for those of `without`.
std::vector<std::string_view> keys_without(const OptionList& list,
                                           const std::vector<std::string_view>& without);

/// Throws std::invalid_argument, one sentence, if an option was given that `way` does not read. It
/// names those of `ways` that do.
void require_read(const Options& options, std::string_view way, const std::vector<WayOfUse>& ways);

/// The same for --seed, where `way` draws nothing but what is missing.
void require_seed_is_read(const Options& options, std::string_view way);

}  // namespace allport
