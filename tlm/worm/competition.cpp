// SPDX-License-Identifier: Apache-2.0
// Flits of several virtual channels share a physical channel: the rule of the router's switch
// allocator, cycle by cycle while there is more than one that could move. Those that have their
// channels to themselves run on.
#include <algorithm>

#include "tlm/worm/engine.h"

namespace allport {

namespace {

// How far behind the round-robin pointer.
int distance(int requester, int pointer, int size) {
  return requester < pointer ? requester - pointer + size : requester - pointer;
}

}  // namespace

void WormEngine::enter(WormIndex id) {
  Passage& passage = passages_[id];
  passage.is_competing = true;
  WormIndex& first = competing_[passage.node];
  passage.previous_competing = 0;
  passage.next_competing = first;
  if (first != 0) passages_[first].previous_competing = id;
  first = id;
  ++shares_[passage.in_channel].competing_in;
  ++shares_[passage.out_channel].competing_out;
}

void WormEngine::leave(WormIndex id) {
  Passage& passage = passages_[id];
  passage.is_competing = false;
  if (passage.previous_competing != 0) {
    passages_[passage.previous_competing].next_competing = passage.next_competing;
  } else {
    competing_[passage.node] = passage.next_competing;
  }
  if (passage.next_competing != 0) {
    passages_[passage.next_competing].previous_competing = passage.previous_competing;
  }
  --shares_[passage.in_channel].competing_in;
  --shares_[passage.out_channel].competing_out;
}

bool WormEngine::is_alone(const Passage& passage) const {
  return shares_[passage.in_channel].competing_in == 1 &&
         shares_[passage.out_channel].competing_out == 1;
}

void WormEngine::run_alone_or_compete(WormIndex id, Cycle now) {
  Passage& passage = passages_[id];
  if (!passage.is_competing) return;
  if (!is_alone(passage)) {
    note_router(passage.node);
    return;
  }
  if (!passage.is_running) {
    turn_pointers(passage);
    start(id, now);
  }
  set_timer(id, now);
}

void WormEngine::note_router(std::uint32_t node) {
  if (router_is_noted_[node] != 0) return;
  router_is_noted_[node] = 1;
  noted_routers_.push_back(node);
}

// Those that competed in the cycle before have moved a flit, or not: they are looked at again. One
// may be no member of a convoy with which it shares an input, and keeps it awake.
void WormEngine::note_competitors(std::uint32_t node, Cycle now) {
  for (WormIndex id = competing_[node]; id != 0; id = passages_[id].next_competing) {
    const bool is_meant = catching_up_ == 0 ? !passages_[id].is_asleep
                                            : worms_[passages_[id].worm].convoy == catching_up_;
    if (is_meant && !passages_[id].is_running) note(id, now);
  }
}

void WormEngine::compete(std::uint32_t node, Cycle now) {
  router_is_noted_[node] = 0;
  competitors_.clear();
  for (WormIndex id = competing_[node]; id != 0; id = passages_[id].next_competing) {
    Passage& passage = passages_[id];
    if (passage.is_asleep) continue;
    if (catching_up_ != 0 && worms_[passage.worm].convoy != catching_up_) continue;
    if (is_alone(passage)) continue;
    if (passage.is_running) {
      passage.run_to(now);
      stop(id, now);
    }
    competitors_.push_back(id);
  }
  if (competitors_.empty()) return;
  choose_winners(now);
  calendar_->post(now + 1, WormPhase::switching, {node, What::competition});
}

// First each input chooses one of its virtual channels, then each output one of these inputs.
void WormEngine::choose_winners(Cycle now) {
  let_inputs_choose();
  let_outputs_choose();
  for (const WormIndex id : competitors_) winners_[passages_[id].input] = 0;
  for (const WormIndex loser : competitors_) {
    for (const WormIndex winner : outcomes_) {
      if (loser == winner || passages_[winner].output != passages_[loser].output) continue;
      lose(passages_[loser], passages_[winner].message, now);
    }
  }
  for (const WormIndex winner : outcomes_) move_one(winner, now);
  outcomes_.clear();
}

void WormEngine::let_inputs_choose() {
  const auto vc_of = [this](const Passage& passage) {
    return passage.input < config_.external_ports ? passage.input_vc % config_.vcs : 0;
  };
  for (const WormIndex id : competitors_) {
    const Passage& passage = passages_[id];
    WormIndex& chosen = winners_[passage.input];
    const int pointer = shares_[passage.in_channel].input_pointer;
    const int size = config_.vcs_of(passage.input);
    if (chosen == 0 || distance(vc_of(passage), pointer, size) <
                           distance(vc_of(passages_[chosen]), pointer, size)) {
      chosen = id;
    }
  }
}

void WormEngine::let_outputs_choose() {
  std::uint64_t taken = 0;  // outputs
  for (const WormIndex id : competitors_) {
    const Passage& passage = passages_[id];
    if (winners_[passage.input] != id || (taken >> passage.output & 1U) != 0) continue;
    taken |= std::uint64_t{1} << passage.output;
    WormIndex best = id;
    const int pointer = shares_[passage.out_channel].output_pointer;
    for (const WormIndex other : competitors_) {
      const Passage& rival = passages_[other];
      if (rival.output != passage.output || winners_[rival.input] != other) continue;
      if (distance(rival.input, pointer, config_.ports()) <
          distance(passages_[best].input, pointer, config_.ports())) {
        best = other;
      }
    }
    outcomes_.push_back(best);
  }
}

// A flit of `holding` takes the channel in this cycle.
void WormEngine::lose(const Passage& loser, MessageId holding, Cycle now) {
  if (contention_ == nullptr) return;
  const WormLoss loss{node_id(loser.node), loser.output, loser.message, holding, now};
  contention_->on_contention(loss.node, loss.output, loss.waiting, loss.holding, now, 1);
  const std::uint32_t convoy = worms_[loser.worm].convoy;
  if (convoy != 0) convoys_[convoy].losses.push_back(loss);
}

void WormEngine::turn_pointers(const Passage& passage) {
  const int next_input = passage.input + 1;
  shares_[passage.out_channel].output_pointer =
      static_cast<std::uint8_t>(next_input == config_.ports() ? 0 : next_input);
  if (passage.input >= config_.external_ports) return;
  const int next_vc = passage.input_vc % config_.vcs + 1;
  shares_[passage.in_channel].input_pointer =
      static_cast<std::uint8_t>(next_vc == config_.vcs ? 0 : next_vc);
}

void WormEngine::move_one(WormIndex id, Cycle now) {
  Passage& passage = passages_[id];
  turn_pointers(passage);
  if (passage.sent == 0) leave_with_head(id, now);
  ++passage.sent;
  if (!has_endless_credits(passage)) ++channels_[passage.out].used;
  tell_arrival(id, What::arrival, now);
  tell_credit(passage, What::credit, now);
  tell_used(passage, now);
  if (passage.sent < passage.length) return;
  passage.timer = now + 1;
  calendar_->post(now + 1, passage.is_last ? WormPhase::reception : WormPhase::switching,
                  {id, What::timer});
}

}  // namespace allport
