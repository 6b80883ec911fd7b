// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_worms.h"

#include "testbench/observe/monitors/deadlock_finder.h"
#include "testbench/observe/monitors/still_worms.h"
#include "tlm/worm/tree_stops.h"

namespace allport {

namespace {

// A fabric that stands still, and what its clients wait for, if they take messages as they like.
class StillNetwork final : public StillWorms {
 public:
  StillNetwork(const WormEngine& engine, const NetworkFabric::Awaited* awaited)
      : StillWorms(engine), awaited_(awaited) {}

  std::optional<std::vector<MessageId>> awaited(NodeId node, int message_class) const override {
    if (awaited_ == nullptr) return std::nullopt;
    const auto found = awaited_->find({static_cast<std::uint32_t>(index(node)), message_class});
    return found == awaited_->end() ? std::vector<MessageId>{} : found->second;
  }

 private:
  const NetworkFabric::Awaited* awaited_;  // null: nodes take everything at once
};

// Calls `visit` with each external channel that a message takes, by node and port.
template <class Visit>
void visit_channels(const MessageRecord& message, const RunPlan& plan, Visit visit) {
  if (message.kind == MessageKind::unicast) {
    plan.routing.walk(message.source, message.destination, message.ties, visit);
    return;
  }
  WormRequest tree;
  tree.source = message.source;
  tree.destination = message.destination;
  tree.ties = message.ties;
  tree.port = 0;
  tree.kind = message.kind;
  tree.group = message.group;
  tree.message_class = message.message_class;
  for (const TreeStop& stop : tree_stops(tree, plan.router, plan.routing)) {
    for (const TreeHop& hop : stop.hops) {
      if (plan.router.is_external(hop.output)) visit(Channel{stop.node, port_id(hop.output)});
    }
  }
}

}  // namespace

NetworkWorms::NetworkWorms(const RunPlan& plan, WormListener& listener,
                           std::int64_t reception_limit)
    : plan_(plan),
      reception_limit_(reception_limit),
      engine_(plan.router, plan.routing, listener, reception_limit) {}

std::unique_ptr<NetworkFabric> NetworkWorms::copy(const RunPlan& plan,
                                                  WormListener& listener) const {
  auto copy = std::make_unique<NetworkWorms>(plan, listener, reception_limit_);
  copy->engine_.take_over(engine_);
  copy->crossings_ = crossings_;
  return copy;
}

Deadlock NetworkWorms::find_deadlock(const MessageLog& log, const Awaited* awaited,
                                     ContentionMonitor& contention) const {
  const StillNetwork still(engine_, awaited);
  still.settle_waits(contention);
  return allport::find_deadlock(still, log, contention);
}

void NetworkWorms::record(ContentionMonitor& contention) {
  const Topology& topology = plan_.routing.topology();
  contention_ = &contention;
  crossings_.resize(topology.router_count() * topology.port_count());
  engine_.observe(static_cast<WormContentionListener&>(*this));
}

void NetworkWorms::end(const MessageRecord* recorded) {
  if (recorded == nullptr) return;
  visit_channels(*recorded, plan_, [&](Channel channel) {
    crossings_[index(channel.node) * plan_.routing.topology().port_count() + index(channel.port)] +=
        static_cast<std::uint64_t>(recorded->flits);
  });
}

std::vector<std::uint64_t> NetworkWorms::crossings(Cycle now) const {
  std::vector<std::uint64_t> all = crossings_;
  engine_.add_crossings(now, all);
  return all;
}

void NetworkWorms::add_open_contention(Cycle now, ContentionMonitor& contention) const {
  engine_.visit_open_contention(
      now, [&](const WormContention& wait) { contention.hear(plan_.router, wait); });
}

void NetworkWorms::write(Movement& movement, const MessageLog&) {
  writer_.emplace(movement, plan_.router);
  engine_.observe(*writer_);
}

void NetworkWorms::go_on_writing(const NetworkFabric& other, Movement& movement) {
  writer_.emplace(*static_cast<const NetworkWorms&>(other).writer_, movement, plan_.router);
  engine_.observe(*writer_);
}

void NetworkWorms::finish_movement(Cycle now, Movement& copy) const {
  WormMovement writer(*writer_, copy, plan_.router);
  engine_.tell_of_sleep(now, writer);
  writer.settle(now - 1);
}

}  // namespace allport
