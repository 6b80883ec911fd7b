// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/sampling.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

DestinationSampler::DestinationSampler(std::size_t population, std::size_t size, std::uint64_t seed)
    : generator_(seed * 1000003U + size), sets_(population, size) {}

SetSampler::SetSampler(std::size_t population, std::size_t size)
    : array_(population), swaps_(size), set_(size) {
  if (size < 1 || size > population) {
    throw std::invalid_argument("cannot draw " + std::to_string(size) +
                                " destinations: the number must be 1.." +
                                std::to_string(population));
  }
  std::iota(array_.begin(), array_.end(), 1U);
}

const std::vector<std::uint32_t>& SetSampler::draw(SplitMix64& generator) {
  const std::size_t size = set_.size();
  for (std::size_t i = 0; i < size; ++i) {
    swaps_[i] = i + static_cast<std::size_t>(generator.next() % (array_.size() - i));
    std::swap(array_[i], array_[swaps_[i]]);
    set_[i] = array_[i];
  }
  for (std::size_t i = size; i-- > 0;) std::swap(array_[i], array_[swaps_[i]]);
  return set_;
}

}  // namespace allport
