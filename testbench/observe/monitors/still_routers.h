// SPDX-License-Identifier: Apache-2.0
// StillRouters is a fabric of routers, flit by flit, in which nothing can move any more.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router_state.h"
#include "testbench/observe/monitors/quiescent_fabric.h"
#include "tlm/interface/network_interface.h"

namespace allport {

/// The network interfaces by node.
using NetworkInterfaces = std::vector<std::unique_ptr<NetworkInterface>>;

/// It knows since when the routers stand still: when nothing in a fabric can move any more, its
/// routers sleep, and the fabric reports how long each has slept with flits in its buffers.
class Standstill final : public StallObserver {
 public:
  void on_stalled(const RouterState& router, Cycle first, Cycle) override {
    since_[index(router.node())] = first;
  }
  /// The cycle since which the router of `node` has slept with flits that take part; none if it has
  /// not.
  std::optional<Cycle> since(NodeId node) const {
    const auto found = since_.find(index(node));
    return found == since_.end() ? std::nullopt : std::optional<Cycle>(found->second);
  }

 private:
  std::unordered_map<std::size_t, Cycle> since_;
};

/// Such a fabric but for its queues, which are those of its terminals.
class StillFabric : public QuiescentFabric {
 public:
  /// `fabric` must outlive this object.
  explicit StillFabric(const Fabric& fabric) : fabric_(fabric) {
    fabric.tell_open_stalls(StillFabric::deadlock_cycle(), standstill_);
  }

  const Routing& routing() const override { return fabric_.routing(); }
  const RouterConfig& config() const override { return fabric_.config(); }
  const RouterState& state(NodeId node) const override { return fabric_.state(node); }
  Cycle last_movement() const override { return fabric_.last_movement(); }
  Cycle still_since(NodeId node, Cycle otherwise) const override {
    const std::optional<Cycle> asleep = standstill_.since(node);
    return asleep ? fabric_.unchanged_since(node, *asleep) : otherwise;
  }

 private:
  const Fabric& fabric_;
  Standstill standstill_;
};

class StillRouters final : public StillFabric {
 public:
  /// Settles what the routers of `fabric` lost up to the deadlock; both must outlive this object.
  StillRouters(Fabric& fabric, const NetworkInterfaces& interfaces)
      : StillFabric(fabric), interfaces_(interfaces) {
    fabric.settle_stalls(deadlock_cycle());
  }

  std::vector<Queued> queue(NodeId node, int port, int message_class) const override {
    const Injector* injector = interfaces_[index(node)]->injector(port, message_class);
    std::vector<Queued> messages;
    for (std::size_t place = 0; injector != nullptr && place < injector->queue_size(); ++place) {
      const Injector::Pending& pending = injector->queued(place);
      messages.push_back({pending.message->get_extension<MessageExtension>()->id,
                          place > 0 || injector->is_at_head(), pending.start});
    }
    return messages;
  }

 private:
  const NetworkInterfaces& interfaces_;
};

}  // namespace allport
