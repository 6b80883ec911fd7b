// SPDX-License-Identifier: Apache-2.0
// Worms are messages for tests of the hardware, flit by flit. The flits of message A are called A0,
// A1, ..
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/systemc/flit.h"

namespace allport::test {

struct Worm {
  char name = 'A';
  std::size_t address = 0;  ///< destination, or the root of a tree worm
  int flits = 1;
  MessageKind kind = MessageKind::unicast;
  int vc = 0;  ///< virtual channel on the channel on which it is put
  TieMask ties = 0;
  std::vector<NodeId> via = {};  ///< multidestination message: the destinations after the address
  int length = 0;                ///< length in the header; 0: it is not set

  Flit operator[](int position) const {
    Flit flit;
    flit.message = static_cast<MessageId>(name - 'A');
    flit.data = static_cast<std::uint64_t>(position);
    flit.vc = vc_id(static_cast<std::size_t>(vc));
    flit.head = position == 0;
    flit.tail = position + 1 == flits;
    if (!flit.head) return flit;
    flit.address = node_id(address);
    flit.kind = kind;
    flit.ties = ties;
    flit.via = ViaList(via);
    flit.length = static_cast<std::uint16_t>(length);
    return flit;
  }
};

/// The name `A0`, or with its virtual channel if there are several `A0/1`.
inline std::string name_of(const Flit& flit, bool has_vcs = false) {
  std::string name(1, static_cast<char>('A' + static_cast<int>(flit.message)));
  name += std::to_string(flit.data);
  return has_vcs ? name + "/" + std::to_string(index(flit.vc)) : name;
}

/// Adds `item@cycle` to a list of such items.
inline void note(std::string& list, const std::string& item, Cycle cycle) {
  if (!list.empty()) list += ' ';
  list += item + "@" + std::to_string(cycle);
}

}  // namespace allport::test
