// SPDX-License-Identifier: Apache-2.0
// A convoy falls asleep and wakes up again; convoy.cpp finds it.
#include <algorithm>

#include "tlm/worm/convoy.h"

namespace allport {

namespace {

constexpr Cycle shortest_sleep = 32;  // cycles

}  // namespace

bool WormConvoys::belongs(const WormEvent& event, std::uint32_t convoy) const {
  using What = WormEvent::What;
  switch (event.what) {
    case What::timer:
    case What::arrivals_begin:
    case What::arrivals_end:
    case What::arrival:
      return store_.worms[store_.passages[event.target].worm].convoy == convoy;
    case What::credits_begin:
    case What::credits_end:
    case What::credit: {
      const WormIndex owner = store_.channels[event.target].owner;
      return owner != 0 && store_.worms[store_.passages[owner].worm].convoy == convoy;
    }
    case What::freed: {
      const WormIndex first = store_.known_vc(event.target);
      for (WormIndex vc = first; vc < first + static_cast<WormIndex>(store_.config.vcs); ++vc) {
        const WormIndex owner = store_.channels[vc].owner;
        if (owner != 0 && store_.worms[store_.passages[owner].worm].convoy == convoy) return true;
      }
      return false;
    }
    default:
      return false;
  }
}

// The number of periods for which it may sleep, and the flits of each worm in one period. 0: a
// passage moves more flits than another one of its worm, so that a buffer fills or empties, or
// nothing moves.
Cycle WormConvoys::find_periods(WormConvoy& convoy, Cycle period) const {
  Cycle periods = WormCalendar::never;
  std::size_t at = 0;
  convoy.flits.clear();
  for (const std::uint32_t worm : convoy.worms) {
    const Worm& member = store_.worms[worm];
    const int flits = __builtin_popcountll(last_moves(convoy.moves[at], period));
    for (std::uint32_t k = 0; k < member.passages; ++k) {
      if (__builtin_popcountll(last_moves(convoy.moves[at++], period)) != flits) return 0;
    }
    if (flits == 0) return 0;
    const Passage& first = store_.passages[member.first_passage];
    periods = std::min(periods, Cycle{(first.length - first.sent - 1) / flits - 1});
    convoy.flits.push_back(flits);
  }
  return periods;
}

// Falls asleep if all passages of each worm move as many flits in a period, for long enough;
// returns whether it does.
bool WormConvoys::fall_asleep(std::uint32_t id, Cycle period, Cycle now) {
  WormConvoy& convoy = convoys_[id];
  const Cycle periods = find_periods(convoy, period);
  if (periods * period < shortest_sleep) return false;
  convoy.is_asleep = true;
  convoy.asleep_since = now;
  convoy.period = period;
  convoy.wakes_at = now + periods * period;
  visit_passages(convoy, [&](WormIndex passage) { count_wait(store_.passages[passage], now); });
  convoy.losses.erase(
      std::remove_if(convoy.losses.begin(), convoy.losses.end(),
                     [&](const WormLoss& loss) { return loss.cycle < now - period; }),
      convoy.losses.end());
  take_events(convoy, id, now);
  visit_passages(convoy, [&](WormIndex passage) {
    Passage& sleeper = store_.passages[passage];
    sleeper.is_asleep = true;
    sleeper.timer = -1;
    store_.channels[sleeper.out].run_to(now);
  });
  store_.calendar->post(convoy.wakes_at, WormPhase::switching, {id, WormEvent::What::convoy});
  return true;
}

// Takes the events that are under way to it; its timers are set anew when it wakes up.
void WormConvoys::take_events(WormConvoy& convoy, std::uint32_t id, Cycle now) {
  store_.calendar->take_out(
      WormCalendar::moment(now, WormPhase::switching), wire_cycles(),
      [&](const WormEvent& event) { return belongs(event, id); }, convoy.events);
  convoy.events.erase(
      std::remove_if(convoy.events.begin(), convoy.events.end(),
                     [](const auto& one) { return one.second.what == WormEvent::What::timer; }),
      convoy.events.end());
}

void WormConvoys::lose(const Passage& loser, MessageId holding, Cycle now) {
  const std::uint32_t convoy = store_.worms[loser.worm].convoy;
  if (convoy == 0) return;
  convoys_[convoy].losses.push_back(
      {node_id(loser.node), loser.output, loser.message, holding, now});
}

void WormConvoys::count_wait(Passage& passage, Cycle now) {
  if (passage.held_by == no_message || passage.waiting_since >= now) return;
  const bool is_member = store_.worms[passage.worm].convoy != 0;
  for (Cycle cycle = passage.waiting_since; is_member && cycle < now; ++cycle) {
    lose(passage, passage.held_by, cycle);
  }
  store_.tell_of_contention({node_id(passage.node), passage.output, passage.message,
                             passage.held_by, passage.waiting_since, now - passage.waiting_since});
  passage.waiting_since = now;
}

void WormConvoys::disturb(WormIndex id, Cycle now) {
  const Passage& passage = store_.passages[id];
  if (store_.config.vcs == 1 || passage.is_first) return;
  if (passage.junction == 0) {
    disturb_users(id, now);
    return;
  }
  const WormJunction junction = store_.junctions[passage.junction];
  for (WormIndex other = junction.first; other < junction.end(); ++other) {
    disturb_users(other, now);
  }
}

void WormConvoys::disturb_users(WormIndex id, Cycle now) {
  const Passage& passage = store_.passages[id];
  const std::uint32_t own = store_.worms[passage.worm].convoy;
  for (const std::uint32_t channel : {passage.in_channel, passage.out_channel}) {
    const std::uint32_t convoy = users_[channel];
    if (convoy == 0 || convoy == own) continue;
    if (convoys_[convoy].is_asleep) {
      wake(convoy, now);
    } else {
      dissolve(convoy);
    }
  }
}

void WormConvoys::disturb_output(WormIndex channel, Cycle now) {
  for (WormIndex id = store_.channels[channel].waiting; id != 0;
       id = store_.passages[id].next_waiting) {
    disturb(id, now);
  }
}

// What it has moved: in each period as much as in the last one that was watched, whose first cycles
// are the high bits of its history.
Cycle WormConvoys::slept(WormIndex id, Cycle now) const {
  const std::uint32_t worm = store_.passages[id].worm;
  const WormConvoy& convoy = convoys_[store_.worms[worm].convoy];
  std::size_t place = id - store_.worms[worm].first_passage;
  for (const std::uint32_t member : convoy.worms) {
    if (member == worm) break;
    place += store_.worms[member].passages;
  }
  const std::uint64_t moves = last_moves(convoy.moves[place], convoy.period);
  const Cycle cycles = now - convoy.asleep_since;
  const Cycle rest = cycles % convoy.period;
  return cycles / convoy.period * __builtin_popcountll(moves) +
         __builtin_popcountll(moves >> (convoy.period - rest));
}

// Whole periods are told at once, and the part of one that is left is told flit by flit.
void WormConvoys::tell_of_sleep(Cycle now, WormMovementListener& listener) const {
  for (const WormConvoy& convoy : convoys_) {
    if (!convoy.is_asleep) continue;
    const Cycle periods = (now - convoy.asleep_since) / convoy.period;
    const Cycle known = convoy.asleep_since + periods * convoy.period;
    std::size_t place = 0;
    for (const std::uint32_t worm : convoy.worms) {
      const Worm& member = store_.worms[worm];
      for (WormIndex id = member.first_passage; id < member.first_passage + member.passages; ++id) {
        const std::uint64_t moves = convoy.moves[place++];
        if (periods > 0) {
          listener.on_slept(id, moves, convoy.period, periods, convoy.asleep_since);
        }
        if (store_.passages[id].is_running) listener.on_stop(id, known);
        for (Cycle at = known; at < now; ++at) {
          if ((moves >> (convoy.period - 1 - (at - known)) & 1U) != 0) listener.on_move(id, at);
        }
      }
    }
  }
}

// Adds what it has done in `periods` periods of sleep.
void WormConvoys::add_slept(WormConvoy& convoy, Cycle periods) {
  const Cycle slept = periods * convoy.period;
  std::size_t place = 0;
  for (std::size_t i = 0; i < convoy.worms.size(); ++i) {
    const Worm& member = store_.worms[convoy.worms[i]];
    const auto flits = static_cast<std::int32_t>(periods) * convoy.flits[i];
    for (WormIndex at = member.first_passage; at < member.first_passage + member.passages; ++at) {
      Passage& passage = store_.passages[at];
      passage.is_asleep = false;
      passage.at += slept;
      passage.sent += flits;
      if (!passage.is_first) passage.arrived += flits;
      passage.waiting_since += slept;
      if (passage.is_narrow && store_.narrow[passage.out_channel].message == passage.message) {
        store_.narrow[passage.out_channel].free_from += slept;
      }
      store_.channels[passage.out].at += slept;
      for (WormMovementListener* listener : store_.movement) {
        if (periods == 0) break;
        listener->on_slept(at, convoy.moves[place], convoy.period, periods, convoy.asleep_since);
      }
      ++place;
    }
  }
  visit_losses_of(convoy, convoy.asleep_since + slept,
                  [this](const WormContention& lost) { store_.tell_of_contention(lost); });
  for (auto& [moment, event] : convoy.events) {
    moment += WormCalendar::moment(slept, WormPhase::reception);
  }
}

// Runs in a phase of switching, before anything is decided in it.
void WormConvoys::wake(std::uint32_t id, Cycle now) {
  WormConvoy convoy = std::move(convoys_[id]);
  const Cycle periods = (now - convoy.asleep_since) / convoy.period;
  const Cycle known = convoy.asleep_since + periods * convoy.period;
  add_slept(convoy, periods);
  convoys_[id] = WormConvoy{};
  if (known < now) {
    catch_up(convoy, id, known, now);
  } else {
    for (const auto& [moment, event] : convoy.events) store_.calendar->post(moment, event);
    restart(convoy, now);
  }
  mark(convoy, 0);
  for (const std::uint32_t worm : convoy.worms) put_off(worm);
  free_convoys_.push_back(id);
  --live_;
}

// Handles what happens from moment `from`, for which `start` posts the first events, up to the
// moment `present`, in a calendar of the past; what is left then happens in the present one.
template <class Start>
void WormConvoys::replay(Cycle from, Cycle present, Start start) {
  std::vector<WormIndex> noted;
  std::vector<WormIndex> outputs;
  std::vector<std::uint32_t> routers;
  noted.swap(store_.noted);
  allocation_.exchange_noted(outputs);
  competition_.exchange_noted(routers);
  store_.calendar = &past_calendar_;
  past_calendar_.clear();
  past_calendar_.turn_to(from);
  start();
  for (Cycle moment = past_calendar_.next_moment(); moment < present;
       moment = past_calendar_.next_moment()) {
    mover_.pass(moment);
  }
  left_.clear();
  past_calendar_.take_all(left_);
  store_.calendar = &store_.present_calendar;
  for (const auto& [moment, event] : left_) store_.calendar->post(moment, event);
  noted.swap(store_.noted);
  allocation_.exchange_noted(outputs);
  competition_.exchange_noted(routers);
}

// Handles what happens to the convoy from cycle `from` to the present one; nobody else acts
// meanwhile.
void WormConvoys::catch_up(const WormConvoy& convoy, std::uint32_t id, Cycle from, Cycle now) {
  catching_up_ = id;
  replay(WormCalendar::moment(from, WormPhase::switching),
         WormCalendar::moment(now, WormPhase::switching), [&] {
           for (const auto& [moment, event] : convoy.events) past_calendar_.post(moment, event);
           restart(convoy, from);
         });
  catching_up_ = 0;
}

void WormConvoys::catch_up_alone(std::uint32_t worm, Cycle from, Cycle now) {
  alone_ = worm;
  const Cycle start = WormCalendar::moment(from, WormPhase::injection);
  replay(start, WormCalendar::moment(now, WormPhase::injection), [&] {
    store_.note(store_.worms[worm].first_passage);
    mover_.pass(start);
  });
  alone_ = no_worm;
}

// Makes its passages look ahead again from cycle `now` on.
void WormConvoys::restart(const WormConvoy& convoy, Cycle now) {
  visit_passages(convoy, [&](WormIndex id) {
    Passage& passage = store_.passages[id];
    if (passage.is_running) {
      if (passage.is_first) {
        mover_.set_timer(id, now);
      } else {
        mover_.wake(id, now);
      }
    } else if (passage.is_competing) {
      store_.calendar->post(now, WormPhase::switching,
                            {passage.node, WormEvent::What::competition});
    }
  });
}

}  // namespace allport
