// SPDX-License-Identifier: Apache-2.0
// SplitMix64 (Steele, Lea, Flood 2014) is the one generator of the project; it is seeded and
// portable.
#pragma once

#include <cstdint>

namespace allport {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += increment;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15U;
  std::uint64_t state_;
};

/// Seed of the generator of node `node` in trial `trial` of a run with seed `seed`, modulo 2^64
/// (docs/guide/randomness.md).
constexpr std::uint64_t node_seed(std::uint64_t seed, std::uint64_t trial, std::uint64_t node) {
  return (seed * 1000003U + trial) * 1000003U + node;
}

}  // namespace allport
