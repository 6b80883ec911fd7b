// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/aware_steps.h"

#include <algorithm>
#include <tuple>

#include "rtl_model/base/stop_flag.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// The sends of one node that wait for one injection port, in program order.
struct Queue {
  StepIndex received;
  std::size_t chain_index;
  std::vector<Unicast*> sends;  // the next one last
};

bool goes_first(const Queue& a, const Queue& b) {
  return std::make_tuple(a.received, a.chain_index, a.sends.back()->order) <
         std::make_tuple(b.received, b.chain_index, b.sends.back()->order);
}

class AwareSteps {
 public:
  AwareSteps(Schedule& schedule, const Routing& routing, int internal_ports,
             const std::vector<std::size_t>& chain_index)
      : routing_(routing),
        internal_ports_(internal_ports),
        chain_index_(chain_index),
        ports_(routing.topology().port_count()),
        last_use_(routing.topology().router_count() * ports_) {
    for (Unicast& unicast : schedule.unicasts) programs_.push_back(&unicast);
    std::sort(programs_.begin(), programs_.end(), [](const Unicast* a, const Unicast* b) {
      return std::tie(a->u, a->order) < std::tie(b->u, b->order);
    });
  }

  void assign(NodeId source) {
    enqueue(source, 0);
    for (StepIndex step = 1; !waiting_.empty(); ++step) {
      std::sort(waiting_.begin(), waiting_.end(), goes_first);
      std::vector<NodeId> receivers;
      for (Queue& queue : waiting_) {
        heed_stop();
        if (!admit(*queue.sends.back(), step)) continue;
        receivers.push_back(queue.sends.back()->v);
        queue.sends.pop_back();
      }
      const auto is_served = [](const Queue& queue) { return queue.sends.empty(); };
      waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_served), waiting_.end());
      for (const NodeId receiver : receivers) enqueue(receiver, step);
    }
  }

 private:
  void enqueue(NodeId sender, StepIndex received) {
    std::vector<Queue> queues(static_cast<std::size_t>(internal_ports_),
                              {received, chain_index_[index(sender)], {}});
    auto send = std::partition_point(programs_.begin(), programs_.end(),
                                     [&](const Unicast* other) { return other->u < sender; });
    for (; send != programs_.end() && (*send)->u == sender; ++send) {
      const PortId first_channel = first_port(**send, routing_);
      queues[injection_port(first_channel, internal_ports_)].sends.push_back(*send);
    }
    for (Queue& queue : queues) {
      if (queue.sends.empty()) continue;
      std::reverse(queue.sends.begin(), queue.sends.end());
      waiting_.push_back(std::move(queue));
    }
  }

  bool admit(Unicast& unicast, StepIndex step) {
    const std::vector<Channel> route =
        routing_.path(unicast.u, unicast.v, ties_of(unicast, routing_));
    for (const Channel channel : route) {
      if (last_use(channel) == step) return false;
    }
    for (const Channel channel : route) last_use(channel) = step;
    unicast.step = step;
    return true;
  }

  StepIndex& last_use(Channel channel) {
    return last_use_[index(channel.node) * ports_ + index(channel.port)];
  }

  const Routing& routing_;
  int internal_ports_;
  const std::vector<std::size_t>& chain_index_;
  std::size_t ports_;
  std::vector<StepIndex> last_use_;  // last step that used each channel
  std::vector<Unicast*> programs_;   // by sender and order
  std::vector<Queue> waiting_;
};

}  // namespace

void assign_aware_steps(Schedule& schedule, const Routing& routing, int internal_ports,
                        NodeId source, const std::vector<std::size_t>& chain_index) {
  AwareSteps(schedule, routing, internal_ports, chain_index).assign(source);
}

}  // namespace allport
