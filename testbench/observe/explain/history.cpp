// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/history.h"

#include <algorithm>
#include <utility>

#include "rtl_model/base/bits.h"
#include "rtl_model/router/switching.h"

namespace allport {

History::History(const Movement& movement, const Routing& routing, SteadyStates steady_states)
    : movement_(movement),
      channels_(movement.channels()),
      config_(channels_.config()),
      routing_(routing),
      steady_states_(steady_states),
      replays_(movement),
      order_(movement.size() - 1),
      position_(movement.size(), 0),
      runs_(movement.runs().size()),
      run_ends_(movement.size(), 0),
      near_runs_(movement.size(), 0),
      tail_sent_(order_.size()),
      tail_left_(order_.size()),
      near_(channels_.size()) {
  put_in_order();
  sort_runs();
  const bool has_lost = !movement.lost_credits().empty();
  if (movement.reception_limit() > 0 || has_lost) count_flits_before();
  if (movement.reception_limit() > 0) sum_up_takings();
  for (CrossingIndex crossing = 1; crossing < movement.size(); ++crossing) {
    const int tail = movement_[crossing].length - 1;
    tail_sent_[position_[crossing]] = sent(crossing, tail);
    tail_left_[position_[crossing]] = left(crossing, tail);
  }
  if (has_lost) find_lost_credits();
}

// The channels stand in the order of their first crossings.
void History::put_in_order() {
  std::uint32_t next_channel = 0;
  for (CrossingIndex crossing = 1; crossing < movement_.size(); ++crossing) {
    const Crossing& at = movement_[crossing];
    std::uint32_t& position = near_[at.channel];
    if (at.place == 0) {
      position = next_channel;
      next_channel += movement_[movement_.last(at.channel)].place + 1;
    } else {
      ++position;
    }
    position_[crossing] = position;
    order_[position] = crossing;
  }
}

void History::sort_runs() {
  const std::vector<FlitRun>& runs = movement_.runs();
  for (std::size_t i = 1; i < runs.size(); ++i) ++run_ends_[runs[i].crossing];
  std::uint32_t next = 0;  // where the runs of a crossing begin
  for (std::uint32_t& end : run_ends_) next += std::exchange(end, next);
  for (std::size_t i = 1; i < runs.size(); ++i) runs_[run_ends_[runs[i].crossing]++] = runs[i];
}

// Room is made for many flits at once, but credits go one by one.
void History::sum_up_takings() {
  for (const Taking& taking : movement_.takings()) {
    std::vector<Room>& rooms = rooms_[taking.channel];
    if (rooms.empty()) {
      rooms.push_back({1, taking.cycle, taking.flits});
      continue;
    }
    Room& last = rooms.back();
    const Cycle next = last.first + last.count;
    if (taking.cycle <= next) {
      last.count += taking.flits;
    } else {
      rooms.push_back({last.number + last.count, taking.cycle, taking.flits});
    }
  }
}

void History::count_flits_before() {
  flits_before_.resize(order_.size(), 0);
  for (std::size_t i = 1; i < order_.size(); ++i) {
    if (movement_[order_[i]].place == 0) continue;
    flits_before_[i] = flits_before_[i - 1] + movement_[order_[i - 1]].length;
  }
}

// A credit is that of the flit which left the buffer beyond as long before as a credit takes.
void History::find_lost_credits() {
  for (const CreditGone& one : movement_.lost_credits()) {
    const Cycle left = one.cycle - channels_.credit_flight(one.channel);
    const CrossingIndex crossing = front_crossing(one.channel, left);
    if (crossing == 0) continue;
    const std::int64_t number = flits_before_[position_[crossing]] + left_by(crossing, left);
    lost_[one.channel].push_back({number, one.cycle});
  }
}

// The cycle in which the reception buffer behind `channel` has room for flit `number` of those for
// which room is made, counted from 1; not_yet: it has not by the end of the run.
Cycle History::room_from(FabricChannels::Number channel, std::int64_t number) const {
  if (number <= 0) return -1;
  const auto found = rooms_.find(channel);
  if (found == rooms_.end()) return not_yet;
  const std::vector<Room>& rooms = found->second;
  const auto behind =
      std::upper_bound(rooms.begin(), rooms.end(), number,
                       [](std::int64_t one, const Room& other) { return one < other.number; });
  const Room& room = *std::prev(behind);
  const bool is_made = number < room.number + room.count;
  note(~std::uint64_t{channel}, 2 * static_cast<std::uint64_t>(behind - rooms.begin()) + is_made);
  return is_made ? room.first + (number - room.number) : not_yet;
}

// How many these are up to and including cycle `now`.
std::int64_t History::room_by(FabricChannels::Number channel, Cycle now) const {
  const auto found = rooms_.find(channel);
  if (found == rooms_.end()) return 0;
  const std::vector<Room>& rooms = found->second;
  const auto behind =
      std::upper_bound(rooms.begin(), rooms.end(), now,
                       [](Cycle one, const Room& other) { return one < other.first; });
  note(~std::uint64_t{channel}, static_cast<std::uint64_t>(behind - rooms.begin()));
  if (behind == rooms.begin()) return 0;
  const Room& room = *std::prev(behind);
  return room.number - 1 + std::min<std::int64_t>(room.count, now - room.first + 1);
}

Cycle History::sent(CrossingIndex crossing, int flit) const {
  if (flit >= movement_[crossing].sent) {
    note(crossing, ~std::uint64_t{0});
    return not_yet;
  }
  return run_of(crossing, flit).sent(flit);
}

int History::sent_by(CrossingIndex crossing, Cycle now) const {
  const Crossing& at = movement_[crossing];
  if (at.sent == 0 || now < at.run.first) {
    note(crossing, ~std::uint64_t{1});
    return 0;
  }
  const auto of_run = [&](const FlitRun& run) { return sent_of(run, crossing, now); };
  if (at.last == 0 || now <= at.run.sent(at.run.count - 1)) return of_run(at.run);
  const FlitRun& near = runs_[near_runs_[crossing]];
  if (near.crossing == crossing && now >= near.first &&
      now <= near.sent(near.flit + near.count - 1)) {
    return of_run(near);
  }
  const auto begin = runs_.begin() + run_ends_[crossing - 1];
  const auto behind =
      std::upper_bound(begin, runs_.begin() + run_ends_[crossing], now,
                       [](Cycle one, const FlitRun& other) { return one < other.first; });
  if (behind == begin) return of_run(at.run);
  near_runs_[crossing] = static_cast<std::uint32_t>(behind - 1 - runs_.begin());
  return of_run(*std::prev(behind));
}

// The flits sent by cycle `now`, in which, or before which, `run` of `crossing` has begun.
int History::sent_of(const FlitRun& run, CrossingIndex crossing, Cycle now) const {
  const Cycle later = now - run.first;
  const Cycle sent = (run.stride == 1 ? later : later / run.stride) + 1;
  if (lookups_ != nullptr) {
    const bool is_over = sent >= run.count;
    lookups_->note(crossing, 2 * static_cast<std::uint64_t>(run.flit) + (is_over ? 1 : 0));
    if (!is_over) lookups_->note_stride(run.stride);
  }
  return run.flit + static_cast<int>(std::min<Cycle>(run.count, sent));
}

Cycle History::arrived(CrossingIndex crossing, int flit) const {
  const Cycle at = sent(crossing, flit);
  if (at == not_yet) return not_yet;
  const FabricChannels::Number channel = movement_[crossing].channel;
  const Cycle there = at + channels_.flight(channel);
  if (!has_replays(channel)) return there;
  const Replays::Arrival arrival = replays_.accepted(channel, there);
  note(channel, arrival.errors);
  note(channel, static_cast<std::uint64_t>(arrival.replays));
  return arrival.cycle;
}

Replays::Busy History::last_replay(FabricChannels::Number channel, Cycle now) const {
  const Replays::Busy busy = replays_.last_busy(channel, now);
  note(channel, 2 * busy.number + (busy.to >= now ? 1 : 0));
  return busy;
}

Cycle History::operand_arrived(const Meeting& meeting, int slot, int flit) const {
  const CrossingIndex operand = movement_.operand(meeting, slot);
  return operand == 0 ? not_yet : arrived(operand, flit);
}

Cycle History::gathered(CrossingIndex crossing, int flit) const {
  const Meeting* const meeting = this->meeting(crossing);
  if (meeting == nullptr) return arrived(crossing, flit);
  Cycle latest = 0;
  for (int slot = 0; slot < meeting->size(); ++slot) {
    latest = std::max(latest, operand_arrived(*meeting, slot, flit));
  }
  return latest;
}

Cycle History::combined(CrossingIndex crossing, int flit) const {
  const Cycle at = gathered(crossing, flit);
  const Meeting* const meeting = this->meeting(crossing);
  return at == not_yet || meeting == nullptr ? at : at + meeting->combining;
}

Cycle History::released(CrossingIndex crossing, int flit) const {
  if (const Meeting* const meeting = this->meeting(crossing)) {
    const Cycle at = combined(crossing, flit);
    return at == not_yet ? at : at + meeting->held;
  }
  const Cycle at = arrived(crossing, flit);
  const bool is_held = at != not_yet && movement_[crossing].beyond.is_held;
  return is_held ? at + config_.replication_delay : at;
}

Cycle History::left(CrossingIndex crossing, int flit) const {
  const Crossing& at = movement_[crossing];
  if (channels_.is_ejection(at.channel)) return sent(crossing, flit);
  if (at.missing > 0) return not_yet;
  Cycle latest = 0;
  for (CrossingIndex one = at.onward; one != 0; one = movement_[one].sibling) {
    latest = std::max(latest, sent(one, flit));
  }
  return latest;
}

int History::left_by(CrossingIndex crossing, Cycle now) const {
  const Crossing& at = movement_[crossing];
  if (channels_.is_ejection(at.channel)) return sent_by(crossing, now);
  if (at.missing > 0) return 0;
  int least = at.length;
  for (CrossingIndex one = at.onward; one != 0; one = movement_[one].sibling) {
    least = std::min(least, sent_by(one, now));
  }
  return least;
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
  for (const int output : bits(at.beyond.outputs)) {
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

// The first crossing of `channel` whose cycle in `times` is `now` or later; 0: none.
CrossingIndex History::first_from(FabricChannels::Number channel, const Times& times,
                                  Cycle now) const {
  const CrossingIndex last = movement_.last(channel);
  if (last == 0) return 0;
  const auto end = times.begin() + position_[last] + 1;
  const auto begin = end - 1 - movement_[last].place;
  auto from = times.begin() + near_[channel];
  auto to = from;
  if (*from < now) {
    for (std::ptrdiff_t reach = 1; to != end && *to < now; reach *= 2) {
      from = to + 1;
      to += std::min(reach, end - to);
    }
  } else {
    for (std::ptrdiff_t reach = 1; from != begin && *from >= now; reach *= 2) {
      to = from;
      from -= std::min(reach, from - begin);
    }
  }
  const auto found = std::lower_bound(from, to, now);
  note(channel, static_cast<std::uint64_t>(found - begin));
  if (found == end) return 0;
  near_[channel] = static_cast<std::uint32_t>(found - times.begin());
  return order_[near_[channel]];
}

CrossingIndex History::front_crossing(FabricChannels::Number channel, Cycle now) const {
  return first_from(channel, tail_left_, now);
}

History::Front History::front(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = front_crossing(channel, now);
  if (first == 0) return {};
  const int flit = left_by(first, now - 1);
  return arrived(first, flit) <= now ? Front{first, flit} : Front{};
}

CrossingIndex History::owner(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = first_unsent(channel, now);
  const bool is_owned = first != 0 && movement_[first].won <= now;
  note(channel, is_owned ? 1 : 0);
  return is_owned ? first : 0;
}

Cycle History::owned_since(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = first_from(channel, tail_sent_, now);
  if (first != 0 && movement_[first].won <= now) return std::min(movement_[first].won + 1, now);
  const CrossingIndex previous = first == 0 ? movement_.last(channel) : before(first);
  return previous == 0 ? 0 : tail_sent(previous) + 1;
}

Cycle History::refilled(FabricChannels::Number channel, Cycle now) const {
  const CrossingIndex first = first_unsent(channel, now);
  const CrossingIndex last = first == 0 ? movement_.last(channel) : before(first);
  Cycle back = 0;
  if (last != 0) {
    const Cycle left = this->left(last, movement_[last].length - 1);
    back = left == not_yet ? not_yet : left + channels_.credit_flight(channel);
  }
  const bool is_missing = back > now || last_loss(channel, -1, now).has_value();
  note(channel, is_missing ? 1 : 0);
  return is_missing ? not_yet : back;
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
  if (channels_.is_ejection(channel)) used += static_cast<int>(kept_back(crossing, now));
  if (const auto lost = lost_.find(channel); lost != lost_.end()) {
    const auto is_lost = [now](const Lost& one) { return one.cycle <= now; };
    used += static_cast<int>(std::count_if(lost->second.begin(), lost->second.end(), is_lost));
  }
  return config_.buffer_depth - used;
}

std::optional<Cycle> History::last_loss(FabricChannels::Number channel, Cycle from,
                                        Cycle to) const {
  const auto lost = lost_.find(channel);
  if (lost == lost_.end()) return std::nullopt;
  std::uint64_t before = 0;
  std::optional<Cycle> last;
  for (const Lost& one : lost->second) {
    if (one.cycle <= from) ++before;
    if (one.cycle > from && one.cycle <= to) last = one.cycle;
  }
  note(channel, before);
  return last;
}

std::int64_t History::kept_back(CrossingIndex branch, Cycle now) const {
  const std::int64_t limit = movement_.reception_limit();
  const FabricChannels::Number channel = movement_[branch].channel;
  if (limit == 0 || !channels_.is_ejection(channel)) return 0;
  std::int64_t owed = 0;  // those of all flits that could have been given back
  for (CrossingIndex one = branch; one != 0 && owed == 0; one = before(one)) {
    const int back = left_by(one, now - channels_.credit_flight(channel));
    if (back > 0) owed = flits_before_[position_[one]] + back;
  }
  const std::int64_t given = room_by(channel, now - 1) + limit - config_.buffer_depth;
  return std::max<std::int64_t>(owed - given, 0);
}

Cycle History::credited(CrossingIndex branch, int flit) const {
  const Cycle back = returned(branch, flit);
  const std::int64_t limit = movement_.reception_limit();
  const Crossing& at = movement_[branch];
  if (limit == 0 || !channels_.is_ejection(at.channel)) return back;
  const int needed = allport::needed_credits(config_.switching, flit == 0, at.length);
  const Cycle room =
      room_from(at.channel, flits_before_[position_[branch]] + flit + needed - limit);
  return room == not_yet ? not_yet : std::max(back, room + 1);
}

Cycle History::complete(CrossingIndex crossing, int flit) const {
  const int needed = needed_flits(config_.switching, flit == 0, movement_[crossing].length);
  return arrived(crossing, flit + needed - 1);
}

// The credit for a flit that left the buffer beyond makes up for one that is sent.
Cycle History::returned(CrossingIndex branch, int flit) const {
  const FabricChannels::Number channel = movement_[branch].channel;
  const int needed =
      allport::needed_credits(config_.switching, flit == 0, movement_[branch].length);
  if (lost_.count(channel) > 0) return returned_but_lost(branch, flit, needed);
  int missing = flit + needed - config_.buffer_depth;  // flits that must have left, from the first
  const auto returned = [&](CrossingIndex one, int last) {
    const Cycle left = this->left(one, last);
    return left == not_yet ? not_yet : left + channels_.credit_flight(channel);
  };
  if (missing > 0) return returned(branch, missing - 1);
  for (CrossingIndex one = before(branch); one != 0; one = before(one)) {
    missing += movement_[one].length;
    if (missing > 0) return returned(one, missing - 1);
  }
  return 0;
}

// The same of a channel some credits of which were lost: for each of them one more flit must have
// left.
Cycle History::returned_but_lost(CrossingIndex branch, int flit, int needed) const {
  const FabricChannels::Number channel = movement_[branch].channel;
  const std::int64_t sent = flits_before_[position_[branch]] + flit;
  std::int64_t number = sent + needed - config_.buffer_depth;
  if (number <= 0) return 0;
  const std::int64_t without = number;
  for (const Lost& one : lost_.at(channel)) number += one.number <= number ? 1 : 0;
  note(channel, static_cast<std::uint64_t>(number - without));
  if (number > sent) return not_yet;
  CrossingIndex one = branch;
  while (flits_before_[position_[one]] >= number) one = before(one);
  const Cycle left = this->left(one, static_cast<int>(number - flits_before_[position_[one]]) - 1);
  return left == not_yet ? not_yet : left + channels_.credit_flight(channel);
}

// It goes back as credits do, from the cycle in which the head is on the ejection channel.
Cycle History::acknowledged(CrossingIndex injection) const {
  Cycle back = 3;
  for (CrossingIndex one = injection;; one = movement_[one].onward) {
    if (one == 0) return not_yet;
    const FabricChannels::Number channel = movement_[one].channel;
    if (channels_.is_external(channel)) back += channels_.credit_flight(channel);
    if (!channels_.is_ejection(channel)) continue;
    const Cycle head = arrived(one, 0);
    return head == not_yet ? not_yet : head + back;
  }
}

Cycle History::came_to_front(CrossingIndex crossing) const {
  const CrossingIndex previous = before(crossing);
  if (previous == 0) return 0;
  return tail_left(previous) == not_yet ? not_yet : tail_left(previous) + 1;
}

Cycle History::all_came_to_front(CrossingIndex crossing) const {
  const Meeting* const meeting = this->meeting(crossing);
  if (meeting == nullptr) return came_to_front(crossing);
  Cycle latest = 0;
  for (int slot = 0; slot < meeting->size(); ++slot) {
    const CrossingIndex operand = movement_.operand(*meeting, slot);
    latest = std::max(latest, operand == 0 ? not_yet : came_to_front(operand));
  }
  return latest;
}

Cycle History::routed(CrossingIndex crossing) const {
  if (config_.route_delay == 0) return all_came_to_front(crossing);
  const auto is_there_from = [this](CrossingIndex one) {
    return one == 0 ? not_yet : std::max(arrived(one, 0), came_to_front(one));
  };
  Cycle latest = is_there_from(crossing);
  if (const Meeting* const meeting = this->meeting(crossing)) {
    for (int slot = 0; slot < meeting->size(); ++slot) {
      latest = std::max(latest, is_there_from(movement_.operand(*meeting, slot)));
    }
  }
  return latest == not_yet ? not_yet : latest + config_.route_delay;
}

int History::last_operand(const Meeting& meeting, int flit) const {
  int last = 0;
  for (int slot = 1; slot < meeting.size(); ++slot) {
    if (is_later(meeting, slot, last, flit)) last = slot;
  }
  return last;
}

// Whether `flit` of operand `slot` comes later than that of `other`, or else the flit before it.
bool History::is_later(const Meeting& meeting, int slot, int other, int flit) const {
  const CrossingIndex one = movement_.operand(meeting, slot);
  const CrossingIndex two = movement_.operand(meeting, other);
  while (flit >= 0) {
    const Cycle arrival = operand_arrived(meeting, slot, flit);
    const Cycle of_other = operand_arrived(meeting, other, flit);
    if (arrival != of_other) return arrival > of_other;
    const bool have_come = arrival != not_yet;
    flit -= 1 + (have_come ? std::min(arrived_in_row(one, flit), arrived_in_row(two, flit)) : 0);
  }
  return false;
}

CrossingIndex History::last_operand(CrossingIndex crossing, int flit) const {
  const Meeting* const meeting = this->meeting(crossing);
  if (meeting == nullptr) return crossing;
  return movement_.operand(*meeting, last_operand(*meeting, flit));
}

CrossingIndex History::speaker(CrossingIndex crossing) const {
  const Meeting* const meeting = this->meeting(crossing);
  return meeting == nullptr ? crossing : movement_.operand(*meeting, 0);
}

const FlitRun& History::run_of(CrossingIndex crossing, int flit) const {
  const FlitRun& run = find_run(crossing, flit);
  note(crossing, 2 * static_cast<std::uint64_t>(run.flit));
  return run;
}

const FlitRun& History::find_run(CrossingIndex crossing, int flit) const {
  const Crossing& at = movement_[crossing];
  if (flit < at.run.count) return at.run;
  const FlitRun& near = runs_[near_runs_[crossing]];
  if (near.crossing == crossing && flit >= near.flit && flit < near.flit + near.count) return near;
  const auto behind = [](int one, const FlitRun& other) { return one < other.flit; };
  const auto run = std::prev(std::upper_bound(runs_.begin() + run_ends_[crossing - 1],
                                              runs_.begin() + run_ends_[crossing], flit, behind));
  near_runs_[crossing] = static_cast<std::uint32_t>(run - runs_.begin());
  return *run;
}

int History::sent_in_row(CrossingIndex crossing, int flit) const {
  const FlitRun& run = run_of(crossing, flit);
  return run.stride == 1 ? flit - run.flit : 0;
}

// The flits before `flit` that came in the cycles just before it, as far as they are told together.
int History::arrived_in_row(CrossingIndex crossing, int flit) const {
  return has_replays(movement_[crossing].channel) ? 0 : sent_in_row(crossing, flit);
}

int History::left_in_row(CrossingIndex crossing, int flit) const {
  const CrossingIndex branch = movement_[crossing].onward;
  const bool is_only = branch != 0 && movement_[branch].sibling == 0;
  return is_only ? sent_in_row(branch, flit) : 0;
}

int History::gathered_in_row(CrossingIndex crossing, int flit) const {
  const Meeting* const meeting = this->meeting(crossing);
  if (meeting == nullptr) return arrived_in_row(crossing, flit);
  int least = flit;
  for (int slot = 0; slot < meeting->size(); ++slot) {
    const CrossingIndex operand = movement_.operand(*meeting, slot);
    least = std::min(least, operand == 0 ? 0 : arrived_in_row(operand, flit));
  }
  return least;
}

int History::sent_in_row_from(CrossingIndex crossing, int flit) const {
  const FlitRun& run = run_of(crossing, flit);
  return run.stride == 1 ? run.flit + run.count - flit : 1;
}

CrossingIndex History::first(FabricChannels::Number channel) const {
  const CrossingIndex last = movement_.last(channel);
  return last == 0 ? 0 : order_[position_[last] - movement_[last].place];
}

}  // namespace allport
