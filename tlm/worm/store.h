// SPDX-License-Identifier: Apache-2.0
// A WormStore is the state that all units of the fabric of worms share: passages, virtual channels
// and worms, the calendar, and the list of passages to be decided upon in the present phase.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/zeroed_array.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/router/vc_choice.h"
#include "tlm/worm/activity.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/state.h"

namespace allport {

/// What a store is made for, and who hears of what happens in it.
struct WormFrame {
  WormFrame(const RouterConfig& given, const Routing& routes, std::int64_t limit);
  WormFrame(const WormFrame&) = delete;
  ~WormFrame() = default;
  /// It stays what it is where a store is assigned the state of another one.
  WormFrame& operator=(const WormFrame&) { return *this; }

  const RouterConfig& config;
  const Routing& routing;
  const std::int64_t reception_limit;  ///< flits of a node's reception buffer for each VC of an
                                       ///< ejection channel, B at least; 0: it takes all at once
  const std::uint32_t nodes;
  /// Virtual channels are numbered: external ones from first_external on, injection, ejection. An
  /// internal channel has one for each message class. Those before first_external are nobody's.
  const WormIndex first_external;
  const WormIndex first_injection;
  const WormIndex first_ejection;
  /// The number behind those of the physical channels.
  std::uint32_t no_channel() const {
    return nodes * static_cast<std::uint32_t>(config.external_ports + 2 * config.internal_ports);
  }
  /// The physical channel by which messages come from their node at injection port `port`.
  std::uint32_t injection_channel(std::uint32_t node, int port) const {
    return nodes * static_cast<std::uint32_t>(config.external_ports) +
           node * static_cast<std::uint32_t>(config.internal_ports) +
           static_cast<std::uint32_t>(port);
  }
  /// The one by which they leave for the node at ejection port `port`.
  std::uint32_t ejection_channel(std::uint32_t node, int port) const {
    return injection_channel(nodes + node, port);
  }
  /// Cycles from the decision that sends a flit by external output `port` of a router until it is
  /// at the next one: x + s + d.
  Cycle hop_cycles(std::uint32_t node, int port) const {
    if (config.links == nullptr) return hops_[static_cast<std::size_t>(port)];
    return config.flight_at(node_id(node), port);
  }
  /// Cycles from the decision that sends a flit by an ejection channel until it is on it: 1 + x.
  Cycle ejection_cycles() const { return config.ejection_flight(); }
  /// Whether ejection channels need no credits, because nodes take every flit at once and no head
  /// demands more than one.
  bool ejects_at_will() const { return ejects_at_will_; }

  WormCalendar* calendar = nullptr;  ///< of the present, or that of a convoy that catches up
  std::vector<WormContentionListener*> contention;  ///< in the order in which they came
  std::vector<WormMovementListener*> movement;      ///< in the order in which they came
  WormListener* client = nullptr;  ///< hears of messages; null: the store has no engine

 private:
  const bool ejects_at_will_;
  std::vector<std::uint32_t> hops_;  // x + s + d by external port, where channels have no own
};

struct WormStore : WormFrame {
  /// `given`: validated; `given` and `routes` must outlive the store. `limit`: see reception_limit.
  WormStore(const RouterConfig& given, const Routing& routes, std::int64_t limit = 0);
  void reset();

  /// The first of `count` passages in a row, and a worm, whose fields are not set.
  WormIndex allocate_passages(std::uint32_t count);
  std::uint32_t allocate_worm();
  /// Gives back a worm and its passages.
  void free(std::uint32_t worm) {
    free_passages_[worms[worm].passages].push_back(worms[worm].first_passage);
    free_worms_.push_back(worm);
    worms[worm].passages = 0;
  }

  /// VC 0 of physical channel `channel`. Channels of a kind get their numbers in the order in which
  /// they are first asked for, so that what worms use of a large fabric lies together.
  WormIndex first_vc(std::uint32_t channel) {
    const WormIndex known = first_vcs_[channel];
    return known != 0 ? known : number_vcs(channel);
  }
  /// The same of a channel that has a number; of one that has none yet, VC 0 of nobody's, which are
  /// as after reset.
  WormIndex known_vc(std::uint32_t channel) const { return first_vcs_[channel]; }
  /// The number behind those of the injection channels' virtual channels that have one.
  WormIndex end_of_injections() const { return next_vcs_[1]; }

  /// Notes that `id` is to be decided upon in this phase.
  void note(WormIndex id) {
    if (passages[id].is_noted) return;
    passages[id].is_noted = true;
    noted.push_back(id);
  }

  std::vector<Passage> passages;           ///< entry 0 is unused
  std::vector<WormBranch> branches;        ///< by passage, as far as trees and joins have passages
  std::vector<WormJunction> junctions{1};  ///< entry 0 is unused
  ZeroedArray<WormChannel> channels;
  ZeroedArray<WormNarrowChannel> narrow;  ///< by external channel, if some are narrow
  std::vector<Worm> worms;
  std::vector<WormIndex> noted;
  WormCalendar present_calendar;
  WormActivity activity;

  /// Flits that have left the buffers of the operands of `junction`.
  std::int32_t left(const WormJunction& junction) const;
  /// Whether all operands of `junction` have the next flit at the front of their buffers.
  bool is_ready(const WormJunction& junction) const;
  /// The virtual channel that the head of `asking` requests; if none of its class is free, the one
  /// that it waits for.
  int wanted_vc(const Passage& asking) const;

  /// Has `id` decided upon in cycle `when`, until which a delay of the pipeline holds its head.
  void hold(WormIndex id, Cycle when) {
    passages[id].timer = when;
    calendar->post(when, WormPhase::switching, {id, WormEvent::What::timer});
    if (activity.is_known()) activity.note(passages[id].node, when);
  }
  /// Sets whether a flit of `passage`, which leads onto an external channel, occupies it for
  /// several cycles.
  void set_narrow(Passage& passage) const {
    if (config.has_narrow_channels()) passage.is_narrow = phits(passage) > 1;
  }
  /// Whether an earlier flit occupies the channel of `passage`, which is narrow. If that is of
  /// another message, the flit of `passage`, which could move otherwise, is kept off from `now` on.
  bool is_kept_off(Passage& passage, Cycle now) const {
    const WormNarrowChannel& channel = narrow[passage.out_channel];
    if (channel.free_from <= now) return false;
    if (passage.held_by == no_message && channel.message != passage.message) {
      passage.held_by = channel.message;
      passage.waiting_since = now;
    }
    return true;
  }
  /// A flit of `passage` leaves by its channel, which is narrow, in cycle `now`.
  void occupy(const Passage& passage, Cycle now) {
    const Cycle free_from = now + phits(passage);
    narrow[passage.out_channel] = {free_from, passage.message};
    calendar->post(free_from, WormPhase::switching, {passage.out_channel, WormEvent::What::freed});
  }
  /// Whether the VC delay holds the head of `passage`, which has its channel.
  bool is_held(const Passage& passage, Cycle now) const {
    return config.vc_delay > 0 && passage.sent == 0 && !passage.is_running && passage.timer > now;
  }
  /// Notes that the head of `operand` of a junction has come, or has become the first in its
  /// buffer, in cycle `since`.
  void note_front(WormIndex operand, Cycle since) {
    if (config.route_delay == 0) return;
    WormBranch& place = branches[operand];
    place.front = std::max(place.front, since);
    if (activity.is_known() && channels[passages[operand].in].front == operand) {
      activity.note(passages[operand].node, place.front + config.route_delay);
    }
  }

  /// Whether the flit of `passage`, which has a virtual channel, has the credits there that the
  /// switching mode demands.
  bool has_credits(const Passage& passage, Cycle now) {
    if (has_endless_credits(passage)) return true;
    WormChannel& out = channels[passage.out];
    out.run_to(now);
    return out.used + credits_for(passage) <= config.buffer_depth;
  }
  /// Whether the flits of its message which that demands are in the buffer, where those of `from`
  /// arrive.
  bool has_flits(const Passage& passage, const Passage& from) const {
    return from.arrived - passage.sent >=
           needed_flits(config.switching, passage.sent == 0, passage.length);
  }
  /// Has the head of `id`, which lacks some of either, decided upon when it has them, as far as
  /// they come in every cycle.
  void await_demands(WormIndex id, const Passage& from, Cycle now);

  bool has_endless_credits(const Passage& passage) const {
    return passage.is_last && ejects_at_will();
  }
  /// A flit that leaves a buffer gives its credit back. A node sees it one cycle later than it
  /// could use it, on the registered output of the router.
  void tell_credit(const Passage& passage, WormEvent::What what, Cycle now) const {
    if (passage.is_first) return;
    if (passage.in >= first_injection) {
      calendar->post(now + 2, WormPhase::injection, {passage.in, what});
    } else {
      const int delay = config.input_delay_at(node_id(passage.node), passage.input);
      calendar->post(now + 1 + delay, WormPhase::switching, {passage.in, what});
    }
  }
  /// A flit that leaves by an ejection channel in cycle `now` is at its node 1 + x cycles later. A
  /// node that takes every flit at once returns the credit at once: with a buffer of 1 + x flits or
  /// fewer it is waited for.
  void tell_used(const Passage& passage, Cycle now) const {
    if (!passage.is_last || has_endless_credits(passage)) return;
    if (reception_limit > 0) {
      calendar->post(now + ejection_cycles(), WormPhase::switching,
                     {passage.out, WormEvent::What::ejected});
      return;
    }
    calendar->post(now + ejection_cycles() + 1, WormPhase::switching,
                   {passage.out, WormEvent::What::credit});
  }

  /// Notes for the activity that a flit left by `passage` in `cycle`. A node that takes a flit
  /// which is no tail returns a credit; one with a reception limit does so when it may, and that
  /// credit is noted when it comes, like one that may come after the tail has left.
  void note_leaving(const Passage& passage, Cycle cycle, bool is_tail) {
    if (!activity.is_known()) return;
    activity.note_movement(cycle);
    if (passage.is_first) return;
    const bool brings_credit = passage.is_last && !is_tail && reception_limit == 0;
    // Cycles after that of the decision: a narrow channel is busy meanwhile.
    const Cycle sending = std::max(phits(passage), config.exit_delay());
    const Cycle credit = cycle + ejection_cycles() + 1;
    const bool is_noted_when_it_comes = brings_credit && config.exit_delay() > 0;
    if (is_noted_when_it_comes) {
      calendar->post(credit, WormPhase::switching, {passage.out, WormEvent::What::ejection_credit});
    }
    activity.note(passage.node,
                  brings_credit && !is_noted_when_it_comes ? credit : cycle + sending);
  }

  /// Notes for the activity that the tail of `next` comes to its router in `cycle`: where flits
  /// come in every cycle, nothing else says when the last one does.
  void note_tail(const Passage& next, Cycle cycle) {
    if (!activity.is_known()) return;
    activity.note(next.node, cycle);
    if (next.junction == 0) return;
    WormJunction& junction = junctions[next.junction];
    junction.tail_ready = std::max(junction.tail_ready, cycle + junction.delay);
  }

  void tell_of_grant(WormIndex id, Cycle now) const {
    const Passage& passage = passages[id];
    for (WormMovementListener* listener : movement) {
      listener->on_granted(id, passage, passage.is_last ? nullptr : &passages[id + 1], now);
    }
  }
  void tell_of_contention(const WormContention& wait) const {
    for (WormContentionListener* listener : contention) listener->on_contention(wait);
  }

 private:
  WormIndex number_vcs(std::uint32_t channel);
  std::int32_t credits_for(const Passage& passage) const {
    return needed_credits(config.switching, passage.sent == 0, passage.length);
  }
  // s of its channel.
  int phits(const Passage& passage) const {
    return config.phits_at(node_id(passage.node), passage.output);
  }

  ZeroedArray<WormIndex> first_vcs_;   // by physical channel; 0: it has no number yet
  std::array<WormIndex, 3> next_vcs_;  // of external, injection and ejection channels
  std::vector<std::vector<WormIndex>> free_passages_;  // by number of passages
  std::vector<std::uint32_t> free_worms_;
};

inline std::int32_t WormStore::left(const WormJunction& junction) const {
  std::int32_t least = passages[junction.first_branch()].sent;
  for (WormIndex id = junction.first_branch() + 1; id < junction.end(); ++id) {
    least = std::min(least, passages[id].sent);
  }
  return least;
}

inline bool WormStore::is_ready(const WormJunction& junction) const {
  const std::int32_t gone = left(junction);
  for (WormIndex id = junction.first; id < junction.first_branch(); ++id) {
    const Passage& operand = passages[id];
    if (operand.arrived <= gone || channels[operand.in].front != id) return false;
  }
  return true;
}

inline int WormStore::wanted_vc(const Passage& asking) const {
  std::uint32_t free = 0;
  for (const int bit : bits(asking.candidates)) {
    const auto vc = static_cast<WormIndex>(bit);
    if (channels[asking.out + vc].owner == 0) free |= 1U << vc;
  }
  return choose_vc(asking.candidates, free, channels[asking.in].choice);
}

}  // namespace allport
