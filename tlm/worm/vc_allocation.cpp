// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/vc_allocation.h"

#include <algorithm>

#include "rtl_model/base/bits.h"
#include "tlm/worm/candidates.h"

namespace allport {

void WormVcAllocation::ask(WormIndex id) {
  Passage& passage = store_.passages[id];
  WormChannel& channel = store_.channels[passage.out];  // VC 0: no VC is granted yet
  passage.is_waiting = true;
  passage.next_waiting = channel.waiting;
  channel.waiting = id;
  note_output(passage.out);
}

void WormVcAllocation::note_output(WormIndex channel) {
  if (store_.channels[channel].is_noted) return;
  store_.channels[channel].is_noted = true;
  noted_outputs_.push_back(channel);
}

// The first in round robin of the heads that request `vc`; 0: none does.
WormIndex WormVcAllocation::choose_head(int vc, const WormChannel& wanted) const {
  WormIndex best = 0;
  int least = 0;
  for (const Asked& asked : asked_) {
    if (asked.vc != vc) continue;
    const int distance = round_robin_distance(store_.passages[asked.passage].input_vc, wanted.grant,
                                              store_.config.channel_vcs());
    if (best == 0 || distance < least) {
      best = asked.passage;
      least = distance;
    }
  }
  return best;
}

// Notes that from `now` on its head is kept off the channel by `holding`, or by no message.
inline void WormVcAllocation::wait_for(Passage& waiting, MessageId holding, Cycle now) {
  if (waiting.held_by == holding) return;
  if (waiting.held_by != no_message && !store_.contention.empty()) {
    store_.tell_of_contention({node_id(waiting.node), waiting.output, waiting.message,
                               waiting.held_by, waiting.waiting_since, now - waiting.waiting_since,
                               store_.activity.is_known() ? waiting.input_vc : -1});
  }
  waiting.held_by = holding;
  waiting.waiting_since = now;
}

inline void WormVcAllocation::grant(WormIndex id, int vc, Cycle now) {
  Passage& passage = store_.passages[id];
  wait_for(passage, no_message, now);
  passage.run_to(now);
  passage.has_channel = true;
  passage.out += static_cast<WormIndex>(vc);
  WormChannel& out = store_.channels[passage.out];
  out.owner = id;
  out.grant =
      static_cast<std::uint16_t>(round_robin_next(passage.input_vc, store_.config.channel_vcs()));
  if (passage.junction != 0) {
    if (!passage.is_last) lead_on(id, vc);
  } else if (!passage.is_last) {
    store_.channels[passage.in].choice =
        static_cast<std::uint8_t>(round_robin_next(vc, store_.config.vcs));
    Passage& next = store_.passages[id + 1];
    next.in = passage.out;
    next.input_vc = static_cast<std::uint16_t>(next.input * store_.config.vcs + vc);
    settle_candidates(next, store_.config, passage.output, vc);
  }
  store_.note(id);
  if (store_.config.vc_delay > 0) store_.hold(id, now + store_.config.vc_delay);
  if (store_.activity.is_known()) store_.activity.note(passage.node, now + 1);
  store_.tell_of_grant(id, now);
}

// Grants the free VCs that are requested, and returns them.
std::uint32_t WormVcAllocation::grant_all(WormIndex channel, Cycle now) {
  std::uint32_t contested = 0;
  std::uint32_t granted = 0;
  for (const Asked& asked : asked_) contested |= 1U << asked.vc;
  for (const int vc : bits(contested)) {
    const WormChannel& wanted = store_.channels[channel + static_cast<WormIndex>(vc)];
    if (wanted.owner != 0) continue;
    granted |= 1U << vc;
    grant(choose_head(vc, wanted), vc, now);
  }
  return granted;
}

// The pointer of a worm with several branches goes by the last of the outputs where it was given a
// virtual channel in this cycle. At the others it may request another one from the next cycle on.
void WormVcAllocation::turn_choices(Cycle now) {
  std::sort(chosen_by_branches_.begin(), chosen_by_branches_.end(),
            [this](const Asked& a, const Asked& b) {
              return store_.passages[a.passage].out_channel <
                     store_.passages[b.passage].out_channel;
            });
  for (const Asked& asked : chosen_by_branches_) {
    const Passage& branch = store_.passages[asked.passage];
    store_.channels[branch.in].choice =
        static_cast<std::uint8_t>(round_robin_next(asked.vc, store_.config.vcs));
    const WormJunction& junction = store_.junctions[branch.junction];
    for (WormIndex id = junction.first_branch(); id < junction.end(); ++id) {
      const Passage& other = store_.passages[id];
      if (!other.is_waiting) continue;
      store_.calendar->post(now + 1, WormPhase::switching,
                            {other.out, WormEvent::What::allocation});
    }
  }
  chosen_by_branches_.clear();
}

// Gives the only head that waits for `channel` the VC that it requests. False: several wait, or the
// VC is not free.
inline bool WormVcAllocation::grant_only(WormIndex channel, Cycle now) {
  const WormIndex only = store_.channels[channel].waiting;
  if (only == 0 || store_.passages[only].next_waiting != 0) return false;
  const int vc = store_.wanted_vc(store_.passages[only]);
  if (store_.channels[channel + static_cast<WormIndex>(vc)].owner != 0) return false;
  grant(only, vc, now);
  store_.passages[only].is_waiting = false;
  store_.channels[channel].waiting = 0;
  return true;
}

inline void WormVcAllocation::hear(WormIndex channel, Cycle now) {
  ZeroedArray<WormChannel>& channels = store_.channels;
  channels[channel].is_noted = false;
  if (grant_only(channel, now)) return;
  asked_.clear();
  for (WormIndex id = channels[channel].waiting; id != 0; id = store_.passages[id].next_waiting) {
    asked_.push_back({id, store_.wanted_vc(store_.passages[id])});
  }
  const std::uint32_t granted = grant_all(channel, now);

  WormIndex* link = &channels[channel].waiting;
  bool asks_again = false;
  for (const Asked& asked : asked_) {  // in the order of the list
    Passage& passage = store_.passages[asked.passage];
    if (passage.has_channel) {
      passage.is_waiting = false;
      *link = passage.next_waiting;
      continue;
    }
    link = &passage.next_waiting;
    const WormIndex owner = channels[channel + static_cast<WormIndex>(asked.vc)].owner;
    wait_for(passage, store_.passages[owner].message, now);
    // It has not got a VC that was free, and may request, or wait for, another one now.
    const bool has_choice = (passage.candidates & (passage.candidates - 1)) != 0;
    asks_again |= has_choice && (granted >> asked.vc & 1U) != 0;
  }
  if (!asks_again) return;
  store_.calendar->post(now + 1, WormPhase::switching, {channel, WormEvent::What::allocation});
}

void WormVcAllocation::hear_all(Cycle now) {
  for (std::size_t i = 0; i < noted_outputs_.size(); ++i) hear(noted_outputs_[i], now);
  noted_outputs_.clear();
  if (!chosen_by_branches_.empty()) turn_choices(now);
}

// Branch `id` has the external virtual channel `vc`: its flits will be in that buffer of the next
// router, and its own operands' pointer turns when all outputs have been heard.
void WormVcAllocation::lead_on(WormIndex id, int vc) {
  chosen_by_branches_.push_back({id, vc});
  const WormIndex next = store_.branches[id].next;
  Passage& operand = store_.passages[next];
  operand.in = store_.passages[id].out;
  operand.input_vc = static_cast<std::uint16_t>(operand.input * store_.config.vcs + vc);
  const WormJunction& junction = store_.junctions[operand.junction];
  if (next != junction.first) return;
  for (WormIndex branch = junction.first_branch(); branch < junction.end(); ++branch) {
    Passage& beyond = store_.passages[branch];
    beyond.in = operand.in;
    beyond.input_vc = operand.input_vc;
    settle_candidates(beyond, store_.config, store_.passages[id].output, vc);
  }
}

}  // namespace allport
