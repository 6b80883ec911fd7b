// SPDX-License-Identifier: Apache-2.0
// Lengths in bytes are written alone or with a unit, on the command line and in files.
#pragma once

#include <cstddef>
#include <string_view>

#include "rtl_model/base/range.h"

namespace allport {

/// `4096`, or with B, KiB, MiB or GiB. Throws std::invalid_argument, one sentence, for what is no
/// such length in `range`.
std::size_t parse_bytes(std::string_view text, const Range& range);

}  // namespace allport
