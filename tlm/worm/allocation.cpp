// SPDX-License-Identifier: Apache-2.0
// Heads get virtual channels, by the rule of the router's VC allocator: each asks for one free VC
// of its class, round robin from its own pointer; each VC chooses among those that ask for it,
// round robin over the input VCs.
#include "tlm/worm/engine.h"

namespace allport {

void WormEngine::ask(WormIndex id) {
  Passage& passage = passages_[id];
  WormChannel& channel = channels_[passage.out];  // VC 0: none is granted yet
  passage.is_waiting = true;
  passage.next_waiting = channel.waiting;
  channel.waiting = id;
  note_output(passage.out);
}

void WormEngine::note_output(WormIndex channel) {
  if (channels_[channel].is_noted) return;
  channels_[channel].is_noted = true;
  noted_outputs_.push_back(channel);
}

// The VC that a head asks for; where none of its class is free, the one it waits for.
int WormEngine::choose_vc(const Passage& asking) const {
  const std::uint32_t candidates = ((1U << asking.class_count) - 1) << asking.class_first;
  std::uint32_t free = 0;
  for (std::uint32_t rest = candidates; rest != 0; rest &= rest - 1) {
    const auto vc = static_cast<WormIndex>(__builtin_ctz(rest));
    if (channels_[asking.out + vc].owner == 0) free |= 1U << vc;
  }
  const std::uint32_t among = free != 0 ? free : candidates;
  const std::uint32_t behind = among >> channels_[asking.in].choice << channels_[asking.in].choice;
  return __builtin_ctz(behind != 0 ? behind : among);
}

void WormEngine::allocate(WormIndex channel, Cycle now) {
  channels_[channel].is_noted = false;
  asked_.clear();
  for (WormIndex id = channels_[channel].waiting; id != 0; id = passages_[id].next_waiting) {
    asked_.push_back({id, choose_vc(passages_[id])});
  }
  std::uint32_t contested = 0;
  std::uint32_t granted = 0;
  for (const Asked& asked : asked_) {
    contested |= 1U << asked.vc;
  }
  for (std::uint32_t rest = contested; rest != 0; rest &= rest - 1) {
    const int vc = __builtin_ctz(rest);
    const WormChannel& wanted = channels_[channel + static_cast<WormIndex>(vc)];
    if (wanted.owner != 0) continue;
    WormIndex best = 0;
    int least = 0;
    for (const Asked& asked : asked_) {
      if (asked.vc != vc) continue;
      int distance = passages_[asked.passage].input_vc - wanted.grant;
      if (distance < 0) distance += config_.channel_vcs();
      if (best == 0 || distance < least) {
        best = asked.passage;
        least = distance;
      }
    }
    granted |= 1U << vc;
    grant(best, vc, now);
  }
  if (asked_.empty()) return;

  WormIndex* link = &channels_[channel].waiting;
  bool asks_again = false;
  for (const Asked& asked : asked_) {  // in the order of the list
    Passage& passage = passages_[asked.passage];
    if (passage.has_channel) {
      passage.is_waiting = false;
      *link = passage.next_waiting;
      continue;
    }
    link = &passage.next_waiting;
    wait_for(passage,
             passages_[channels_[channel + static_cast<WormIndex>(asked.vc)].owner].message, now);
    // It lost a VC that was free, and may ask for, or wait for, another one now.
    asks_again |= passage.class_count > 1 && (granted >> asked.vc & 1U) != 0;
  }
  if (asks_again) calendar_->post(now + 1, WormPhase::switching, {channel, What::allocation});
}

void WormEngine::grant(WormIndex id, int vc, Cycle now) {
  Passage& passage = passages_[id];
  wait_for(passage, no_message, now);
  passage.run_to(now);
  passage.has_channel = true;
  passage.out += static_cast<WormIndex>(vc);
  WormChannel& out = channels_[passage.out];
  out.owner = id;
  const int next_input_vc = passage.input_vc + 1;
  out.grant =
      static_cast<std::uint16_t>(next_input_vc == config_.channel_vcs() ? 0 : next_input_vc);
  if (!passage.is_last) {
    channels_[passage.in].choice = static_cast<std::uint8_t>(vc + 1 == config_.vcs ? 0 : vc + 1);
    Passage& next = passages_[id + 1];
    next.in = passage.out;
    next.input_vc = static_cast<std::uint16_t>(next.input * config_.vcs + vc);
  }
  note(id);
}

// From `now` on its head is kept off the channel by `holding`, or by nobody.
void WormEngine::wait_for(Passage& waiting, MessageId holding, Cycle now) {
  if (waiting.held_by == holding) return;
  if (waiting.held_by != no_message && contention_ != nullptr) {
    contention_->on_contention(node_id(waiting.node), waiting.output, waiting.message,
                               waiting.held_by, waiting.waiting_since, now - waiting.waiting_since);
  }
  waiting.held_by = holding;
  waiting.waiting_since = now;
}

}  // namespace allport
