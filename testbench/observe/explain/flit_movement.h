// SPDX-License-Identifier: Apache-2.0
// This class writes the movement of a fabric of routers, in SystemC or RTL, from outside.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/systemc/observers.h"
#include "testbench/observe/explain/movement.h"
#include "tlm/message/message_log.h"

namespace allport {

class FlitMovement final : public FlitObserver, public StallObserver, public LinkObserver {
 public:
  /// All references must outlive it; the caller attaches it to `fabric` and resets `movement`.
  FlitMovement(Fabric& fabric, const MessageLog& log, Movement& movement);
  /// A writer that goes on from where `other` is, in `movement`, which has taken over its movement.
  FlitMovement(const FlitMovement& other, Movement& movement);

  void reset();
  /// Begins the crossings of heads that the delay v of the VC allocator holds, and which have taken
  /// no part yet.
  void tell_of_held();
  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override;
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;
  void on_won(NodeId node, int output, const Flit& flit, Cycle decided) override;
  /// A head that stalls may have won channels: its crossings begin.
  void on_stalled(const RouterState& router, Cycle first, Cycle cycles) override;
  void on_error(Channel channel, const Flit& flit, Cycle now, Cycle nack) override;
  void on_credit_lost(Channel channel, int vc, Cycle now) override;

 private:
  CrossingIndex begin(FabricChannels::Number channel, CrossingIndex from, const Flit& head,
                      Cycle won);
  void begin_owned(const RouterState& router, int input, int vc, int output, Cycle won);
  void send(NodeId node, int output, const Flit& flit, Cycle decided);
  Cycle won_before(Cycle taking_part) const;
  Onward beyond(FabricChannels::Number channel, const Flit& head);
  Onward beyond_join(NodeId node, const Flit& head);
  MeetingIndex meet(NodeId node, const Flit& head);
  CrossingIndex source(NodeId node, int output, const Flit& head);
  bool has_branch(CrossingIndex crossing, int output) const;
  void end_branch(CrossingIndex from);
  void end_one(CrossingIndex crossing);

  Fabric& fabric_;
  const MessageLog& log_;
  Movement& movement_;
  const FabricChannels& channels_;
  std::vector<CrossingIndex> fronts_;  // by channel: the message first in the buffer beyond
  std::vector<CrossingIndex> behind_;  // by crossing: the next one of its channel
  std::vector<std::uint8_t> open_;     // by crossing: branches that its tail has not taken yet
  std::vector<CrossingIndex> heads_;   // by message: its last crossing
};

}  // namespace allport
