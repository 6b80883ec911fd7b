// SPDX-License-Identifier: Apache-2.0
// A History has the state of the routers in any cycle of a run that is over, as far as it follows
// from the movement of its flits: what is in a buffer, who owns a virtual channel, how many credits
// a sender has. The rules are those of docs/router.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/observe/explain/movement.h"
#include "testbench/observe/explain/replays.h"
#include "testbench/observe/explain/steady.h"

namespace allport {

class History {
 public:
  /// A flit in a buffer; crossing 0: none is there.
  struct Front {
    CrossingIndex crossing = 0;
    int flit = 0;
  };

  /// Both references must outlive it, and `movement` must not grow any more.
  History(const Movement& movement, const Routing& routing,
          SteadyStates steady_states = SteadyStates::skipped);

  const Movement& movement() const { return movement_; }
  const FabricChannels& channels() const { return channels_; }
  const RouterConfig& config() const { return config_; }
  const Crossing& operator[](CrossingIndex crossing) const { return movement_[crossing]; }

  // The flits of a crossing:
  /// The cycle in which its tail leaves the buffer beyond.
  Cycle tail_left(CrossingIndex crossing) const { return tail_left_[position_[crossing]]; }
  Cycle tail_sent(CrossingIndex crossing) const { return tail_sent_[position_[crossing]]; }
  /// The cycle in which `flit` is sent on the channel; not_yet: it is not by the end of the run.
  Cycle sent(CrossingIndex crossing, int flit) const;
  /// The flits sent up to and including cycle `now`.
  int sent_by(CrossingIndex crossing, Cycle now) const;
  /// Whether a flit is sent in cycle `now`.
  bool sends(CrossingIndex crossing, Cycle now) const {
    const int flits = sent_by(crossing, now);
    return flits > 0 && sent(crossing, flits - 1) == now;
  }
  /// The cycle in which `flit` is in the buffer beyond.
  Cycle arrived(CrossingIndex crossing, int flit) const;
  /// Calls `use(first, last)` for the stretches of cycles `from` .. `to` in which the output of
  /// `channel` is busy with replays, the last ones first.
  template <class Use>
  void visit_replays(FabricChannels::Number channel, Cycle from, Cycle to, const Use& use) const {
    if (!has_replays(channel)) return;
    for (Cycle last = to; last >= from;) {
      const Replays::Busy busy = last_replay(channel, last);
      if (busy.number == 0 || busy.to < from) return;
      use(std::max(from, busy.from), std::min(last, busy.to));
      last = busy.from - 1;
    }
  }
  /// Whether the output of `channel` is busy with a replay in cycle `now`.
  bool is_replaying(FabricChannels::Number channel, Cycle now) const {
    if (!has_replays(channel)) return false;
    const Replays::Busy busy = last_replay(channel, now);
    return busy.number > 0 && busy.to >= now;
  }
  bool has_replays(FabricChannels::Number channel) const {
    return channels_.is_external(channel) && replays_.has_any(channel);
  }
  /// The same once the flits of all contributions that it meets are there, if it is one to a join.
  Cycle gathered(CrossingIndex crossing, int flit) const;
  /// The first cycle in which it, and those that it meets, are combined.
  Cycle combined(CrossingIndex crossing, int flit) const;
  /// The first cycle in which `flit` may take part there: r later if it is held.
  Cycle released(CrossingIndex crossing, int flit) const;
  /// The cycle in which the last branch takes `flit` from the buffer beyond.
  Cycle left(CrossingIndex crossing, int flit) const;
  /// The flits that have left the buffer beyond up to and including cycle `now`.
  int left_by(CrossingIndex crossing, Cycle now) const;

  // The way of a message:
  /// The branch of `crossing` by `output`; 0: it has not won a channel there.
  CrossingIndex branch(CrossingIndex crossing, int output) const;
  /// The output by which `flit` leaves the buffer behind `crossing` last; ties: the lowest one.
  int last_output(CrossingIndex crossing, int flit) const;
  int output_of(CrossingIndex branch) const { return movement_[branch].output; }

  // The contributions to a join:
  /// The slot of the contribution of which `flit` comes last; of several in one cycle the one of
  /// which the flit before it came last, and so on; then the first one.
  int last_operand(const Meeting& meeting, int flit) const;
  /// The crossing of that contribution to the join of `crossing`; 0: it has not begun. `crossing`
  /// itself, if it contributes to no join.
  CrossingIndex last_operand(CrossingIndex crossing, int flit) const;
  /// The crossing of the one that speaks for the others: the local one; `crossing` itself, if it
  /// contributes to no join.
  CrossingIndex speaker(CrossingIndex crossing) const;
  /// The meeting of `crossing`; null: it contributes to no join.
  const Meeting* meeting(CrossingIndex crossing) const {
    const MeetingIndex index = movement_[crossing].beyond.meeting;
    return index == 0 ? nullptr : &movement_.meeting(index);
  }
  const Topology& topology() const { return routing_.topology(); }

  /// Whether whoever reads the history looks for steady states, to skip them.
  bool skips_steady_states() const { return steady_states_ == SteadyStates::skipped; }

  /// What `body` returns; what it reads is noted in `lookups`, and then in those around it.
  template <class Body>
  auto watch(Lookups& lookups, const Body& body) const {
    struct Watch {
      ~Watch() {
        present = outer;
        if (outer != nullptr) outer->note(inner);
      }
      Lookups*& present;
      Lookups* const outer;
      const Lookups& inner;
    };
    const Watch watch{lookups_, lookups_, lookups};
    lookups_ = &lookups;
    return body();
  }
  /// Notes that an answer depends on part `part` of `what`, which a caller has read by itself.
  void note(std::uint64_t what, std::uint64_t part) const {
    if (lookups_ != nullptr) lookups_->note(what, part);
  }

  // The machine in cycle `now`, on the state at its beginning plus what is on the wires:
  /// The flit that is first in the buffer behind `channel`, held or not.
  Front front(FabricChannels::Number channel, Cycle now) const;
  /// The crossing whose flits leave that buffer next; 0: all that came have left it.
  CrossingIndex front_crossing(FabricChannels::Number channel, Cycle now) const;
  /// The first crossing of `channel` of which flits are left to send at the beginning of cycle
  /// `now`; 0: there is none.
  CrossingIndex first_unsent(FabricChannels::Number channel, Cycle now) const {
    return first_from(channel, tail_sent_, now);
  }
  /// The crossing that owns `channel`, from its win to its tail; 0: nobody does.
  CrossingIndex owner(FabricChannels::Number channel, Cycle now) const;
  /// The first cycle from which on, up to `now`, it had the same owner, or none. The cycle in which
  /// the owner wins it stands alone: to others the channel is free then.
  Cycle owned_since(FabricChannels::Number channel, Cycle now) const;
  /// The credits that the sender of `crossing` has for its channel, while `crossing` owns it.
  int credits(CrossingIndex crossing, Cycle now) const;
  /// The first cycle from which on the sender of `channel`, which nobody owns in cycle `now`, has
  /// all credits for it; not_yet: in `now` it does not. 0: the channel was never used.
  Cycle refilled(FabricChannels::Number channel, Cycle now) const;
  /// The first cycle in which the flits are in the buffer beyond that `flit` needs to go on.
  Cycle complete(CrossingIndex crossing, int flit) const;

  /// The first cycle from which on the sender of `branch` has the credits that it needs for `flit`,
  /// its next one.
  Cycle credited(CrossingIndex branch, int flit) const;
  /// The same if no credit were kept back where messages are not taken.
  Cycle returned(CrossingIndex branch, int flit) const;
  /// The credits of an ejection channel that its node keeps back from the sender of `branch` in
  /// cycle `now`, because they are more than its reception buffer has room for.
  std::int64_t kept_back(CrossingIndex branch, Cycle now) const;
  /// The last of the cycles behind `from`, up to `to`, in which a credit of `channel` was lost;
  /// none: none was.
  std::optional<Cycle> last_loss(FabricChannels::Number channel, Cycle from, Cycle to) const;
  /// The first cycle from which on the sender of the message of `injection`, in circuit mode, has
  /// the acknowledgement of its head.
  Cycle acknowledged(CrossingIndex injection) const;
  /// The first cycle from which on the head of `crossing` is first in the buffer beyond.
  Cycle came_to_front(CrossingIndex crossing) const;
  /// The same for it and all contributions that it meets, if it is one to a join.
  Cycle all_came_to_front(CrossingIndex crossing) const;
  /// The first cycle from which on it, and those that it meets, have a route: a cycles later.
  Cycle routed(CrossingIndex crossing) const;
  /// The first cycle from which on the head of `crossing` asks for what it needs: the replication
  /// delay, too, is over.
  Cycle asks_from(CrossingIndex crossing) const {
    return std::max(released(crossing, 0), routed(crossing));
  }
  /// The flits before `flit` that were sent in the cycles just before it, without a gap.
  int sent_in_row(CrossingIndex crossing, int flit) const;
  /// The flits before `flit` that left the buffer beyond in the cycles just before it; 0 also where
  /// it has several branches.
  int left_in_row(CrossingIndex crossing, int flit) const;
  /// The flits before `flit` that were gathered in the cycles just before it.
  int gathered_in_row(CrossingIndex crossing, int flit) const;
  /// The flits from `flit` on that are sent in successive cycles.
  int sent_in_row_from(CrossingIndex crossing, int flit) const;
  /// The first crossing of `channel`; 0: there is none.
  CrossingIndex first(FabricChannels::Number channel) const;

  /// The crossings of a channel in the order in which they won it.
  CrossingIndex before(CrossingIndex crossing) const;
  CrossingIndex after(CrossingIndex crossing) const;

 private:
  /// Flits for which a reception buffer has room again: `count` of them, each for one credit, of
  /// which one may go on the wire in every cycle from `first` on. They are numbered by channel,
  /// those of this stretch from `number` on.
  struct Room {
    std::int64_t number = 1;
    Cycle first = 0;
    std::int64_t count = 0;
  };
  /// A credit of a channel that was lost.
  struct Lost {
    std::int64_t number = 0;  // of the flit for which it was, of all that left the buffer beyond
    Cycle cycle = 0;          // in which its sender would have seen it
  };
  /// A cycle for each crossing, by position.
  using Times = std::vector<Cycle>;

  void put_in_order();
  void sort_runs();
  void sum_up_takings();
  Cycle room_from(FabricChannels::Number channel, std::int64_t number) const;
  std::int64_t room_by(FabricChannels::Number channel, Cycle now) const;
  Replays::Busy last_replay(FabricChannels::Number channel, Cycle now) const;
  int arrived_in_row(CrossingIndex crossing, int flit) const;
  void count_flits_before();
  void find_lost_credits();
  Cycle returned_but_lost(CrossingIndex branch, int flit, int needed) const;
  const FlitRun& run_of(CrossingIndex crossing, int flit) const;
  const FlitRun& find_run(CrossingIndex crossing, int flit) const;
  int sent_of(const FlitRun& run, CrossingIndex crossing, Cycle now) const;
  Cycle operand_arrived(const Meeting& meeting, int slot, int flit) const;
  bool is_later(const Meeting& meeting, int slot, int other, int flit) const;
  CrossingIndex first_from(FabricChannels::Number channel, const Times& times, Cycle now) const;

  const Movement& movement_;
  const FabricChannels& channels_;
  const RouterConfig& config_;
  const Routing& routing_;
  const SteadyStates steady_states_;
  const Replays replays_;
  std::vector<CrossingIndex> order_;     // crossings by position: those of a channel in a row
  std::vector<std::uint32_t> position_;  // by crossing
  std::vector<FlitRun> runs_;            // those that are not the first of their crossing, by it
  std::vector<std::uint32_t> run_ends_;  // by crossing: behind the last of them
  mutable std::vector<std::uint32_t> near_runs_;  // by crossing: the one of them last found
  Times tail_sent_;
  Times tail_left_;  // when the tail leaves the buffer beyond
  // With a reception limit, or where credits were lost:
  std::vector<std::int64_t> flits_before_;  // by position: those of its channel
  std::unordered_map<FabricChannels::Number, std::vector<Room>> rooms_;
  std::unordered_map<FabricChannels::Number, std::vector<Lost>> lost_;
  mutable Lookups* lookups_ = nullptr;
  // By channel: a position. Where the last search ended the next one begins, since one wait leads
  // to others nearby.
  mutable ZeroedArray<std::uint32_t> near_;
};

}  // namespace allport
