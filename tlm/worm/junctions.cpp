// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/junctions.h"

#include <algorithm>

namespace allport {

void WormJunctions::reset() {
  noted_.clear();
  decisions_ = flit_hops_ = 0;
}

void WormJunctions::take_over(std::vector<WormIndex>& noted) {
  std::size_t kept = 0;
  for (const WormIndex id : noted) {
    Passage& passage = store_.passages[id];
    if (passage.junction == 0) {
      noted[kept++] = id;
      continue;
    }
    passage.is_noted = false;
    WormJunction& junction = store_.junctions[passage.junction];
    if (junction.is_noted) continue;
    junction.is_noted = true;
    noted_.push_back(passage.junction);
  }
  noted.resize(kept);
}

void WormJunctions::run_to(const WormJunction& junction, Cycle now) {
  for (WormIndex id = junction.first; id < junction.end(); ++id) store_.passages[id].run_to(now);
}

void WormJunctions::ask_all(Cycle now) {
  for (const std::uint32_t number : noted_) {
    const WormJunction& junction = store_.junctions[number];
    run_to(junction, now);
    if (!store_.is_ready(junction) || !has_routes(junction, now)) continue;
    visit_branches(junction, [this](WormIndex id) {
      const Passage& branch = store_.passages[id];
      if (!branch.has_channel && !branch.is_waiting) allocation_.ask(id);
    });
  }
}

// Whether the heads of all operands, which are ready, have been first in their buffers for a
// cycles.
bool WormJunctions::has_routes(const WormJunction& junction, Cycle now) {
  const Cycle delay = store_.config.route_delay;
  if (delay == 0 || store_.left(junction) > 0) return true;
  Cycle due = now;
  visit_operands(junction,
                 [&](WormIndex id) { due = std::max(due, store_.branches[id].front + delay); });
  if (due == now) return true;
  if (store_.passages[junction.first].timer != due) store_.hold(junction.first, due);
  return false;
}

// Whether `branch` can take the flit that the operands of its junction, which is ready, have.
bool WormJunctions::can_take(const WormJunction& junction, WormIndex id, Cycle now) {
  Passage& branch = store_.passages[id];
  if (!branch.has_channel || branch.sent != store_.left(junction)) return false;
  if (store_.is_held(branch, now)) return false;
  const Passage& operand = store_.passages[junction.first];
  if (!store_.has_credits(branch, now) || !store_.has_flits(branch, operand)) {
    store_.await_demands(id, operand, now);
    return false;
  }
  return !(branch.is_narrow && store_.is_kept_off(branch, now));
}

void WormJunctions::decide_all(Cycle now) {
  for (const std::uint32_t number : noted_) {
    WormJunction& junction = store_.junctions[number];
    junction.is_noted = false;
    ++decisions_;
    run_to(junction, now);
    decide(junction, now);
  }
  if (store_.config.vcs == 1) noted_.clear();
}

void WormJunctions::decide(WormJunction& junction, Cycle now) {
  takers_.clear();
  if (store_.is_ready(junction) && has_routes(junction, now)) {
    visit_branches(junction, [&](WormIndex id) {
      if (can_take(junction, id, now)) takers_.push_back(id);
    });
  }
  const bool is_complete = takers_.size() == junction.branches;
  if (junction.is_running && !is_complete) stop(junction, now);
  if (store_.config.vcs > 1) {
    enter_or_leave(junction);
    return;
  }
  if (is_complete && !junction.is_narrow) {
    keep_moving(junction, now);
    return;
  }
  for (const WormIndex id : takers_) take(id, now);
  if (!takers_.empty()) set_timer_to(junction, now + 1);
}

// The branches in takers_, and the operands with them, could move a flit from now on, and no
// others.
void WormJunctions::enter_or_leave(const WormJunction& junction) {
  visit_branches(junction, [this](WormIndex id) {
    set_competing(id, std::find(takers_.begin(), takers_.end(), id) != takers_.end());
  });
  for (WormIndex id = junction.first + 1; id < junction.first_branch(); ++id) {
    set_competing(id, !takers_.empty());
  }
}

void WormJunctions::set_competing(WormIndex id, bool is_able) {
  const bool is_competing = store_.passages[id].is_competing;
  if (is_able && !is_competing) competition_.enter(id);
  if (!is_able && is_competing) competition_.leave(id);
}

void WormJunctions::run_alone_or_compete(Cycle now) {
  for (const std::uint32_t number : noted_) {
    WormJunction& junction = store_.junctions[number];
    bool is_any = false;
    bool is_complete = true;
    visit_branches(junction, [&](WormIndex id) {
      const bool is_competing = store_.passages[id].is_competing;
      is_any |= is_competing;
      is_complete &= is_competing;
    });
    if (!is_any) continue;
    if (!is_complete || junction.is_narrow || !competition_.is_alone(junction)) {
      competition_.note_router(store_.passages[junction.first].node);
      continue;
    }
    if (!junction.is_running) turn_pointers(junction);
    keep_moving(junction, now);
  }
  noted_.clear();
}

void WormJunctions::turn_pointers(const WormJunction& junction) {
  visit_branches(junction,
                 [this](WormIndex id) { competition_.turn_pointers(store_.passages[id]); });
  visit_operands(junction,
                 [this](WormIndex id) { competition_.turn_input_pointer(store_.passages[id]); });
}

bool WormJunctions::competes(std::uint32_t number, Cycle now) {
  WormJunction& junction = store_.junctions[number];
  if (!junction.is_running) return true;
  if (competition_.is_alone(junction)) return false;
  run_to(junction, now);
  stop(junction, now);
  return true;
}

}  // namespace allport
