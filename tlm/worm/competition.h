// SPDX-License-Identifier: Apache-2.0
// Flits of several virtual channels share a physical channel: who could move one, who has its
// channels to itself, and, of those that have not, who wins, by the rule of the router's switch
// allocator. What a winner does is up to the flow. With one virtual channel nobody competes.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"

namespace allport {

class WormCompetition {
 public:
  explicit WormCompetition(WormStore& store);
  void reset();

  /// `id` could move a flit from this cycle on.
  void enter(WormIndex id);
  /// And no longer.
  void leave(WormIndex id);
  /// Whether nobody else could move a flit from the channel it comes from or to the one it leaves
  /// by.
  bool is_alone(const Passage& passage) const {
    return shares_[passage.in_channel].competing_in == 1 &&
           shares_[passage.out_channel].competing_out == 1;
  }
  /// The first of those of router `node` that could move a flit; `next_competing` leads on.
  WormIndex first(std::uint32_t node) const { return competing_[node]; }

  /// The passages of router `node` compete in this cycle.
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
  /// Changes places with another list of routers noted.
  void exchange_noted(std::vector<std::uint32_t>& routers);

  /// Those of `competitors`, all of one router, that move a flit: each input chooses one of its
  /// virtual channels, then each output one of these inputs.
  const std::vector<WormIndex>& choose_winners(const std::vector<WormIndex>& competitors);
  /// `winner` moves a flit: the round robin at its input and its output goes on behind it.
  void turn_pointers(const Passage& winner);

 private:
  struct Share {                     // of a channel
    std::uint8_t competing_in = 0;   // passages that could move a flit from here
    std::uint8_t competing_out = 0;  // or to here
    std::uint8_t input_pointer = 0;
    std::uint8_t output_pointer = 0;
  };
  void let_inputs_choose(const std::vector<WormIndex>& competitors);
  void let_outputs_choose(const std::vector<WormIndex>& competitors);

  WormStore& store_;
  std::vector<Share> shares_;         // by channel
  std::vector<WormIndex> competing_;  // by router: the first
  std::vector<std::uint8_t> router_is_noted_;
  std::vector<std::uint32_t> noted_routers_;
  std::vector<WormIndex> chosen_;   // by input port of the router that is looked at
  std::vector<WormIndex> winners_;  // of that router
};

}  // namespace allport
