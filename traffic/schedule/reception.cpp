// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/reception.h"

#include <utility>

namespace allport {

namespace {

class Receptions {
 public:
  Receptions(const Routing& routing, const std::vector<NodeId>& sources)
      : routing_(routing),
        steps_(routing.topology().node_count(), never_received),
        waiting_(steps_.size()) {
    for (const NodeId source : sources) receive(source, held_from_start);
  }

  void deliver(const Unicast& unicast) {
    if (goes_to_all(unicast.kind)) {
      deliver_to_all(unicast);
    } else {
      for (const NodeId node : receivers(unicast, routing_)) receive(node, unicast.step);
    }
  }

  std::vector<StepIndex> take() { return std::move(steps_); }

 private:
  void receive(NodeId node, StepIndex step) {
    StepIndex& first = steps_[index(node)];
    if (first == never_received) --waiting_;
    if (first == never_received || step < first) first = step;
  }

  // Unicasts come by step: only a node that has not received yet can gain.
  void deliver_to_all(const Unicast& unicast) {
    const std::size_t missing_sender = steps_[index(unicast.u)] == never_received ? 1 : 0;
    if (waiting_ == missing_sender) return;
    for (const NodeId node : receivers(unicast, routing_)) receive(node, unicast.step);
  }

  const Routing& routing_;
  std::vector<StepIndex> steps_;
  std::size_t waiting_;  // number of nodes that have not received
};

}  // namespace

std::vector<StepIndex> first_receptions(const std::vector<const Unicast*>& unicasts,
                                        const Routing& routing,
                                        const std::vector<NodeId>& sources) {
  Receptions receptions(routing, sources);
  for (const Unicast* unicast : unicasts) receptions.deliver(*unicast);
  return receptions.take();
}

std::string causality_fault(const Unicast& unicast, const std::vector<StepIndex>& received,
                            const Topology& topology) {
  const StepIndex held_from = received[index(unicast.u)];
  const std::string sender = ": node " + topology.node_name(unicast.u);
  if (held_from == never_received) {
    return describe(unicast, topology) + sender + " is not a source and never receives";
  }
  if (held_from < unicast.step) return {};
  return describe(unicast, topology) + sender + " receives only in step " +
         std::to_string(held_from);
}

}  // namespace allport
