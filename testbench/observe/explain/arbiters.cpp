// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/arbiters.h"

#include <algorithm>

#include "rtl_model/base/bits.h"
#include "rtl_model/router/round_robin.h"
#include "rtl_model/router/vc_choice.h"

namespace allport {

bool Arbiters::has_one_candidate(CrossingIndex crossing, int output) const {
  if (!config_.is_external(output)) return true;
  return !routing_.is_adaptive() && __builtin_popcount(candidates(crossing, output)) == 1;
}

CrossingIndex Arbiters::driver(NodeId node, int output, Cycle now) const {
  for (int phit = 0; phit < config_.phits_at(node, output); ++phit) {
    if (const CrossingIndex one = sender(node, output, now - phit); one != 0) return one;
  }
  return 0;
}

CrossingIndex Arbiters::injecting(FabricChannels::Number channel, Cycle now) const {
  const FabricChannels::Number first = channels_.first_of(channel);
  for (int vc = 0; vc < config_.classes; ++vc) {
    const CrossingIndex one = history_.owner(first + static_cast<FabricChannels::Number>(vc), now);
    if (one != 0 && history_.sends(one, now)) return one;
  }
  return 0;
}

// Whether a flit sent before, or a replay, occupies the output.
bool Arbiters::is_busy(NodeId node, int output, Cycle now) const {
  if (history_.is_replaying(channels_.output(node, output, 0), now)) return true;
  for (int phit = 1; phit < config_.phits_at(node, output); ++phit) {
    if (sender(node, output, now - phit) != 0) return true;
  }
  return false;
}

// The crossing that sends a flit; 0: none does.
CrossingIndex Arbiters::sender(NodeId node, int output, Cycle now) const {
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const CrossingIndex one = history_.owner(channels_.output(node, output, vc), now);
    if (one != 0 && history_.sends(one, now)) return one;
  }
  return 0;
}

// At the beginning of the cycle.
UnownedVcs Arbiters::unowned(NodeId node, int output, Cycle now) const {
  UnownedVcs vcs;
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const FabricChannels::Number channel = channels_.output(node, output, vc);
    const CrossingIndex one = history_.owner(channel, now);
    if (one != 0 && history_[one].won == now) vcs.free |= 1U << vc;
    if (one == 0) (is_draining(channel, now) ? vcs.draining : vcs.free) |= 1U << vc;
  }
  return vcs;
}

// Whether adaptive routing does not give `channel`, which nobody owns, since it lacks credits.
bool Arbiters::is_draining(FabricChannels::Number channel, Cycle now) const {
  if (!routing_.is_adaptive()) return false;
  const FabricChannels::End end = channels_.sender(channel);
  return is_adaptive_vc(config_, end.port, end.vc) && history_.refilled(channel, now) == not_yet;
}

// The ports by which the head of a unicast may leave the buffer beyond under adaptive routing.
PortMask Arbiters::useful_ports(CrossingIndex crossing) const {
  const NodeId here = channels_.receiver(history_[crossing].channel).node;
  return Routing::useful_ports(here, log_[history_[crossing].message].destination);
}

std::uint32_t Arbiters::candidates(CrossingIndex crossing, int output) const {
  if (routing_.is_adaptive() && config_.is_external(output)) {
    return adaptive_vcs(config_, output, useful_ports(crossing), message_class(crossing));
  }
  const Onward& beyond = history_[crossing].beyond;
  const bool is_p = config_.is_external(output) && (beyond.outputs_of_class_p >> output & 1U) != 0;
  return class_vcs(config_, output, is_p ? VcClass::p : beyond.vc_class, message_class(crossing));
}

// The VC pointer of the buffer behind `crossing` at the beginning of cycle `now`: behind the VC
// that it was given last; of several in one cycle that of the highest port.
int Arbiters::pointer(CrossingIndex crossing, Cycle now) const {
  for (CrossingIndex at = history_.speaker(crossing); at != 0; at = history_.before(at)) {
    if (history_.speaker(at) != at) continue;  // another buffer was given its channel
    Cycle latest = -1;
    FabricChannels::End given;
    for (CrossingIndex one = history_[at].onward; one != 0; one = history_[one].sibling) {
      const FabricChannels::End end = channels_.sender(history_[one].channel);
      const Cycle won = history_[one].won;
      if (!config_.is_external(end.port) || won >= now || won < latest) continue;
      if (won == latest && end.port < given.port) continue;
      latest = won;
      given = end;
    }
    if (latest < 0) continue;
    history_.note(at, static_cast<std::uint64_t>(latest));
    return round_robin_next(given.vc, config_.vcs);
  }
  return 0;
}

int Arbiters::wanted_output(CrossingIndex crossing, int output, Cycle now) const {
  if (!routing_.is_adaptive() || !config_.is_external(output)) return output;
  const NodeId here = channels_.receiver(history_[crossing].channel).node;
  const PortMask useful = useful_ports(crossing);
  for (PortMask rest = useful; rest != 0;) {
    const int one = 63 - __builtin_clzll(rest);
    const std::uint32_t possible = adaptive_vcs(config_, one, useful, message_class(crossing));
    if ((possible & unowned(here, one, now).free) != 0) return one;
    rest &= ~(PortMask{1} << one);
  }
  return 63 - __builtin_clzll(useful);
}

FabricChannels::Number Arbiters::wanted(CrossingIndex crossing, int output, Cycle now) const {
  const NodeId here = channels_.receiver(history_[crossing].channel).node;
  if (!config_.is_external(output)) {
    return channels_.output(here, output, message_class(crossing));
  }
  const int asked = wanted_output(crossing, output, now);
  const UnownedVcs vcs = unowned(here, asked, now);
  const int vc = choose_vc(candidates(crossing, asked), vcs, pointer(crossing, now));
  return channels_.output(here, asked, vc);
}

// The choice changes only with the owners of the channels among which the head may choose, with the
// credits of those that nobody owns, and with the pointer of its buffer.
Cycle Arbiters::asked_since(CrossingIndex crossing, int output, const Asked& asked,
                            Cycle now) const {
  if (has_one_candidate(crossing, output)) {
    return asked.owner != 0 ? history_[asked.owner].won : history_.owned_since(asked.channel, now);
  }
  const NodeId here = channels_.receiver(history_[crossing].channel).node;
  Cycle since = 0;
  for (CrossingIndex one = history_[history_.speaker(crossing)].onward; one != 0;
       one = history_[one].sibling) {
    if (history_[one].won < now) since = std::max(since, history_[one].won + 1);
  }
  for (const int one : bits(is_adaptive() ? useful_ports(crossing) : PortMask{1} << output)) {
    for (const int vc : bits(candidates(crossing, one))) {
      const FabricChannels::Number channel = channels_.output(here, one, vc);
      since = std::max(since, history_.owned_since(channel, now));
      if (is_adaptive() && history_.owner(channel, now) == 0) {
        const Cycle refilled = history_.refilled(channel, now);
        if (refilled != not_yet) since = std::max(since, refilled);
      }
    }
  }
  return since;
}

// Whether the front flit takes part in (2a) of cycle `now`.
bool Arbiters::takes_part(const History::Front& front, Cycle now) const {
  if (front.crossing == 0 || history_.released(front.crossing, front.flit) > now) return false;
  if (history_.complete(front.crossing, front.flit) > now) return false;
  if (front.flit == 0 && history_.all_came_to_front(front.crossing) > now) return false;
  const Cycle held = front.flit == 0 ? config_.vc_delay : 0;
  for (CrossingIndex one = history_[front.crossing].onward; one != 0; one = history_[one].sibling) {
    const bool is_pending =
        history_[one].won + held <= now && history_.sent(one, front.flit) >= now;
    if (!is_pending || history_.credited(one, front.flit) > now) continue;
    const FabricChannels::End end = channels_.sender(history_[one].channel);
    if (!is_busy(end.node, end.port, now)) return true;
  }
  return false;
}

// The last cycle before `now` in which a branch took a flit from the buffer behind `channel`.
Cycle Arbiters::last_left_before(FabricChannels::Number channel, Cycle now) const {
  CrossingIndex at = history_.front_crossing(channel, now);
  if (at == 0) at = history_.movement().last(channel);
  for (; at != 0; at = history_.before(at)) {
    Cycle latest = -1;
    for (CrossingIndex one = history_[at].onward; one != 0; one = history_[one].sibling) {
      const int taken = history_.sent_by(one, now - 1);
      if (taken > 0) latest = std::max(latest, history_.sent(one, taken - 1));
    }
    if (latest >= 0) return latest;
  }
  return -1;
}

// The VC pointer of an input at the beginning of cycle `now`: behind the VC that sent last.
int Arbiters::input_pointer(const FabricChannels::End& input, Cycle now) const {
  const int vcs = config_.vcs_of(input.port);
  int last_vc = -1;
  Cycle latest = -1;
  for (int vc = 0; vc < vcs; ++vc) {
    const Cycle left = last_left_before(channels_.input(input.node, input.port, vc), now);
    if (left > latest) {
      latest = left;
      last_vc = vc;
    }
  }
  return last_vc < 0 ? 0 : round_robin_next(last_vc, vcs);
}

CrossingIndex Arbiters::chosen_instead(CrossingIndex crossing, Cycle now) const {
  const Meeting* const meeting = history_.meeting(crossing);
  if (meeting == nullptr) return chosen(history_[crossing].channel, now);
  for (int slot = 0; slot < meeting->size(); ++slot) {
    const CrossingIndex operand = history_.movement().operand(*meeting, slot);
    const CrossingIndex one = chosen(history_[operand].channel, now);
    if (one != operand) return one;
  }
  return 0;
}

CrossingIndex Arbiters::chosen(FabricChannels::Number channel, Cycle now) const {
  const FabricChannels::End end = channels_.receiver(channel);
  const int vcs = config_.vcs_of(end.port);
  std::uint32_t asking = 0;
  CrossingIndex last = 0;
  for (int vc = 0; vc < vcs; ++vc) {
    const History::Front front = history_.front(channels_.input(end.node, end.port, vc), now);
    if (!takes_part(front, now)) continue;
    asking |= 1U << vc;
    last = front.crossing;
  }
  const bool is_only_one = (asking & (asking - 1)) == 0;
  if (is_only_one) return last;
  const int vc = round_robin_choice(asking, input_pointer(end, now));
  return history_.front(channels_.input(end.node, end.port, vc), now).crossing;
}

}  // namespace allport
