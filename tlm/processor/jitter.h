// SPDX-License-Identifier: Apache-2.0
// The jitter is the delay of a message at its injection port, the skew that of a node's start
// (docs/guide/randomness.md).
#pragma once

#include <cstdint>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/split_mix.h"

namespace allport {

/// The next draw from `generator`, 0 .. `jitter_max` cycles; without jitter nothing is drawn.
inline Cycle draw_jitter(SplitMix64& generator, Cycle jitter_max) {
  if (jitter_max == 0) return 0;
  return static_cast<Cycle>(generator.next() % (static_cast<std::uint64_t>(jitter_max) + 1));
}

}  // namespace allport
