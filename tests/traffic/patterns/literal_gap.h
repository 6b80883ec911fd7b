// SPDX-License-Identifier: Apache-2.0
// The rule of docs/guide/randomness.md for starts at random, word by word.
#pragma once

#include <array>
#include <cstdint>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/split_mix.h"

namespace allport {

__extension__ using Unsigned128 = unsigned __int128;

inline Cycle literal_gap(SplitMix64& generator, double probability) {
  constexpr Unsigned128 two_to_64 = Unsigned128{1} << 64;
  std::array<Unsigned128, 60> r{};
  r[0] = two_to_64 - static_cast<Unsigned128>(probability * 0x1p64);
  for (std::size_t i = 0; i + 1 < r.size(); ++i) r[i + 1] = r[i] * r[i] / two_to_64;
  const Unsigned128 u = generator.next();
  Unsigned128 x = two_to_64;
  Cycle gap = 0;
  for (int i = 59; i >= 0; --i) {
    const Unsigned128 y = x * r[static_cast<std::size_t>(i)] / two_to_64;
    if (u >= y) continue;
    x = y;
    gap += Cycle{1} << i;
  }
  return gap;
}

}  // namespace allport
