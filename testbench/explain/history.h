// SPDX-License-Identifier: Apache-2.0
// The state of the routers in any cycle of a run that is over, as far as it follows from the
// movement of its flits: what is in a buffer, who owns a virtual channel, how many credits a sender
// has, which flit goes out. The rules are those of docs/router.md.
#pragma once

#include <optional>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/explain/movement.h"
#include "tlm/message/message_log.h"

namespace allport {

class History {
 public:
  /// A flit in a buffer; crossing 0: none is there.
  struct Front {
    CrossingIndex crossing = 0;
    int flit = 0;
  };

  /// All references must outlive it, and `movement` must not grow any more.
  History(const Movement& movement, const Routing& routing, const MessageLog& log);

  const Movement& movement() const { return movement_; }
  const FabricChannels& channels() const { return channels_; }
  const RouterConfig& config() const { return config_; }
  const Crossing& operator[](CrossingIndex crossing) const { return movement_[crossing]; }

  // The flits of a crossing:
  /// The cycle in which its tail leaves the buffer beyond.
  Cycle tail_left(CrossingIndex crossing) const { return tail_left_[crossing]; }
  Cycle tail_sent(CrossingIndex crossing) const {
    return sent(crossing, movement_[crossing].length - 1);
  }
  /// The cycle in which `flit` is sent on the channel; not_yet: it is not by the end of the run.
  Cycle sent(CrossingIndex crossing, int flit) const;
  /// The flits sent up to and including cycle `now`.
  int sent_by(CrossingIndex crossing, Cycle now) const;
  /// The cycle in which `flit` is in the buffer beyond.
  Cycle arrived(CrossingIndex crossing, int flit) const;
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

  // The machine in cycle `now`, on the state at its beginning plus what is on the wires:
  /// The flit that is first in the buffer behind `channel`, held or not.
  Front front(FabricChannels::Number channel, Cycle now) const;
  /// The crossing whose flits leave that buffer next; 0: all that came have left it.
  CrossingIndex front_crossing(FabricChannels::Number channel, Cycle now) const;
  /// The crossing that owns `channel`, from its win to its tail; 0: the channel is free.
  CrossingIndex owner(FabricChannels::Number channel, Cycle now) const;
  /// The credits that the sender of `crossing` has for its channel, while `crossing` owns it.
  int credits(CrossingIndex crossing, Cycle now) const;
  /// The first cycle in which the flits are in the buffer beyond that `flit` needs to go on.
  Cycle complete(CrossingIndex crossing, int flit) const;
  /// The crossing that sends a flit by `output` of `node`; 0: none does.
  CrossingIndex driver(NodeId node, int output, Cycle now) const;
  /// The virtual channel at `output` that the head of `crossing`, first in the buffer beyond and
  /// without a channel there, requests or waits for.
  FabricChannels::Number wanted(CrossingIndex crossing, int output, Cycle now) const;
  /// The output that it requests or waits for, if its routing is adaptive; otherwise `output`.
  int wanted_output(CrossingIndex crossing, int output, Cycle now) const;
  /// The crossing whose front flit the input of `channel` chooses in (2a); 0: none takes part.
  CrossingIndex chosen(FabricChannels::Number channel, Cycle now) const;

  /// The first cycle from which on the sender of `branch` has the credits that it needs for `flit`,
  /// its next one.
  Cycle credited(CrossingIndex branch, int flit) const;
  /// The first cycle from which on the head of `crossing` is first in the buffer beyond.
  Cycle came_to_front(CrossingIndex crossing) const;
  /// The flits before `flit` that were sent in the cycles just before it, without a gap.
  int sent_in_row(CrossingIndex crossing, int flit) const;
  /// The flits from `flit` on that are sent in successive cycles.
  int sent_in_row_from(CrossingIndex crossing, int flit) const;
  /// The first crossing of `channel`; 0: there is none.
  CrossingIndex first(FabricChannels::Number channel) const;
  /// Whether a head may be given one virtual channel only at `output`.
  bool has_one_candidate(CrossingIndex crossing, int output) const;

  /// The crossings of a channel in the order in which they won it.
  CrossingIndex before(CrossingIndex crossing) const;
  CrossingIndex after(CrossingIndex crossing) const;

 private:
  const FlitRun& run_of(CrossingIndex crossing, int flit) const;
  std::uint32_t free_vcs(NodeId node, int output, Cycle now) const;
  std::uint32_t candidates(CrossingIndex crossing, int output) const;
  PortMask useful_ports(CrossingIndex crossing) const;
  int pointer(CrossingIndex crossing, Cycle now) const;
  bool takes_part(const Front& front, Cycle now) const;
  Cycle last_left_before(FabricChannels::Number channel, Cycle now) const;
  /// The first crossing of `channel` for which `holds`, which stays true from then on; 0: none.
  template <class Predicate>
  CrossingIndex first_crossing(FabricChannels::Number channel, const Predicate& holds) const;

  const Movement& movement_;
  const FabricChannels& channels_;
  const RouterConfig& config_;
  const Routing& routing_;
  const MessageLog& log_;
  std::vector<CrossingIndex> order_;     // crossings by channel, then place
  std::vector<std::uint32_t> position_;  // by crossing: its position there
  std::vector<Cycle> tail_left_;         // by crossing: when its tail leaves the buffer beyond
};

}  // namespace allport
