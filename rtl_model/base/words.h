// SPDX-License-Identifier: Apache-2.0
// These functions put numbers and lists into words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// `1 flit`, `2 flits`, `2 switches`.
std::string counted(std::uint64_t number, const std::string& thing);

/// `0..3`, or `0` where it is one number.
std::string range_in_words(std::int64_t low, std::int64_t high);

/// What is numbered from 0 on: `one of 0..3`, or `0, the only one`.
std::string one_of(std::uint64_t count);

/// The name on the command line of the option `key`: `--buffer-depth` for `buffer_depth`.
std::string option_name(std::string_view key);

}  // namespace allport
