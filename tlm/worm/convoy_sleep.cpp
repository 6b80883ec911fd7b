// SPDX-License-Identifier: Apache-2.0
// A convoy falls asleep and wakes up again; how it is found is in worm_convoy.cpp.
#include <algorithm>

#include "tlm/worm/engine.h"

namespace allport {

namespace {

constexpr Cycle shortest_sleep = 32;  // cycles

}  // namespace

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
    const int flits = __builtin_popcountll(last_moves(convoy.moves[at], period));
    for (std::uint32_t k = 0; k < member.passages; ++k) {  // no buffer fills or empties
      if (__builtin_popcountll(last_moves(convoy.moves[at++], period)) != flits) return false;
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
