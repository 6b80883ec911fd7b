// SPDX-License-Identifier: Apache-2.0
// Where the contributions of a join meet, the routers apply an operation to the lanes of a flit,
// which are integers or floating-point numbers side by side, little endian (docs/joins.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rtl_model/base/name_table.h"

namespace allport {

enum class JoinOperation : std::uint8_t { sum, min, max, bit_and, bit_or, bit_xor };
enum class LaneType : std::uint8_t { u32, u64, float32 };
/// The order in which a router combines the operands of a join: that of the ports, its own last, or
/// that in which their flits came to it, and by port those that came together.
enum class CombineOrder : std::uint8_t { port, arrival };

template <>
inline constexpr std::array<Named<JoinOperation>, 6> name_table<JoinOperation>{
    {{JoinOperation::sum, "sum"},
     {JoinOperation::min, "min"},
     {JoinOperation::max, "max"},
     {JoinOperation::bit_and, "and"},
     {JoinOperation::bit_or, "or"},
     {JoinOperation::bit_xor, "xor"}}};
template <>
inline constexpr std::array<Named<LaneType>, 3> name_table<LaneType>{
    {{LaneType::u32, "u32"}, {LaneType::u64, "u64"}, {LaneType::float32, "float32"}}};
template <>
inline constexpr std::array<Named<CombineOrder>, 2> name_table<CombineOrder>{
    {{CombineOrder::port, "port"}, {CombineOrder::arrival, "arrival"}}};

/// Bytes of a lane: 4 or 8.
constexpr int lane_bytes(LaneType type) { return type == LaneType::u64 ? 8 : 4; }

/// Which join of its group a contribution belongs to, and what is computed: a header field of two
/// bytes.
class JoinTag {
 public:
  /// Largest tag.
  static constexpr int max_tag = 2047;

  constexpr JoinTag() = default;
  constexpr JoinTag(int tag, JoinOperation operation, LaneType type)
      : bits_(static_cast<std::uint16_t>(tag | static_cast<int>(operation) << 11 |
                                         static_cast<int>(type) << 14)) {}

  constexpr int tag() const { return bits_ & max_tag; }
  constexpr JoinOperation operation() const { return static_cast<JoinOperation>(bits_ >> 11 & 7); }
  constexpr LaneType type() const { return static_cast<LaneType>(bits_ >> 14); }
  /// All of it as a number, the tag in the lowest 11 bits.
  constexpr std::uint16_t bits() const { return bits_; }

  friend constexpr bool operator==(JoinTag a, JoinTag b) { return a.bits_ == b.bits_; }
  friend constexpr bool operator!=(JoinTag a, JoinTag b) { return a.bits_ != b.bits_; }

 private:
  std::uint16_t bits_ = 0;
};

/// Why the operation of `join` does not fit its lanes or these a flit of `flit_bytes` bytes, or
/// messages of `bytes` bytes are no whole lanes; in a sentence, empty if all is well.
std::string lane_fault(JoinTag join, int flit_bytes, std::uint64_t bytes);

/// Combines the data of two flits, `first` with `second`, lane by lane. Sums of integers are modulo
/// the width of the lane, sums of floating-point numbers those of IEEE 754, rounded to the nearest,
/// a tie to the even one; of two such numbers that compare equal, min and max take `first`, and
/// they take `second` where one is no number. A result that is no number is 7fc00000 on every
/// machine.
std::uint64_t combine(JoinTag join, std::uint64_t first, std::uint64_t second);

}  // namespace allport
