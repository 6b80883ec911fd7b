// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/cbor.h"

namespace allport {

void Cbor::integer(std::int64_t value) {
  if (value >= 0) return head(Kind::number, static_cast<std::uint64_t>(value));
  head(Kind::negative, static_cast<std::uint64_t>(-(value + 1)));
}

void Cbor::text(std::string_view value) {
  head(Kind::text, value.size());
  encoded_ += value;
}

void Cbor::bytes(std::string_view value) {
  head(Kind::bytes, value.size());
  encoded_ += value;
}

// The argument is in the first byte if it is below 24; otherwise that byte says with 24 .. 27 that
// it is in the next 1, 2, 4 or 8 bytes.
void Cbor::head(Kind kind, std::uint64_t argument) {
  constexpr unsigned in_next_byte = 24;
  const unsigned first = static_cast<unsigned>(kind) << 5;
  if (argument < in_next_byte) {
    encoded_ += static_cast<char>(first | argument);
    return;
  }
  unsigned power = 0;
  while (power < 3 && argument >> (8U << power) != 0) ++power;
  encoded_ += static_cast<char>(first | (in_next_byte + power));
  for (unsigned bits = 8U << power; bits != 0; bits -= 8) {
    encoded_ += static_cast<char>(argument >> (bits - 8));
  }
}

}  // namespace allport
