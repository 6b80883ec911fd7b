// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/movement.h"

#include "tlm/message/contribution_records.h"

namespace allport {

void Movement::reset() {
  crossings_.assign(1, Crossing{});
  runs_.assign(1, FlitRun{});
  last_.clear();
  meetings_.assign(1, Meeting{});
  operands_.clear();
  meetings_at_.clear();
  takings_.clear();
  errors_.clear();
  lost_credits_.clear();
}

void Movement::take_over(const Movement& other) {
  crossings_ = other.crossings_;
  runs_ = other.runs_;
  last_ = other.last_;
  meetings_ = other.meetings_;
  operands_ = other.operands_;
  meetings_at_ = other.meetings_at_;
  reception_limit_ = other.reception_limit_;
  takings_ = other.takings_;
  errors_ = other.errors_;
  lost_credits_ = other.lost_credits_;
}

void Movement::renumber(const std::vector<MessageId>& numbers) {
  for (std::size_t i = 1; i < crossings_.size(); ++i) {
    MessageId& message = crossings_[i].message;
    message = numbers[static_cast<std::size_t>(message)];
  }
}

MeetingIndex Movement::meet(const Meeting& meeting) {
  const auto number = static_cast<MeetingIndex>(meetings_.size());
  const auto [place, is_new] =
      meetings_at_.try_emplace(key_at(meeting.message, meeting.node), number);
  if (!is_new) return place->second;
  meetings_.push_back(meeting);
  meetings_.back().first = static_cast<std::uint32_t>(operands_.size());
  operands_.resize(operands_.size() + static_cast<std::size_t>(meeting.size()), 0);
  return number;
}

MeetingIndex Movement::meeting_at(MessageId message, NodeId node) const {
  const auto found = meetings_at_.find(key_at(message, node));
  return found == meetings_at_.end() ? 0 : found->second;
}

// Notes where `crossing` leads to a meeting.
void Movement::add_operand(CrossingIndex crossing) {
  const Crossing& at = crossings_[crossing];
  const Meeting& meeting = meetings_[at.beyond.meeting];
  const int input = channels_.receiver(at.channel).port;
  const PortMask before = meeting.inputs & ((PortMask{1} << input) - 1);
  const bool speaks = channels_.is_injection(at.channel) || input == meeting.speaker;
  const int slot = speaks ? 0 : 1 + __builtin_popcountll(before);
  operands_[meeting.first + static_cast<std::uint32_t>(slot)] = crossing;
}

// All operands of a join go on by the same branches.
void Movement::add_branch(CrossingIndex from, CrossingIndex branch) {
  const auto add = [&](CrossingIndex crossing) {
    crossings_[crossing].onward = branch;
    --crossings_[crossing].missing;
  };
  const MeetingIndex index = crossings_[from].beyond.meeting;
  if (index == 0) {
    add(from);
    return;
  }
  const Meeting& meeting = meetings_[index];
  for (int slot = 0; slot < meeting.size(); ++slot) {
    if (operand(meeting, slot) != 0) add(operand(meeting, slot));
  }
}

CrossingIndex Movement::begin(MessageId message, FabricChannels::Number channel, CrossingIndex from,
                              int length, Cycle won, const Onward& beyond) {
  const auto number = static_cast<CrossingIndex>(crossings_.size());
  Crossing crossing;
  crossing.message = message;
  crossing.channel = channel;
  crossing.from = from;
  crossing.length = length;
  crossing.output = static_cast<std::uint8_t>(channels_.sender(channel).port);
  crossing.won = won;
  crossing.missing = static_cast<std::int8_t>(__builtin_popcountll(beyond.outputs));
  crossing.beyond = beyond;
  if (from != 0) {
    crossing.sibling = crossings_[from].onward;
    add_branch(from, number);
  }
  if (last_[channel] != 0) crossing.place = crossings_[last_[channel]].place + 1;
  last_[channel] = number;
  crossings_.push_back(crossing);
  if (beyond.meeting != 0) add_operand(number);
  return number;
}

void Movement::send_every(CrossingIndex crossing, Cycle first, std::int32_t stride,
                          std::int32_t count) {
  Crossing& at = crossings_[crossing];
  for (; count > 0; --count, first += stride) {
    send(crossing, first);
    FlitRun& last = at.last == 0 ? at.run : runs_[at.last];
    if (last.count == 1 || last.stride != stride) continue;
    last.count += count - 1;
    at.sent += count - 1;
    return;
  }
}

}  // namespace allport
