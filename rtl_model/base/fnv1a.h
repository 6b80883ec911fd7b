// SPDX-License-Identifier: Apache-2.0
// FNV-1a with 64 bits (Fowler, Noll, Vo) makes the digests of deliveries, the names of cached
// models and the sums of payloads.
#pragma once

#include <cstdint>
#include <string_view>

namespace allport {

class Fnv1a {
 public:
  constexpr void add(unsigned char byte) { hash_ = (hash_ ^ byte) * prime; }
  constexpr void add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  }
  constexpr std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3U;
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace allport
