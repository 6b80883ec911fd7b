// SPDX-License-Identifier: Apache-2.0
// This file moves the flits at a junction; junctions.cpp decides which.
#include <algorithm>

#include "tlm/worm/junctions.h"

namespace allport {

void WormJunctions::take(WormIndex id, Cycle now) {
  Passage& branch = store_.passages[id];
  WormJunction& junction = store_.junctions[branch.junction];
  if (store_.config.vcs > 1) {
    competition_.turn_pointers(branch);
    visit_operands(junction, [this](WormIndex operand) {
      competition_.turn_input_pointer(store_.passages[operand]);
    });
  }
  if (branch.sent == 0) leave_with_head(id, now);
  ++branch.sent;
  if (!store_.has_endless_credits(branch)) ++store_.channels[branch.out].used;
  tell_arrival(id, What::arrival, now);
  store_.tell_used(branch, now);
  store_.note_leaving(branch, now, branch.sent == branch.length);
  if (branch.is_narrow) store_.occupy(branch, now);
  if (branch.sent == branch.length) set_timer_to(junction, now + 1);
  if (store_.left(junction) < branch.sent) return;
  visit_operands(junction, [&](WormIndex operand) {  // the last branch has taken it
    store_.tell_credit(store_.passages[operand], What::credit, now);
  });
}

// A flit leaves in this cycle by all branches, and in those that it can foresee.
void WormJunctions::keep_moving(WormJunction& junction, Cycle now) {
  if (junction.is_running) {
    visit_branches(junction, [&](WormIndex id) { store_.tell_used(store_.passages[id], now); });
  } else {
    start(junction, now);
  }
  set_timer(junction, now);
}

void WormJunctions::start(WormJunction& junction, Cycle now) {
  junction.is_running = true;
  visit_branches(junction, [&](WormIndex id) {
    Passage& branch = store_.passages[id];
    branch.is_running = true;
    store_.channels[branch.out].run_to(now);
    store_.channels[branch.out].is_draining = !store_.has_endless_credits(branch);
    if (branch.sent == 0) leave_with_head(id, now);
    tell_arrival(id, What::arrivals_begin, now);
    store_.tell_used(branch, now);
  });
  visit_operands(junction, [&](WormIndex id) {
    store_.tell_credit(store_.passages[id], What::credits_begin, now);
  });
}

void WormJunctions::stop(WormJunction& junction, Cycle now) {
  junction.is_running = false;
  junction.timer = -1;
  visit_branches(junction, [&](WormIndex id) {
    Passage& branch = store_.passages[id];
    branch.is_running = false;
    store_.channels[branch.out].run_to(now);
    store_.channels[branch.out].is_draining = false;
    tell_arrival(id, What::arrivals_end, now);
    store_.note_leaving(branch, now - 1, false);
  });
  visit_operands(junction, [&](WormIndex id) {
    store_.tell_credit(store_.passages[id], What::credits_end, now);
  });
}

// Sets the timer of a junction that runs to how far ahead it can foresee: to its tail, or until the
// flits of an operand or the credits of a branch are used up.
void WormJunctions::set_timer(WormJunction& junction, Cycle now) {
  const std::int32_t gone = store_.left(junction);
  std::int32_t cycles = store_.passages[junction.first].length - gone;
  visit_operands(junction, [&](WormIndex id) {
    const Passage& operand = store_.passages[id];
    if (!operand.is_arriving) cycles = std::min(cycles, operand.arrived - gone);
  });
  visit_branches(junction, [&](WormIndex id) {
    const Passage& branch = store_.passages[id];
    WormChannel& out = store_.channels[branch.out];
    out.run_to(now);
    if (store_.has_endless_credits(branch) || out.returning != 0) return;
    cycles = std::min(cycles, store_.config.buffer_depth - out.used);
  });
  if (junction.has_ejection && !store_.ejects_at_will()) cycles = 1;  // as with one branch
  set_timer_to(junction, now + cycles);
}

// A junction with an ejection channel acts in the phase of reception, because a tail may have come.
void WormJunctions::set_timer_to(WormJunction& junction, Cycle cycle) {
  if (junction.timer == cycle) return;
  junction.timer = cycle;
  store_.calendar->post(cycle, junction.has_ejection ? WormPhase::reception : WormPhase::switching,
                        {number_of(junction), What::junction});
}

bool WormJunctions::run(std::uint32_t number, WormPhase phase, Cycle now) {
  WormJunction& junction = store_.junctions[number];
  if (junction.timer != now || junction.first == 0) return false;
  run_to(junction, now);
  visit_branches(junction, [&](WormIndex id) {
    const Passage& branch = store_.passages[id];
    if (branch.sent == branch.length && !branch.is_done) finish_branch(id, now);
  });
  const Passage& local = store_.passages[junction.first];
  if (store_.left(junction) == local.length) {
    junction.timer = -1;
    finish_operands(junction, now);
    return false;
  }
  if (phase == WormPhase::reception) {
    store_.calendar->post(now, WormPhase::switching, {number, What::junction});
    return false;
  }
  junction.timer = -1;
  return true;
}

// The head leaves: the operand in the next router is last in the buffer that it reaches.
void WormJunctions::leave_with_head(WormIndex id, Cycle now) {
  const Passage& branch = store_.passages[id];
  if (branch.is_last) {
    store_.branches[id].head = now + store_.ejection_cycles();
    return;
  }
  const WormIndex next = store_.branches[id].next;
  WormChannel& out = store_.channels[branch.out];
  if (out.front == 0) {
    out.front = next;
  } else {
    store_.passages[out.back].behind = next;
  }
  out.back = next;
}

void WormJunctions::tell_arrival(WormIndex id, What what, Cycle now) {
  const Passage& branch = store_.passages[id];
  if (branch.is_last) return;
  const WormIndex next = store_.branches[id].next;
  const Cycle delay = store_.junctions[store_.passages[next].junction].delay;
  store_.calendar->post(now + store_.hop_cycles(branch.node, branch.output) + delay,
                        WormPhase::switching, {next, what});
}

// The tail left in the previous cycle: the channel is free.
void WormJunctions::finish_branch(WormIndex id, Cycle now) {
  Passage& branch = store_.passages[id];
  branch.is_done = true;
  branch.is_running = false;
  store_.note_leaving(branch, now - 1, true);
  if (!branch.is_last) {
    store_.note_tail(store_.passages[store_.branches[id].next],
                     now - 1 + store_.hop_cycles(branch.node, branch.output));
  }
  WormChannel& out = store_.channels[branch.out];
  out.run_to(now);
  out.is_draining = false;
  out.owner = 0;
  if (branch.is_competing) competition_.leave(id);
  if (const WormIndex vc = store_.known_vc(branch.out_channel); store_.channels[vc].waiting != 0) {
    store_.calendar->post(now, WormPhase::switching, {vc, What::allocation});
  }
  if (branch.is_last) {
    mover_.receive(id, now);
  } else {
    flit_hops_ += static_cast<std::uint64_t>(branch.length);
  }
}

// The tail has left by all branches: the next worms are first in the buffers of the operands.
void WormJunctions::finish_operands(WormJunction& junction, Cycle now) {
  const bool was_running = junction.is_running;
  junction.is_running = false;
  visit_operands(junction, [&](WormIndex id) {
    Passage& operand = store_.passages[id];
    if (operand.is_competing) competition_.leave(id);
    if (was_running) store_.tell_credit(operand, What::credits_end, now);
    WormChannel& in = store_.channels[operand.in];
    in.front = operand.behind;
    if (in.front != 0) mover_.come_to_front(in.front, now);
  });
}

std::uint64_t WormJunctions::flit_hops() const {
  std::uint64_t hops = flit_hops_;
  for (const WormJunction& junction : store_.junctions) {
    if (junction.first == 0) continue;
    for (WormIndex id = junction.first_branch(); id < junction.end(); ++id) {
      const Passage& branch = store_.passages[id];
      if (!branch.is_last && !branch.is_done) hops += static_cast<std::uint64_t>(branch.sent);
    }
  }
  return hops;
}

}  // namespace allport
