// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/split_mix.h"

#include <array>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// Compiled for three kinds of processor; the right one is chosen when the program is loaded.
#define ALLPORT_VECTORIZED \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ALLPORT_VECTORIZED
#endif

namespace allport {

namespace {

constexpr std::size_t block = 32;

/// Whether one of the `block` draws after `state` is below `threshold`.
ALLPORT_VECTORIZED bool any_below(std::uint64_t state, std::uint64_t increment,
                                  std::uint64_t threshold) {
  std::array<std::uint64_t, block> draws;
  for (std::size_t i = 0; i < block; ++i) draws[i] = state + increment * (i + 1);
  for (std::size_t i = 0; i < block; ++i) {
    draws[i] = (draws[i] ^ (draws[i] >> 30)) * 0xbf58476d1ce4e5b9U;
  }
  for (std::size_t i = 0; i < block; ++i) {
    draws[i] = (draws[i] ^ (draws[i] >> 27)) * 0x94d049bb133111ebU;
  }
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < block; ++i) {
    below += static_cast<std::uint64_t>((draws[i] ^ (draws[i] >> 31)) < threshold);
  }
  return below != 0;
}

}  // namespace

std::int64_t SplitMix64::draws_until_below(std::uint64_t threshold, std::int64_t most) {
  std::int64_t passed = 0;
  constexpr auto step = static_cast<std::int64_t>(block);
  while (passed + step <= most && !any_below(state_, increment, threshold)) {
    state_ += increment * block;
    passed += step;
  }
  while (passed < most && next() >= threshold) ++passed;
  return passed;
}

}  // namespace allport
