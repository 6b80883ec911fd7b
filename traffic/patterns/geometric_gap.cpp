// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/geometric_gap.h"

#include <cmath>

namespace allport {

namespace {

__extension__ using Product = unsigned __int128;

// A gap has so many bits: it is shorter than 2^60 cycles, which are more than any run has.
constexpr std::size_t gap_bits = 60;

constexpr Product certain = Product{1} << 64;

}  // namespace

GeometricGap::GeometricGap(double probability) {
  const auto start = static_cast<Product>(std::ldexp(probability, 64));
  is_never_ = start == 0;
  if (is_never_) return;
  auto silence = static_cast<std::uint64_t>(certain - start);
  while (silence != 0 && silences_.size() < gap_bits) {
    silences_.push_back(silence);
    silence = static_cast<std::uint64_t>((Product{silence} * silence) >> 64);
  }
}

std::int64_t GeometricGap::draw(SplitMix64& generator) const {
  const std::uint64_t drawn = generator.next();
  std::int64_t gap = 0;
  Product silence = certain;  // the probability that `gap` cycles are silent
  for (std::size_t i = silences_.size(); i-- > 0;) {
    const Product longer = (silence * silences_[i]) >> 64;
    const bool is_longer = drawn < longer;
    silence = is_longer ? longer : silence;
    gap += std::int64_t{is_longer} << i;
  }
  return gap;
}

}  // namespace allport
