// SPDX-License-Identifier: Apache-2.0
// StillWorms is a fabric of worms in which nothing can move any more.
#pragma once

#include <map>
#include <vector>

#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/observe/monitors/quiescent_fabric.h"
#include "testbench/observe/monitors/worm_router.h"
#include "tlm/worm/engine.h"

namespace allport {

class StillWorms : public QuiescentFabric {
 public:
  /// `engine` must outlive this object and not move while it lives.
  explicit StillWorms(const WormEngine& engine) : engine_(engine), store_(engine.store()) {}

  const Routing& routing() const override { return store_.routing; }
  const RouterConfig& config() const override { return store_.config; }
  const WormRouter& state(NodeId node) const override;
  std::vector<Queued> queue(NodeId node, int port, int message_class) const override;
  Cycle last_movement() const override { return store_.activity.last_movement(); }
  Cycle still_since(NodeId node, Cycle otherwise) const override;
  std::uint32_t candidates(NodeId node, int input_vc, int output) const override {
    return state(node).candidates(input_vc, output);
  }

  /// Tells `monitor` of the waits for virtual channels that do not end, up to the deadlock.
  void settle_waits(ContentionMonitor& monitor) const;

 private:
  const WormEngine& engine_;
  const WormStore& store_;
  mutable std::map<NodeId, WormRouter> routers_;  // those that somebody has looked at
};

}  // namespace allport
