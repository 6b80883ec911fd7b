// SPDX-License-Identifier: Apache-2.0
// The datatypes of SimGrid's time-independent traces are numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace allport {

/// Bytes of an element of the datatype with this number, 0 .. 59 or -1 (none), as SimGrid has them
/// on 64-bit Linux; none: there is no such datatype.
std::optional<std::uint64_t> simgrid_bytes(std::string_view number);

}  // namespace allport
