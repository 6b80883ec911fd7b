// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/history.h"

#include <algorithm>

#include "rtl_model/topology/round_robin.h"
#include "rtl_model/topology/switching.h"
#include "rtl_model/topology/vc_choice.h"

namespace allport {

History::History(const Movement& movement, const Routing& routing, const MessageLog& log)
    : movement_(movement),
      channels_(movement.channels()),
      config_(channels_.config()),
      routing_(routing),
      log_(log),
      order_(movement.size() - 1),
      position_(movement.size(), 0),
      tail_left_(movement.size(), not_yet) {
  std::vector<std::uint32_t> begins(channels_.size());  // by channel: its first position
  std::uint32_t begin = 0;
  for (FabricChannels::Number channel = 0; channel < channels_.size(); ++channel) {
    begins[channel] = begin;
    const CrossingIndex last = movement_.last(channel);
    if (last != 0) begin += movement_[last].place + 1;
  }
  for (CrossingIndex crossing = 1; crossing < movement.size(); ++crossing) {
    position_[crossing] = begins[movement_[crossing].channel] + movement_[crossing].place;
    order_[position_[crossing]] = crossing;
  }
  for (CrossingIndex crossing = 1; crossing < movement.size(); ++crossing) {
    tail_left_[crossing] = left(crossing, movement_[crossing].length - 1);
  }
}

Cycle History::sent(CrossingIndex crossing, int flit) const {
  if (flit >= movement_[crossing].sent) return not_yet;
  return run_of(crossing, flit).sent(flit);
}

int History::sent_by(CrossingIndex crossing, Cycle now) const {
  const Crossing& at = movement_[crossing];
  if (at.sent == 0 || now < at.run.first) return 0;
  const auto of_run = [now](const FlitRun& run) {
    const Cycle sent = (now - run.first) / run.stride + 1;
    return run.flit + static_cast<int>(std::min<Cycle>(run.count, sent));
  };
  if (at.more == 0 || now <= at.run.sent(at.run.count - 1)) return of_run(at.run);
  const std::vector<FlitRun>& runs = movement_.more_runs(at);
  const auto run =
      std::upper_bound(runs.begin(), runs.end(), now,
                       [](Cycle one, const FlitRun& other) { return one < other.first; });
  return run == runs.begin() ? of_run(at.run) : of_run(*std::prev(run));
}

Cycle History::arrived(CrossingIndex crossing, int flit) const {
  const Cycle at = sent(crossing, flit);
  return at == not_yet ? not_yet : at + channels_.flight(movement_[crossing].channel);
}

Cycle History::released(CrossingIndex crossing, int flit) const {
  const Cycle at = arrived(crossing, flit);
  return at == not_yet || !movement_[crossing].is_held ? at : at + config_.replication_delay;
}

Cycle History::left(CrossingIndex crossing, int flit) const {
  const Crossing& at = movement_[crossing];
  if (channels_.is_ejection(at.channel)) return sent(crossing, flit);
  int missing = __builtin_popcountll(at.outputs);
  Cycle latest = 0;
  for (CrossingIndex one = at.onward; one != 0; one = movement_[one].sibling) {
    latest = std::max(latest, sent(one, flit));
    --missing;
  }
  return missing > 0 ? not_yet : latest;
}

int History::left_by(CrossingIndex crossing, Cycle now) const {
  const Crossing& at = movement_[crossing];
  if (channels_.is_ejection(at.channel)) return sent_by(crossing, now);
  int missing = __builtin_popcountll(at.outputs);
  int least = at.length;
  for (CrossingIndex one = at.onward; one != 0; one = movement_[one].sibling) {
    least = std::min(least, sent_by(one, now));
    --missing;
  }
  return missing > 0 ? 0 : least;
}

CrossingIndex History::branch(CrossingIndex crossing, int output) const {
  CrossingIndex one = movement_[crossing].onward;
  while (one != 0 && output_of(one) != output) one = movement_[one].sibling;
  return one;
}

int History::last_output(CrossingIndex crossing, int flit) const {
  const Crossing& at = movement_[crossing];
  if (routing_.is_adaptive() && at.onward != 0) return output_of(at.onward);
  int last = -1;
  Cycle latest = -1;
  for (PortMask rest = at.outputs; rest != 0; rest &= rest - 1) {
    const int output = __builtin_ctzll(rest);
    const CrossingIndex one = branch(crossing, output);
    const Cycle taken = one == 0 ? not_yet : sent(one, flit);
    if (taken > latest) {
      latest = taken;
      last = output;
    }
  }
  return last;
}

CrossingIndex History::before(CrossingIndex crossing) const {
  return movement_[crossing].place == 0 ? 0 : order_[position_[crossing] - 1];
}

CrossingIndex History::after(CrossingIndex crossing) const {
  const bool is_last = movement_.last(movement_[crossing].channel) == crossing;
  return is_last ? 0 : order_[position_[crossing] + 1];
}

template <class Predicate>
CrossingIndex History::first_crossing(FabricChannels::Number channel,
                                      const Predicate& holds) const {
  const CrossingIndex last = movement_.last(channel);
  if (last == 0) return 0;
  const auto end = order_.begin() + position_[last] + 1;
  const auto begin = end - 1 - movement_[last].place;
  const auto found =
      std::partition_point(begin, end, [&](CrossingIndex one) { return !holds(one); });
  return found == end ? 0 : *found;
}

CrossingIndex History::front_crossing(FabricChannels::Number channel, Cycle now) const {
  return first_crossing(channel, [&](CrossingIndex one) { return tail_left_[one] >= now; });
}

History::Front History::front(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = front_crossing(channel, now);
  if (first == 0) return {};
  const int flit = left_by(first, now - 1);
  return arrived(first, flit) <= now ? Front{first, flit} : Front{};
}

CrossingIndex History::owner(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = first_crossing(
      channel, [&](CrossingIndex one) { return sent(one, movement_[one].length - 1) >= now; });
  return first != 0 && movement_[first].won <= now ? first : 0;
}

int History::credits(CrossingIndex crossing, Cycle now) const {
  const FabricChannels::Number channel = movement_[crossing].channel;
  const Cycle returned = now - channels_.credit_flight(channel);
  int used = 0;
  for (CrossingIndex one = crossing; one != 0; one = before(one)) {
    const int back = left_by(one, returned);
    used += sent_by(one, now - 1) - back;
    if (back > 0 || movement_[one].length == 0) break;  // all before it are back as well
  }
  return config_.buffer_depth - used;
}

Cycle History::complete(CrossingIndex crossing, int flit) const {
  const int needed = needed_flits(config_.switching, flit == 0, movement_[crossing].length);
  return arrived(crossing, flit + needed - 1);
}

// The credit for a flit that left the buffer beyond makes up for one that is sent.
Cycle History::credited(CrossingIndex branch, int flit) const {
  const FabricChannels::Number channel = movement_[branch].channel;
  const int needed =
      allport::needed_credits(config_.switching, flit == 0, movement_[branch].length);
  int missing = flit + needed - config_.buffer_depth;  // flits that must have left, from the first
  if (missing > 0) return left(branch, missing - 1) + channels_.credit_flight(channel);
  for (CrossingIndex one = before(branch); one != 0; one = before(one)) {
    missing += movement_[one].length;
    if (missing > 0) return left(one, missing - 1) + channels_.credit_flight(channel);
  }
  return 0;
}

Cycle History::came_to_front(CrossingIndex crossing) const {
  const CrossingIndex previous = before(crossing);
  if (previous == 0) return 0;
  return tail_left_[previous] == not_yet ? not_yet : tail_left_[previous] + 1;
}

const FlitRun& History::run_of(CrossingIndex crossing, int flit) const {
  const Crossing& at = movement_[crossing];
  if (flit < at.run.count) return at.run;
  const std::vector<FlitRun>& runs = movement_.more_runs(at);
  const auto behind = [](int one, const FlitRun& other) { return one < other.flit; };
  return *std::prev(std::upper_bound(runs.begin(), runs.end(), flit, behind));
}

int History::sent_in_row(CrossingIndex crossing, int flit) const {
  const FlitRun& run = run_of(crossing, flit);
  return run.stride == 1 ? flit - run.flit : 0;
}

int History::sent_in_row_from(CrossingIndex crossing, int flit) const {
  const FlitRun& run = run_of(crossing, flit);
  return run.stride == 1 ? run.flit + run.count - flit : 1;
}

CrossingIndex History::first(FabricChannels::Number channel) const {
  const CrossingIndex last = movement_.last(channel);
  return last == 0 ? 0 : order_[position_[last] - movement_[last].place];
}

bool History::has_one_candidate(CrossingIndex crossing, int output) const {
  if (!config_.is_external(output)) return true;
  return !routing_.is_adaptive() && __builtin_popcount(candidates(crossing, output)) == 1;
}

CrossingIndex History::driver(NodeId node, int output, Cycle now) const {
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const CrossingIndex one = owner(channels_.output(node, output, vc), now);
    if (one != 0 && sent_by(one, now) > sent_by(one, now - 1)) return one;
  }
  return 0;
}

std::uint32_t History::free_vcs(NodeId node, int output, Cycle now) const {
  std::uint32_t free = 0;
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const CrossingIndex one = owner(channels_.output(node, output, vc), now);
    if (one == 0 || movement_[one].won == now) free |= 1U << vc;
  }
  return free;
}

// The ports by which the head of a unicast may leave the buffer beyond under adaptive routing.
PortMask History::useful_ports(CrossingIndex crossing) const {
  const NodeId here = channels_.receiver(movement_[crossing].channel).node;
  return Routing::useful_ports(here, log_[movement_[crossing].message].destination);
}

std::uint32_t History::candidates(CrossingIndex crossing, int output) const {
  if (routing_.is_adaptive() && config_.is_external(output)) {
    return adaptive_vcs(config_, output, useful_ports(crossing));
  }
  return class_vcs(config_, output, movement_[crossing].vc_class);
}

// The VC pointer of the buffer behind `crossing` at the beginning of cycle `now`: behind the VC
// that it was given last; of several in one cycle that of the highest port.
int History::pointer(CrossingIndex crossing, Cycle now) const {
  for (CrossingIndex at = crossing; at != 0; at = before(at)) {
    Cycle latest = -1;
    FabricChannels::End given;
    for (CrossingIndex one = movement_[at].onward; one != 0; one = movement_[one].sibling) {
      const FabricChannels::End end = channels_.sender(movement_[one].channel);
      const Cycle won = movement_[one].won;
      if (!config_.is_external(end.port) || won >= now || won < latest) continue;
      if (won == latest && end.port < given.port) continue;
      latest = won;
      given = end;
    }
    if (latest >= 0) return round_robin_next(given.vc, config_.vcs);
  }
  return 0;
}

int History::wanted_output(CrossingIndex crossing, int output, Cycle now) const {
  if (!routing_.is_adaptive() || !config_.is_external(output)) return output;
  const NodeId here = channels_.receiver(movement_[crossing].channel).node;
  const PortMask useful = useful_ports(crossing);
  for (PortMask rest = useful; rest != 0;) {
    const int one = 63 - __builtin_clzll(rest);
    if ((adaptive_vcs(config_, one, useful) & free_vcs(here, one, now)) != 0) return one;
    rest &= ~(PortMask{1} << one);
  }
  return 63 - __builtin_clzll(useful);
}

FabricChannels::Number History::wanted(CrossingIndex crossing, int output, Cycle now) const {
  const NodeId here = channels_.receiver(movement_[crossing].channel).node;
  if (!config_.is_external(output)) return channels_.output(here, output, 0);
  const int asked = wanted_output(crossing, output, now);
  const std::uint32_t possible = candidates(crossing, asked);
  const int vc = choose_vc(possible, free_vcs(here, asked, now), pointer(crossing, now));
  return channels_.output(here, asked, vc);
}

// Whether the front flit takes part in (2a) of cycle `now`.
bool History::takes_part(const Front& front, Cycle now) const {
  if (front.crossing == 0 || released(front.crossing, front.flit) > now) return false;
  if (complete(front.crossing, front.flit) > now) return false;
  for (CrossingIndex one = movement_[front.crossing].onward; one != 0;
       one = movement_[one].sibling) {
    const bool is_pending = movement_[one].won <= now && sent(one, front.flit) >= now;
    if (is_pending && credited(one, front.flit) <= now) return true;
  }
  return false;
}

// The last cycle before `now` in which a branch took a flit from the buffer behind `channel`.
Cycle History::last_left_before(FabricChannels::Number channel, Cycle now) const {
  CrossingIndex at = front_crossing(channel, now);
  if (at == 0) at = movement_.last(channel);
  for (; at != 0; at = before(at)) {
    Cycle latest = -1;
    for (CrossingIndex one = movement_[at].onward; one != 0; one = movement_[one].sibling) {
      const int taken = sent_by(one, now - 1);
      if (taken > 0) latest = std::max(latest, sent(one, taken - 1));
    }
    if (latest >= 0) return latest;
  }
  return -1;
}

CrossingIndex History::chosen(FabricChannels::Number channel, Cycle now) const {
  const FabricChannels::End end = channels_.receiver(channel);
  const int vcs = config_.vcs_of(end.port);
  std::uint32_t asking = 0;
  int last_vc = -1;
  Cycle latest = -1;
  for (int vc = 0; vc < vcs; ++vc) {
    const FabricChannels::Number one = channels_.input(end.node, end.port, vc);
    if (takes_part(front(one, now), now)) asking |= 1U << vc;
    const Cycle left = last_left_before(one, now);
    if (left > latest) {
      latest = left;
      last_vc = vc;
    }
  }
  if (asking == 0) return 0;
  const int pointer = last_vc < 0 ? 0 : round_robin_next(last_vc, vcs);
  return front(channels_.input(end.node, end.port, round_robin_choice(asking, pointer)), now)
      .crossing;
}

}  // namespace allport
