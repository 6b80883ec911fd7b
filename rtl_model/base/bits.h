// SPDX-License-Identifier: Apache-2.0
// The places of the bits that are set in a mask are a range: `for (const int port : bits(mask))`.
// It compiles to the loop that clears the lowest bit again and again.
#pragma once

#include <cstdint>
#include <type_traits>

namespace allport {

/// The place of the lowest bit of `mask`, which is not 0.
template <class Mask>
constexpr int lowest_bit(Mask mask) {
  return __builtin_ctzll(static_cast<std::uint64_t>(mask));
}

template <class Mask>
class Bits {
  static_assert(std::is_unsigned_v<Mask>, "a mask is unsigned");

 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Mask rest) : rest_(rest) {}
    constexpr int operator*() const { return lowest_bit(rest_); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return rest_ != other.rest_; }

   private:
    Mask rest_;
  };

  constexpr explicit Bits(Mask mask) : mask_(mask) {}
  constexpr Iterator begin() const { return Iterator(mask_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  Mask mask_;
};

/// The places of the bits of `mask`, the lowest first.
template <class Mask>
constexpr Bits<Mask> bits(Mask mask) {
  return Bits<Mask>(mask);
}

}  // namespace allport
