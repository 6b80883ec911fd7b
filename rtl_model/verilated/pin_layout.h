// SPDX-License-Identifier: Apache-2.0
// How a flit and an address lie on a router's pins (docs/bring-your-own-router.md): from the most
// significant bit head, tail, vc, kind, ties, address, data. The data field has the payload in its
// low bits and, in the 32 bits above, the number by which observers recognise the message.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/router_config.h"

namespace allport {

class PinLayout {
 public:
  static constexpr int message_bits = 32;

  /// `payload_bits` of a flit: 8 .. 64. `data_width`: of the pins; 0: as much as is needed.
  PinLayout(const RouterConfig& config, const Routing& routing, int payload_bits,
            int data_width = 0);

  int ports = 0;
  int vc_width = 1;
  int tie_width = 1;
  int address_width = 0;
  int payload_bits = 0;
  int data_width = 0;
  int flit_width = 0;

  /// Puts `flit` into slot `port` of the words of a flit pin.
  void pack(const Flit& flit, int port, std::uint32_t* words) const;
  Flit unpack(const std::uint32_t* words, int port) const;

  /// The coordinates of `node` side by side, dimension 0 lowest.
  std::uint32_t address(NodeId node) const;
  /// The node at `address`; past the last node where there is none.
  NodeId node(std::uint32_t address) const;

 private:
  struct Field {
    int width = 0;
    int side = 0;
  };
  std::vector<Field> coordinates_;
  bool is_plain_ = true;  // every side a power of two: the address is the node's number
};

/// `width` (1 .. 64) bits of `words` from bit `offset` on.
std::uint64_t get_bits(const std::uint32_t* words, std::size_t offset, int width);
void put_bits(std::uint32_t* words, std::size_t offset, int width, std::uint64_t value);
inline bool get_bit(const std::uint32_t* words, std::size_t bit) {
  return (words[bit / 32] >> bit % 32 & 1U) != 0;
}
inline void put_bit(std::uint32_t* words, std::size_t bit) {
  words[bit / 32] |= std::uint32_t{1} << bit % 32;
}
/// Bits needed to tell `count` things apart, at least 1.
int index_width(std::size_t count);

}  // namespace allport
