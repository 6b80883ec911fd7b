// SPDX-License-Identifier: Apache-2.0
// This file moves flits through routers: it says what a passage does with the flits that arrive and
// the credits that come back, and what it reports to the passages before and after it.
//
// A passage counts the flits that have arrived and those that it has sent, and a channel counts its
// credits in use. Each count grows or shrinks at a rate, mostly one per cycle or none, and while
// the rates stay the same nothing is done, however long the message is: run_to() brings a count up
// to the present cycle when somebody asks for it. A rate can change for four reasons: flits begin
// or cease to arrive, credits begin or cease to return, a head is granted its virtual channel, or
// the timer of the passage expires, because its tail has left, or its flits or credits have run
// out.
//
// Each of these is an event. An event corrects a count and a rate and notes the passage, and
// decides nothing, since what happens in one cycle happens at once. When the last event of a phase
// has been handled, all noted passages are decided upon together (decide_routers): heads request
// virtual channels, and the allocator grants them; then every passage that can move a flit starts
// or goes on, and every other one stops; last, where V > 1, passages that share an input or an
// output compete for the switch, and the winners move one flit each. A start or a stop causes two
// events, one wire later: the next passage of the worm learns that flits begin or cease to arrive,
// and the channel from which the flits come that credits begin or cease to return. So decisions
// spread no faster than flits, and no event is posted in the past.
//
// Onto a channel that is narrower than a flit nothing moves at a rate: flits leave one by one, and
// the channel is busy for a while after each. Who could use it is decided upon when it is free.
//
// The hard part is to agree on which flits a rate has counted already. `arrived` includes the
// present cycle, `sent` excludes it. An end that is heard of in cycle c therefore takes back the
// flit that the rate has counted for c, and a beginning adds it. A tail leaves in one cycle, and
// its channel is free in the next, so finish() runs one cycle after the tail, and on an ejection
// channel in the phase of reception, before anybody can use what became free. And whatever can
// change a decision must note the passage: one that is forgotten stands still for ever, or runs on
// without flits or credits. A timer that is no longer right is not removed: it is recognized
// because `Passage::timer` is another cycle.
#include <algorithm>

#include "tlm/worm/engine.h"

namespace allport {

inline void WormEngine::happen(WormEvent event, WormPhase phase, Cycle now) {
  switch (event.what) {
    case What::message:
      start_message(event.target, now);
      break;
    case What::timer:
      run_timer(event.target, phase, now);
      break;
    case What::arrivals_begin:
    case What::arrivals_end:
    case What::arrival:
      change_arrivals(event.target, event.what, now);
      break;
    case What::credits_begin:
    case What::credits_end:
    case What::credit:
      change_credits(event.target, event.what, now);
      break;
    case What::allocation:
      if (convoys_.is_any()) convoys_.disturb_output(event.target, now);
      allocation_.note_output(event.target);
      break;
    case What::demanded:
      look_at_head(event.target, now);
      break;
    case What::acknowledged:
      passages[event.target].awaits_ack = false;
      disturb_and_note(event.target, now);
      break;
    case What::turn:
      note_classes(event.target, now);
      break;
    case What::received:
      receive_due(now);
      break;
    case What::ejection_credit:
      if (const WormIndex owner = channels[event.target].owner; owner != 0) {
        activity.note(passages[owner].node, now);
      }
      break;
    case What::ejected:
      reception_buffers_.arrive(event.target);
      break;
    case What::taken:
      reception_buffers_.look_at(event.target);
      break;
    case What::competition:
      note_competitors(event.target, now);
      break;
    case What::freed:
      note_owners(event.target, now);
      break;
    case What::convoy:
      convoys_.happen(event.target, now);
      break;
    case What::lone_tail:
      tell_of_lone_tail(event.target, now);
      break;
    case What::lone_sent:
      leave_injection(event.target, now);
      break;
    case What::lone_received:
      receive_lone(event.target, now);
      break;
    case What::junction:
      if (junctions_.run(event.target, phase, now)) {
        disturb_and_note(junctions[event.target].first, now);
      }
      break;
  }
}

// Handles `events` of the present moment from number `done` on; they may become more meanwhile.
void WormEngine::happen_all(const std::vector<WormEvent>& events, std::size_t& done,
                            WormPhase phase, Cycle now) {
  for (; done < events.size(); ++done) happen(events[done], phase, now);
}

// An end means that the flit of this cycle, which the rate has already counted, does not come.
inline void WormEngine::change_arrivals(WormIndex id, What what, Cycle now) {
  Passage& passage = passages[id];
  passage.run_to(now);
  if (what != What::arrival) passage.is_arriving = what == What::arrivals_begin;
  if (passage.junction != 0 && passage.arrived == 0) {
    note_front(id, now - junctions[passage.junction].delay);
  }
  passage.arrived += what == What::arrivals_end ? -1 : 1;
  if (activity.is_known()) note_arrival(passage, what == What::arrivals_end ? now - 1 : now);
  disturb_and_note(id, now);
}

// Notes that a flit of `passage` may leave from `cycle` on. Until then its router was called in
// every cycle if it held the flit: if that was first in its buffer, and of a join the last operand.
void WormEngine::note_arrival(const Passage& passage, Cycle cycle) {
  const WormJunction& junction = junctions[passage.junction];
  const bool was_held =
      junction.delay > 0 && passage.arrived == left(junction) + 1 && is_ready(junction);
  activity.note(passage.node, was_held ? cycle : cycle - junction.delay);
}

inline void WormEngine::change_credits(WormIndex id, What what, Cycle now) {
  WormChannel& channel = channels[id];
  channel.run_to(now);
  const bool ends = what == What::credits_end;
  if (what != What::credit) channel.returning += static_cast<std::int8_t>(ends ? -1 : 1);
  channel.used += ends ? 1 : -1;
  if (channel.owner == 0) return;
  const Passage& owner = passages[channel.owner];
  if (activity.is_known() && !owner.is_first) activity.note(owner.node, ends ? now - 1 : now);
  disturb_and_note(channel.owner, now);
}

// Last passages are handled in the phase of reception, because a tail may have come.
inline void WormEngine::run_timer(WormIndex id, WormPhase phase, Cycle now) {
  Passage& passage = passages[id];
  if (passage.timer != now || passage.is_done) return;
  passage.run_to(now);
  if (passage.sent == passage.length) {
    passage.timer = -1;
    finish(id, now);
  } else if (phase == WormPhase::reception) {
    calendar->post(now, WormPhase::switching, {id, What::timer});
  } else {
    passage.timer = -1;
    disturb_and_note(id, now);
  }
}

void WormEngine::wake(WormIndex id, Cycle now) {
  passages[id].timer = now;
  calendar->post(now, WormPhase::switching, {id, What::timer});
}

// The flits of `id` are the first in their buffer from cycle `now` on.
void WormEngine::come_to_front(WormIndex id, Cycle now) {
  if (passages[id].junction != 0) note_front(id, now);
  wake(id, now);
}

// The passage may have gone meanwhile, and another one may have its place.
void WormEngine::look_at_head(WormIndex id, Cycle now) {
  const Passage& passage = passages[id];
  if (passage.has_channel && passage.sent == 0 && !passage.is_done) disturb_and_note(id, now);
}

void WormEngine::decide_routers(Cycle now) {
  const bool has_junctions = junctions_.is_any();
  if (has_junctions) junctions_.take_over(noted);
  for (std::size_t i = 0; i < noted.size(); ++i) {
    Passage& passage = passages[noted[i]];
    passage.run_to(now);
    if (passage.has_channel || passage.is_waiting || passage.arrived == 0) continue;
    if (channels[passage.in].front != noted[i]) continue;
    if (has_route(noted[i], now)) allocation_.ask(noted[i]);
  }
  if (has_junctions) junctions_.ask_all(now);
  allocation_.hear_all(now);

  if (has_junctions) junctions_.take_over(noted);
  for (const WormIndex id : noted) decide(id, now);
  if (has_junctions) junctions_.decide_all(now);
  if (config.vcs > 1) {
    for (const WormIndex id : noted) run_alone_or_compete(id, now);
    if (has_junctions) junctions_.run_alone_or_compete(now);
  }
  noted.clear();
  if (config.vcs > 1) {
    competition_.visit_noted([this, now](std::uint32_t node) { compete(node, now); });
  }
}

// Whether the head of `id`, which is first in its buffer, has been there for a cycles.
bool WormEngine::has_route(WormIndex id, Cycle now) {
  if (config.route_delay == 0) return true;
  Passage& passage = passages[id];
  if (!passage.is_routed) {
    passage.is_routed = true;
    hold(id, now + config.route_delay);
  }
  return passage.timer <= now;
}

inline void WormEngine::decide(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  passage.is_noted = false;
  count_decision(passage);
  const bool moves =
      !passage.is_done && can_move(id, now) && !(passage.is_narrow && is_kept_off(passage, now));
  if (!moves && passage.is_running) stop(id, now);
  if (config.vcs > 1) {  // whether it is alone is known after all decisions
    if (moves && !passage.is_competing) competition_.enter(id);
    if (!moves && passage.is_competing) competition_.leave(id);
    return;
  }
  if (moves) keep_moving(id, now);
}

void WormEngine::run_alone_or_compete(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  if (!passage.is_competing) return;
  if (!competition_.is_alone(passage)) {
    competition_.note_router(passage.node);
    return;
  }
  if (!passage.is_running) competition_.turn_pointers(passage);
  keep_moving(id, now);
}

// The passages that competed in the previous cycle have moved a flit or not, and are decided upon
// again. One of them may not be a member of a convoy with which it shares an input, and keeps it
// awake.
void WormEngine::note_competitors(std::uint32_t node, Cycle now) {
  for (WormIndex id = competition_.first(node); id != 0; id = passages[id].next_competing) {
    const Passage& passage = passages[id];
    if (!convoys_.acts(passage) || passage.is_running) continue;
    if (!junctions[passage.junction].is_running) disturb_and_note(id, now);
  }
}

// The narrow channel takes a flit again, of those that have a virtual channel of it and could move.
void WormEngine::note_owners(std::uint32_t channel, Cycle now) {
  const WormIndex first = known_vc(channel);
  for (WormIndex vc = first; vc < first + static_cast<WormIndex>(config.vcs); ++vc) {
    const WormIndex id = channels[vc].owner;
    if (id == 0 || !convoys_.acts(passages[id])) continue;
    Passage& owner = passages[id];
    convoys_.count_wait(owner, now);
    owner.held_by = no_message;
    owner.run_to(now);
    if (owner.junction != 0 || can_move(id, now)) disturb_and_note(id, now);
  }
}

void WormEngine::compete(std::uint32_t node, Cycle now) {
  competitors_.clear();
  for (WormIndex id = competition_.first(node); id != 0; id = passages[id].next_competing) {
    Passage& passage = passages[id];
    if (!convoys_.acts(passage)) continue;
    if (passage.junction != 0) {
      if (junctions_.competes(passage.junction, now)) competitors_.push_back(id);
      continue;
    }
    if (competition_.is_alone(passage)) continue;
    if (passage.is_running) {
      passage.run_to(now);
      stop(id, now);
    }
    competitors_.push_back(id);
  }
  if (competitors_.empty()) return;
  const std::vector<WormIndex>& winners = competition_.choose_winners(competitors_);
  if (!contention.empty()) {
    for (const WormIndex loser : competitors_) lose(loser, winners, now);
  }
  for (const WormIndex winner : winners) {
    if (passages[winner].junction != 0) {
      junctions_.take(winner, now);
      continue;
    }
    competition_.turn_pointers(passages[winner]);
    move_one(winner, now);
  }
  calendar->post(now + 1, WormPhase::switching, {node, What::competition});
}

// Reports that a flit of another passage takes its channel in this cycle.
void WormEngine::lose(WormIndex loser, const std::vector<WormIndex>& winners, Cycle now) {
  const Passage& passage = passages[loser];
  for (const WormIndex winner : winners) {
    if (loser == winner || passages[winner].output != passage.output) continue;
    const MessageId holding = passages[winner].message;
    tell_of_contention({node_id(passage.node), passage.output, passage.message, holding, now, 1});
    convoys_.lose(passage, holding, now);
  }
}

inline void WormEngine::tell_arrival(WormIndex id, What what, Cycle now) {
  const Passage& passage = passages[id];
  if (passage.is_last) return;
  const Cycle when = passage.is_first ? now + junctions[passage.junction].delay
                                      : now + hop_cycles(passage.node, passage.output);
  calendar->post(when, WormPhase::switching, {id + 1, what});
}

void WormEngine::move_one(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  if (passage.sent == 0) leave_with_head(id, now);
  for (WormMovementListener* listener : movement) listener->on_move(id, now);
  ++passage.sent;
  if (!has_endless_credits(passage)) ++channels[passage.out].used;
  tell_arrival(id, What::arrival, now);
  tell_credit(passage, What::credit, now);
  tell_used(passage, now);
  note_leaving(passage, now, passage.sent == passage.length);
  if (passage.is_narrow) occupy(passage, now);
  if (passage.sent < passage.length) {
    if (opens_circuit(passage)) await_ack(passage);
    return;
  }
  passage.timer = now + 1;
  calendar->post(now + 1, phase_of(passage), {id, What::timer});
}

inline void WormEngine::start(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  passage.is_running = true;
  channels[passage.out].run_to(now);
  channels[passage.out].is_draining = !has_endless_credits(passage);
  if (passage.sent == 0) leave_with_head(id, now);
  for (WormMovementListener* listener : movement) listener->on_start(id, now);
  tell_arrival(id, What::arrivals_begin, now);
  tell_credit(passage, What::credits_begin, now);
  tell_used(passage, now);
}

// A flit leaves in this cycle, and in those that it can foresee.
void WormEngine::keep_moving(WormIndex id, Cycle now) {
  if (passages[id].is_running) {
    tell_used(passages[id], now);
  } else if (passages[id].sent == 0 && opens_circuit(passages[id])) {
    move_one(id, now);
    return;
  } else if (passages[id].is_narrow || is_one_flit(passages[id])) {
    move_one_alone(id, now);
    return;
  } else {
    start(id, now);
  }
  set_timer(id, now);
}

// A flit leaves, which nobody else wants the channel for, and nothing is foreseen: it is the only
// one, or the channel is narrow. With several virtual channels it competes no longer from the next
// cycle on.
void WormEngine::move_one_alone(WormIndex id, Cycle now) {
  move_one(id, now);
  const Passage& passage = passages[id];
  if (config.vcs > 1 && passage.sent < passage.length) wake(id, now + 1);
}

void WormEngine::stop(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  passage.is_running = false;
  passage.timer = -1;
  channels[passage.out].run_to(now);
  channels[passage.out].is_draining = false;
  for (WormMovementListener* listener : movement) listener->on_stop(id, now);
  tell_arrival(id, What::arrivals_end, now);
  tell_credit(passage, What::credits_end, now);
  note_leaving(passage, now - 1, false);
}

// Sets the timer to how far ahead it can foresee: to its tail, or until its flits or credits are
// used up.
void WormEngine::set_timer(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  std::int32_t cycles = passage.length - passage.sent;
  if (tells_of_sent_ && passage.is_first && cycles > 1) --cycles;  // so that the tail is reported
  if (!passage.is_arriving) cycles = std::min(cycles, passage.arrived - passage.sent);
  WormChannel& out = channels[passage.out];
  out.run_to(now);
  if (!has_endless_credits(passage) && out.returning == 0) {
    cycles = std::min(cycles, config.buffer_depth - out.used);
  }
  if (passage.is_last && !ejects_at_will()) cycles = 1;  // each flit has a credit of its own
  if (passage.timer == now + cycles) return;
  passage.timer = now + cycles;
  calendar->post(passage.timer, phase_of(passage), {id, What::timer});
}

// The head of a circuit has left its node, and the flits behind it wait for the acknowledgement.
void WormEngine::await_ack(Passage& first) {
  first.awaits_ack = true;
  if (config.classes > 1) end_turns(first.out - first_injection);
}

// The head of a circuit goes to its node by `last`: an acknowledgement comes back by all routers.
void WormEngine::acknowledge(WormIndex last, Cycle now) {
  const WormIndex first = worms[passages[last].worm].first_passage;
  Cycle seen = now + ejection_cycles() + 1;
  for (WormIndex id = last; id > first; --id) {
    const Passage& passage = passages[id];
    if (activity.is_known()) activity.note(passage.node, seen);
    seen += 1 + (id > first + 1 ? config.input_delay_at(node_id(passage.node), passage.input) : 0);
  }
  calendar->post(seen + 1, WormPhase::injection, {first, What::acknowledged});
}

// The head leaves: the next passage of the worm is last in the buffer that it reaches.
void WormEngine::leave_with_head(WormIndex id, Cycle now) {
  const Passage& passage = passages[id];
  if (passage.is_first) {
    worms[passage.worm].injected = now;
    tell_of_grant(id, now);
  }
  if (passage.is_last) {
    worms[passage.worm].head = now + ejection_cycles();
    if (passage.length > 1 && config.switching == Switching::circuit) acknowledge(id, now);
    return;
  }
  WormChannel& out = channels[passage.out];
  if (out.front == 0) {
    out.front = id + 1;
  } else {
    passages[out.back].behind = id + 1;
  }
  out.back = id + 1;
}

// The tail left in the previous cycle: its channel is free, and the next worm is first in the
// buffer.
void WormEngine::finish(WormIndex id, Cycle now) {
  Passage& passage = passages[id];
  passage.is_done = true;
  WormChannel& out = channels[passage.out];
  out.run_to(now);
  out.is_draining = false;
  out.owner = 0;
  if (passage.is_competing) competition_.leave(id);
  if (passage.is_running) {
    tell_credit(passage, What::credits_end, now);
    for (WormMovementListener* listener : movement) listener->on_stop(id, now);
  }
  passage.is_running = false;
  note_leaving(passage, now - 1, true);
  if (!passage.is_last) {
    note_tail(passages[id + 1],
              now - 1 + (passage.is_first ? 0 : hop_cycles(passage.node, passage.output)));
  }
  if (passage.is_first) {
    const std::uint32_t injection = passage.out - first_injection;
    if (config.classes > 1) end_turns(injection);
    if (worms[passage.worm].has_left) return;  // it was alone then
    injections_[injection].passage = 0;
    convoys_.dissolve_of(passage.worm);
    if (passage.junction != 0 && trees_.ends(worms[passage.worm].tree)) {
      finished_worms_.push_back(passage.worm);
    }
    start_message(injection, now);
    return;
  }
  if (const WormIndex vc = known_vc(passage.out_channel); channels[vc].waiting != 0) {
    calendar->post(now, WormPhase::switching, {vc, What::allocation});
  }
  WormChannel& in = channels[passage.in];
  in.front = passage.behind;
  if (in.front != 0) come_to_front(in.front, now);
  if (!passage.is_last) return;
  const Worm& worm = worms[passage.worm];
  receive_later({passage.message, worm.destination, passage.output - config.external_ports,
                 worm.injected, worm.head, now},
                passage.worm);
}

}  // namespace allport
