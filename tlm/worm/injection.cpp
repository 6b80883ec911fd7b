// SPDX-License-Identifier: Apache-2.0
// This file puts flits on injection channels. With one message class a channel has one worm at a
// time. With several each class may have one, and those that may send take turns, flit by flit
// (docs/router.md, message classes): while one alone may send, it moves like any other worm, one
// flit in every cycle without a decision; while several may, the next one is chosen in every cycle.
#include "rtl_model/base/bits.h"
#include "rtl_model/router/round_robin.h"
#include "tlm/worm/engine.h"

namespace allport {

void WormEngine::decide_injections(Cycle now) {
  for (std::size_t i = 0; i < noted.size(); ++i) {
    const WormIndex id = noted[i];
    Passage& passage = passages[id];
    passage.is_noted = false;
    count_decision(passage);
    passage.run_to(now);
    const bool moves = !passage.is_done && can_move(id, now);
    if (!moves && passage.is_running) stop(id, now);
    if (config.classes > 1) {
      note_turn(id, moves);
    } else if (moves) {
      keep_moving(id, now);
      if (passage.is_running && passage.sent + 1 == passage.length) tell_of_tail(id, now);
    }
  }
  noted.clear();
  if (config.classes == 1) return;
  const bool is_again = last_injection_ == now;
  last_injection_ = now;
  for (std::size_t i = 0; i < noted_turns_.size(); ++i) take_turn(noted_turns_[i], is_again, now);
  noted_turns_.clear();
}

void WormEngine::tell_of_tail(WormIndex id, Cycle now) {
  if (!tells_of_sent_ || worms[passages[id].worm].is_tail_told) return;
  client->on_sent(node_id(passages[id + 1].node), passages[id].message, now);
}

// Notes whether the class of `id` may send on its injection channel.
void WormEngine::note_turn(WormIndex id, bool may_send) {
  const std::uint32_t injection = passages[id].out - first_injection;
  if (injections_[injection].passage != id) return;  // its tail has left
  const auto classes = static_cast<std::uint32_t>(config.classes);
  Turn& turn = turns_[injection / classes];
  const auto bit = static_cast<std::uint8_t>(1U << injection % classes);
  turn.ready = static_cast<std::uint8_t>(may_send ? turn.ready | bit : turn.ready & ~bit);
  if (turn.is_noted) return;
  turn.is_noted = true;
  noted_turns_.push_back(injection / classes);
}

// The message of a class has ended.
void WormEngine::end_turns(std::uint32_t injection) {
  const auto classes = static_cast<std::uint32_t>(config.classes);
  Turn& turn = turns_[injection / classes];
  turn.ready = static_cast<std::uint8_t>(turn.ready & ~(1U << injection % classes));
}

// The classes that took turns in the previous cycle are decided upon again.
void WormEngine::note_classes(std::uint32_t channel, Cycle now) {
  const auto first = channel * static_cast<std::uint32_t>(config.classes);
  for (const int one : bits(turns_[channel].ready)) {
    disturb_and_note(injections_[first + static_cast<std::uint32_t>(one)].passage, now);
  }
}

// The class sends whose turn it is. `is_again`: the channels have been decided upon in this cycle
// before, and one on which a flit was put stays as it is.
void WormEngine::take_turn(std::uint32_t channel, bool is_again, Cycle now) {
  Turn& turn = turns_[channel];
  turn.is_noted = false;
  if (turn.ready == 0) return;
  const auto passage_of = [&](int one) {
    return injections_[channel * static_cast<std::uint32_t>(config.classes) +
                       static_cast<std::uint32_t>(one)]
        .passage;
  };
  bool has_sent = turn.left == now + 1;
  for (const int one : bits(turn.ready)) has_sent |= passages[passage_of(one)].is_running;
  const int chosen = round_robin_choice(turn.ready, turn.pointer);
  const WormIndex id = passage_of(chosen);
  const bool is_alone = (turn.ready & (turn.ready - 1)) == 0;
  if (is_again && has_sent && !(is_alone && passages[id].is_running)) {
    calendar->post(now + 1, WormPhase::injection, {channel, What::turn});
    return;
  }
  turn.pointer = static_cast<std::uint8_t>(round_robin_next(chosen, config.classes));
  turn.left = now + 1;
  if (is_alone) {
    passages[id].run_to(now);
    keep_moving(id, now);
    const Passage& passage = passages[id];
    if (passage.is_running && passage.sent + 1 == passage.length) tell_of_tail(id, now);
    return;
  }
  for (const int one : bits(turn.ready)) {
    Passage& passage = passages[passage_of(one)];
    if (!passage.is_running) continue;
    passage.run_to(now);
    stop(passage_of(one), now);
  }
  calendar->post(now + 1, WormPhase::injection, {channel, What::turn});
  move_one(id, now);
  if (passages[id].sent == passages[id].length) tell_of_tail(id, now);
}

}  // namespace allport
