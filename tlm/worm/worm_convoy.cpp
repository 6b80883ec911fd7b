// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/worm_convoy.h"

#include <algorithm>

#include "tlm/worm/worm_engine.h"

namespace allport {

namespace {

constexpr std::size_t largest_convoy = 64;   // worms
constexpr std::int32_t shortest_rest = 48;   // flits a member has still to send
constexpr Cycle shortest_sleep = 32;         // cycles
constexpr std::uint32_t first_patience = 6;  // decisions per passage
constexpr int look_interval = 8;             // cycles
constexpr int longest_watch = 192;           // cycles

std::uint64_t low_bits(Cycle count) { return (std::uint64_t{1} << count) - 1; }

// The least period in which all passages have moved of late, seen twice and for `wire_cycles` more;
// 0: none.
Cycle common_period(const std::vector<std::uint64_t>& moves, int watched, Cycle wire_cycles) {
  for (Cycle period = 1; 2 * period + wire_cycles <= std::min(watched, 63); ++period) {
    const std::uint64_t seen = low_bits(period + wire_cycles);
    const bool repeats = std::all_of(moves.begin(), moves.end(), [&](std::uint64_t bits) {
      return ((bits ^ bits >> period) & seen) == 0;
    });
    if (repeats) return period;
  }
  return 0;
}

}  // namespace

template <class Visit>
void WormEngine::visit_passages(const WormConvoy& convoy, Visit visit) {
  for (const std::uint32_t worm : convoy.worms) {
    const Worm& member = worms_[worm];
    for (WormIndex id = member.first_passage; id < member.first_passage + member.passages; ++id) {
      visit(id);
    }
  }
}

// It has been decided upon often: is it one of a convoy?
void WormEngine::look_for_convoys(Cycle now) {
  for (std::size_t i = 0; i < restless_worms_.size(); ++i) {
    const std::uint32_t worm = restless_worms_[i];
    if (worms_[worm].convoy != 0) continue;
    worms_[worm].next_watch = worms_[worm].decisions + worms_[worm].patience;
    if (!gather(worm, now)) continue;
    worms_[worm].patience *= 2;
    std::uint32_t id = static_cast<std::uint32_t>(convoys_.size());
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

bool WormEngine::belongs(const WormEvent& event, std::uint32_t convoy) const {
  switch (event.what) {
    case What::timer:
    case What::arrivals_begin:
    case What::arrivals_end:
    case What::arrival:
      return worms_[passages_[event.target].worm].convoy == convoy;
    case What::credits_begin:
    case What::credits_end:
    case What::credit: {
      const WormIndex owner = channels_[event.target].owner;
      return owner != 0 && worms_[passages_[owner].worm].convoy == convoy;
    }
    default:
      return false;
  }
}

// Whether it does: when all its passages move as many flits in a period, for long enough.
bool WormEngine::fall_asleep(std::uint32_t id, Cycle period, Cycle now) {
  WormConvoy& convoy = convoys_[id];
  Cycle periods = WormCalendar::never;
  std::size_t at = 0;
  convoy.flits.clear();
  for (const std::uint32_t worm : convoy.worms) {
    const Worm& member = worms_[worm];
    const int flits = __builtin_popcountll(convoy.moves[at] & low_bits(period));
    for (std::uint32_t k = 0; k < member.passages; ++k) {  // no buffer fills or empties
      if (__builtin_popcountll(convoy.moves[at++] & low_bits(period)) != flits) return false;
    }
    if (flits == 0) return false;
    const Passage& first = passages_[member.first_passage];
    periods = std::min(periods, Cycle{(first.length - first.sent - 1) / flits - 1});
    convoy.flits.push_back(flits);
  }
  if (periods * period < shortest_sleep) return false;

  convoy.is_asleep = true;
  convoy.asleep_since = now;
  convoy.period = period;
  convoy.wakes_at = now + periods * period;
  convoy.losses.erase(
      std::remove_if(convoy.losses.begin(), convoy.losses.end(),
                     [&](const WormLoss& loss) { return loss.cycle < now - period; }),
      convoy.losses.end());
  calendar_->take_out(
      WormCalendar::moment(now, WormPhase::switching), std::max(hop_cycles_, 2) + 2,
      [&](const WormEvent& event) { return belongs(event, id); }, convoy.events);
  convoy.events.erase(
      std::remove_if(convoy.events.begin(), convoy.events.end(),
                     [](const auto& one) { return one.second.what == What::timer; }),
      convoy.events.end());
  visit_passages(convoy, [&](WormIndex passage) {
    Passage& sleeper = passages_[passage];
    sleeper.is_asleep = true;
    sleeper.timer = -1;
    channels_[sleeper.out].run_to(now);
  });
  calendar_->post(convoy.wakes_at, WormPhase::switching, {id, What::convoy});
  return true;
}

// `id` is to be thought about: a convoy that uses its channels must be awake.
void WormEngine::disturb(WormIndex id, Cycle now) {
  const Passage& passage = passages_[id];
  if (config_.vcs == 1 || passage.is_first) return;
  const std::uint32_t own = worms_[passage.worm].convoy;
  for (const std::uint32_t channel : {passage.in_channel, passage.out_channel}) {
    const std::uint32_t convoy = shares_[channel].convoy;
    if (convoy == 0 || convoy == own) continue;
    if (convoys_[convoy].is_asleep) {
      wake_convoy(convoy, now);
    } else {
      dissolve(convoy);
    }
  }
}

void WormEngine::disturb_output(WormIndex channel, Cycle now) {
  for (WormIndex id = channels_[channel].waiting; id != 0; id = passages_[id].next_waiting) {
    disturb(id, now);
  }
}

// In a phase of switching, before anything of it is decided.
void WormEngine::wake_convoy(std::uint32_t id, Cycle now) {
  WormConvoy convoy = std::move(convoys_[id]);
  const Cycle periods = (now - convoy.asleep_since) / convoy.period;
  const Cycle slept = periods * convoy.period;
  for (std::size_t i = 0; i < convoy.worms.size(); ++i) {
    const Worm& member = worms_[convoy.worms[i]];
    const auto flits = static_cast<std::int32_t>(periods) * convoy.flits[i];
    for (WormIndex at = member.first_passage; at < member.first_passage + member.passages; ++at) {
      Passage& passage = passages_[at];
      passage.is_asleep = false;
      passage.at += slept;
      passage.sent += flits;
      if (!passage.is_first) passage.arrived += flits;
      channels_[passage.out].at += slept;
    }
  }
  for (const WormLoss& loss : convoy.losses) {
    if (contention_ == nullptr || periods == 0) continue;
    contention_->on_contention(loss.node, loss.output, loss.waiting, loss.holding,
                               loss.cycle + convoy.period, periods);
  }
  for (auto& [moment, event] : convoy.events) {
    moment += WormCalendar::moment(slept, WormPhase::reception);
  }
  convoys_[id] = WormConvoy{};
  if (convoy.asleep_since + slept < now) {
    catch_up(convoy, id, convoy.asleep_since + slept, now);
  } else {
    for (const auto& [moment, event] : convoy.events) calendar_->post(moment, event);
    restart(convoy, now);
  }
  mark(convoy, 0);
  for (const std::uint32_t worm : convoy.worms) put_off(worm);
  free_convoys_.push_back(id);
  --live_convoys_;
}

// What happens to the convoy from cycle `from` to the present one, which it sees alone.
void WormEngine::catch_up(WormConvoy& convoy, std::uint32_t id, Cycle from, Cycle now) {
  std::vector<WormIndex> noted;
  std::vector<WormIndex> outputs;
  std::vector<std::uint32_t> routers;
  noted.swap(noted_);
  outputs.swap(noted_outputs_);
  routers.swap(noted_routers_);
  for (const std::uint32_t node : routers) router_is_noted_[node] = 0;
  catching_up_ = id;
  calendar_ = &past_calendar_;
  calendar_->clear();
  calendar_->turn_to(WormCalendar::moment(from, WormPhase::switching));
  for (const auto& [moment, event] : convoy.events) calendar_->post(moment, event);
  restart(convoy, from);
  const Cycle present = WormCalendar::moment(now, WormPhase::switching);
  for (Cycle moment = calendar_->next_moment(); moment < present;
       moment = calendar_->next_moment()) {
    pass(moment);
  }
  convoy.events.clear();
  calendar_->take_all(convoy.events);
  calendar_ = &present_calendar_;
  catching_up_ = 0;
  for (const auto& [moment, event] : convoy.events) calendar_->post(moment, event);
  noted.swap(noted_);
  outputs.swap(noted_outputs_);
  routers.swap(noted_routers_);
  for (const std::uint32_t node : noted_routers_) router_is_noted_[node] = 1;
}

// Its passages look ahead again, from cycle `now` on.
void WormEngine::restart(const WormConvoy& convoy, Cycle now) {
  visit_passages(convoy, [&](WormIndex id) {
    Passage& passage = passages_[id];
    if (passage.is_running) {
      if (passage.is_first) {
        set_timer(id, now);
      } else {
        wake(id, now);
      }
    } else if (passage.is_competing) {
      calendar_->post(now, WormPhase::switching, {passage.node, What::competition});
    }
  });
}

}  // namespace allport
