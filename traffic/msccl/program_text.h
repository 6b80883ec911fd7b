// SPDX-License-Identifier: Apache-2.0
// The files of MSCCL and MSCCL++ are read whole, and may be only so large.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace allport {

constexpr std::size_t largest_program = std::size_t{1} << 28;  // bytes
constexpr std::size_t most_steps = std::size_t{1} << 21;  // or operations, of all thread blocks
constexpr std::size_t most_cells = std::size_t{1} << 24;  // chunks of all buffers
constexpr std::size_t most_gpus = std::size_t{1} << 16;

/// All that is left of `in`. Throws std::invalid_argument, one sentence that begins with `place`,
/// where that is too large or cannot be read.
std::string program_text(std::istream& in, const std::string& place);

}  // namespace allport
