// SPDX-License-Identifier: Apache-2.0
// WormJunctions moves the flits of trees and joins where they branch and meet. While all operands
// have flits and all branches have virtual channels and credits, and no other worm wants their
// channels, a junction runs: a flit leaves by all branches in every cycle, and nothing need be
// decided. Otherwise it is decided upon flit by flit, by the rules of the router: each branch takes
// the flit as soon as it can, and the operands give it up when all have taken it.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"
#include "tlm/worm/switch_allocation.h"
#include "tlm/worm/unit.h"
#include "tlm/worm/vc_allocation.h"

namespace allport {

class WormJunctions : private WormMovingUnit {
 public:
  WormJunctions(WormStore& store, WormVcAllocation& allocation, WormSwitchAllocation& competition,
                WormMover& mover)
      : WormMovingUnit(store, allocation, competition, mover) {}
  void reset();

  bool is_any() const { return store_.junctions.size() > 1; }

  // The phase of switching in cycle `now`, step by step:
  /// Moves the passages of junctions from `noted` to the junctions to be decided upon.
  void take_over(std::vector<WormIndex>& noted);
  /// Lets the heads that take part request their virtual channels.
  void ask_all(Cycle now);
  /// Decides upon the junctions noted; with one virtual channel their flits move.
  void decide_all(Cycle now);
  /// With several: lets run those that have their channels to themselves; the others compete.
  void run_alone_or_compete(Cycle now);
  /// Whether the passages of `number` that could move a flit compete in this cycle, since it does
  /// not run by itself.
  bool competes(std::uint32_t number, Cycle now);
  /// The flit at the junction of branch `id` leaves by it.
  void take(WormIndex id, Cycle now);

  /// Handles the event What::junction; returns whether the junction is to be decided upon.
  bool run(std::uint32_t number, WormPhase phase, Cycle now);

  std::uint64_t decisions() const { return decisions_; }
  /// Flits that have left by external branches, counted when they stand still or have gone.
  std::uint64_t flit_hops() const;

 private:
  using What = WormEvent::What;
  void run_to(const WormJunction& junction, Cycle now);
  bool has_routes(const WormJunction& junction, Cycle now);
  bool can_take(const WormJunction& junction, WormIndex id, Cycle now);
  void decide(WormJunction& junction, Cycle now);
  void enter_or_leave(const WormJunction& junction);
  void turn_pointers(const WormJunction& junction);
  void set_competing(WormIndex id, bool is_able);
  void keep_moving(WormJunction& junction, Cycle now);
  void start(WormJunction& junction, Cycle now);
  void stop(WormJunction& junction, Cycle now);
  void set_timer(WormJunction& junction, Cycle now);
  void set_timer_to(WormJunction& junction, Cycle cycle);
  void leave_with_head(WormIndex id, Cycle now);
  void tell_arrival(WormIndex id, What what, Cycle now);
  void finish_branch(WormIndex id, Cycle now);
  void finish_operands(WormJunction& junction, Cycle now);
  std::uint32_t number_of(const WormJunction& junction) const {
    return store_.passages[junction.first].junction;
  }
  template <class Visit>
  void visit_operands(const WormJunction& junction, Visit visit) {
    for (WormIndex id = junction.first; id < junction.first_branch(); ++id) visit(id);
  }
  template <class Visit>
  void visit_branches(const WormJunction& junction, Visit visit) {
    for (WormIndex id = junction.first_branch(); id < junction.end(); ++id) visit(id);
  }

  std::vector<std::uint32_t> noted_;
  std::vector<WormIndex> takers_;  // branches of the present junction that could take a flit
  std::uint64_t decisions_ = 0;
  std::uint64_t flit_hops_ = 0;  // of branches that have taken the tail
};

}  // namespace allport
