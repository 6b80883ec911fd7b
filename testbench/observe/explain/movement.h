// SPDX-License-Identifier: Apache-2.0
// A Movement records how the flits of a run moved, as far as is needed to explain the run
// afterwards: for each message and each virtual channel that it takes, when it won that channel and
// when its flits went out on it. Flits at an even distance are one entry, so that memory grows with
// messages, hops and stalls, not with flits. Buffers, credits and owners at any cycle follow from
// it (history.h); every model of the machine writes it in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "rtl_model/base/zeroed_array.h"
#include "rtl_model/router/flit.h"
#include "testbench/observe/explain/fabric_channels.h"

namespace allport {

/// Index of a crossing; 0 stands for none.
using CrossingIndex = std::uint32_t;

/// A cycle that has not come by the end of the run.
constexpr Cycle not_yet = std::numeric_limits<Cycle>::max();

/// Flits `flit` .. `flit + count - 1`, of which one was sent every `stride` cycles from `first` on.
struct FlitRun {
  Cycle first = 0;
  std::int32_t flit = 0;
  std::int32_t count = 0;
  std::int32_t stride = 1;
  CrossingIndex crossing = 0;

  Cycle sent(int number) const { return first + Cycle{stride} * (number - flit); }
};

/// Where contributions to a join meet: what comes in by the inputs of one router, in the order in
/// which a tie between them is decided (docs/explain.md): the one that speaks, then by port.
struct Meeting {
  MessageId message = no_message;
  NodeId node{};
  int speaker = -1;         ///< the external input of operand 0; -1: it is the local one
  PortMask inputs = 0;      ///< the external inputs on which others are expected
  Cycle combining = 0;      ///< cycles for which the combine delay holds what has come together
  Cycle held = 0;           ///< and those for which the replication delay does after it
  std::uint32_t first = 0;  ///< the place of its first operand among those of all meetings

  int size() const { return 1 + __builtin_popcountll(inputs); }
  bool is_local(int slot) const { return slot == 0 && speaker < 0; }
  /// The external input of operand `slot`, which is not the local one.
  int input(int slot) const {
    if (slot == 0) return speaker;
    PortMask rest = inputs;
    for (; slot > 1; --slot) rest &= rest - 1;
    return __builtin_ctzll(rest);
  }
};
/// A message is taken out of the reception buffer behind an ejection channel.
struct Taking {
  FabricChannels::Number channel = 0;  ///< its virtual channel
  Cycle cycle = 0;
  std::int64_t flits = 0;
};

/// A flit that is in error, at the far end of an external channel.
struct ChannelError {
  FabricChannels::Number channel = 0;  ///< its first virtual channel
  Cycle cycle = 0;
};
/// A credit that its sender would have seen.
struct CreditGone {
  FabricChannels::Number channel = 0;  ///< its virtual channel
  Cycle cycle = 0;
};

/// Index of a meeting; 0 stands for none.
using MeetingIndex = std::uint32_t;

/// How the flits of a message go on from the buffer behind a virtual channel.
struct Onward {
  PortMask outputs = 0;                  ///< the outputs that they take
  bool is_held = false;                  ///< whether the replication delay holds them
  VcClass vc_class = VcClass::h_or_l;    ///< the class that the head requests
  std::uint32_t outputs_of_class_p = 0;  ///< but at these, of a tree worm, class p
  MeetingIndex meeting = 0;              ///< of a contribution to a join: with which others
};

/// A message on a virtual channel. Flits are sent in the cycle in which their router decides it; on
/// an injection channel that is the cycle in which they are on the channel.
struct Crossing {
  MessageId message = no_message;
  FabricChannels::Number channel = 0;
  /// The crossing whose buffer the flits leave, of a join that of the local contribution; 0: the
  /// processor.
  CrossingIndex from = 0;
  CrossingIndex onward = 0;   ///< the first branch by which its flits go on from the buffer beyond
  CrossingIndex sibling = 0;  ///< the next branch out of the buffer of `from`
  std::uint32_t place = 0;    ///< number of crossings of this channel before it
  Cycle won = not_yet;        ///< the cycle in which its head won the channel
  FlitRun run;                ///< the first flits sent
  std::uint32_t last = 0;     ///< the last of its other runs; 0: there are none
  std::int32_t length = 0;    ///< flits of the message
  std::int32_t sent = 0;      ///< flits sent by the end of the run
  std::uint8_t output = 0;    ///< the port of its sender by which it goes
  std::int8_t missing = 0;    ///< branches that have not begun by the end of the run
  Onward beyond;
};

class Movement {
 public:
  explicit Movement(const FabricChannels& channels) : channels_(channels), last_(channels.size()) {
    reset();
  }

  void reset();
  /// Takes over what `other` has, of a fabric with equal channels.
  void take_over(const Movement& other);
  /// From now on message m, which is no join, is called `numbers[m]`.
  void renumber(const std::vector<MessageId>& numbers);
  /// A new crossing, whose head has won its channel in cycle `won`.
  CrossingIndex begin(MessageId message, FabricChannels::Number channel, CrossingIndex from,
                      int length, Cycle won, const Onward& beyond);
  /// Notes that the next `count` flits of `crossing` are sent in successive cycles from `first` on.
  void send(CrossingIndex crossing, Cycle first, std::int32_t count = 1) {
    Crossing& at = crossings_[crossing];
    FlitRun& last = at.last == 0 ? at.run : runs_[at.last];
    if (at.sent == 0) last.first = first;
    const bool may_stride = last.count == 1 && count == 1 && first - last.first <= longest_stride;
    if (may_stride) last.stride = static_cast<std::int32_t>(first - last.first);
    if (at.sent == 0 || may_stride ||
        (last.sent(at.sent) == first && (count == 1 || last.stride == 1))) {
      last.count += count;
    } else {
      at.last = static_cast<std::uint32_t>(runs_.size());
      runs_.push_back({first, at.sent, count, 1, crossing});
    }
    at.sent += count;
  }

  /// The same for `count` flits, one every `stride` cycles.
  void send_every(CrossingIndex crossing, Cycle first, std::int32_t stride, std::int32_t count);
  /// From now on ejection channels end in reception buffers of `flits` flits for each virtual
  /// channel, which takings make room in (docs/router.md).
  void limit_reception(std::int64_t flits) { reception_limit_ = flits; }
  /// 0: there are none, and every message is taken at once.
  std::int64_t reception_limit() const { return reception_limit_; }
  /// Notes a taking, in a cycle no earlier than that of the one before it.
  void take(const Taking& taking) { takings_.push_back(taking); }
  const std::vector<Taking>& takings() const { return takings_; }

  /// Notes what goes wrong on external channels, in a cycle no earlier than that of what was noted
  /// before.
  void err(const ChannelError& error) { errors_.push_back(error); }
  void lose(const CreditGone& credit) { lost_credits_.push_back(credit); }
  const std::vector<ChannelError>& errors() const { return errors_; }
  const std::vector<CreditGone>& lost_credits() const { return lost_credits_; }

  /// The place where the contributions to join `message` meet at `node`: `meeting`, if it is new.
  MeetingIndex meet(const Meeting& meeting);

  const FabricChannels& channels() const { return channels_; }
  /// Crossings are numbered 1 .. size() - 1.
  std::size_t size() const { return crossings_.size(); }
  const Crossing& operator[](CrossingIndex crossing) const { return crossings_[crossing]; }
  /// The last crossing of a channel; 0: there is none.
  CrossingIndex last(FabricChannels::Number channel) const { return last_[channel]; }
  /// The runs that are not the first of their crossing, in the order in which they began; entry 0
  /// is none.
  const std::vector<FlitRun>& runs() const { return runs_; }

  const Meeting& meeting(MeetingIndex index) const { return meetings_[index]; }
  /// 0: nothing of join `message` has come to the router of `node`.
  MeetingIndex meeting_at(MessageId message, NodeId node) const;
  /// The crossing of operand `slot`, 0 .. size() - 1; 0: it has not begun.
  CrossingIndex operand(const Meeting& meeting, int slot) const {
    return operands_[meeting.first + static_cast<std::uint32_t>(slot)];
  }

 private:
  static constexpr Cycle longest_stride = 1 << 20;

  void add_operand(CrossingIndex crossing);
  void add_branch(CrossingIndex from, CrossingIndex branch);

  const FabricChannels& channels_;
  std::vector<Crossing> crossings_;
  std::vector<FlitRun> runs_;
  ZeroedArray<CrossingIndex> last_;  // by channel
  std::vector<Meeting> meetings_;
  std::vector<CrossingIndex> operands_;                          // of one meeting after the other
  std::unordered_map<std::uint64_t, MeetingIndex> meetings_at_;  // by message and node
  std::int64_t reception_limit_ = 0;
  std::vector<Taking> takings_;
  std::vector<ChannelError> errors_;
  std::vector<CreditGone> lost_credits_;
};

}  // namespace allport
