// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/combine.h"

#include <cmath>
#include <cstring>

namespace allport {

namespace {

template <class Number>
Number of_numbers(JoinOperation operation, Number first, Number second) {
  switch (operation) {
    case JoinOperation::min:
      return first <= second ? first : second;
    case JoinOperation::max:
      return first >= second ? first : second;
    default:
      return first + second;
  }
}

template <class Integer>
Integer of_integers(JoinOperation operation, Integer first, Integer second) {
  switch (operation) {
    case JoinOperation::bit_and:
      return first & second;
    case JoinOperation::bit_or:
      return first | second;
    case JoinOperation::bit_xor:
      return first ^ second;
    default:
      return of_numbers(operation, first, second);
  }
}

float as_float(std::uint32_t bits) {
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// What is no number has the same bits on every machine.
std::uint32_t as_bits(float number) {
  std::uint32_t bits = 0x7fc00000;
  if (std::isnan(number)) return bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

std::uint32_t of_words(JoinTag join, std::uint32_t first, std::uint32_t second) {
  if (join.type() != LaneType::float32) return of_integers(join.operation(), first, second);
  return as_bits(of_numbers(join.operation(), as_float(first), as_float(second)));
}

}  // namespace

std::string lane_fault(JoinTag join, int flit_bytes, std::uint64_t bytes) {
  const std::string lanes = std::string(to_string(join.type())) + " lanes";
  if (join.type() == LaneType::float32 && join.operation() > JoinOperation::max) {
    return std::string("the operation ") + to_string(join.operation()) + " is for u32 and u64, " +
           "and float32 takes sum, min and max";
  }
  if (flit_bytes > 8) {
    return "--flit-bytes " + std::to_string(flit_bytes) + ": routers combine flits of 4 or 8 bytes";
  }
  const int lane = lane_bytes(join.type());
  if (flit_bytes % lane != 0) {
    return "a flit of " + std::to_string(flit_bytes) + " bytes is not a whole number of " + lanes +
           ", which have " + std::to_string(lane) + " bytes each; the flit bytes must be " +
           (lane == 4 ? "4 or 8" : "8");
  }
  if (bytes % static_cast<unsigned>(lane) == 0) return {};
  return "a message of " + std::to_string(bytes) + " bytes is not a whole number of " + lanes +
         "; the bytes must be a multiple of " + std::to_string(lane);
}

std::uint64_t combine(JoinTag join, std::uint64_t first, std::uint64_t second) {
  if (join.type() == LaneType::u64) return of_integers(join.operation(), first, second);
  const std::uint64_t low =
      of_words(join, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
  const std::uint64_t high = of_words(join, static_cast<std::uint32_t>(first >> 32),
                                      static_cast<std::uint32_t>(second >> 32));
  return low | high << 32;
}

}  // namespace allport
