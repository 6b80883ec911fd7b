// SPDX-License-Identifier: Apache-2.0
// A PinLayout says how a flit and an address lie on a router's pins
// (docs/bring-your-own-router.md): from the most significant bit head, tail, vc, kind, length,
// join, via, ties, address, data; length, join and via are there only if they are needed. The data
// field has the payload in its low bits and, in the 32 bits above, the number by which observers
// recognise the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/range.h"
#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/flit.h"

namespace allport {

/// Bits needed to tell `count` things apart, at least 1.
int index_width(std::size_t count);
/// `width` (1 .. 64) bits of `words` from bit `offset` on.
std::uint64_t get_bits(const std::uint32_t* words, std::size_t offset, int width);

class PinLayout {
 public:
  static constexpr int message_bits = 32;
  static constexpr int length_bits = 13;        ///< bits of the field `length`, if there is one
  static constexpr int join_bits = 16;          ///< bits of the field `join`, if there is one
  static constexpr int most_via = limits::via;  ///< most entries of a field `via`

  /// `payload_bits`: the payload of a flit, 8 .. 64. `data_width`: the width of the data field on
  /// the pins; 0: as much as is needed. `max_via`: entries of the field `via`, 0 .. most_via.
  /// `groups`: what headers say of groups.
  PinLayout(const RouterConfig& config, const Routing& routing, int payload_bits,
            int data_width = 0, int max_via = 0, PinGroups groups = PinGroups::none);

  int ports = 0;
  int vc_width = 1;
  int tie_width = 1;
  int address_width = 0;
  int length_width = 0;
  int join_width = 0;
  int max_via = 0;
  int payload_bits = 0;
  int data_width = 0;
  int flit_width = 0;

  int header_width() const {
    return 3 + length_width + join_width + via_width() + tie_width + address_width;
  }
  /// Bits of the count and all entries; 0: there is no such field.
  int via_width() const { return max_via == 0 ? 0 : count_width() + max_via * address_width; }

  /// Puts `flit` into slot `port` of the words of a flit pin. The report is fatal if its list is
  /// longer than max_via.
  void pack(const Flit& flit, int port, std::uint32_t* words) const;
  Flit unpack(const std::uint32_t* words, int port) const;
  /// The flit in slot `port` of words in which flits lie without their vc.
  Flit unpack_stored(const std::uint32_t* words, int port) const;

  /// The coordinates of `node` side by side, dimension 0 lowest; under a table its number.
  std::uint32_t address(NodeId node) const;
  /// The node at `address`; past the last node if there is none.
  NodeId node(std::uint32_t address) const;

 private:
  struct Field {
    int width = 0;
    int side = 0;
  };
  Flit unpack_at(const std::uint32_t* words, std::size_t at, int width_of_vc) const;
  int count_width() const { return index_width(static_cast<std::size_t>(max_via) + 1); }
  void pack_via(ViaList via, std::size_t at, std::uint32_t* words) const;
  ViaList unpack_via(const std::uint32_t* words, std::size_t at) const;

  std::vector<Field> coordinates_;
  bool is_plain_ = true;  // whether every side is a power of two: the address is the node's number
};

void put_bits(std::uint32_t* words, std::size_t offset, int width, std::uint64_t value);
inline bool get_bit(const std::uint32_t* words, std::size_t bit) {
  return (words[bit / 32] >> bit % 32 & 1U) != 0;
}
inline void put_bit(std::uint32_t* words, std::size_t bit) {
  words[bit / 32] |= std::uint32_t{1} << bit % 32;
}
}  // namespace allport
