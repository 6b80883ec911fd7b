// SPDX-License-Identifier: Apache-2.0
// How large the files of MSCCL and MSCCL++ may be that are read.
#pragma once

#include <cstddef>

namespace allport {

constexpr std::size_t largest_program = std::size_t{1} << 28;  // bytes
constexpr std::size_t most_steps = std::size_t{1} << 21;  // or operations, of all thread blocks
constexpr std::size_t most_cells = std::size_t{1} << 24;  // chunks of all buffers
constexpr std::size_t most_gpus = std::size_t{1} << 16;

}  // namespace allport
