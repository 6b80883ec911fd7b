// SPDX-License-Identifier: Apache-2.0
// A Border lies between parts of a fabric that are decided in different processes, its sides, of
// one machine or of several. What a router sends lies in registers by the part to which it goes and
// by the cycle in which it is there. A part of the same process finds it there; the registers of
// parts elsewhere are emptied through the border, once in each window. A window is as many cycles
// as what crosses a cut is under way at least: nothing that is sent in it arrives in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/router/flit.h"

namespace allport {

class Border {
 public:
  struct Arrival {  // at `input` of the router of `node`, a flit that comes on its VC `vc`
    Arrival() = default;
    Arrival(std::uint32_t to, int port, int vc, const Flit& leaving)
        : node(to), input(static_cast<std::uint16_t>(port)), flit(leaving) {
      flit.vc = static_cast<VcId>(vc);
    }
    std::uint32_t node = 0;
    std::uint16_t input = 0;
    Flit flit;
  };
  struct Credit {  // or an acknowledgement, for `vc` of `output` of the router of `node`
    Credit() = default;
    Credit(std::uint32_t to, int port, int channel)
        : node(to),
          output(static_cast<std::uint16_t>(port)),
          vc(static_cast<std::uint16_t>(channel)) {}
    std::uint32_t node = 0;
    std::uint16_t output = 0;
    std::uint16_t vc = 0;
  };
  template <class Item>
  struct Due {  // `item` is there in `cycle`
    Cycle cycle = 0;
    Item item;
  };
  struct Crossing {  // of a window; all are plain bytes
    std::vector<Due<Arrival>> flits;
    std::vector<Due<Credit>> credits;
    std::vector<Due<Credit>> acks;
  };

  virtual ~Border() = default;
  /// Whether part number `part` is decided at this side; it stays so.
  virtual bool is_here(std::size_t part) const = 0;
  /// Every side calls it when it has decided the last cycle of the same window, `last`. `sent`, by
  /// the part to which it goes, is added to `received`, which is empty, at the side of that part.
  /// Returns, at every side, the earliest `next`: the first cycle in which a side has something to
  /// do, with which the next window begins. Fabric::never: nothing is left to do, and it is over.
  virtual Cycle exchange(Cycle last, Cycle next, const std::vector<Crossing>& sent,
                         Crossing& received) = 0;
};

}  // namespace allport
