// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/convoy.h"

#include <algorithm>

#include "tlm/worm/engine.h"

namespace allport {

namespace {

constexpr std::size_t largest_convoy = 64;   // worms
constexpr std::int32_t shortest_rest = 48;   // flits a member has still to send
constexpr std::uint32_t first_patience = 6;  // decisions per passage
constexpr int look_interval = 8;             // cycles
constexpr int longest_watch = 192;           // cycles

// The least period in which all passages have moved of late, seen twice and for `wire_cycles` more;
// 0: none.
Cycle common_period(const std::vector<std::uint64_t>& moves, int watched, Cycle wire_cycles) {
  for (Cycle period = 1; 2 * period + wire_cycles <= std::min(watched, 63); ++period) {
    const bool repeats = std::all_of(moves.begin(), moves.end(), [&](std::uint64_t bits) {
      return last_moves(bits ^ bits >> period, period + wire_cycles) == 0;
    });
    if (repeats) return period;
  }
  return 0;
}

}  // namespace

// It has been decided upon often: is it one of a convoy?
void WormEngine::look_for_convoys(Cycle now) {
  for (std::size_t i = 0; i < restless_worms_.size(); ++i) {
    const std::uint32_t worm = restless_worms_[i];
    if (worms_[worm].convoy != 0) continue;
    worms_[worm].next_watch = worms_[worm].decisions + worms_[worm].patience;
    if (!gather(worm, now)) continue;
    worms_[worm].patience *= 2;
    auto id = static_cast<std::uint32_t>(convoys_.size());
    if (free_convoys_.empty()) {
      convoys_.emplace_back();
    } else {
      id = free_convoys_.back();
      free_convoys_.pop_back();
    }
    WormConvoy& convoy = convoys_[id];
    convoy = WormConvoy{};
    convoy.worms = gathered_;
    visit_passages(convoy, [&](WormIndex) { convoy.sent.push_back(0); });
    convoy.moves.assign(convoy.sent.size(), 0);
    mark(convoy, id);
    watched_convoys_.push_back(id);
    ++live_convoys_;
    calendar_->post(now + 1, WormPhase::switching, {id, What::convoy});
  }
  restless_worms_.clear();
}

// A worm with all whose flits share channels with its own, directly or through others.
bool WormEngine::gather(std::uint32_t worm, Cycle now) {
  gathered_.clear();
  if (!add_member(worm, now)) return false;
  for (std::size_t i = 0; i < gathered_.size(); ++i) {
    const Worm member = worms_[gathered_[i]];
    for (std::uint32_t k = 1; k < member.passages && config_.vcs > 1; ++k) {
      if (!add_neighbours(passages_[member.first_passage + k], now)) return false;
    }
  }
  return true;
}

// A member has its head out of the fabric and much of its body still at the source.
bool WormEngine::add_member(std::uint32_t worm, Cycle now) {
  if (std::find(gathered_.begin(), gathered_.end(), worm) != gathered_.end()) return true;
  const Worm& member = worms_[worm];
  if (member.convoy != 0 || member.head == 0 || gathered_.size() == largest_convoy) return false;
  Passage& first = passages_[member.first_passage];
  first.run_to(now);
  if (first.length - first.sent < shortest_rest) return false;
  gathered_.push_back(worm);
  return true;
}

// Those that send on the other virtual channels of its output, and those that come in beside it.
// A worm whose head is still on its way is no member: what it does disturbs the convoy.
bool WormEngine::add_neighbours(const Passage& passage, Cycle now) {
  if (passage.is_last) return true;
  const auto vcs = static_cast<WormIndex>(config_.vcs);
  const WormIndex first = 1 + passage.out_channel * vcs;
  for (WormIndex vc = first; vc < first + vcs; ++vc) {
    for (const WormIndex other : {channels_[vc].owner, channels_[vc].front}) {
      if (other == 0 || !passages_[other].has_channel) continue;
      const std::uint32_t worm = passages_[other].worm;
      if (worms_[worm].head != 0 && !add_member(worm, now)) return false;
    }
  }
  return true;
}

void WormEngine::put_off(std::uint32_t worm) {
  Worm& patient = worms_[worm];
  patient.patience = first_patience * patient.passages;
  patient.next_watch = patient.decisions + patient.patience;
}

void WormEngine::mark(const WormConvoy& convoy, std::uint32_t id) {
  for (const std::uint32_t worm : convoy.worms) worms_[worm].convoy = id;
  if (config_.vcs == 1) return;
  visit_passages(convoy, [&](WormIndex passage) {
    if (!passages_[passage].is_first) shares_[passages_[passage].out_channel].convoy = id;
  });
}

void WormEngine::dissolve(std::uint32_t id) {
  WormConvoy& convoy = convoys_[id];
  mark(convoy, 0);
  for (const std::uint32_t worm : convoy.worms) {
    worms_[worm].next_watch = worms_[worm].decisions + worms_[worm].patience;
  }
  convoy = WormConvoy{};  // its number is free when the list of those watched forgets it
  --live_convoys_;
}

// At the beginning of a phase of switching: notes who has moved in the cycle before.
void WormEngine::watch_convoys(Cycle now) {
  const Cycle wire_cycles = std::max(hop_cycles_, 2) + 2;
  std::size_t kept = 0;
  for (const std::uint32_t id : watched_convoys_) {
    WormConvoy& convoy = convoys_[id];
    if (convoy.worms.empty()) {  // disturbed
      free_convoys_.push_back(id);
      continue;
    }
    std::size_t at = 0;
    visit_passages(convoy, [&](WormIndex passage) {
      passages_[passage].run_to(now);
      const std::int32_t moved = passages_[passage].sent - convoy.sent[at];
      const bool is_known = convoy.watched >= 0;
      convoy.moves[at] = convoy.moves[at] << 1 | static_cast<std::uint64_t>(is_known ? moved : 0);
      convoy.sent[at++] += moved;
    });
    ++convoy.watched;
    if (convoy.watched > 0 && convoy.watched % look_interval == 0) {
      const Cycle period = common_period(convoy.moves, convoy.watched, wire_cycles);
      if (period != 0 && fall_asleep(id, period, now)) continue;
      if (convoy.watched >= longest_watch) {
        dissolve(id);
        free_convoys_.push_back(id);
        continue;
      }
    }
    watched_convoys_[kept++] = id;
    calendar_->post(now + 1, WormPhase::switching, {id, What::convoy});
  }
  watched_convoys_.resize(kept);
}

}  // namespace allport
