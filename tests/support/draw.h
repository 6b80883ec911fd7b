// SPDX-License-Identifier: Apache-2.0
// A Draw makes the random choices of a test, from a seed that the test prints when it fails.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"

namespace allport::test {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed * 7919 + 17) {}

  /// A number in 0 .. bound - 1.
  int below(int bound) {
    return static_cast<int>(generator_.next() % static_cast<std::uint64_t>(bound));
  }
  template <class Item>
  Item one_of(std::vector<Item> items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  /// `count` different numbers in 0 .. population - 1, in the order drawn.
  std::vector<std::size_t> subset(std::size_t population, std::size_t count) {
    std::vector<std::size_t> all(population);
    for (std::size_t i = 0; i < population; ++i) all[i] = i;
    for (std::size_t i = 0; i < count; ++i) {
      const auto rest = static_cast<int>(population - i);
      std::swap(all[i], all[i + static_cast<std::size_t>(below(rest))]);
    }
    all.resize(count);
    return all;
  }

 private:
  SplitMix64 generator_;
};

}  // namespace allport::test
