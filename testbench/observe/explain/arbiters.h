// SPDX-License-Identifier: Apache-2.0
// Arbiters says what the arbiters of the routers chose in any cycle of a run that is over: the
// virtual channel that a head asks for, the flit that an input offers, the flit that goes out. The
// rules are those of docs/router.md.
#pragma once

#include <cstdint>

#include "rtl_model/router/vc_choice.h"
#include "testbench/observe/explain/history.h"
#include "tlm/message/message_log.h"

namespace allport {

class Arbiters {
 public:
  /// All references must outlive it.
  Arbiters(const History& history, const Routing& routing, const MessageLog& log)
      : history_(history),
        channels_(history.channels()),
        config_(history.config()),
        routing_(routing),
        log_(log) {}

  /// The crossing that sends a flit by `output` of `node`, or a phit of an earlier one; 0: none
  /// does.
  CrossingIndex driver(NodeId node, int output, Cycle now) const;
  /// The crossing that puts a flit on the injection channel of `channel`; 0: none does.
  CrossingIndex injecting(FabricChannels::Number channel, Cycle now) const;
  /// The virtual channel at `output`, or with adaptive routing at the output that it prefers, that
  /// the head of `crossing`, first in the buffer beyond and without a channel there, requests or
  /// waits for.
  FabricChannels::Number wanted(CrossingIndex crossing, int output, Cycle now) const;
  /// The virtual channel that wanted() says, and who owns it then; 0: nobody does.
  struct Asked {
    FabricChannels::Number channel = 0;
    CrossingIndex owner = 0;

    friend bool operator==(const Asked& a, const Asked& b) {
      return a.channel == b.channel && a.owner == b.owner;
    }
  };
  Asked asked(CrossingIndex crossing, int output, Cycle now) const {
    const FabricChannels::Number channel = wanted(crossing, output, now);
    return {channel, history_.owner(channel, now)};
  }
  /// A cycle from which on, up to `now`, in which it is `asked`, nothing happened that could have
  /// made it another one.
  Cycle asked_since(CrossingIndex crossing, int output, const Asked& asked, Cycle now) const;
  /// Whether a head chooses among several outputs.
  bool is_adaptive() const { return routing_.is_adaptive(); }
  /// The crossing whose front flit the input of `channel` chooses in (2a); 0: none takes part.
  CrossingIndex chosen(FabricChannels::Number channel, Cycle now) const;
  /// The crossing that the input of `crossing` chooses; of a contribution to a join, what the first
  /// input of those that it meets chooses that does not choose this join; 0: they all do.
  CrossingIndex chosen_instead(CrossingIndex crossing, Cycle now) const;

 private:
  CrossingIndex sender(NodeId node, int output, Cycle now) const;
  bool is_busy(NodeId node, int output, Cycle now) const;
  UnownedVcs unowned(NodeId node, int output, Cycle now) const;
  bool is_draining(FabricChannels::Number channel, Cycle now) const;
  bool has_one_candidate(CrossingIndex crossing, int output) const;
  std::uint32_t candidates(CrossingIndex crossing, int output) const;
  int message_class(CrossingIndex crossing) const {
    return log_[history_[crossing].message].message_class;
  }
  PortMask useful_ports(CrossingIndex crossing) const;
  int wanted_output(CrossingIndex crossing, int output, Cycle now) const;
  int pointer(CrossingIndex crossing, Cycle now) const;
  int input_pointer(const FabricChannels::End& input, Cycle now) const;
  bool takes_part(const History::Front& front, Cycle now) const;
  Cycle last_left_before(FabricChannels::Number channel, Cycle now) const;

  const History& history_;
  const FabricChannels& channels_;
  const RouterConfig& config_;
  const Routing& routing_;
  const MessageLog& log_;
};

}  // namespace allport
