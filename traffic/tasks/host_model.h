// SPDX-License-Identifier: Apache-2.0
// A HostModel says what a transfer takes between the host of a machine (the NCUBE of [Ranka88]) and
// a rank. It uses no channel of the fabric, but one of the host's own, which carries one transfer
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rtl_model/base/ids.h"

namespace allport {

/// What a transfer takes: start_up + per_byte * bytes cycles, rounded up. Each number is the
/// shortest decimal that is read as it, which is the one that results print: 0.1 is a tenth, and a
/// transfer of 30 bytes takes 3 cycles of it, whatever a sum of binary fractions would be.
struct HostModel {
  /// The longest transfer in bytes: what a TLM-2.0 payload counts.
  static constexpr std::uint64_t most_bytes = UINT32_MAX;

  static constexpr std::size_t most_decimals = 28;  ///< of either number

  double start_up = 0;  ///< cycles, 0 .. 10^9
  double per_byte = 0;  ///< cycles, 0 .. 10^9
  /// Of `bytes` up to most_bytes.
  Cycle cycles(std::uint64_t bytes) const;
};

/// How many digits behind the point the shortest decimal has that is read as `cycles`.
std::size_t decimals_of(double cycles);

/// What a byte takes on a channel that carries `flit_bytes` of them in a cycle, in 15 decimals: a
/// transfer takes as many cycles as by the fraction itself.
double cycles_per_byte(int flit_bytes);

}  // namespace allport
