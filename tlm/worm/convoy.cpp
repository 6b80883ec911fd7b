// SPDX-License-Identifier: Apache-2.0
// Worms that take turns on a channel, and worms whose buffers are too shallow to stream, are
// decided upon in every cycle, and would cost as much as flits. A convoy is such worms, treated as
// one machine with finitely many states: when it has come back to a state, its future is known.
//
// Find (this file). A worm that has been decided upon often enough is restless. With it go all
// worms that share external channels with it, and those that share channels with these. If the
// heads of all of them have been ejected and many flits are left at their sources, they are
// watched: one bit per passage and cycle says whether it moved a flit. As soon as all passages
// repeat what they did a period before, over a whole period and as many further cycles as anything
// stays on a wire, and each passage of a worm moves as many flits per period as the others, the
// state has come back. For then the same things are on the wires, no buffer has become fuller or
// emptier, and the round-robin pointers, which follow from the last winners, are where they were.
//
// Sleep (convoy_sleep.cpp). The events of the convoy leave the calendar, and it is scheduled to
// wake a whole number of periods later, before the first of its worms comes to its tail. It wakes
// earlier, at any cycle, if another worm is to be decided upon on a channel that it uses. Whole
// periods are then added at once: the counts grow by the flits of a period, the events move on in
// time, and contention is reported as often as it came. The part of a period that is left is
// simulated, with the engine's own code, on a calendar that has nothing but the convoy's events.
//
// The hard part is waking up. It happens within the phase of switching of the present cycle, after
// some of its events and before its decisions: while the convoy catches up, the lists of what is
// noted in the present must be put aside, and only members may act. And nobody may look at a
// sleeper's channel or change it before that, so every place in the flow that notes a passage
// disturbs the convoys on its channels first (WormConvoys::disturb). With one virtual channel
// a member has its channels to itself, and nobody can come. To dissolve a convoy that is awake is
// always right: it costs time, not exactness. No convoys are formed with several message classes,
// which take turns on injection channels in a phase of their own, nor where nodes hold back credits
// as they like.
#include "tlm/worm/convoy.h"

#include <algorithm>

namespace allport {

namespace {

constexpr std::size_t largest_convoy = 64;   // worms
constexpr std::int32_t shortest_rest = 48;   // flits that a member still has to send
constexpr std::uint32_t first_patience = 6;  // decisions per passage
constexpr int look_interval = 8;             // cycles
constexpr int longest_watch = 192;           // cycles

}  // namespace

Cycle common_period(const std::vector<std::uint64_t>& moves, int watched, Cycle wire_cycles) {
  for (Cycle period = 1; 2 * period + wire_cycles <= std::min(watched, 63); ++period) {
    const bool repeats = std::all_of(moves.begin(), moves.end(), [&](std::uint64_t bits) {
      return last_moves(bits ^ bits >> period, period + wire_cycles) == 0;
    });
    if (repeats) return period;
  }
  return 0;
}

WormConvoys::WormConvoys(WormStore& store, WormVcAllocation& allocation,
                         WormSwitchAllocation& competition, WormMover& mover)
    : WormMovingUnit(store, allocation, competition, mover) {
  const RouterConfig& config = store.config;
  longest_hop_ = config.longest_hop();
  if (config.vcs == 1) return;
  users_.resize(store.no_channel() + std::size_t{1});
}

void WormConvoys::reset() {
  convoys_.assign(1, WormConvoy{});
  free_convoys_.clear();
  watched_convoys_.clear();
  restless_worms_.clear();
  std::fill(users_.begin(), users_.end(), 0);
  live_ = 0;
}

std::uint32_t WormConvoys::new_convoy() {
  ++live_;
  if (free_convoys_.empty()) {
    convoys_.emplace_back();
    return static_cast<std::uint32_t>(convoys_.size() - 1);
  }
  const std::uint32_t id = free_convoys_.back();
  free_convoys_.pop_back();
  convoys_[id] = WormConvoy{};
  return id;
}

void WormConvoys::look_for_convoys(Cycle now) {
  if (restless_worms_.empty() || is_catching_up()) return;
  if (store_.config.classes > 1 || store_.reception_limit > 0) {
    restless_worms_.clear();
    return;
  }
  for (const std::uint32_t worm : restless_worms_) {
    Worm& restless = store_.worms[worm];
    if (restless.convoy != 0) continue;
    restless.next_watch = restless.decisions + restless.patience;
    if (!gather(worm, now)) continue;
    restless.patience *= 2;
    const std::uint32_t id = new_convoy();
    WormConvoy& convoy = convoys_[id];
    convoy.worms = gathered_;
    visit_passages(convoy, [&](WormIndex) { convoy.sent.push_back(0); });
    convoy.moves.assign(convoy.sent.size(), 0);
    mark(convoy, id);
    watched_convoys_.push_back(id);
    store_.calendar->post(now + 1, WormPhase::switching, {id, WormEvent::What::convoy});
  }
  restless_worms_.clear();
}

// Gathers a worm and all worms whose flits share channels with its own, directly or through others.
bool WormConvoys::gather(std::uint32_t worm, Cycle now) {
  gathered_.clear();
  if (!add_member(worm, now)) return false;
  for (std::size_t i = 0; i < gathered_.size(); ++i) {
    const Worm member = store_.worms[gathered_[i]];
    for (std::uint32_t k = 1; k < member.passages && store_.config.vcs > 1; ++k) {
      if (!add_neighbours(store_.passages[member.first_passage + k], now)) return false;
    }
  }
  return true;
}

// The head of a member is out of the fabric, and much of its body is still at the source.
bool WormConvoys::add_member(std::uint32_t worm, Cycle now) {
  if (std::find(gathered_.begin(), gathered_.end(), worm) != gathered_.end()) return true;
  const Worm& member = store_.worms[worm];
  if (member.convoy != 0 || member.head == 0 || gathered_.size() == largest_convoy) return false;
  Passage& first = store_.passages[member.first_passage];
  first.run_to(now);
  if (first.length - first.sent < shortest_rest) return false;
  gathered_.push_back(worm);
  return true;
}

// Adds the worms that send on the other virtual channels of its output or wait in their buffers. A
// worm whose head is still on its way is not a member: what it does disturbs the convoy.
bool WormConvoys::add_neighbours(const Passage& passage, Cycle now) {
  if (passage.is_last) return true;
  const auto vcs = static_cast<WormIndex>(store_.config.vcs);
  const WormIndex first = store_.known_vc(passage.out_channel);
  for (WormIndex vc = first; vc < first + vcs; ++vc) {
    for (const WormIndex other : {store_.channels[vc].owner, store_.channels[vc].front}) {
      if (other == 0) continue;
      if (store_.passages[other].junction != 0) return false;  // those do not fall into step
      if (!store_.passages[other].has_channel) continue;
      const std::uint32_t worm = store_.passages[other].worm;
      if (store_.worms[worm].head != 0 && !add_member(worm, now)) return false;
    }
  }
  return true;
}

void WormConvoys::put_off(std::uint32_t worm) {
  Worm& patient = store_.worms[worm];
  patient.patience = first_patience * patient.passages;
  const bool may_fall_into_step = store_.config.switching == Switching::wormhole;
  patient.next_watch = may_fall_into_step ? patient.decisions + patient.patience : UINT32_MAX;
}

void WormConvoys::mark(const WormConvoy& convoy, std::uint32_t id) {
  for (const std::uint32_t worm : convoy.worms) store_.worms[worm].convoy = id;
  if (store_.config.vcs == 1) return;
  visit_passages(convoy, [&](WormIndex passage) {
    if (!store_.passages[passage].is_first) users_[store_.passages[passage].out_channel] = id;
  });
}

void WormConvoys::dissolve(std::uint32_t id) {
  WormConvoy& convoy = convoys_[id];
  mark(convoy, 0);
  for (const std::uint32_t worm : convoy.worms) {
    store_.worms[worm].next_watch = store_.worms[worm].decisions + store_.worms[worm].patience;
  }
  convoy = WormConvoy{};  // its number becomes free when watch() drops it from its list
  --live_;
}

void WormConvoys::watch_moves(WormConvoy& convoy, Cycle now) {
  std::size_t at = 0;
  visit_passages(convoy, [&](WormIndex id) {
    Passage& passage = store_.passages[id];
    passage.run_to(now);
    const std::int32_t moved = passage.sent - convoy.sent[at];
    const bool is_known = convoy.watched >= 0;
    convoy.moves[at] = convoy.moves[at] << 1 | static_cast<std::uint64_t>(is_known ? moved : 0);
    convoy.sent[at++] += moved;
  });
  ++convoy.watched;
}

void WormConvoys::watch(Cycle now) {
  if (is_catching_up()) return;
  std::size_t kept = 0;
  for (const std::uint32_t id : watched_convoys_) {
    WormConvoy& convoy = convoys_[id];
    if (convoy.worms.empty()) {  // it was disturbed
      free_convoys_.push_back(id);
      continue;
    }
    watch_moves(convoy, now);
    if (convoy.watched > 0 && convoy.watched % look_interval == 0) {
      const Cycle period = common_period(convoy.moves, convoy.watched, wire_cycles());
      if (period != 0 && fall_asleep(id, period, now)) continue;
      if (convoy.watched >= longest_watch) {
        dissolve(id);
        free_convoys_.push_back(id);
        continue;
      }
    }
    watched_convoys_[kept++] = id;
    store_.calendar->post(now + 1, WormPhase::switching, {id, WormEvent::What::convoy});
  }
  watched_convoys_.resize(kept);
}

}  // namespace allport
