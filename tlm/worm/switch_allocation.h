// SPDX-License-Identifier: Apache-2.0
// Flits of several virtual channels share a physical channel. This unit knows which passages could
// move a flit, which of them have their channels to themselves, and which of the others win, by the
// rule of the router's switch allocator. What a winner does is up to the flow. With one virtual
// channel no passages compete.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"
#include "tlm/worm/unit.h"

namespace allport {

class WormSwitchAllocation : private WormUnit {
 public:
  explicit WormSwitchAllocation(WormStore& store);
  void reset();

  /// Notes that `id` could move a flit from this cycle on.
  void enter(WormIndex id);
  /// Notes that it no longer could.
  void leave(WormIndex id);
  /// Whether no other passage could move a flit from the channel from which it comes or to the one
  /// by which it leaves.
  bool is_alone(const Passage& passage) const {
    return shares_[passage.in_channel].competing_in == 1 &&
           shares_[passage.out_channel].competing_out == 1;
  }
  /// Whether no passages but these could move a flit from the channels from which the junction's
  /// flits come or to those by which they leave: all branches, and the operands but the local one.
  bool is_alone(const WormJunction& junction) const;
  /// The first passage of router `node` that could move a flit; `next_competing` leads to the
  /// others.
  WormIndex first(std::uint32_t node) const { return competing_[node]; }

  /// Notes that the passages of router `node` compete in this cycle.
  void note_router(std::uint32_t node);
  /// Calls `visit` with each router noted.
  template <class Visit>
  void visit_noted(Visit visit) {
    for (const std::uint32_t node : noted_routers_) {
      router_is_noted_[node] = 0;
      visit(node);
    }
    noted_routers_.clear();
  }
  /// Swaps the list of noted routers with `routers`.
  void exchange_noted(std::vector<std::uint32_t>& routers);

  /// The winners among `competitors`, all of one router, which move a flit: each input chooses one
  /// of its virtual channels, then each output one of these inputs.
  const std::vector<WormIndex>& choose_winners(const std::vector<WormIndex>& competitors);
  /// Moves the round robin pointers at the input and the output of `winner` past it, since it moves
  /// a flit.
  void turn_pointers(const Passage& winner);
  /// Moves that at the input only.
  void turn_input_pointer(const Passage& winner);

 private:
  struct Share {                     // the share of a channel
    std::uint8_t competing_in = 0;   // passages that could move a flit from it
    std::uint8_t competing_out = 0;  // passages that could move a flit to it
    std::uint8_t input_pointer = 0;
    std::uint8_t output_pointer = 0;
  };
  void let_inputs_choose(const std::vector<WormIndex>& competitors);
  void let_joins_agree(const std::vector<WormIndex>& competitors);
  bool is_chosen(const Passage& passage) const;
  // The number of its virtual channel among those of its input.
  int input_vc_of(const Passage& passage) const {
    return passage.input_vc - store_.config.channel_vc(passage.input, 0);
  }
  void let_outputs_choose(const std::vector<WormIndex>& competitors);

  std::vector<Share> shares_;         // by channel
  std::vector<WormIndex> competing_;  // by router: the first passage
  std::vector<std::uint8_t> router_is_noted_;
  std::vector<std::uint32_t> noted_routers_;
  std::vector<WormIndex> chosen_;   // by input port of the present router
  std::vector<WormIndex> winners_;  // the winners of that router
};

}  // namespace allport
