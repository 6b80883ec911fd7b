// SPDX-License-Identifier: Apache-2.0
// A HostModel says what a transfer takes between the host of a machine (the NCUBE of [Ranka88]) and
// a rank. It uses no channel of the fabric, but one of the host's own, which carries one transfer
// at a time.
#pragma once

#include <cmath>
#include <cstdint>

#include "rtl_model/base/ids.h"

namespace allport {

/// What a transfer takes: start_up + per_byte * bytes cycles, rounded up.
struct HostModel {
  /// The longest transfer in bytes: what a TLM-2.0 payload counts.
  static constexpr std::uint64_t most_bytes = UINT32_MAX;

  double start_up = 0;  ///< cycles, >= 0
  double per_byte = 0;  ///< cycles, >= 0
  Cycle cycles(std::uint64_t bytes) const {
    return static_cast<Cycle>(std::ceil(start_up + per_byte * static_cast<double>(bytes)));
  }
};

}  // namespace allport
