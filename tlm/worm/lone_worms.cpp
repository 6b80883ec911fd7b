// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/lone_worms.h"

#include "rtl_model/router/round_robin.h"

namespace allport {

namespace {

constexpr int most_luck = 16;
constexpr int cost_of_company = 2;  // of a lone worm that meets another one, in units of luck
constexpr int shortest_pause = 64;  // worms
constexpr int longest_pause = 4096;

}  // namespace

LoneWorms::LoneWorms(WormStore& store, WormSwitchAllocation& competition)
    : WormUnit(store), competition_(competition) {}

LoneWorms& LoneWorms::operator=(const LoneWorms& other) {
  is_kept_ = other.is_kept_;
  count_ = other.count_;
  luck_ = other.luck_;
  pause_ = other.pause_;
  next_pause_ = other.next_pause_;
  return *this;
}

// Flits go on by themselves only in a pipeline of one cycle, and where nodes take them all.
void LoneWorms::reset() {
  const RouterConfig& config = store_.config;
  is_kept_ = config.switching == Switching::wormhole && config.pipeline_delay() == 0 &&
             store_.ejects_at_will() && !config.has_narrow_channels();
  count_ = 0;
  luck_ = most_luck;
  pause_ = 0;
  next_pause_ = shortest_pause;
}

template <class Visit>
void LoneWorms::visit_steps(const Worm& worm, Visit visit) const {
  const RouterConfig& config = store_.config;
  const WormIndex end = worm.first_passage + worm.passages;
  const Passage* passage = &store_.passages[worm.first_passage + 1];
  Step step;
  step.start = worm.injected;
  step.in = passage->in;
  step.input_vc = passage->input_vc;
  std::uint32_t behind = 0;  // candidates of a passage that goes straight on in its class
  for (WormIndex id = worm.first_passage + 1; id < end; ++id, ++passage) {
    const std::uint32_t candidates = passage->candidates != 0 ? passage->candidates : behind;
    step.vc = choose_vc(candidates, candidates, store_.channels[step.in].choice);
    step.out = passage->out + static_cast<WormIndex>(step.vc);
    const Step done = step;
    if (!passage->is_last) {
      const Passage& next = passage[1];
      step.start += cycles_to_next(*passage);
      step.in = step.out;
      step.input_vc = static_cast<std::uint16_t>(next.input * config.vcs + step.vc);
      if (next.candidates == 0) {
        behind = class_vcs(config, next.output, class_of(config, step.vc),
                           config.message_class(passage->output, step.vc));
      }
    }
    visit(id, done, step.start);
  }
}

Cycle LoneWorms::last_start(const Worm& worm) const {
  Cycle start = worm.injected;
  const WormIndex last = worm.first_passage + worm.passages - 1;
  for (WormIndex id = worm.first_passage + 1; id < last; ++id) {
    start += cycles_to_next(store_.passages[id]);
  }
  return start;
}

// Whether its flits follow one another in every cycle if nobody else is there: a credit is back
// before the buffer would be full, or all of it fits in.
bool LoneWorms::streams(const Worm& worm) const {
  const int depth = store_.config.buffer_depth;
  if (length_of(worm) <= depth) return true;
  if (depth < 2) return false;
  const WormIndex last = worm.first_passage + worm.passages - 1;
  for (WormIndex id = worm.first_passage + 1; id < last; ++id) {
    const Passage& passage = store_.passages[id];
    const Passage& next = store_.passages[id + 1];
    const Cycle there = cycles_to_next(passage);
    if (depth < there + 1 + store_.config.input_delay_at(node_id(next.node), next.input)) {
      return false;
    }
  }
  return true;
}

// Whether nothing is under way on its channels, credits included.
bool LoneWorms::is_clear(const Worm& worm) const {
  const auto is_idle = [](const WormChannel& vc) {
    return vc.owner == 0 && vc.front == 0 && vc.used == 0 && vc.returning == 0;
  };
  bool is_clear = is_idle(store_.channels[store_.passages[worm.first_passage + 1].in]);
  visit_users(worm, [&](std::uint32_t user) { is_clear &= user == 0; });
  if (!is_clear) return false;
  visit_steps(worm, [&](WormIndex, const Step& step, Cycle) {
    is_clear &= is_idle(store_.channels[step.out]);
  });
  return is_clear;
}

const std::vector<std::uint32_t>& LoneWorms::met_by(const Worm& worm) {
  met_.clear();
  if (count_ == 0) return met_;
  visit_users(worm, [&](std::uint32_t user) {
    if (user < lone_user) return;
    const std::uint32_t met = user - lone_user;
    if (std::find(met_.begin(), met_.end(), met) == met_.end()) met_.push_back(met);
  });
  return met_;
}

void LoneWorms::begin(std::uint32_t number, bool is_followed, Cycle now) {
  Worm& worm = store_.worms[number];
  worm.injected = now;
  const bool may_be_lone = !is_followed && pause_ == 0;
  const bool is_lone = may_be_lone && may_tell_late() && streams(worm) && is_clear(worm) &&
                       takes_channels(worm, lone_user + number);
  if (pause_ > 0) --pause_;
  worm.use = is_lone ? WormUse::lone : WormUse::shared;
  if (is_lone) {
    ++count_;
  } else {
    visit_users(worm, [](std::uint32_t& user) { ++user; });
  }
}

// Marks the channels of `worm`, which nobody uses, as those of `user`; returns whether its way
// crosses none of them twice. If it does, they stay as they were: its flits meet one another there.
bool LoneWorms::takes_channels(const Worm& worm, std::uint32_t user) {
  bool are_distinct = true;
  visit_users(worm, [&](std::uint32_t& of_channel) {
    are_distinct &= of_channel == 0;
    of_channel = user;
  });
  if (!are_distinct) visit_users(worm, [](std::uint32_t& of_channel) { of_channel = 0; });
  return are_distinct;
}

void LoneWorms::end_use(Worm& worm) {
  if (worm.use == WormUse::none) return;
  const bool is_lone = worm.use == WormUse::lone;
  visit_users(worm, [&](std::uint32_t& user) { user = is_lone ? 0 : user - 1; });
  count_ -= is_lone ? 1 : 0;
  worm.use = WormUse::none;
}

void LoneWorms::end_lone(std::uint32_t number) {
  Worm& worm = store_.worms[number];
  visit_users(worm, [](std::uint32_t& user) { user = 1; });
  worm.use = WormUse::shared;
  --count_;
  luck_ -= cost_of_company;
  if (luck_ >= 0) return;
  luck_ = 0;
  pause_ = next_pause_;
  next_pause_ = std::min(2 * next_pause_, longest_pause);
}

Cycle LoneWorms::receive(std::uint32_t number) {
  Worm& worm = store_.worms[number];
  const Cycle end = end_of(worm);
  for (WormMovementListener* listener : store_.movement) tell_of_moves(worm, end, *listener);
  const RouterConfig& config = store_.config;
  visit_steps(worm, [&](WormIndex id, const Step& step, Cycle next_start) {
    Passage& passage = store_.passages[id];
    store_.channels[step.out].grant =
        static_cast<std::uint16_t>(round_robin_next(step.input_vc, config.channel_vcs()));
    passage.input_vc = step.input_vc;
    if (config.vcs > 1) competition_.turn_pointers(passage);
    passage.sent = passage.length;
    if (store_.activity.is_known()) {
      store_.activity.note_movement(step.start + passage.length - 1);
      store_.activity.note(passage.node, step.start + passage.length);
    }
    if (passage.is_last) return;
    store_.channels[step.in].choice =
        static_cast<std::uint8_t>(round_robin_next(step.vc, config.vcs));
    leave_credits(passage, step, next_start, end);
  });
  end_use(worm);
  luck_ = std::min(luck_ + 1, most_luck);
  if (luck_ == most_luck) next_pause_ = shortest_pause;
  return last_start(worm) + store_.ejection_cycles();
}

// Credits of the channel of `passage` that come back after the worm is received: one in every cycle
// from one wire after the next router sends the first flit on.
void LoneWorms::leave_credits(const Passage& passage, const Step& step, Cycle next_start,
                              Cycle end) {
  const Passage& next = (&passage)[1];
  const Cycle begin = next_start + 1 + store_.config.input_delay_at(node_id(next.node), next.input);
  const Cycle ends = begin + passage.length;
  if (ends - 1 <= end) return;
  WormChannel& channel = store_.channels[step.out];
  channel.at = end;
  channel.used = passage.length;
  if (begin < end) {
    channel.used -= static_cast<std::int32_t>(end - begin + 1);
    channel.returning = 1;
  } else {
    store_.calendar->post(begin, WormPhase::switching, {step.out, WormEvent::What::credits_begin});
  }
  store_.calendar->post(ends, WormPhase::switching, {step.out, WormEvent::What::credits_end});
}

std::int32_t LoneWorms::sent_before(WormIndex id, Cycle now) const {
  const Worm& worm = store_.worms[store_.passages[id].worm];
  Cycle start = worm.injected;
  for (WormIndex at = worm.first_passage; at < id; ++at) {
    start += cycles_to_next(store_.passages[at]);
  }
  return static_cast<std::int32_t>(std::clamp<Cycle>(now - start, 0, length_of(worm)));
}

void LoneWorms::tell_of_moves(const Worm& worm, Cycle now, WormMovementListener& listener) const {
  const WormIndex last = worm.first_passage + worm.passages - 1;
  Cycle start = worm.injected;
  for (WormIndex id = worm.first_passage; id <= last && start < now; ++id) {
    const Passage& passage = store_.passages[id];
    listener.on_granted(id, passage, id == last ? nullptr : &passage + 1, start);
    listener.on_start(id, start);
    listener.on_stop(id, std::min(now, start + passage.length));
    if (id < last) start += cycles_to_next(passage);
  }
}

void LoneWorms::tell_of_moves(Cycle now, WormMovementListener& listener) const {
  for (const Worm& worm : store_.worms) {
    if (worm.passages > 0 && worm.use == WormUse::lone) tell_of_moves(worm, now, listener);
  }
}

std::vector<std::uint32_t> LoneWorms::all() const {
  std::vector<std::uint32_t> lone;
  for (std::uint32_t number = 0; number < store_.worms.size(); ++number) {
    const Worm& worm = store_.worms[number];
    if (worm.passages > 0 && worm.use == WormUse::lone) lone.push_back(number);
  }
  return lone;
}

}  // namespace allport
